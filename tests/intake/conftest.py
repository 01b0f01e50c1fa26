"""Storage for the tests of what a collector and a mixer share: the collector's."""

from __future__ import annotations

from tests.collector.conftest import database as database
from tests.collector.conftest import open_store as open_store
from tests.collector.conftest import postgres as postgres
from tests.collector.conftest import world as world

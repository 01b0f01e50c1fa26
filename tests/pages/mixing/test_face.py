"""What a mixer's pages are made of."""

from __future__ import annotations

import subprocess
import sys

from tests.mixer.routes import all_routes

LOADED = (
    "import sys, deniable.pages.mixing.face; print(*[name for name in sys.modules if name.startswith('deniable.')])"
)


def test_a_mixer_with_its_pages_loads_nothing_of_a_collector() -> None:
    loaded = subprocess.check_output([sys.executable, "-c", LOADED], text=True).split()
    assert "deniable.mixer.http.context" in loaded
    assert [name for name in loaded if name.startswith("deniable.collector")] == []


def test_each_address_of_a_mixer_has_one_route() -> None:
    found = all_routes()
    assert ("GET", "/") in found
    assert ("POST", "/surveys/{digest}/codes") in found
    assert len(found) == len(set(found))

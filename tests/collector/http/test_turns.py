"""What was loaded is left out of garbage collection, also if it came late."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from types import ModuleType

import pytest

from deniable.collector.http.turns import LoadedObjects

MANY = 1000


@pytest.fixture
def late(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """What lets modules come, and afterwards all is looked through again."""
    yield monkeypatch
    gc.unfreeze()


def test_objects_of_a_late_module_are_spared_once(late: pytest.MonkeyPatch) -> None:
    loaded = LoadedObjects()
    loaded.spare()
    before = gc.get_freeze_count()
    made: list[list[int]] = [[] for _ in range(MANY)]
    loaded.spare()
    assert gc.get_freeze_count() < before + MANY
    late.setitem(sys.modules, "late", ModuleType("late"))
    loaded.spare()
    assert gc.get_freeze_count() >= before + len(made)

"""What was loaded is left out of garbage collection, also if it came late."""

from __future__ import annotations

import gc
import sys
from types import ModuleType

import pytest

from deniable.intake.http.thread_turns import LoadedObjects

MANY = 10_000


def test_objects_of_a_late_module_are_spared_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half of them at least: others that were spared before may end meanwhile."""
    loaded = LoadedObjects()
    loaded.spare()
    before = gc.get_freeze_count()
    made: list[list[int]] = [[] for _ in range(MANY)]
    loaded.spare()
    assert gc.get_freeze_count() < before + len(made) / 2
    monkeypatch.setitem(sys.modules, "late", ModuleType("late"))
    loaded.spare()
    assert gc.get_freeze_count() > before + len(made) / 2

"""Both clients are timed on the same specs; the goals hold for the times that are kept."""

from pathlib import Path

import pytest
from benchmarks import clients, kept
from benchmarks.catalogue import FAMILIES

SLOW = {"HashedRappor"}
"""Two hashes of a closed domain: each deals out all of its labels."""


def test_every_mechanism_makes_reports_in_both_clients(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert built.is_dir()
    found = clients.measure(2)
    assert [one.mechanism for one in found] == [name for name, row in FAMILIES.items() if not row.library_only]
    assert all(one.python > 0 and one.node is not None and one.node > 0 for one in found)
    monkeypatch.setenv("PATH", "")
    assert clients.node([clients.Case.of(FAMILIES["Subset"])], 2) == [None]


def test_the_kept_times_meet_their_goals() -> None:
    kept_times = [clients.Each(**one) for one in kept.read(kept.FOLDER / "clients.json")["clients"]]
    assert {one.mechanism for one in kept_times} <= set(FAMILIES)
    assert all(one.python <= clients.PYTHON_GOAL for one in kept_times)
    assert {one.mechanism for one in kept_times if (one.node or 0) > clients.NODE_GOAL} <= SLOW

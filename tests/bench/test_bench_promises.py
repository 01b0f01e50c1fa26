"""What is said of levels and intervals is seen from outside: a leak is found, and intervals that miss are counted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from benchmarks import kept, peers
from benchmarks.bench import peer_processes
from benchmarks.catalogue import FAMILIES
from benchmarks.measure import PeerError, kinds
from benchmarks.peer_process import ROOT
from benchmarks.promises import LABELS, LEVEL, Ours, Peer, Promises, at_least, coverage, measured

import deniable as dn
from deniable.theory.truths import zipf

TRIALS, SURVEYS = 10_000, 20


class Leaking:
    """Subsets of two in which the own label, if it is there, is always the first; intervals are too high."""

    def reports(self, values: Sequence[int]) -> list[int]:
        """The set alone keeps what it says."""
        found = dn.Subset(LABELS, 1.0).privatize_many(values, seed=1)
        bits = np.unpackbits(found, axis=1, bitorder="little")[:, :LABELS]
        members = [np.flatnonzero(row).tolist() for row in bits]
        return kinds(tuple(sorted(pair, key=lambda x: x != own)) for pair, own in zip(members, values, strict=True))

    def intervals(self, _values: Sequence[int]) -> Any:
        return np.array([zipf(LABELS) + 0.01, zipf(LABELS) + 0.02]).T


def test_a_leak_is_found_and_honest_reports_are_not_accused() -> None:
    assert at_least(Leaking(), LABELS, TRIALS) > 1.5
    for name in ("RandomizedResponse", "Subset", "Hadamard"):
        assert 0.5 < at_least(Ours(FAMILIES[name].measured_member(LABELS)), LABELS, TRIALS) <= 1


def test_intervals_that_miss_are_counted() -> None:
    assert coverage(Leaking(), LABELS, 2) == 0
    assert coverage(Ours(dn.Subset(LABELS, 1.0)), LABELS, SURVEYS) == pytest.approx(LEVEL, abs=0.07)


class Answering:
    """A library's process: it keeps no secret, and estimates too high by a given number of standard errors."""

    library = "pure-ldp"

    def __init__(self, off: float) -> None:
        self.off = off

    def ask(self, request: dict[str, Any], _within: float) -> dict[str, Any]:
        """As another interpreter would answer."""
        if request["do"] == "reports":
            return {"reports": kinds(request["values"])}
        errors = np.sqrt(dn.Subset(LABELS, 1.0).risk(len(request["values"]), truth=zipf(LABELS)) / LABELS)
        return {"estimate": (zipf(LABELS) + self.off * errors).tolist()}


def test_a_peer_is_asked_the_same() -> None:
    for off, held in ((0.0, 1.0), (5.0, 0.0)):
        process: Any = Answering(off)
        peer = Peer(process, "Subset", dn.Subset(LABELS, 1.0))
        assert at_least(peer, LABELS, TRIALS) > 5
        assert coverage(peer, LABELS, 1) == held


def test_a_peer_that_fails_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_request: dict[str, Any], _within: float) -> dict[str, Any]:
        raise PeerError("no answer")

    process: Any = Answering(0.0)
    monkeypatch.setattr(process, "ask", fail)
    ours, theirs = measured("Hadamard", {"pure-ldp": process}, 1000, 2)
    assert ours.exact == pytest.approx(1.0)
    assert (theirs.by, theirs.row()[-1]) == ("pure-ldp HR", "no answer")


class Counting:
    """A library whose labels begin at 1."""

    first, d = 1, 3

    def randomize(self, values: list[int]) -> list[Any]:
        return [np.array([value]) for value in values]

    def estimated(self, reports: list[Any]) -> list[float]:
        return [float(np.mean([report[0] == label for report in reports])) for label in (1, 2, 3)]


def test_the_peers_interpreter_answers_in_our_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(peers.LIBRARIES, "counting", lambda _mechanism, _d: Counting())
    asked = {"library": "counting", "mechanism": "Subset", "d": 3, "values": [2, 0, 2, 2]}
    assert peers.answer({"do": "reports", **asked}, {}) == {"reports": [0, 1, 0, 0]}
    assert peers.answer({"do": "estimate", **asked}, {}) == {"estimate": [0.25, 0.0, 0.75]}


def test_without_the_peers_a_sentence_says_so() -> None:
    with pytest.raises(SystemExit, match="not installed"), peer_processes(ROOT / "no" / "python"):
        pass


def test_the_kept_promises_are_of_every_mechanism_and_every_peer() -> None:
    found = [Promises(**one) for one in kept.read(kept.FOLDER / "promises.json")["promises"]]
    ours = [one for one in found if one.by == "deniable"]
    assert [one.mechanism for one in ours] == list(FAMILIES)
    assert not any(one.failure for one in found)
    for one in ours:
        assert one.exact is not None
        assert one.exact <= one.promised
        assert one.coverage == pytest.approx(LEVEL, abs=0.04)
    broken = {one.by for one in found if one.at_least is not None and one.at_least > 1}
    assert broken == {"multi-freq-ldpy SS"}
    assert {one.by.split()[0] for one in found} == {"deniable", *peers.LIBRARIES}

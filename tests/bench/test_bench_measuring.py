"""The clock gives turns, and one processor is one."""

import os
from typing import Any

import pytest
from benchmarks import affinity
from benchmarks.bench import QUICK as EFFORT
from benchmarks.bench import Peers, arguments, measure_cell
from benchmarks.measure import Contender, PeerError, take_turns
from benchmarks.ours import Ours

from deniable.kernels.threads import processors


def fixed(name: str, seconds: float) -> Contender:
    """A contender that always takes as long."""
    return Contender("ours", name, 10, lambda: seconds)


def test_a_slow_contender_has_fewer_turns_and_the_same_rate() -> None:
    (fast, slow), failures = take_turns([fixed("fast", 0.1), fixed("slow", 5.0)], 5, 6.0)
    assert (len(fast.seconds), len(slow.seconds), failures) == (5, 2, [])
    assert (fast.rate, slow.rate) == (100.0, 2.0)


def test_a_peer_that_fails_is_named_and_the_others_go_on() -> None:
    def fail() -> float:
        raise PeerError("no")

    timings, failures = take_turns([Contender("peer", "bad", 1, fail), fixed("good", 0.1)], 2, 1.0)
    assert ([timing.name for timing in timings], failures) == (["good"], ["bad: no"])


class Refusing:
    """A peer that fails at every cell and counts how often it was asked."""

    asked = 0

    def contenders(self, *_: object) -> list[Contender]:
        self.asked += 1
        raise PeerError("too many labels")


def test_a_peer_that_gave_up_is_not_asked_about_more_labels() -> None:
    library: Any = Refusing()  # a stand-in for a process
    peers = Peers({"pure-ldp": library})
    first = peers.contenders("Hadamard", 16, "client", 0.1)
    second = peers.contenders("Hadamard", 1024, "client", 0.1)
    assert first == ([], ["pure-ldp HR: too many labels"])
    assert second == ([], ["pure-ldp HR: not asked, since it failed at d = 16"])
    assert library.asked == 1


@pytest.mark.skipif(not affinity.AVAILABLE, reason="this system does not let a thread choose its processors")
def test_one_processor_is_one_and_all_are_given_back() -> None:
    before = os.sched_getaffinity(0)
    seen: list[int] = []

    def timed() -> float:
        seen.append(processors())
        return 1.0

    one = affinity.on_one(Contender("ours", "tally", 1, timed))
    assert (one.name, one.run(), seen) == ("tally, one processor", 1.0, [1])
    assert os.sched_getaffinity(0) == before


def test_a_cell_has_ours_and_a_limit_for_each() -> None:
    for stage in ("client", "tally", "decode", "project"):
        cell = measure_cell(Ours("RandomizedResponse", 16), "RandomizedResponse", stage, Peers({}), EFFORT)
        assert cell.failures == []
        assert all((cell.share(ours) or 0) > 0 for ours in cell.of("ours"))


def test_a_run_is_narrowed_by_what_is_asked() -> None:
    asked = arguments(["--d", "16", "--mechanisms", "Subset", "--alone"])
    assert (asked.d, asked.mechanisms, asked.alone) == ([16], ["Subset"], True)

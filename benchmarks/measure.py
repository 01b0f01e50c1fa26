"""Timing: how much work makes a steady measurement, and contenders timed in turn.

Standard library only: the peers' interpreter imports this module too.
"""

from __future__ import annotations

import gc
import statistics
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

Kind: TypeAlias = Literal["ours", "peer", "limit"]

STAGES = ("client", "tally", "decode", "project")
EPSILON = 1.0
SEED = 1
PATIENCE = 20
"""A contender that has taken so many times its usual run gets no more turns, so slow ones have fewer."""


class PeerError(Exception):
    """A peer that failed or did not answer in time; its cell is measured without it."""


@dataclass(frozen=True, slots=True)
class Contender:
    """Something to time: one ``run`` does ``count`` items and returns its seconds."""

    kind: Kind
    name: str
    count: float
    run: Callable[[], float]


@dataclass(slots=True)
class Timing:
    """What a contender took, run by run."""

    kind: Kind
    name: str
    count: float
    seconds: list[float] = field(default_factory=list)
    processor_seconds: list[float] = field(default_factory=list)
    """Of this process; none for a peer, which works in another one."""

    @property
    def rate(self) -> float:
        """Items a second, by the median run."""
        return self.count / statistics.median(self.seconds)

    @property
    def processors(self) -> float:
        """How many processors were busy in this process on average."""
        return sum(self.processor_seconds) / sum(self.seconds)

    def to_dict(self) -> dict[str, Any]:
        """The timing as JSON holds it."""
        return {
            "kind": self.kind,
            "name": self.name,
            "count": self.count,
            "rate": self.rate,
            "seconds": self.seconds,
            "processor_seconds": self.processor_seconds,
        }

    @classmethod
    def from_dict(cls, found: Mapping[str, Any]) -> Timing:
        """Back from JSON; the rate follows from the rest."""
        return cls(found["kind"], found["name"], found["count"], found["seconds"], found["processor_seconds"])


def kinds(reports: Iterable[Any]) -> list[int]:
    """Which kind each report is, numbered as they come; of an array its bytes tell, in their order."""
    numbers: dict[Any, int] = {}
    seen = (report.tobytes() if hasattr(report, "tobytes") else report for report in reports)
    return [numbers.setdefault(report, len(numbers)) for report in seen]


def clock(call: Callable[[], object]) -> float:
    """Seconds of one call, with the garbage collector off, as timeit does."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        began = time.perf_counter()
        call()
        return time.perf_counter() - began
    finally:
        if collecting:
            gc.enable()


def calibrate(run: Callable[[int], float], target: float, most: int, least: int = 1) -> int:
    """The count whose run takes about ``target`` seconds, ``most`` at the most; what is compiled gets warm here."""
    count = least
    run(count)
    while True:
        seconds = run(count)
        if seconds >= target / 2 or count >= most:
            return count
        growth = 10.0 if seconds <= 0 else min(10.0, max(2.0, target / seconds))
        count = min(most, int(count * growth))


def take_turns(contenders: Iterable[Contender], repeats: int, most: float) -> tuple[list[Timing], list[str]]:
    """Time all contenders in turn, ``repeats`` times over, and name those that failed.

    One that has taken ``most`` seconds gets no more turns.
    """
    running = [(one, Timing(one.kind, one.name, one.count)) for one in contenders]
    failures: list[str] = []
    for _ in range(repeats):
        for one, timing in list(running):
            if sum(timing.seconds) >= most:
                continue
            before = time.process_time()
            try:
                timing.seconds.append(one.run())
            except PeerError as error:
                failures.append(f"{one.name}: {error}")
                running.remove((one, timing))
                continue
            if one.kind != "peer":
                timing.processor_seconds.append(time.process_time() - before)
    return [timing for _, timing in running], failures

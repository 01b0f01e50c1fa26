"""The time of a survey against its number of people: ``python -m benchmarks.aggregate [--quick] [--json FILE]``.

Two ways to the same estimate: reports counted and decoded, up to as many as fit in memory; and tallies drawn in
aggregate from their exact distribution, up to 10^9 people.
"""

from __future__ import annotations

import argparse
import statistics
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from benchmarks import kept, machine
from benchmarks.catalogue import FAMILIES, usual_member
from benchmarks.measure import SEED, calibrate, clock
from deniable.values.values import closed_domain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from deniable.mechanisms.mechanism import Mechanism

REPORTS, AGGREGATE = "reports", "in aggregate"
SMALLEST, MOST_REPORTS, LARGEST = 3, 7, 9
"""Powers of ten."""
MOST_BYTES = 1 << 27
MADE_SECONDS, MOST_MADE = 0.2, 1 << 23
TURNS = 3


@dataclass(frozen=True, slots=True)
class Point:
    """A survey of n people, one way or the other."""

    mechanism: str
    d: int
    integers: bool
    """Whether a report is one integer rather than many bits."""
    way: str
    n: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Made:
    """The time that making and counting a report takes."""

    mechanism: str
    d: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Survey:
    """A mechanism and the people that it asks, after Zipf's law."""

    mechanism: Mechanism
    turns: int

    @property
    def truth(self) -> npt.NDArray[np.float64]:
        """How the people are distributed."""
        weights = 1 / np.arange(1, len(closed_domain(self.mechanism.domain)) + 1)
        return np.asarray(weights / weights.sum())

    def values(self, n: int) -> npt.NDArray[np.int64]:
        """The people one by one."""
        return np.random.default_rng(SEED).choice(len(self.truth), n, p=self.truth)

    def median(self, call: Callable[[], object]) -> float:
        """Seconds of the median turn, after a warm-up."""
        call()
        return statistics.median(clock(call) for _ in range(self.turns))

    def made(self) -> Made:
        """A report from the value to the tally."""
        m = self.mechanism
        values = self.values(min(MOST_MADE, MOST_BYTES * 8 // m.report_bits))

        def run(count: int) -> float:
            return clock(lambda: m.tally(m.privatize_many(values[:count], seed=SEED)))

        count = calibrate(run, MADE_SECONDS, len(values))
        return Made(
            m.name, len(closed_domain(m.domain)), statistics.median(run(count) for _ in range(self.turns)) / count
        )

    def points(self) -> Iterator[Point]:
        """Every size, counted while reports are few enough and in aggregate throughout."""
        m = self.mechanism
        kind = m.name, len(closed_domain(m.domain)), m.layout.empty(0).ndim == 1
        for n in (10**power for power in range(SMALLEST, LARGEST + 1)):
            if n <= min(10**MOST_REPORTS, MOST_BYTES * 8 // m.report_bits):
                yield Point(*kind, REPORTS, n, self.counted(n))
            yield Point(*kind, AGGREGATE, n, self.drawn(n))

    def counted(self, n: int) -> float:
        """The time from reports to an estimate, without the time to make the reports."""
        m = self.mechanism
        reports = m.privatize_many(self.values(n), seed=SEED)
        return self.median(lambda: m.estimate(m.tally(reports)).frequencies)

    def drawn(self, n: int) -> float:
        """A tally drawn at once, and its estimate."""
        generator = np.random.default_rng(SEED)
        people = generator.multinomial(n, self.truth)
        return self.median(lambda: self.mechanism.estimate(self.mechanism.draw_tally(people, generator)).frequencies)


def run(turns: int) -> dict[str, Any]:
    """All mechanisms."""
    points: list[Point] = []
    made: list[Made] = []
    for family in FAMILIES.values():
        survey = Survey(usual_member(family), turns)
        made.append(survey.made())
        points += survey.points()
        print(f"{made[-1].mechanism:20} in aggregate {points[-1].seconds * 1000:10.2f} ms", flush=True)
    kept_points, kept_made = [asdict(one) for one in points], [asdict(one) for one in made]
    return {"machine": machine.brief(), "points": kept_points, "made": kept_made}


def main(words: Sequence[str] | None = None) -> None:
    """Measure, show, keep."""
    parser = argparse.ArgumentParser(prog="benchmarks.aggregate", description="what a survey costs against its size")
    parser.add_argument("--quick", action="store_true", help="one turn each")
    parser.add_argument("--json", type=Path, help="keep every time here")
    args = parser.parse_args(words)
    found = run(1 if args.quick else TURNS)
    if args.json:
        kept.write(args.json, found)


if __name__ == "__main__":
    main()

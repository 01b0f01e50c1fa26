"""Numbers beside others' reports and decoders: ``python -m benchmarks.scales [--quick] [--json FILE]``.

Others' reports are written here in NumPy, whole columns at once and in floating point, as their papers have them; the
Square Wave's decoder is that of `theory/numbers`. All contenders of a case take turns.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse.linalg import splu

import deniable as dn
from benchmarks import kept, machine, numpy_scales
from benchmarks.measure import EPSILON, SEED, Contender, Kind, Timing, clock, take_turns
from benchmarks.pages import markdown_table
from deniable.arrays import Counts, Indices
from deniable.estimation.numbers.distribution import Distribution
from deniable.theory.numbers.staggered import network, parts
from studies.numbers.square_wave import smoothed, square_wave

PEOPLE, FEWER = 1_000_000, 100_000
TURNS, MOST_SECONDS = 5, 60.0
COMPARED, LARGE, ARITY = (64, 256, 1024), (65_536, 1_000_000), 4
HEADINGS = ("what", "by", "takes", "times ours")


class Case:
    """Something that several can do, so many items at a time."""

    def __init__(self, what: str, items: int) -> None:
        self.what, self.items = what, items
        self.contenders: list[Contender] = []

    def add(self, kind: Kind, name: str, call: Callable[[], object]) -> Case:
        """Another contender, warmed up."""
        call()
        self.contenders.append(Contender(kind, name, self.items, lambda: clock(call)))
        return self

    def timed(self, turns: int) -> dict[str, Any]:
        """What each took."""
        timings, _ = take_turns(self.contenders, turns, MOST_SECONDS)
        return {"what": self.what, "items": self.items, "timings": [each.to_dict() for each in timings]}


def generator() -> np.random.Generator:
    """The same draws each time."""
    return np.random.default_rng(SEED)


# --- reports ---------------------------------------------------------------------------------------------------------


def means(people: int) -> Case:
    """A column of numbers becomes reports about their mean."""
    survey = dn.Survey.plan("mean", [dn.Number("x", 0, 1000, want=("mean",))], EPSILON, people)
    column = generator().integers(0, 1001, people)
    scaled = column / 500 - 1
    return (
        Case(f"{people:,} numbers told for a mean", people)
        .add("ours", "deniable", lambda: survey.answer_many({"x": column}, seed=SEED))
        .add("peer", "Laplace in NumPy", lambda: numpy_scales.laplace(scaled, EPSILON, generator()))
        .add("peer", "piecewise in NumPy", lambda: numpy_scales.piecewise(scaled, EPSILON, generator()))
        .add("peer", "hybrid in NumPy", lambda: numpy_scales.hybrid(scaled, EPSILON, generator()))
        .add("limit", "a random word each", lambda: generator().integers(0, 1 << 63, people))
    )


def ranges(people: int) -> Case:
    """The same for ranges and quantiles."""
    survey = dn.Survey.plan("ranges", [dn.Number("x", 0, 1023, want=("quantiles",))], EPSILON, people)
    column = generator().integers(0, 1024, people)
    scaled = (column + 0.5) / 1024
    return (
        Case(f"{people:,} numbers told for ranges", people)
        .add("ours", "deniable", lambda: survey.answer_many({"x": column}, seed=SEED))
        .add("peer", "Square Wave in NumPy", lambda: numpy_scales.waves(scaled, EPSILON, generator()))
        .add("peer", "tree of 4 in NumPy, reports added up", lambda: tree(column, 1024))
        .add("limit", "a random word each", lambda: generator().integers(0, 1 << 63, people))
    )


# --- results ---------------------------------------------------------------------------------------------------------


def decoded(cells: int) -> Case:
    """From the tally of a million people to a curve and the error of every share up to a cell."""
    survey, tally = surveyed(cells)
    chances = square_wave(cells, cells, EPSILON)
    counts = generator().multinomial(PEOPLE, chances.mean(axis=0))
    ones = tree(generator().integers(0, cells, FEWER), cells)
    held = [FEWER // len(ones)] * len(ones)
    return (
        Case(f"a distribution of {cells:,} cells", 1)
        .add("ours", "deniable, with errors", lambda: curve(survey.estimate(tally)["x"]))
        .add("ours", "deniable, with a band for all cells at once", lambda: banded(survey.estimate(tally)["x"]))
        .add("peer", "Square Wave's EMS, without errors", lambda: smoothed(counts, chances))
        .add(
            "peer",
            "tree of 4, consistent, without errors",
            lambda: numpy_scales.tree_shares(ones, held, ARITY, EPSILON),
        )
    )


def tree(column: Indices, cells: int) -> list[Counts]:
    """The reports of a tree of four branches, added up."""
    return numpy_scales.tree_counts(column, cells, ARITY, EPSILON, generator())


def large(cells: int) -> Case:
    """The share up to each of many cuts and the variance of all of them, from the network of the reports alone."""
    design, currents = parts(cells), generator().normal(size=cells + 1)

    def ours() -> object:
        found = network(cells, design, EPSILON)
        return found.potentials(currents), found.resistances

    def solved() -> object:
        inner = network(cells, design, EPSILON).laplacian[1:-1, 1:-1].tocsc()
        return splu(inner, permc_spec="MMD_AT_PLUS_A").solve(currents[1:-1])

    return (
        Case(f"{cells:,} cells: shares and their errors", 1)
        .add("ours", "deniable", ours)
        .add("limit", "one sparse solution, without errors", solved)
    )


def surveyed(cells: int) -> tuple[Any, Any]:
    """A survey of so many cells, and the tally of a million people."""
    survey = dn.Survey.plan("ranges", [dn.Number("x", 0, cells - 1, want=("quantiles",))], EPSILON, 10**9)
    people = generator().multinomial(PEOPLE, np.full(cells, 1 / cells))
    return survey, survey.draw_tally({"x": np.arange(cells)}, people, generator())


def curve(estimate: Any) -> object:
    """The rising curve, and an interval at each cell's end."""
    assert isinstance(estimate, Distribution)
    return estimate.reports.rising, estimate.reports.known.pointwise(0.95)


def banded(estimate: Any) -> object:
    """The rising curve and its band."""
    assert isinstance(estimate, Distribution)
    return estimate.band(0.95)


def simulated(people: int) -> Case:
    """A survey of so many people, from their numbers to the mean and the median."""
    survey = dn.Survey.plan("minutes", [dn.Number("x", 0, 1000)], EPSILON, people)
    column = generator().integers(0, 1001, people)
    numbers, held = np.unique(column, return_counts=True)

    def by_devices() -> object:
        return survey.estimate(survey.tally(survey.answer_many({"x": column}, seed=SEED)))

    def in_aggregate() -> object:
        return survey.estimate(survey.draw_tally({"x": numbers}, held, generator()))

    return (
        Case(f"a survey of {people:,} people", people)
        .add("ours", "deniable, every device", by_devices)
        .add("ours", "deniable, in aggregate", in_aggregate)
    )


# --- all of it -------------------------------------------------------------------------------------------------------


def measure(quick: bool) -> dict[str, Any]:
    """Every case."""
    people, turns = (FEWER, 3) if quick else (PEOPLE, TURNS)
    cases = [means(people), ranges(people), simulated(people), *map(decoded, COMPARED)]
    cases += [large(cells) for cells in (LARGE[:1] if quick else LARGE)]
    return {"machine": machine.brief(), "epsilon": EPSILON, "cases": [case.timed(turns) for case in cases]}


def rows(found: Mapping[str, Any]) -> list[list[str]]:
    """All cases as a table."""
    return [row for case in found["cases"] for row in _rows(case)]


def brief(case: Mapping[str, Any]) -> list[str]:
    """A case in one row: ours, and the first of the others."""
    ours, other, *_ = _rows(case)
    return [ours[0] + ours[1].removeprefix("deniable"), ours[2], f"{other[1]}: {other[2]}"]


def _rows(case: Mapping[str, Any]) -> Iterator[list[str]]:
    timings = [Timing.from_dict(each) for each in case["timings"]]
    for timing in timings:
        seconds = statistics.median(timing.seconds)
        beside = "" if timing is timings[0] else f"{seconds / statistics.median(timings[0].seconds):.2g}"
        yield [case["what"] if timing is timings[0] else "", timing.name, taken(seconds), beside]


def taken(seconds: float) -> str:
    """A time to read.

    >>> taken(1.234), taken(0.0123), taken(0.00123)
    ('1.2 s', '12 ms', '1.2 ms')
    """
    if seconds >= 1:
        return f"{seconds:.2g} s"
    return f"{1000 * seconds:.0f} ms" if seconds >= 0.01 else f"{1000 * seconds:.2g} ms"


def main(words: Sequence[str] | None = None) -> None:
    """Measure, show, keep."""
    parser = argparse.ArgumentParser(prog="benchmarks.scales", description="numbers beside others' reports")
    parser.add_argument("--quick", action="store_true", help="fewer people, no million cells")
    parser.add_argument("--json", type=Path, help="keep the figures here")
    args = parser.parse_args(words)
    found = measure(args.quick)
    print(markdown_table(HEADINGS, rows(found)))
    if args.json:
        kept.write(args.json, found)


if __name__ == "__main__":
    main()

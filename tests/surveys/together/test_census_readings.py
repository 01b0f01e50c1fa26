"""Every interval of a census holds as often as it says, whatever the question, the reports, the people and the answers.

Worlds are made up by a fixed seed: all or some of 5 to 1,000 people answer, who are all at an end, all but one, evenly
spread, or more at each answer than at the one before or after it. A reading's intervals may miss as often as chance
explains if each misses 5 in 100 times (binomial quantiles of SciPy): of each design, and of all together. All these
tests together fail by chance once in a million times at most. Faults are planted: two that the library once had, and
one in each reading.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import product
from typing import Final

import numpy as np
import pytest
from tests.lengths import by_length
from tests.surveys.together.census_claims import Claim, answers, counts_of, too_often
from tests.surveys.together.census_worlds import ASKED, DESIGNS, World

from deniable.arrays import Counts, Matrix, Vector
from deniable.estimation.census_evidence import CensusEvidence
from deniable.estimation.numbers import quantity
from deniable.theory.risk.variance import Target

SIZES: Final = (5, 20, 45, 120, 1000)
SHAPES: Final = ("first", "last", "all but one", "even", "falling", "rising")
WEIGHTS: Final[Mapping[str, Callable[[int, int], int]]] = {
    "even": lambda place, kinds: 1,
    "falling": lambda place, kinds: kinds - place,
    "rising": lambda place, kinds: place + 1,
}
"""How many give each of so many answers, beside the others, by its place."""
PARTS: Final = (0.6, 1.0)
LEVELS: Final = (1.0, 3.0)
STRIDE: Final = by_length(11, 1)
SURVEYS: Final = by_length(1, 4)
AT_AN_END: Final = ", of people at an end"


def people(design: str, size: int, shape: str) -> Counts:
    """How many give each answer."""
    kinds = len(answers(ASKED[DESIGNS[design].question]))
    found = np.zeros(kinds, np.int64)
    if shape in WEIGHTS:
        weights = np.array([WEIGHTS[shape](place, kinds) for place in range(kinds)])
        found[:] = size * weights / weights.sum()
    found[-1 if shape == "last" else 0] += size - found.sum()
    if shape == "all but one":
        found[[0, -1]] += -1, 1
    return found


def worlds(design: str) -> Iterator[World]:
    """All that there are, of which `make test` takes an eleventh; in some everybody goes to the other end meanwhile."""
    for number, (size, shape, part, epsilon) in enumerate(product(SIZES, SHAPES, PARTS, LEVELS)):
        if (number + len(design)) % STRIDE == 0:
            later = "last" if number % 2 and shape == "first" else shape
            yield World(design, epsilon, people(design, size, shape), people(design, size, later), round(part * size))


@cache
def counted(design: str) -> tuple[Counter[str], Counter[str], Counter[str]]:
    """How many claims there were of each reading, how many were false, and how many if intervals were far too short."""
    generator = np.random.default_rng(sorted(DESIGNS).index(design))
    made = ((world, claim) for world in worlds(design) for found in world.claims(SURVEYS, generator) for claim in found)
    every = [each for world, claim in made for each in (claim, *([at_an_end(claim)] if world.is_at_an_end else []))]
    return counts_of(every)


def at_an_end(claim: Claim) -> Claim:
    """The same, counted among those of people of whom all, or all but one, give one answer."""
    return claim._replace(reading=f"{claim.reading}{AT_AN_END}")


@pytest.mark.soak
@pytest.mark.parametrize("design", DESIGNS)
def test_every_interval_holds_as_often_as_it_says(design: str) -> None:
    claims, false, _ = counted(design)
    assert claims
    assert not too_often(false, claims)


@pytest.mark.soak
def test_every_reading_holds_over_all_designs_and_would_be_caught() -> None:
    """In each reading it is seen if intervals are far too short."""
    claims, false, short = (sum((counted(each)[number] for each in DESIGNS), Counter[str]()) for number in range(3))
    assert not too_often(false, claims)
    assert too_often(short, claims) >= {each for each in claims if not each.endswith(AT_AN_END)}


def faulty(design: str, size: int, pairs: int = 50) -> set[str]:
    """The readings of a census with everybody at an end that miss too often; epsilon is 1."""
    world = World(design, 1.0, people(design, size, "first"), people(design, size, "first"), size)
    claims, false, _ = counts_of(each for found in world.claims(pairs, np.random.default_rng(1)) for each in found)
    return too_often(false, claims)


@pytest.mark.soak
def test_bounds_that_are_cut_before_they_are_compared_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    interval = CensusEvidence.interval

    def cut(self: CensusEvidence, alpha: float, target: Target = "population") -> Matrix:
        return np.clip(interval(self, alpha, target), 0, 1)

    assert not faulty("response", 120)
    monkeypatch.setattr(CensusEvidence, "interval", cut)
    monkeypatch.setattr(CensusEvidence, "step", 0.0)
    assert "comparison of labels" in faulty("response", 120)


@pytest.mark.soak
def test_bounds_that_are_cut_before_they_come_nearer_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    def after_the_cut(found: Vector, bounds: Matrix, *_: object) -> Matrix:
        return np.asarray(found[:, None] + 0.9 * (np.clip(bounds, 1, 4) - found[:, None]))

    assert not faulty("scale", 120)
    monkeypatch.setattr(quantity, "narrowed_bounds", after_the_cut)
    assert "mean on the scale" in faulty("scale", 120)

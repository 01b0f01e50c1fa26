"""kairouz2016, Fig. 3 and the sweeps of its supplement: hashed mechanisms at the best point of a grid.

The search is pruned, so that the whole grid can be tried, and no median is the least of many noisy ones: every point
has one survey, the best few of them have more, the best few of those more still; the best of these is surveyed afresh,
and the fresh surveys alone are reported.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeAlias

import numpy as np

from deniable.engines.repeat import surveys
from deniable.mechanisms.hashed import Hashed
from deniable.mechanisms.hashed_rappor import HashedRappor
from deniable.mechanisms.hashed_response import HashedResponse
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.response import RandomizedResponse
from deniable.mechanisms.subset import Subset
from deniable.mechanisms.unary import Rappor
from deniable.planning.grid import MEDIAN, Assumed
from deniable.studies.study import Row
from deniable.theory import support, truths

LABELS, PEOPLE = 256, 30_000
TRUTH = truths.geometric_of_mean(LABELS, LABELS / 5, first=1)
ASSUMED = Assumed(tuple(f"text {i}" for i in range(LABELS)), TRUTH, PEOPLE, complete=True)
"""Everybody holds one of the texts, and the fit knows it, as in the paper."""
HASHED = {"O-RR": HashedResponse, "O-RAPPOR": HashedRappor}
PLAIN: dict[str, Callable[[float], Mechanism]] = {
    "k-RR": lambda epsilon: RandomizedResponse(LABELS, epsilon),
    "k-RAPPOR": lambda epsilon: Rappor(LABELS, epsilon),
    "k-subset": lambda epsilon: Subset(LABELS, epsilon),
}
Stages: TypeAlias = Sequence[tuple[int, int]]
"""How many points are kept, and for how many surveys each, again and again."""
SWEEP: Stages = ((3, 8),)
"""Among the points with one value."""
NOTHING = "nothing"
"""What is given at the best point of the whole grid; elsewhere a parameter is."""
FRESH = 1000
"""The number of the first fresh survey."""


@dataclass(frozen=True)
class Search:
    """Surveys of the points of a grid, each made once, numbered by turns."""

    seed: int
    points: Sequence[Hashed]
    made: dict[tuple[Hashed, int], float] = field(default_factory=dict)

    def losses(self, point: Hashed, turns: range) -> list[float]:
        """L1 of these surveys."""
        for turn in turns:
            if (point, turn) not in self.made:
                self.made[point, turn] = ASSUMED.distance(point, self.seed + turn)
        return [self.made[point, turn] for turn in turns]

    def tried(self, point: Hashed, surveys: int) -> float:
        """The median of the first surveys."""
        return float(np.median(self.losses(point, range(surveys))))

    def row(self, points: Sequence[Hashed], stages: Stages, repeats: int) -> Row:
        """The best of some points, surveyed afresh; ``chosen_by`` is the median by which it was the best."""
        left, surveys = points, 1
        for kept, more in stages:
            left, surveys = sorted(left, key=partial(self.tried, surveys=surveys))[:kept], more
        best = min(left, key=partial(self.tried, surveys=surveys))
        where: Row = {"symbols": best.symbols, "cohorts": best.cohorts, "hashes": best.hashes}
        fresh = self.losses(best, range(FRESH, FRESH + repeats))
        return {**where, **median(fresh), "chosen_by": self.tried(best, surveys)}


def searched(
    seed: int,
    mechanism: str,
    alphabet: str,
    epsilon: float,
    grid: dict[str, list[int]],
    stages: Stages,
    repeats: int,
    swept: int,
) -> list[Row]:
    """The best point of the grid, then, if ``swept`` surveys are wanted, the best one for each value of a parameter."""
    search = Search(seed, _points(mechanism, alphabet == "closed", epsilon, grid))
    case: Row = {"epsilon": epsilon, "alphabet": alphabet, "mechanism": mechanism}
    rows: list[Row] = [{**case, "given": NOTHING, **search.row(search.points, stages, repeats)}]
    for name, values in grid.items() if swept else ():
        for value in values if len(values) > 1 else ():
            points = [point for point in search.points if getattr(point, name) == value]
            rows.append({**case, "given": name, **search.row(points, SWEEP, swept)})
    return rows


def _points(mechanism: str, closed: bool, epsilon: float, grid: dict[str, list[int]]) -> list[Hashed]:
    domain, family = LABELS if closed else None, HASHED[mechanism]
    values = itertools.product(*grid.values())
    named: list[dict[str, Any]] = [dict(zip(grid, point, strict=True)) for point in values]
    return [family(epsilon, **point, domain=domain) for point in named]


def plain(seed: int, epsilon: float, repeats: int) -> list[Row]:
    """The mechanisms without cohorts, on the same truth."""
    rows: list[Row] = []
    for name, made in PLAIN.items():
        m = made(epsilon)
        found = [m.estimate(survey.tally).frequencies for survey in surveys(m, TRUTH, PEOPLE, seed, repeats)]
        losses = [float(np.abs(frequencies - TRUTH).sum()) for frequencies in found]
        rows.append({"epsilon": epsilon, "alphabet": "closed", "mechanism": name, "given": NOTHING, **median(losses)})
    return rows


def median(losses: Sequence[float]) -> Row:
    """The median, and its standard error as that of normal errors."""
    spread = float(np.std(losses, ddof=1)) / math.sqrt(len(losses))
    return {"l1": float(np.median(losses)), "error": MEDIAN * spread, "repeats": len(losses)}


def baselines(_seed: int) -> list[Row]:
    """Exact: the people's own shares told openly, and the uniform distribution guessed."""
    told = support.l1_population(support.Support(1.0, 0.0, 1.0, 0.0), PEOPLE, TRUTH)
    guessed = float(np.abs(truths.uniform(LABELS) - TRUTH).sum())
    return [{"what": "non-private", "l1": told}, {"what": "uniform guess", "l1": guessed}]

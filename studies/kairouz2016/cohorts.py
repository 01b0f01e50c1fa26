"""kairouz2016, Fig. 3 and the sweeps of its supplement: hashed mechanisms at the best point of a grid.

The search is pruned, so that the whole grid can be tried, and no reported median is the minimum of many noisy ones:
every point has one survey, the best few have more, the best few of those more still; the best point is surveyed again,
and only these new surveys are reported.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any, TypeAlias

import numpy as np

from deniable.arrays import Vector
from deniable.engines.repeat import surveys
from deniable.mechanisms.hashed.hashed_rappor import HashedRappor
from deniable.mechanisms.hashed.hashed_response import HashedResponse
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.plain.randomized_response import RandomizedResponse
from deniable.mechanisms.plain.subset import Subset
from deniable.mechanisms.plain.unary import Rappor
from deniable.planning.grid import MEDIAN, AssumedSurvey
from deniable.theory import truths
from deniable.theory.risk import support
from studies.study import Row

LABELS, PEOPLE = 256, 30_000
"""Of Fig. 3."""
Point: TypeAlias = HashedResponse | HashedRappor
HASHED = {"O-RR": HashedResponse, "O-RAPPOR": HashedRappor}
PLAIN: dict[str, Callable[[int, float], Mechanism]] = {
    "k-RR": RandomizedResponse,
    "k-RAPPOR": Rappor,
    "k-subset": Subset,
}
"""The last is ours: the paper's Fig. 3 has none."""
Stages: TypeAlias = Sequence[tuple[int, int]]
"""The rounds of the search: how many points are kept, and for how many surveys each."""
SWEEP: Stages = ((3, 8),)
"""Among the points with one value."""
NOTHING = "nothing"
"""The name of the best point of the whole grid; other rows are named after the fixed parameter."""
RESIZED = (("O-RR", "open"), ("O-RAPPOR", "open"), ("O-RR", "closed"))
FRESH = 1000
"""The number of the first new survey of the best point."""


def truth_of(labels: int) -> Vector:
    """A geometric distribution with mean a fifth of the labels, counted from 1."""
    return truths.geometric_of_mean(labels, labels / 5, first=1)


@cache
def assumed(labels: int, people: int) -> AssumedSurvey:
    """Everybody holds one of the texts, and the fit knows it, as in the paper."""
    return AssumedSurvey(tuple(f"text {i}" for i in range(labels)), truth_of(labels), people, complete=True)


@dataclass(frozen=True)
class Search:
    """Surveys of the points of a grid, each made once, numbered by turns."""

    seed: int
    points: Sequence[Point]
    assumed: AssumedSurvey
    made: dict[tuple[Point, int], float] = field(default_factory=dict)

    def losses(self, point: Point, turns: range) -> list[float]:
        """The l1 distances of these surveys."""
        for turn in turns:
            if (point, turn) not in self.made:
                self.made[point, turn] = self.assumed.distance(point, self.seed + turn)
        return [self.made[point, turn] for turn in turns]

    def tried(self, point: Point, surveys: int) -> float:
        """The median of the first surveys."""
        return float(np.median(self.losses(point, range(surveys))))

    def best(self, points: Sequence[Point], stages: Stages) -> tuple[Point, float]:
        """The best of some points, and its median."""
        left, surveys = points, 1
        for kept, more in stages:
            left, surveys = sorted(left, key=partial(self.tried, surveys=surveys))[:kept], more
        best = min(left, key=partial(self.tried, surveys=surveys))
        return best, self.tried(best, surveys)

    def row(self, points: Sequence[Point], stages: Stages, repeats: int) -> Row:
        """A row for the best of some points, from new surveys."""
        best, chosen_by = self.best(points, stages)
        fresh = self.losses(best, range(FRESH, FRESH + repeats))
        return {**_place(best), **median(fresh), "chosen_by": chosen_by}

    def paired(
        self,
        points: Sequence[Point],
        others: Sequence[Point],
        stages: Stages,
        repeats: int,
    ) -> Row:
        """The best of some points compared with the best of others, with the same people in each new survey of both.

        ``excess`` is by how much the mean is larger, as a share of the other's mean.
        """
        (best, _), (other, _) = (self.best(each, stages) for each in (points, others))
        ours, theirs = (np.array(self.losses(each, range(FRESH, FRESH + repeats))) for each in (best, other))
        excess, error = (ours - theirs).mean() / theirs.mean(), (ours - theirs).std(ddof=1) / theirs.mean()
        where = {f"other_{name}": value for name, value in _place(other).items()}
        shares: Row = {"excess": float(excess), "excess_error": float(error) / math.sqrt(repeats)}
        return {**_place(best), **median(ours.tolist()), **where, "other_l1": float(np.median(theirs)), **shares}


def _place(point: Point) -> Row:
    hashes = point.hashes if isinstance(point, HashedRappor) else 1
    return {"symbols": point.symbols, "cohorts": point.cohorts, "hashes": hashes}


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
    search = _search(seed, mechanism, alphabet, epsilon, grid)
    case: Row = {"epsilon": epsilon, "alphabet": alphabet, "mechanism": mechanism}
    rows: list[Row] = [{**case, "given": NOTHING, **search.row(search.points, stages, repeats)}]
    for name, values in grid.items() if swept else ():
        for value in values if len(values) > 1 else ():
            points = [point for point in search.points if getattr(point, name) == value]
            rows.append({**case, "given": name, **search.row(points, SWEEP, swept)})
    return rows


def alone(
    seed: int, mechanism: str, epsilon: float, grid: dict[str, list[int]], stages: Stages, repeats: int
) -> list[Row]:
    """The best point with one cohort beside the best one with several, over an open alphabet."""
    search = _search(seed, mechanism, "open", epsilon, grid)
    single, several = ([p for p in search.points if (p.cohorts == 1) == wanted] for wanted in (True, False))
    return [{"epsilon": epsilon, "mechanism": mechanism, **search.paired(single, several, stages, repeats)}]


def resized(
    seed: int, people: int, labels: int, epsilon: float, grid: dict[str, list[int]], stages: Stages, repeats: int
) -> list[Row]:
    """Fig. 3 for other numbers of people and labels: best points of a grid, plain mechanisms, both baselines."""
    case: Row = {"epsilon": epsilon, "given": NOTHING}
    found: list[Row] = []
    for mechanism, alphabet in RESIZED:
        search = _search(seed, mechanism, alphabet, epsilon, grid, people, labels)
        best = search.row(search.points, stages, repeats)
        found.append({**case, "alphabet": alphabet, "mechanism": mechanism, **best})
    found += plain(seed, epsilon, repeats, people, labels)
    found += [{**case, "mechanism": row["what"], "l1": row["l1"]} for row in _baselines(people, labels)]
    return [{"people": people, "labels": labels, **row} for row in found]


def _search(
    seed: int,
    mechanism: str,
    alphabet: str,
    epsilon: float,
    grid: dict[str, list[int]],
    people: int = PEOPLE,
    labels: int = LABELS,
) -> Search:
    domain, family = labels if alphabet == "closed" else None, HASHED[mechanism]
    values = itertools.product(*grid.values())
    named: list[dict[str, Any]] = [dict(zip(grid, point, strict=True)) for point in values]
    return Search(seed, [family(epsilon, **point, domain=domain) for point in named], assumed(labels, people))


def plain(seed: int, epsilon: float, repeats: int, people: int = PEOPLE, labels: int = LABELS) -> list[Row]:
    """The mechanisms without cohorts, on the same truth."""
    truth, rows = truth_of(labels), list[Row]()
    for name, family in PLAIN.items():
        m = family(labels, epsilon)
        found = [m.estimate(survey.tally).frequencies for survey in surveys(m, truth, people, seed, repeats)]
        losses = [float(np.abs(frequencies - truth).sum()) for frequencies in found]
        rows.append({"epsilon": epsilon, "alphabet": "closed", "mechanism": name, "given": NOTHING, **median(losses)})
    return rows


def median(losses: Sequence[float]) -> Row:
    """The median, and its standard error as that of normal errors."""
    spread = float(np.std(losses, ddof=1)) / math.sqrt(len(losses))
    return {"l1": float(np.median(losses)), "error": MEDIAN * spread, "repeats": len(losses)}


def baselines(_seed: int) -> list[Row]:
    """Those of Fig. 3."""
    return _baselines(PEOPLE, LABELS)


def _baselines(people: int, labels: int) -> list[Row]:
    """The exact baselines: the people's own shares without noise, and the uniform distribution."""
    truth = truth_of(labels)
    told = support.l1_population(support.Support(1.0, 0.0, 1.0, 0.0), people, truth)
    guessed = float(np.abs(truths.uniform(labels) - truth).sum())
    return [{"what": "non-private", "l1": told}, {"what": "uniform guess", "l1": guessed}]

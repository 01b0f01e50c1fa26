"""ye2017, Remark III.2: how often the empirical estimate leaves the simplex, and the effect of projection."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import numpy as np
import scipy

from deniable.arrays import Vector
from deniable.engines.repeat import surveys
from deniable.estimation.laws.support_law import support_of
from deniable.estimation.simplex import project
from deniable.mechanisms.mechanism import Mechanism, evidence_of
from deniable.mechanisms.plain.randomized_response import RandomizedResponse
from deniable.mechanisms.plain.subset import Subset
from deniable.mechanisms.plain.unary import Rappor
from studies.study import Row

LABELS, LEVEL = 10, 1.0
USERS = (300, 1000, 3000, 10_000, 30_000, 100_000)
MECHANISMS: Mapping[str, Callable[[int, float], Mechanism]] = {
    "k-RR": RandomizedResponse,
    "RAPPOR": Rappor,
    "subsets": Subset,
}
ROUNDING = 1e-9
"""How far a sum of estimates may be from 1 and still count as on the simplex."""


def outside(seed: int, mechanism: str, users: int, repeats: int) -> list[Row]:
    """Surveys from the uniform truth: the share outside the simplex, and what projecting does to the squared error.

    ``below`` bounds the chance of an estimate below 0: the labels' own chances, added up.
    """
    m, truth = MECHANISMS[mechanism](LABELS, LEVEL), np.full(LABELS, 1 / LABELS)
    found = [evidence_of(m, survey.tally).unbiased() for survey in surveys(m, truth, users, seed, repeats)]
    left = np.array([_outside(each) for each in found])
    squared = {name: _squared(each, truth) for name, each in (("raw", found), ("projected", [*map(project, found)]))}
    ratio = squared["projected"] / squared["raw"].mean()
    share = {"outside": float(left.mean()), "outside: error": float(left.std() / math.sqrt(repeats))}
    gain = {"projected": float(ratio.mean()), "projected: error": _paired(squared["projected"], squared["raw"])}
    place: Row = {"d": LABELS, "epsilon": LEVEL, "mechanism": mechanism, "users": users, "repeats": repeats}
    return [{**place, **share, "below": below(m, users), **gain}]


def below(m: Mechanism, users: int) -> float:
    """A bound on the chance that some estimate is below 0 at the uniform truth: d Pr[Binomial(n, m) < n h]."""
    support = support_of(m.law)
    chance = support.h + support.gap / LABELS
    return min(1.0, LABELS * float(scipy.stats.binom.cdf(math.ceil(users * support.h) - 1, users, chance)))


def _outside(estimate: Vector) -> bool:
    return bool(estimate.min() < -ROUNDING or abs(estimate.sum() - 1) > ROUNDING)


def _squared(estimates: list[Vector], truth: Vector) -> Vector:
    return np.asarray(((np.array(estimates) - truth) ** 2).sum(axis=1))


def _paired(above: Vector, under: Vector) -> float:
    """The standard error of a ratio of means over the same surveys."""
    ratio = above.mean() / under.mean()
    return float((above - ratio * under).std(ddof=1) / under.mean() / math.sqrt(len(above)))

"""Intervals of hashed reports whose cohorts do not tell all labels of a closed domain apart.

No estimate is unbiased then, whatever its error: moving people between labels with the same symbols changes no
probability. But a label's symbols are held by its own people and by others in cohorts in which these share them, so of
the mass m_s of its symbols, averaged over the people's cohorts, at most

    p_s <= m_s <= p_s + (1 - p_s) o_s,      o_s the largest share of the people's cohorts that another label agrees in.

The reports that support a label's symbol are a sum of indicators with mean n (h + (g - h) m_s), which deviates no more
than the binomial (Hoeffding 1956): Clopper and Pearson bound m_s, at any number of people. Among the people
themselves at least Binomial(x, g) + Binomial(n - x, h) reports support a label of x of them. Of several symbols in a
cohort the first counts.
"""

from __future__ import annotations

import numpy as np

from deniable.arrays import Counts, Indices, Matrix, Vector
from deniable.estimation.binomial import clopper_pearson
from deniable.estimation.cohorts import CohortSurvey
from deniable.estimation.intervals import two_binomials
from deniable.kernels.cohorts import collect
from deniable.theory.risk.variance import Target

MOST_COMPARED = 1 << 26
"""So many symbols are compared at most; labels beyond the largest ones have 0 as their lower bound."""


def mixed_interval(survey: CohortSurvey, alpha: float, target: Target) -> Matrix:
    """Bounds [S, 2] of each row's share, from what its symbols hold.

    >>> table, counts = np.array([[0], [1], [1]], np.uint16), np.array([[5000, 5000]])
    >>> mixed_interval(CohortSurvey.responses(table, counts, 3.0, closed=True), 0.05, "population").round(2).tolist()
    [[0.48, 0.52], [0.48, 0.52]]
    """
    seen = np.rint(collect(survey.symbols[:, :, :1], survey.counts.astype(np.float64))).astype(np.int64)
    mass = np.clip((clopper_pearson(seen, survey.n, alpha) - survey.h) / survey.gap, 0, 1)
    low = np.zeros(len(seen))
    some = _comparable(survey, mass[:, 0])
    agreed = _agreed(survey, some)
    apart = agreed < 1
    low[some[apart]] = np.maximum((mass[some[apart], 0] - agreed[apart]) / (1 - agreed[apart]), 0)
    return np.stack([low, _most(survey, seen, mass[:, 1], alpha, target)], axis=1)


def _most(survey: CohortSurvey, seen: Counts, mass: Vector, alpha: float, target: Target) -> Vector:
    if target == "population":
        return mass
    return np.asarray(two_binomials(seen, survey.n, survey.h + survey.gap, survey.h, alpha)[:, 1])


def _comparable(survey: CohortSurvey, least: Vector) -> Indices:
    """The rows whose symbols surely hold something, the largest first, as many as can be compared with all others."""
    most = max(MOST_COMPARED // survey.symbols.size, 1)
    order = np.argsort(-least, kind="stable")[:most]
    return np.asarray(order[least[order] > 0])


def _agreed(survey: CohortSurvey, rows: Indices) -> Vector:
    """For each row, the largest share of the people's cohorts in which another row has its first symbol."""
    weights, found = survey.sizes / survey.n, np.zeros(len(rows))
    for place, row in enumerate(rows.tolist()):
        agree = (survey.symbols == survey.symbols[row, :, :1]).any(axis=2) @ weights
        agree[row] = 0
        found[place] = agree.max()
    return found

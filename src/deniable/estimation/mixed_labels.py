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

from deniable.arrays import Indices, Matrix, Vector
from deniable.estimation.binomial import clopper_pearson
from deniable.estimation.cohorts import CohortSurvey
from deniable.estimation.intervals import two_binomials
from deniable.kernels.cohorts import collect
from deniable.theory.risk.variance import Target

MOST_COMPARED = 1 << 26
"""So many symbols are compared at most; labels beyond the largest ones have 0 as their lower bound."""


def mixed_interval(survey: CohortSurvey, alpha: float, target: Target) -> Matrix:
    """Bounds [S, 2] of each row's share, from how many people hold its symbols.

    >>> table, counts = np.array([[0], [1], [1]], np.uint16), np.array([[5000, 5000]])
    >>> mixed_interval(CohortSurvey.responses(table, counts, 3.0, closed=True), 0.05, "population").round(2).tolist()
    [[0.48, 0.52], [0.48, 0.52]]
    """
    supported = np.rint(collect(survey.symbols[:, :, :1], survey.counts.astype(np.float64))).astype(np.int64)
    holding = np.clip((clopper_pearson(supported, survey.n, alpha) - survey.h) / survey.gap, 0, 1)
    low = np.zeros(len(supported))
    some = _comparable(survey, holding[:, 0])
    shared = _shared_cohorts(survey, some)
    apart = shared < 1
    low[some[apart]] = np.maximum((holding[some[apart], 0] - shared[apart]) / (1 - shared[apart]), 0)
    if target == "population":
        return np.stack([low, holding[:, 1]], axis=1)
    high = two_binomials(supported, survey.n, survey.h + survey.gap, survey.h, alpha)[:, 1]
    return np.stack([low, high], axis=1)


def _comparable(survey: CohortSurvey, least: Vector) -> Indices:
    """The rows whose symbols surely hold something, the largest first, as many as can be compared with all others."""
    most = max(MOST_COMPARED // survey.symbols.size, 1)
    order = np.argsort(-least, kind="stable")[:most]
    return np.asarray(order[least[order] > 0])


def _shared_cohorts(survey: CohortSurvey, rows: Indices) -> Vector:
    """For each row, the largest share of the people's cohorts in which another row has its first symbol."""
    weights, shares = survey.sizes / survey.n, np.zeros(len(rows))
    for place, row in enumerate(rows.tolist()):
        agree = (survey.symbols == survey.symbols[row, :, :1]).any(axis=2) @ weights
        agree[row] = 0
        shares[place] = agree.max()
    return shares

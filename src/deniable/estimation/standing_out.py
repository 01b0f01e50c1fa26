"""Which candidates stand out, without the errors of all others.

Discovery tests thousands of prefixes on a group of people and keeps a handful. That takes the estimate of each, but the
error only of those that might be kept. The least variance that an estimate can have is known in advance: the symbols of
a cohort that people report have chances of at least h, so a direction z of the counts has a variance of at least
h |z|^2 / (g - h)^2 per person, and the least-squares estimate of candidate s has a direction with
sum_c n_c |z_c|^2 = G^-1[s, s] >= 1 / G[s, s]. Whoever does not stand out with that error does not with their own.
"""

from __future__ import annotations

import numpy as np
import scipy

from deniable.arrays import Indices, Vector
from deniable.estimation.candidate_fit import errors_of, factored, normal_matrix
from deniable.estimation.cohort_evidence import fits_jointly, regress
from deniable.estimation.cohorts import CohortSurvey
from deniable.estimation.screening import fit_beside

ROUNDING = 1e-6
"""By how much, relatively, a bound may be wrong in floating point."""


def standing_out(survey: CohortSurvey, least: float) -> Indices:
    """The candidates whose share is more than ``least`` standard errors above 0, the furthest above first.

    Those of ``regress(survey).scores()`` above ``least``, which must be at least 0.

    >>> table = np.random.default_rng(1).integers(0, 4, (200, 20), dtype=np.uint16)
    >>> counts = np.stack([np.bincount(table[0, [c] * 50], minlength=4) for c in range(20)])
    >>> standing_out(CohortSurvey.responses(table, counts, 1e6), 4.0).tolist()
    [0]
    """
    scores = _scores(survey, least)
    order = np.argsort(-scores, kind="stable")
    return np.asarray(order[scores[order] > least])


def _scores(survey: CohortSurvey, least: float) -> Vector:
    """The score of each candidate, or 0 where it is surely not above ``least``."""
    if survey.closed or survey.filters:
        return regress(survey).scores()
    if not fits_jointly(survey):
        fit = fit_beside(survey)
        return _by_candidate(survey, fit.estimate, fit.variance)
    scores = _of_joint_fit(survey, least)
    return regress(survey).scores() if scores is None else scores


def _of_joint_fit(survey: CohortSurvey, least: float) -> Vector | None:
    """The scores of candidates that may stand out, 0 of others; None if they cannot all be told apart."""
    matrix = normal_matrix(survey)
    factor = factored(matrix)
    if factor is None:
        return None
    right = np.column_stack([survey.slopes(survey.sizes[:, None] * survey.observed), np.ones(len(matrix))])
    estimate, total = scipy.linalg.cho_solve((factor, True), right, check_finite=False).T
    lowest = survey.h / survey.gap**2 / np.diag(matrix)
    chosen = np.flatnonzero(estimate > least * (1 - ROUNDING) * np.sqrt(lowest))
    variance = np.full(len(matrix), np.inf)
    if len(chosen):
        sides = np.eye(len(matrix))[:, chosen]
        columns = scipy.linalg.cho_solve((factor, True), sides, check_finite=False)
        directions = np.column_stack([columns, -total])
        variance[chosen] = errors_of(survey, estimate, len(matrix), directions).variance[:-1]
    return _by_candidate(survey, estimate, variance)


def _by_candidate(survey: CohortSurvey, estimate: Vector, variance: Vector) -> Vector:
    """Each estimate in standard errors; candidates with the same row share its mass."""
    error = np.sqrt(variance)
    scores = np.divide(estimate, error, out=np.zeros_like(error), where=error > 0)
    return np.asarray((scores / np.bincount(survey.group, minlength=len(scores)))[survey.group])

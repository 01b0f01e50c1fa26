"""P-values of candidates against random hashes: how likely a string that nobody holds would stand out as much.

Hashes of a string that nobody holds are uniform and independent of every count and of all other hashes. So, given
the counts, its sum over the residual of the fitted strings is a sum over random cells, one per cohort, and the tail of
such a sum has an exact bound (``kernels.hash_tails``), without a normal approximation or an estimated variance. A
frequent unlisted string leaves one high cell per cohort; a candidate that shares it in three cohorts of sixteen stands
out by five standard errors, and among thousands of candidates there always is one: this tail takes that into account.

A string that is itself fitted is tested against the residual without it. A_s is removed from the fit by its row of the
inverse: the residual without it is the residual + p_s / G^-1[s, s] sum_t A_t G^-1[t, s].
"""

from __future__ import annotations

import math

import numpy as np

from deniable.arrays import Indices, Matrix, Vector
from deniable.estimation.candidate_fit import solve
from deniable.estimation.cohorts import CohortSurvey
from deniable.kernels._kernels import cumulants
from deniable.kernels.cohorts import collect
from deniable.kernels.contiguous import reals
from deniable.kernels.tails import ENOUGH, log_chernoff, log_tail

STEEPEST = 500.0
"""The largest exponent that a double can square."""
APART = 0.5
"""The spacing, in standard deviations, of the sums with their own bound: it loses at most a thirtieth in between."""
MOST_LINES = 200


def chances(survey: CohortSurvey, together: Indices) -> Vector:
    """A p-value for each row: rows fitted ``together`` are tested beside the other such rows, all others beside these.

    >>> rng = np.random.default_rng(1)
    >>> table = rng.integers(0, 4, (3, 20), dtype=np.uint16)
    >>> counts = np.stack([np.bincount(table[0, [c] * 50], minlength=4) for c in range(20)])
    >>> (chances(CohortSurvey.responses(table, counts, 1e6), np.array([0])) < 0.01).tolist()
    [True, False, False]
    """
    hit_chances = occupancy(survey.r, survey.symbols.shape[2])
    if not len(together):
        return np.exp(_of_all(survey, survey.observed, hit_chances))
    chosen = survey.only(together)
    solved = solve(chosen)
    residual = survey.observed - chosen.centred(solved.estimate)
    logs = _of_all(survey, residual, hit_chances)
    for i, row in enumerate(together.tolist()):
        share, column = float(solved.estimate[i]), np.ascontiguousarray(solved.inverse[:, i])
        without = residual + share / column[i] * chosen.centred(column)
        logs[row] = _of_one(chosen, i, without, hit_chances) if share > 0 else 0.0
    return np.exp(logs)


def occupancy(r: int, hashes: int) -> Vector:
    """The probabilities that ``hashes`` uniform hashes hit 0, 1, ... different symbols out of r.

    >>> occupancy(4, 2).tolist()
    [0.0, 0.25, 0.75]
    """
    probabilities = np.zeros(hashes + 1)
    probabilities[0] = 1.0
    hit = np.arange(hashes + 1) / r
    for _ in range(hashes):
        probabilities = probabilities * hit + np.append(0.0, (probabilities * (1 - hit))[:-1])
    return probabilities


def _scaled(survey: CohortSurvey, residual: Matrix) -> Matrix:
    """The residual times the people of each cohort, scaled so that its largest entry is 1 or -1."""
    field = survey.sizes[:, None] * residual
    return reals(field / max(float(np.abs(field).max()), 1e-300))


def _of_one(chosen: CohortSurvey, i: int, residual: Matrix, hit_chances: Vector) -> float:
    """The logarithm of the tail of row i's sum over the residual."""
    field = _scaled(chosen, residual)
    total = float(collect(chosen.symbols[i : i + 1], field)[0])
    return float(log_tail(field, hit_chances, total, STEEPEST / (len(hit_chances) - 1)))


def _of_all(survey: CohortSurvey, residual: Matrix, hit_chances: Vector) -> Vector:
    """Upper bounds on the logarithms of all rows' p-values: how likely random hashes make as large a sum.

    Each bound is linear in the sum, and the least one counts. ``hit_chances`` are those of ``occupancy``.
    """
    field = _scaled(survey, residual)
    sums = collect(survey.symbols, field)
    tilts, means, starts = _lines(field, hit_chances, float(sums.max()))
    best, place = np.zeros(len(sums)), np.searchsorted(means, sums)
    for beside in (-1, 0):
        line = np.clip(place + beside, 0, len(tilts) - 1)
        best = np.minimum(best, starts[line] - tilts[line] * sums)
    return best


def _lines(field: Matrix, hit_chances: Vector, most: float) -> tuple[Vector, Vector, Vector]:
    """Upper bounds on the logarithm of Pr[sum >= s] for s up to ``most``, each the line start - tilt s.

    The tilts, the s at which each is best, and the starts. ``field`` [cohorts, symbols] is what is summed.
    """
    limit = STEEPEST / (len(hit_chances) - 1)
    _, mean, variance, _ = cumulants(field, 0.0, hit_chances)
    rows: list[tuple[float, float, float]] = []
    t, tilted_mean = min(1 / math.sqrt(max(variance, 1e-300)), limit), mean
    while tilted_mean < most and len(rows) < MOST_LINES:
        tilted = cumulants(field, t, hit_chances)
        tilted_mean, start = tilted[1], log_chernoff(tilted, t)
        rows.append((t, tilted_mean, start))
        if t >= limit or start - t * tilted_mean < ENOUGH:
            break
        t = min(t + APART / math.sqrt(max(tilted[2], 1e-300)), limit)
    tilts, means, starts = np.array(rows or [(0.0, mean, 0.0)]).T
    return tilts, means, starts

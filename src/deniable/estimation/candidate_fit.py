"""Least squares of the candidates' shares, all at once: by S x S normal equations, never the stacked design.

Minimizes sum_c n_c |q_c - beta - sum_s p_s (1[y in H_c(s)] - beta)|^2. Given the table and the cohorts' sizes this is
unbiased for each candidate that the counts can tell apart, except for the effect of unlisted strings: their hashes are
not uniform for any one table. Over tables their effect has mean 0 and, independently in each cohort, a covariance of
``roughness`` beta (1 - beta), roughness = sum of the squared unlisted shares. It is estimated from the residual, which
it inflates, with one standard deviation added; if there is no residual left, notes say so.

In a closed survey sum p = 1 is a constraint and there is no such term.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import scipy

from deniable.arrays import Flags, Indices, Matrix, Vector
from deniable.estimation.cohorts import CohortSurvey, MassCovariance
from deniable.kernels.cohorts import overlaps, quadratic_forms
from deniable.protocol.errors import CapacityError
from deniable.protocol.say import Phrase, Statement

SINGULAR = 1e-9
"""Eigenvalues below this share of the largest count as 0; a candidate that loses so much counts as not told apart."""
MOST = 10_000
"""The largest number of candidates in one fit, with normal equations of 800 MB."""
SPARE = 10
"""The fewest residual degrees of freedom from which roughness is estimated."""


class Fitted(NamedTuple):
    """Estimates of shares with their variances against the population, and whatever else intervals need."""

    estimate: Vector
    variance: Vector
    reach: Vector
    """The largest jumps of the estimates, which intervals allow for: a person's for the drawing's part of the variance,
    for that of roughness an unlisted string's that has it all; averaged by these parts."""
    told_apart: Flags
    unlisted: float
    unlisted_variance: float
    rank: int
    notes: tuple[Phrase, ...]
    leaders: Indices | None = None
    """The candidates that are fitted together; None if all are."""


class Roughness(NamedTuple):
    """The sum of the squared shares of unlisted strings, one standard deviation below and above its estimate."""

    least: float
    most: float
    notes: tuple[Phrase, ...] = ()


class DirectionErrors(NamedTuple):
    """For each direction, the last of which is the unlisted share: variance and largest jump (see ``Fitted``)."""

    variance: Vector
    reach: Vector
    notes: tuple[Phrase, ...]


class LeastSquares(NamedTuple):
    """The estimated shares with the (pseudo) inverse of the normal equations and its rank."""

    estimate: Vector
    inverse: Matrix
    told_apart: Flags
    rank: int


def joint(survey: CohortSurvey) -> Fitted:
    """Weighted least squares of all rows, with sandwich variances.

    >>> table, counts = np.array([[0, 1], [1, 1]], np.uint16), np.array([[30, 10], [15, 25]])
    >>> joint(CohortSurvey.responses(table, counts, 3.0)).estimate.round(6).tolist()
    [0.75, -0.25]
    """
    solved = solve(survey)
    u = unlisted(survey, solved.estimate)
    directions = np.column_stack([solved.inverse, -solved.inverse.sum(axis=1)])
    errors = errors_of(survey, solved.estimate, solved.rank, directions)
    variance = errors.variance + _pair_variance(survey, solved, u)
    return Fitted(
        solved.estimate, variance[:-1], errors.reach[:-1], solved.told_apart,
        u, 0.0 if survey.closed else float(variance[-1]), solved.rank, errors.notes + _deficiency(survey, solved),
    )  # fmt: skip


def unlisted(survey: CohortSurvey, estimate: Vector) -> float:
    """The share that is left for texts that are no candidates; of a closed survey none."""
    return 0.0 if survey.closed else 1 - float(estimate.sum())


def errors_of(survey: CohortSurvey, estimate: Vector, rank: int, directions: Matrix) -> DirectionErrors:
    """How far estimates err that are linear in the counts: each column of ``directions`` [S, k] weighs their sums.

    A column is one of the inverse of the normal equations; the last is minus the sum of all, for the unlisted share.
    """
    u = unlisted(survey, estimate)
    noise = survey.noise(estimate, u)
    sampled, spread, width = quadratic_forms(survey.symbols, directions, survey.beta, survey.sizes, *noise)
    rough = roughness(survey, estimate, rank, noise)
    # at most the square of the unlisted share, taken two standard errors higher
    most = max(u + 2 * math.sqrt(max(sampled[-1] + rough.most * survey.beta * spread[-1], 0)), 0.0)
    sampled, uneven = np.maximum(sampled, 0), min(rough.most, most**2) * survey.beta * spread
    variance = sampled + uneven
    string_jump = math.sqrt(min(rough.least, most**2)) * float(survey.sizes.max())
    # the third cumulant is at most each part's variance times its largest jump
    jump = (sampled / survey.gap + uneven * max(string_jump, 1 / survey.gap)) / np.maximum(variance, 1e-300)
    return DirectionErrors(variance, width * jump, rough.notes)


def _pair_variance(survey: CohortSurvey, solved: LeastSquares, u: float) -> Vector:
    """The variance that ``MassCovariance`` omits with several hashes, because a holder's own symbols are correlated.

    For a candidate's estimate only its own holders count, for the total all candidates.
    """
    p = np.clip(solved.estimate, 0, 1)
    if survey.symbols.shape[2] == 1:
        return np.zeros(len(p) + 1)
    of_candidates = p * (1 - survey.n / np.maximum(survey.held, survey.n)) / survey.n
    field = survey.centred(solved.inverse.sum(axis=1))
    return np.append(of_candidates, max(survey.paired(solved.estimate, u, field), 0.0))


def _deficiency(survey: CohortSurvey, solved: LeastSquares) -> tuple[Statement, ...]:
    """A note where the counts cannot tell some candidates apart."""
    lost = int(np.count_nonzero(~solved.told_apart))
    if not lost:
        return ()
    return (
        Statement(
            "candidates_not_told_apart", count=lost, all=len(solved.told_apart), cohorts=len(survey.sizes),
            symbols=survey.r, rank=solved.rank,
        ),
    )  # fmt: skip


def normal_matrix(survey: CohortSurvey) -> Matrix:
    """G[s, s'] = sum_c n_c sum_y (1[y in H_c(s)] - beta) (1[y in H_c(s')] - beta)."""
    shared = overlaps(survey.symbols, survey.sizes, survey.r)
    held = survey.beta * survey.held
    shared -= held[:, None]
    shared -= held
    shared += survey.r * survey.beta**2 * survey.n
    return shared


def solve(survey: CohortSurvey) -> LeastSquares:
    """The least-squares estimate; the one of least norm if it is not unique."""
    if len(survey.symbols) > MOST:
        raise CapacityError(f"a joint fit takes at most {MOST} candidates, got {len(survey.symbols)}: screen them")
    matrix = normal_matrix(survey)
    right = survey.slopes(survey.sizes[:, None] * survey.observed)
    if not survey.closed:
        inverse, told_apart, rank = _inverted(matrix)
        return LeastSquares(inverse @ right, inverse, told_apart, rank)
    # p = 1/S + a part that adds up to 0; the known sum of 1 enters as one more observation
    size = len(matrix)
    right = right - matrix.sum(axis=1) / size
    level = float(np.trace(matrix)) / size or 1.0
    mean = matrix.mean(axis=0)
    matrix += mean.mean() - mean - mean[:, None] + level / size
    inverse, told_apart, rank = _inverted(matrix)
    inverse -= 1 / (level * size)
    return LeastSquares(1 / size + inverse @ right, inverse, told_apart, rank - 1)


def _inverted(matrix: Matrix) -> tuple[Matrix, Flags, int]:
    """The inverse by Cholesky if that is safe, otherwise the pseudo-inverse; what it can tell apart, and its rank."""
    factor = factored(matrix)
    if factor is not None:
        inverse, _ = scipy.linalg.lapack.dpotri(factor, lower=1)
        return np.asarray(np.tril(inverse) + np.tril(inverse, -1).T), np.ones(len(matrix), np.bool_), len(matrix)
    values, vectors = scipy.linalg.eigh(matrix, check_finite=False)
    large = values > SINGULAR * max(float(values[-1]), 1e-300)
    basis = vectors[:, large]
    told_apart = np.asarray((basis**2).sum(axis=1)) > 1 - 1e-6
    return np.asarray((basis / values[large]) @ basis.T), told_apart, int(np.count_nonzero(large))


def factored(matrix: Matrix) -> Matrix | None:
    """The lower triangle of Cholesky's factor, unless the matrix is singular or nearly so."""
    try:
        factor = scipy.linalg.cholesky(matrix, lower=True, check_finite=False)
    except scipy.linalg.LinAlgError:
        return None
    reciprocal, _ = scipy.linalg.lapack.dpocon(factor, float(np.abs(matrix).sum(axis=0).max()), uplo="L")
    return factor if reciprocal > SINGULAR else None


def roughness(survey: CohortSurvey, p: Vector, rank: int, noise: MassCovariance) -> Roughness:
    """The roughness estimated from the squared residual beyond what sampling explains."""
    freedom = survey.dimensions - rank
    if survey.closed:
        return Roughness(0.0, 0.0)
    if freedom < SPARE:
        note = "no residual is left: intervals hold if unlisted people are spread over many strings"
        return Roughness(0.0, 0.0, (note,))
    squares = float(survey.sizes @ ((survey.observed - survey.centred(p)) ** 2).sum(axis=1))
    whole = squares * survey.dimensions / freedom
    scale = survey.n * survey.r * survey.beta * (1 - survey.beta)
    least, most = ((whole * (1 + side * math.sqrt(2 / freedom)) - noise.trace) / scale for side in (-1, 1))
    return Roughness(min(max(least, 0.0), 1.0), min(max(most, 0.0), 1.0))

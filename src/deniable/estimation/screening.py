"""Least squares of many candidates: the few that stand out jointly, each other one against their residual.

With more candidates than the counts have dimensions, C (r - 1), least squares has no unique answer and the one of
least norm shrinks every share towards 0. Here each candidate is estimated by least squares beside those that stand
out; the rest count as unlisted. For those that stand out this is the joint fit, for the others

    p_s = <A_s, residual> / (|A_s|^2 (1 - K / C (r - 1))),

where the last factor is the part of A_s outside the K that stand out, replaced by its mean over tables. The errors of
the first are those of ``joint``. For the others: a string that nobody holds has hashes that are uniform and
independent of every count, so, given the counts, its sum over the residual's cells is a sum of independent uniform
draws, one per cohort. Its variance is that of the residual's cells, which includes sampling, collisions and unlisted
strings. A positive share adds its own p / (n (g - h)(1 - beta)).
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np

from deniable.arrays import Indices, Matrix, Vector
from deniable.estimation.binomial import quantile
from deniable.estimation.candidate_fit import Fitted, joint, roughness, solve
from deniable.estimation.cohorts import CohortSurvey
from deniable.estimation.nonnegative import nonnegative
from deniable.protocol.say import Phrase, Statement

FALSE_LEADERS = 0.02
"""The expected number of candidates that nobody holds among those that stand out."""
ROUNDS = 20
LEADERS, SHARE = 2000, 4
"""At most so many candidates stand out, and at most one per so many degrees of freedom."""
COARSE = 10.0
"""How many times less precise than the decoder the fit is that only proposes candidates."""


class SingleFits(NamedTuple):
    """Each candidate beside the leaders: estimates, standard errors, ratios of the third cumulant to the second."""

    estimate: Vector
    error: Vector
    skewness: Vector


class SearchEnd(NamedTuple):
    """Where a search for leaders ended: what they leave of the counts, and each row beside them."""

    residual: Matrix
    leaders: Indices
    beside: SingleFits


class LeaderFit(NamedTuple):
    """The leaders, and every row's estimate beside them with its variance and the most that one person moves it."""

    leaders: Indices
    estimate: Vector
    variance: Vector
    reach: Vector
    notes: tuple[Phrase, ...]


KnownEnds: TypeAlias = dict[bytes, SearchEnd]
"""From the leaders that earlier searches came by, as bytes, to where these ended."""


def screened(survey: CohortSurvey) -> Fitted:
    """Estimates of all rows: a joint fit of those that stand out, and each other row beside them.

    >>> rng = np.random.default_rng(1)
    >>> table = rng.integers(0, 4, (200, 20), dtype=np.uint16)
    >>> counts = np.stack([np.bincount(table[0, [c] * 50], minlength=4) for c in range(20)])
    >>> screened(CohortSurvey.responses(table, counts, 1e6)).estimate[:2].round(2).tolist()
    [1.0, 0.0]
    """
    leaders, estimate, variance, reach, notes = fit_beside(survey)
    warnings: tuple[Phrase, ...] = (Statement("candidates_stand_out", count=len(leaders), all=len(survey.group)),)
    if len(estimate) > survey.dimensions:
        warnings += (Statement("too_few_equations", count=survey.dimensions, candidates=len(estimate)),)
    u = 1 - float(estimate.sum())
    told_apart = np.ones(len(estimate), np.bool_)
    spread = _unlisted_variance(survey, leaders, estimate[leaders])
    return Fitted(estimate, variance, reach, told_apart, u, spread, len(leaders), warnings + notes, leaders)


def fit_beside(survey: CohortSurvey) -> LeaderFit:
    """The rows that stand out, fitted together, and each other row beside them."""
    end = _leaders(survey)
    leaders, (estimate, error, skewness) = end.leaders, end.beside
    variance = error**2 + np.clip(estimate, 0, 1) / (survey.n * survey.gap * (1 - survey.beta))
    reach = np.maximum(1 / (survey.gap * _outside(survey, len(leaders))), skewness)
    notes: tuple[Phrase, ...] = ()
    if len(leaders):
        fit = joint(survey.only(leaders))
        estimate[leaders], variance[leaders], reach[leaders], notes = fit.estimate, fit.variance, fit.reach, fit.notes
    return LeaderFit(leaders, estimate, variance, reach, notes)


def leading(survey: CohortSurvey) -> Indices:
    """The rows that stand out and should be fitted together.

    >>> table = np.random.default_rng(1).integers(0, 4, (200, 20), dtype=np.uint16)
    >>> counts = np.stack([np.bincount(table[0, [c] * 50], minlength=4) for c in range(20)])
    >>> leading(CohortSurvey.responses(table, counts, 1e6)).tolist()
    [0]
    """
    return _leaders(survey).leaders


def _leaders(survey: CohortSurvey) -> SearchEnd:
    """The better of two choices of leaders: one built up from nothing, and one from the nonnegative fit."""
    limit = quantile(min(FALSE_LEADERS / len(survey.symbols), 0.5))
    passed: KnownEnds = {}
    starts = (np.empty(0, np.int64), _proposed(survey, limit))
    ends = [_extended(survey, start, limit, passed) for start in starts]
    return min(ends, key=lambda end: _left_over(survey, end.residual, len(end.leaders)))


def _left_over(survey: CohortSurvey, residual: Matrix, leaders: int) -> float:
    """The squared residual per degree of freedom."""
    return float(survey.sizes @ (residual**2).sum(axis=1)) / max(survey.dimensions - leaders, 1)


def _most_leaders(survey: CohortSurvey) -> int:
    return min(LEADERS, survey.dimensions // SHARE)


def _extended(survey: CohortSurvey, leaders: Indices, limit: float, passed: KnownEnds) -> SearchEnd:
    """Add rows that stand out from the residual until there are none; ``passed`` are the ends of earlier searches.

    Each step follows from the leaders alone: a search that meets an earlier one would end where that did.
    """
    path: list[bytes] = []
    for _ in range(ROUNDS):
        if leaders.tobytes() in passed:
            return passed[leaders.tobytes()]
        path.append(leaders.tobytes())
        residual = _residual(survey, leaders)[0]
        beside = _beside(survey, residual, len(leaders))
        height = np.divide(beside.estimate, beside.error, out=np.zeros_like(beside.error), where=beside.error > 0)
        height[leaders] = 0
        new = np.flatnonzero(height > limit)
        new = new[np.argsort(-height[new], kind="stable")][: _most_leaders(survey) - len(leaders)]
        if not len(new):
            end = SearchEnd(residual, leaders, beside)
            passed.update(dict.fromkeys(path, end))
            return end
        leaders = np.sort(np.concatenate([leaders, new]))
    residual = _residual(survey, leaders)[0]
    return SearchEnd(residual, leaders, _beside(survey, residual, len(leaders)))


def _residual(survey: CohortSurvey, leaders: Indices) -> tuple[Matrix, Vector]:
    """The residual of the leaders' joint fit, and each leader's estimate in standard errors."""
    if not len(leaders):
        return survey.observed, np.empty(0)
    chosen = survey.only(leaders)
    solved = solve(chosen)
    residual = survey.observed - chosen.centred(solved.estimate)
    error = np.sqrt(_left_over(survey, residual, len(leaders)) * np.maximum(np.diag(solved.inverse), 1e-300))
    return residual, np.asarray(solved.estimate / np.maximum(error, 1e-300))


def _proposed(survey: CohortSurvey, limit: float) -> Indices:
    """The largest rows of the nonnegative fit, without those that do not stand out when fitted together.

    If many frequent strings hide each other by collisions, testing rows one by one finds none of them, but this does.
    """
    noise = survey.noise(np.zeros(len(survey.symbols)), 1.0).trace / survey.dimensions
    fitted = nonnegative(survey, COARSE * float(np.sqrt(noise / survey.diagonal.mean()))).frequencies
    leaders = np.argsort(-fitted, kind="stable")[: _most_leaders(survey)]
    leaders = np.sort(leaders[fitted[leaders] > 0])
    for _ in range(ROUNDS):
        stands = _residual(survey, leaders)[1] > limit
        if stands.all():
            return leaders
        leaders = leaders[stands]
    return leaders


def _outside(survey: CohortSurvey, leaders: int) -> Vector:
    """Each candidate's |A_s|^2 outside the span of those that stand out, on average over tables."""
    return np.asarray(np.maximum(survey.diagonal, 1e-9) * (1 - leaders / survey.dimensions))


def _beside(survey: CohortSurvey, residual: Matrix, leaders: int) -> SingleFits:
    """Each candidate's estimate beside the leaders, with its error if its share is 0."""
    outside = _outside(survey, leaders)
    field = survey.sizes[:, None] * residual
    held = float(survey.held.mean()) / survey.n
    spread = held * (1 - (held - 1) / max(survey.r - 1, 1)) * field.var(axis=1)  # cells drawn without replacement
    if survey.symbols.shape[2] > 1:  # filters differ in how many symbols they have
        spread += held * (1 - held / survey.r) * field.mean(axis=1) ** 2
    centred = field - field.mean(axis=1, keepdims=True)
    third = abs(held * float((centred**3).mean(axis=1).sum())) / max(float(spread.sum()), 1e-300)
    return SingleFits(survey.slopes(field) / outside, np.sqrt(spread.sum()) / outside, third / outside)


def _unlisted_variance(survey: CohortSurvey, leaders: Indices, p: Vector) -> float:
    """The variance of the unlisted share u beside leaders with shares p: u - 1 = <field, n_c (q - beta)>.

    Its last part is how unevenly the unlisted strings, each with a share of its own, fill the cells.
    """
    weights = 1 / _outside(survey, len(leaders))
    weights[leaders] = 0
    field = -survey.centred(weights)
    unlisted, rank = 1.0, 0
    chosen = survey.only(leaders) if len(leaders) else None
    if chosen is not None:
        solved = solve(chosen)
        field -= chosen.centred(solved.inverse @ (1 + chosen.slopes(survey.sizes[:, None] * field)))
        unlisted, rank = 1 - float(p.sum()), solved.rank
    shares = np.zeros(len(survey.symbols))
    shares[leaders] = p
    noise = survey.noise(shares, unlisted)
    sampled = (noise.squares * field**2).sum(axis=1) - (noise.line * field).sum(axis=1) ** 2
    rough = roughness(survey, shares, rank, noise).most
    spread = survey.sizes**2 @ (field**2).sum(axis=1)
    drawn = max(float(survey.sizes @ sampled) + survey.paired(shares, unlisted, field), 0.0)
    return drawn + rough * survey.beta * float(spread)

"""Simulated surveys of the context-aware mechanisms: their errors against their laws, and what intervals cover."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import stats
from tests.lengths import by_length

import deniable as dn
from deniable.estimation.evidence import Evidence, JoinedEvidence, SignedEvidence, SupportEvidence
from deniable.mechanisms.mechanism import Mechanism, draw_column, evidence_of
from deniable.theory.risk.variance import Target
from deniable.values.values import closed_domain

Vector = npt.NDArray[np.float64]
Matrix = npt.NDArray[np.float64]
Indices = npt.NDArray[np.int64]
TARGETS: tuple[Target, ...] = ("population", "sample")
FALSE_ALARM = 1e-9
"""Of every comparison here; tests make fewer than 200 of them."""
SURVEYS = by_length(1500, 4000)
"""Surveys whose intervals are looked at."""
LEAST = float(stats.binom.ppf(FALSE_ALARM, SURVEYS, 0.95)) / SURVEYS
"""Intervals of 95% cover at least this share of the surveys, but for a false alarm: 0.913 of 1,500, 0.928 of 4,000."""


def bent(d: int) -> Vector:
    """A truth that no label is rare in: the first ones five times as common as the last."""
    weights = np.linspace(5, 1, d)
    return np.asarray(weights / weights.sum())


def errors(m: Mechanism, n: int, surveys: int, seed: int) -> tuple[Matrix, Matrix]:
    """[surveys, d]: the unbiased estimate less the population, and less the people's own shares."""
    d, truth = len(closed_domain(m.domain)), bent(len(closed_domain(m.domain)))
    values = np.random.default_rng(seed).choice(d, (surveys, n), p=truth)
    reports = draw_column(m, values.ravel(), dn.SeededEntropy(seed)).reshape(surveys, n, *m.layout.check([]).shape[1:])
    found = np.array([evidence_of(m, m.tally(column)).unbiased() for column in reports])
    return found - truth, found - np.array([np.bincount(row, minlength=d) for row in values]) / n


def refuted(found: Matrix, variances: Vector) -> bool:
    """Whether the errors, in their sum or of any one label, are none of a normal law of mean 0 and these variances.

    Sums over hundreds of surveys of squares of estimates from ten thousand people are chi-square for this purpose.
    """
    scaled = (found**2).sum(axis=0) / variances
    tails = np.minimum(stats.chi2.cdf(scaled, len(found)), stats.chi2.sf(scaled, len(found)))
    drift = np.abs(found.mean(axis=0)) * np.sqrt(len(found) / variances)
    total = stats.ttest_1samp((found**2).sum(axis=1), variances.sum()).pvalue
    each = min(float(tails.min()), float(stats.norm.sf(drift.max())))
    return 2 * 2 * len(variances) * each < FALSE_ALARM or float(total) < FALSE_ALARM


def expect_predicted_errors(m: Any, n: int = 10_000, surveys: int = 200, seed: int = 7) -> None:
    """Both targets, against the law and the risk that it makes; and a law a third off is refuted by these surveys."""
    truth, order = bent(len(m.domain)), np.asarray(getattr(m.law, "order", np.arange(len(m.domain))))
    for target, found in zip(TARGETS, errors(m, n, surveys, seed), strict=True):
        variances = np.empty(len(truth))
        variances[order] = m.law.variances.variances(truth[order], target) / n
        assert np.isclose(variances.sum(), m.risk(n, "l2", truth, target), rtol=1e-12)
        assert not refuted(found, variances), (target, (found**2).sum(), surveys * variances.sum())
        assert refuted(found, variances * 4 / 3)
        assert refuted(found, variances * 3 / 4)


@lru_cache(maxsize=1)
def drawn(m: Mechanism, n: int) -> tuple[dict[Target, Matrix], Indices]:
    """[surveys, d]: the shares that a survey is about, by target; [surveys, reports]: how often each was seen.

    The last label nobody holds. They are drawn once for both targets and all levels.
    """
    d, rng = len(closed_domain(m.domain)), np.random.default_rng(3)
    weights = np.array([0.5, *np.linspace(0.4, 0.1, d - 2), 0.0]) if d > 2 else np.array([0.9, 0.1])
    truth = weights / weights.sum()
    values = rng.choice(d, (SURVEYS, n), p=truth)
    index = m.layout.report_index(m.privatize_many(values.ravel(), seed=21)).reshape(SURVEYS, n)
    held = np.stack([(values == j).mean(axis=1) for j in range(d)], axis=1)
    seen = np.stack([(index == y).sum(axis=1) for y in range(m.layout.outputs)], axis=1)
    return {"population": np.tile(truth, (SURVEYS, 1)), "sample": held}, seen


def coverage(m: Mechanism, n: int, level: float, target: Target, narrow: float = 1.0) -> npt.NDArray[np.bool_]:
    """[surveys, d]: whether each survey's interval holds the share that it is about."""
    shares, seen = drawn(m, n)
    meant, reports = shares[target], m.layout.every_report()
    single = [evidence_of(m, m.tally(reports[y : y + 1])) for y in range(m.layout.outputs)]
    bounds = intervals(single, seen, n, 1 - level, target)
    middle = bounds.mean(axis=2, keepdims=True)
    bounds = middle + narrow * (bounds - middle)
    return np.asarray((bounds[:, :, 0] <= meant + 1e-12) & (meant <= bounds[:, :, 1] + 1e-12))


def intervals(single: list[Evidence], seen: Indices, n: int, alpha: float, target: Target) -> Matrix:
    """[surveys, labels, 2]: of all surveys in one call, from the evidence of each report and how often it was seen."""
    first = single[0]
    if isinstance(first, JoinedEvidence):
        groups = zip(*(e.groups for e in single if isinstance(e, JoinedEvidence)), strict=True)
        found = [intervals(list(group), seen, n, alpha, target) for group in groups]
        return np.concatenate(found, axis=1)[:, np.argsort(np.concatenate(first.places))]
    if isinstance(first, SupportEvidence):
        counts = seen @ np.array([e.counts for e in single if isinstance(e, SupportEvidence)])
        bounds = first._replace(n=n, counts=counts.ravel()).interval(alpha, target)
        return bounds.reshape(*counts.shape, 2)
    assert isinstance(first, SignedEvidence)
    plus, minus = (seen @ np.array([getattr(e, side) for e in single]) for side in ("plus", "minus"))
    bounds = replace(first, n=n, plus=plus.ravel(), minus=minus.ravel()).interval(alpha, target)
    return bounds.reshape(*plus.shape, 2)


def expect_coverage(m: Mechanism, n: int) -> None:
    """Marginal, label by label, and simultaneous; for both targets."""
    d = len(closed_domain(m.domain))
    for target in TARGETS:
        assert coverage(m, n, 0.95, target).mean(axis=0).min() >= LEAST, (target, n)
        assert coverage(m, n, 1 - 0.05 / d, target).all(axis=1).mean() >= LEAST, (target, n)

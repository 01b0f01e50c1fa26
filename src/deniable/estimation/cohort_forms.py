"""Four decoders for hashed reports; each but the first trades some bias for a smaller error.

- "unbiased": the least squares of ``regress``, which may be negative.
- "nonnegative": least squares over nonnegative shares that leave a nonnegative unlisted share (0 in a closed survey).
- "projected": the distribution nearest to the unbiased one, with the unlisted share as one more label.
- "likelihood": the distribution under which the counts are likeliest, with the unlisted share as one more label that
  has symbol y with probability beta. For O-RAPPOR bits are treated as independent (a composite likelihood).
"""

from __future__ import annotations

import numpy as np

from deniable.arrays import Vector
from deniable.estimation.cohort_evidence import CohortEvidence
from deniable.estimation.cohorts import CohortSurvey
from deniable.estimation.likelihood import Maximum, maximum_likelihood
from deniable.estimation.nonnegative import CohortShares, nonnegative
from deniable.estimation.simplex import project


def unbiased(evidence: CohortEvidence) -> CohortShares:
    """The least squares, as they come."""
    return _by_candidate(evidence, CohortShares(evidence.fit.estimate, evidence.fit.unlisted))


def constrained(evidence: CohortEvidence) -> CohortShares:
    """The least squares over nonnegative shares, to a small part of a standard error."""
    return _by_candidate(evidence, nonnegative(evidence.survey, float(np.sqrt(np.median(evidence.fit.variance)))))


def projected(evidence: CohortEvidence) -> CohortShares:
    """The distribution nearest to the least squares.

    >>> from deniable.estimation.cohort_evidence import regress
    >>> table, counts = np.array([[0, 1], [1, 1]], np.uint16), np.array([[30, 10], [15, 25]])
    >>> projected(regress(CohortSurvey.responses(table, counts, 3.0), "joint")).frequencies.round(6).tolist()
    [0.625, 0.0]
    """
    p, u = evidence.fit.estimate, evidence.fit.unlisted
    if evidence.survey.closed:
        return _by_candidate(evidence, CohortShares(project(p), 0.0))
    nearest = project(np.append(p, u))
    return _by_candidate(evidence, CohortShares(nearest[:-1], float(nearest[-1])))


def likeliest(evidence: CohortEvidence) -> CohortShares:
    """The shares under which the counts are likeliest."""
    return _by_candidate(evidence, likelihood(evidence.survey))


def _by_candidate(evidence: CohortEvidence, rows: CohortShares) -> CohortShares:
    """From shares of the table's rows those of the candidates; candidates with equal rows divide its share evenly."""
    group = evidence.survey.group
    copies = np.bincount(group, minlength=len(rows.frequencies))
    return rows._replace(frequencies=(rows.frequencies / copies)[group])


def likelihood(survey: CohortSurvey) -> CohortShares:
    """The shares under which the counts are likeliest, up to a hundredth of a nat over all people together.

    >>> table, counts = np.array([[0, 1], [1, 1]], np.uint16), np.array([[30, 10], [15, 25]])
    >>> likelihood(CohortSurvey.responses(table, counts, 3.0)).frequencies.round(2).tolist()
    [0.75, 0.0]
    """
    if survey.closed and len(survey.symbols) == 1:
        return CohortShares(np.ones(1), 0.0)
    maximum = _composite(survey) if survey.filters else _of_responses(survey)
    listed = maximum.point[: len(survey.symbols)]
    return CohortShares(listed, 0.0 if survey.closed else float(maximum.point[-1]), maximum.converged)


def _of_responses(survey: CohortSurvey) -> Maximum:
    """The likeliest shares, unlisted last, by reports of one symbol: their probabilities are linear in the shares."""
    size, beta, gap, h = len(survey.symbols), survey.beta, survey.gap, survey.h

    def forward(p: Vector) -> Vector:
        other = h * float(p.sum()) + gap * beta * float(p[size:].sum())
        return np.asarray(gap * survey.centred(p[:size]) + gap * beta * float(p[:size].sum()) + other).ravel()

    def backward(weights: Vector) -> Vector:
        field, total = weights.reshape(survey.counts.shape), float(weights.sum())
        return _with_unlisted(survey, gap * survey.slopes(field) + (gap * beta + h) * total, (gap * beta + h) * total)

    labels = size + (not survey.closed)
    return maximum_likelihood(survey.counts.ravel(), forward, backward, labels, 0.01 / survey.n)


def _composite(survey: CohortSurvey) -> Maximum:
    """The likeliest shares, unlisted last, by Bloom filters: each bit counts as a report of its own, set or unset."""
    size, beta, gap, h = len(survey.symbols), survey.beta, survey.gap, survey.h
    unset = survey.sizes[:, None].astype(np.int64) - survey.counts

    def forward(p: Vector) -> Vector:
        total = float(p.sum())
        chance = gap * survey.centred(p[:size]) + (gap * beta + h) * total
        return np.concatenate([chance.ravel(), (total - chance).ravel()])

    def backward(weights: Vector) -> Vector:
        one, other = weights.reshape(2, *survey.counts.shape)
        common = (gap * beta + h) * float((one - other).sum()) + float(other.sum())
        return _with_unlisted(survey, gap * survey.slopes(one - other) + common, common)

    labels = size + (not survey.closed)
    counts = np.concatenate([survey.counts.ravel(), unset.ravel()])
    return maximum_likelihood(counts, forward, backward, labels, 0.01 / survey.n)


def _with_unlisted(survey: CohortSurvey, listed: Vector, unlisted: float) -> Vector:
    return listed if survey.closed else np.append(listed, unlisted)

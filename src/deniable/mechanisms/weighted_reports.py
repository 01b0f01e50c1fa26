"""What each report counts for every label, whatever the mechanism, and shares from reports with weights."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from deniable.arrays import Column, Indices, Matrix, Vector
from deniable.estimation.decoders import LINEAR, LISTED, Decoded
from deniable.estimation.laws.cohort_law import CohortLaw
from deniable.estimation.laws.law import Law
from deniable.estimation.laws.lists_law import ListsLaw
from deniable.estimation.laws.support_law import SupportLaw
from deniable.estimation.lists_evidence import AskedEvidence, CutEvidence
from deniable.estimation.models.report_rows import unbiased_by
from deniable.estimation.weighted import DrawnRows, WeightedEvidence
from deniable.privacy.exact_channel import ExactChannel
from deniable.protocol.checks import check_choice
from deniable.protocol.errors import ParameterError
from deniable.reports.layout import Layout

GetChannel: TypeAlias = Callable[[], ExactChannel]


def decoded_weighted(evidence: WeightedEvidence, decoder: str, adds_up: bool) -> Decoded:
    """The shares by a decoder that needs nothing but the unbiased ones."""
    decoders, unbiased = LINEAR if adds_up else LISTED, evidence.unbiased()
    check_choice("decoder", decoder, decoders)
    return Decoded(decoders[decoder](unbiased), unbiased, decoder, evidence)


def weighted_evidence(
    law: Law, layout: Layout, column: Column, rows: DrawnRows, channel: GetChannel
) -> WeightedEvidence:
    """What reports with weights say of the shares; ``channel`` is made where the law alone does not tell."""
    if not len(column):
        raise ParameterError("reports with weights must be at least one, got none")
    distinct, places = distinct_reports(column)
    scores = label_scores(law, layout, distinct, channel)
    least = float(min(s.g * s.miss, s.h * (1 - s.h))) / s.gap**2 if (s := getattr(law, "support", None)) else 0.0
    return WeightedEvidence.of(scores, places, rows, least)


def distinct_reports(column: Column) -> tuple[Column, Indices]:
    """The different reports, and the place among them of each row's."""
    if column.ndim == 1:
        distinct, where = np.unique(column, return_inverse=True)
        return distinct, where
    rows = np.ascontiguousarray(column)
    _, first, where = np.unique(
        rows.view(np.dtype((np.void, rows.shape[1]))).ravel(), return_index=True, return_inverse=True
    )
    return rows[first], where


def label_scores(law: Law, layout: Layout, reports: Column, channel: GetChannel) -> Matrix:
    """[labels, reports]: numbers whose mean, whatever somebody holds, is 1 for what they hold and 0 for all else.

    A label of which these reports all say the same gets two reports more, that nobody sent: what could have been said.

    >>> import deniable as dn
    >>> coin = dn.RandomizedResponse(["yes", "no"], 1.0)
    >>> label_scores(coin.law, coin.layout, np.array([0, 1]), coin.channel).round(2).tolist()
    [[1.58, -0.58], [-0.58, 1.58]]
    """
    if isinstance(law, SupportLaw):
        support = law.support
        scores = (law.supports(reports).T - support.h) / support.gap
        if not np.ptp(scores, axis=1).all():
            ends = (np.arange(2) - support.h) / support.gap
            scores = np.hstack([scores, np.tile(ends, (len(scores), 1))])
        return np.asarray(scores, np.float64)
    if isinstance(law, CohortLaw):
        unbiased = unbiased_by(np.ascontiguousarray(channel().probabilities.T))
        if unbiased is None:
            raise ParameterError("hashed reports must tell all labels apart to be weighted, got some that do not")
        return np.asarray(unbiased[layout.report_index(reports)].T, np.float64)
    return np.stack([_scores_of(law, layout, reports[place : place + 1]) for place in range(len(reports))], axis=1)


def _scores_of(law: Law, layout: Layout, report: Column) -> Vector:
    """What a single report says: estimates are linear in what is counted, but for who was asked for which label."""
    evidence = law.evidence(*layout.tally(report))
    if isinstance(evidence, CutEvidence):
        evidence = evidence.held
    if isinstance(evidence, AskedEvidence) and isinstance(law, ListsLaw):
        return np.asarray(evidence.unbiased() * evidence.asked * law.spread, np.float64)
    return evidence.unbiased()

"""Mechanisms with texts to look for, and what a tally says of these."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

from deniable.estimation.evidence import Evidence
from deniable.mechanisms.mechanism import Mechanism
from deniable.reports.tally import Tally

M = TypeVar("M", bound=Mechanism)


def listed(mechanism: M, candidates: Iterable[Any] | None) -> M:
    """The mechanism with candidate texts, if it has an open alphabet; otherwise the mechanism itself."""
    return mechanism._over(candidates)


def evidence_of(mechanism: Mechanism, tally: Tally, candidates: Iterable[Any] | None = None) -> Evidence:
    """The evidence of a tally about each label or candidate: unbiased shares, their errors and intervals."""
    return listed(mechanism, candidates).law.evidence(tally.n, tally.counts)

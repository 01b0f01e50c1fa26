"""Tallies or reports from people with several channels, combined to answer questions about all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from deniable.arrays import Matrix, Vector
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.prior.curator import Curator
from deniable.mechanisms.prior.informed_response import InformedResponse
from deniable.protocol.errors import ParameterError, ReportError
from deniable.reports.tally import Tally


class Surveyed(Curator):
    """Mechanisms with what each has collected; the questions are asked of ``parts``, a tally or reports for each.

    >>> well, ill = (InformedResponse(["no", "yes"], prior, 1.0) for prior in ([0.9, 0.1], [0.5, 0.5]))
    >>> parts = [well.tally([0] * 80 + [1] * 20), ill.tally([0] * 50 + [1] * 50)]
    >>> round(Surveyed([well, ill]).survey(parts, "yes").error, 4)
    4.7879
    """

    def __init__(self, mechanisms: Sequence[Mechanism]) -> None:
        self.mechanisms = [m for m in mechanisms if isinstance(m, InformedResponse)]
        if not mechanisms or len(self.mechanisms) < len(mechanisms):
            raise ParameterError("mechanisms must be InformedResponse, whose prior a curator knows, got others")
        self.domain = self.mechanisms[0].domain
        if any(m.domain != self.domain for m in mechanisms):
            raise ParameterError("mechanisms must be about the same labels to be asked together, got others")
        own = self.mechanisms[0].values
        self.values = own if all(_same(own, m.values) for m in self.mechanisms) else None

    def sums(self, reports: Any, goals: Matrix) -> tuple[Vector, Vector]:
        """The sums and squared errors of all parts added up."""
        found, losses = np.zeros((2, goals.shape[1]))
        for mechanism, part in self._pairs(reports):
            more, lost = mechanism.curator.sums(part, goals)
            found, losses = found + more, losses + lost
        return found, losses

    def each(self, reports: Any, goals: Matrix) -> Matrix:
        """The posterior means of each person's goals, one part after the other."""
        return np.concatenate([mechanism.curator.each(part, goals) for mechanism, part in self._columns(reports)])

    def person_losses(self, reports: Any, goals: Matrix) -> Matrix:
        """The squared error of each person's goals, in the same order."""
        return np.concatenate(
            [mechanism.curator.person_losses(part, goals) for mechanism, part in self._columns(reports)]
        )

    def _pairs(self, reports: Any) -> list[tuple[InformedResponse, Any]]:
        if not isinstance(reports, list | tuple) or len(reports) != len(self.mechanisms):
            raise ReportError(
                f"reports must be a part for each of {len(self.mechanisms)} mechanisms, got something else"
            )
        return list(zip(self.mechanisms, reports, strict=True))

    def _columns(self, reports: Any) -> list[tuple[InformedResponse, Any]]:
        pairs = self._pairs(reports)
        if any(isinstance(part, Tally) for _, part in pairs):
            raise ReportError("weighted_total must be asked of reports, got a tally, which forgets whose they were")
        return pairs


def _same(first: Vector | None, other: Vector | None) -> bool:
    return first is other if first is None or other is None else np.array_equal(first, other)

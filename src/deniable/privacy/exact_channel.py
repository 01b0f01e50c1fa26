"""The exact channel: how likely each report is from each value, as a value to look at, judge and compare."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from deniable.arrays import Exact, Matrix
from deniable.privacy.matrix import Rows
from deniable.theory.risk import information
from deniable.values.domain import Domain


@dataclass(frozen=True, eq=False)
class ExactChannel:
    """The realised probabilities of every report from every label, without a rounding error.

    >>> import deniable as dn
    >>> dn.RandomizedResponse(["yes", "no"], 1.0).channel().probabilities.round(3).tolist()
    [[0.731, 0.269], [0.269, 0.731]]
    """

    domain: Domain
    rows: Rows
    """The probabilities as whole-number weights."""

    @cached_property
    def exact(self) -> Exact:
        """The probabilities as Fractions, inputs by outputs."""
        fractions = self.rows.fractions()
        fractions.flags.writeable = False
        return fractions

    @cached_property
    def probabilities(self) -> Matrix:
        """The probabilities as floats, each correctly rounded."""
        floats = self.rows.floats()
        floats.flags.writeable = False
        return floats

    def mutual_information(self) -> float:
        """What a report says of a uniform value, in nats."""
        weights = self.rows.weights[:, self.rows.weights.any(axis=0)].astype(object)
        sums, d = weights.sum(axis=0), len(weights)
        # an exact difference first: nearly constant channels would lose all digits
        excess = np.array([[w * d - s for w, s in zip(row, sums, strict=True)] for row in weights]) / sums
        marginal = np.array([s / (self.rows.total * d) for s in sums])
        return float((marginal * information.surprise(excess.astype(np.float64))).sum() / d)

    def __eq__(self, other: object) -> bool:
        """Whether labels and probabilities are equal, whatever mechanism they come from."""
        if not isinstance(other, ExactChannel):
            return NotImplemented
        same = self.domain == other.domain and self.rows.total == other.rows.total
        return same and np.array_equal(self.rows.weights, other.rows.weights)

    def __hash__(self) -> int:
        return hash((len(self.domain), self.rows.total, self.rows.weights.shape))

    def __repr__(self) -> str:
        labels, outputs = self.rows.weights.shape
        return f"ExactChannel({labels} labels, {outputs} reports)"

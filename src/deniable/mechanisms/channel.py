"""Any explicit channel: what it promises is computed from the matrix, never claimed."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from deniable.domain import Domain, DomainLike, is_int
from deniable.errors import ParameterError
from deniable.mechanisms.explicit import Explicit
from deniable.privacy.guarantees import LDP, level
from deniable.privacy.matrix import Rows
from deniable.reports.spec import Spec

WIDEST = 1 << 1000
"""Beyond the weights of any channel that is written out here."""


class Channel(Explicit):
    """A matrix of probabilities, one row a label, one column a report.

    Integers and Fractions are taken exactly. Floats are rounded to multiples of 2^-60, and what holds afterwards is
    the rounded channel: that is what is sampled, audited and inverted.

    >>> round(Channel(["sick", "well"], [[0.9, 0.1], [0.3, 0.7]]).guarantee.epsilon, 9)
    1.945910149
    """

    title = "any explicit matrix"

    def __init__(self, domain: DomainLike, matrix: Any) -> None:
        labels, rows = Domain.of(domain), matrix if isinstance(matrix, Rows) else Rows.read(matrix)
        if len(rows.weights) != len(labels):
            raise ParameterError(f"matrix must have {len(labels)} rows, one a label, got {len(rows.weights)}")
        self._fix(domain=labels, rows=rows)

    @classmethod
    def from_parameters(cls, domain: Domain, parameters: Spec) -> Channel:
        """Read a spec, which holds integer weights."""
        weights = parameters["weights"]
        if any(not is_int(w) or w < 0 for row in weights for w in row) or not 0 < sum(weights[0]) < WIDEST:
            raise ParameterError("weights must be rows of whole numbers that add up to less than 2^1000, got others")
        if len({(len(row), sum(row)) for row in weights}) > 1:
            raise ParameterError("weights must be rows of one length that add up to one total, got others")
        return cls(domain, Rows.of(weights))

    def parameters(self) -> Spec:
        """The rows as integer weights without a common divisor."""
        return {"weights": self.rows.weights.tolist()}

    def __repr__(self) -> str:
        return f"Channel({self.domain!r}, {self.outputs} reports, {self.guarantee})"

    @cached_property
    def guarantee(self) -> LDP:
        """The level that the matrix keeps: computed, and infinite where one report rules a label out."""
        return LDP.measured(level(self.rows.worst_ratio()))

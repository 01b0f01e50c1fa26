"""Any explicit channel: what it promises is computed from the matrix, never claimed."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from deniable.checks import is_int
from deniable.errors import ParameterError
from deniable.mechanisms.channels.explicit import Explicit
from deniable.privacy.guarantee_json import from_dict, to_dict
from deniable.privacy.guarantees import LDP, Guarantee, level
from deniable.privacy.matrix import Given, Rows
from deniable.reports.spec import Spec
from deniable.values.domain import Domain, DomainLike

WIDEST = 1 << 1000
"""Beyond the weights of any channel that is written out here."""


class Channel(Explicit):
    """A matrix of probabilities, one row a label, one column a report.

    Integers and Fractions are taken exactly. Floats are rounded to multiples of 2^-60, and what holds afterwards is
    the rounded channel: that is what is sampled, audited and inverted. Its guarantee is the LDP that the matrix is
    found to keep, or another ``guarantee``, which is then proven or the channel refused.

    >>> round(Channel(["sick", "well"], [[0.9, 0.1], [0.3, 0.7]]).guarantee.epsilon, 9)
    1.945910149
    """

    title = "any explicit matrix"

    claim: Guarantee | None

    def __init__(self, domain: DomainLike, matrix: Any, guarantee: Guarantee | None = None) -> None:
        labels, rows = Domain.of(domain), matrix.check() if isinstance(matrix, Rows) else Rows.read(matrix)
        if isinstance(rows, Given):
            raise ParameterError("matrix must be rows to draw from, got some that are only to be judged")
        if not isinstance(guarantee, Guarantee | None):
            raise ParameterError(f"guarantee must be one such as LDP(1.0), got {type(guarantee).__name__}")
        if len(rows.weights) != len(labels):
            raise ParameterError(f"matrix must have {len(labels)} rows, one a label, got {len(rows.weights)}")
        self._fix(domain=labels, rows=rows, claim=guarantee)
        self._check_claim()

    def _check_claim(self) -> None:
        if self.claim is None:
            return
        if getattr(self.claim, "domain", self.domain) != self.domain:
            raise ParameterError("guarantee must be about the channel's domain, got one about another")
        if not self.claim.judge(self.rows).holds:
            raise ParameterError(f"matrix must keep the guarantee, got one that is not {self.claim}")

    @classmethod
    def from_parameters(cls, domain: Domain, parameters: Spec) -> Channel:
        """Read a spec, which holds integer weights."""
        weights = parameters["weights"]
        if any(not is_int(w) or w < 0 for row in weights for w in row) or not 0 < sum(weights[0]) < WIDEST:
            raise ParameterError("weights must be rows of whole numbers that add up to less than 2^1000, got others")
        if len({(len(row), sum(row)) for row in weights}) > 1:
            raise ParameterError("weights must be rows of one length that add up to one total, got others")
        written = parameters.get("guarantee")
        return cls(domain, Rows.of(weights), None if written is None else from_dict(written, domain, computed=True))

    def parameters(self) -> Spec:
        """The rows as integer weights without a common divisor."""
        claimed = {} if self.claim is None else {"guarantee": to_dict(self.claim)}
        return {"weights": self.rows.weights.tolist(), **claimed}

    def __repr__(self) -> str:
        return f"Channel({self.domain!r}, {self.outputs} reports, {self.guarantee})"

    @cached_property
    def guarantee(self) -> Guarantee:
        """What was asked for and proven; else the level that the matrix keeps, infinite where a report betrays."""
        if self.claim is not None:
            return self.claim
        return LDP(1.0).at(level(self.rows.worst_ratio()))

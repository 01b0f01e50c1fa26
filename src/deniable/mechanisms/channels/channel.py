"""Any explicit channel: its guarantee is computed from the matrix."""

from __future__ import annotations

from typing import Any

from deniable.arrays import Exact, Matrix
from deniable.estimation.laws.linear_law import LinearLaw
from deniable.mechanisms.channels.table import Table
from deniable.mechanisms.composed import Composed
from deniable.privacy.exact_channel import ExactChannel
from deniable.privacy.guarantee_json import from_dict, to_dict
from deniable.privacy.matrix import FloatRows, Rows
from deniable.protocol.canonical import Spec
from deniable.protocol.errors import ParameterError
from deniable.protocol.mechanisms.channels import check_weights
from deniable.protocol.privacy.guarantees import LDP, Guarantee
from deniable.protocol.privacy.rows import level
from deniable.values.domain import Domain, DomainLike


class Channel(Composed[LinearLaw]):
    """A matrix of probabilities, one row per label, one column per report.

    Integers and Fractions are used exactly. Floats are rounded to multiples of 2^-60, and the rounded channel is what
    is sampled, audited and inverted. Its guarantee is the LDP that the matrix keeps, or another ``guarantee``, which is
    then proven, or the channel is refused.

    >>> round(Channel(["sick", "well"], [[0.9, 0.1], [0.3, 0.7]]).guarantee.epsilon, 9)
    1.945910149
    """

    _claim: Guarantee | None

    def __init__(self, domain: DomainLike, matrix: Any, guarantee: Guarantee | None = None) -> None:
        labels, rows = Domain.of(domain), matrix.check() if isinstance(matrix, Rows) else Rows.read(matrix)
        if isinstance(rows, FloatRows):
            raise ParameterError("matrix must be rows to draw from, got some that are only to be judged")
        if not isinstance(guarantee, Guarantee | None):
            raise ParameterError(f"guarantee must be one such as LDP(1.0), got {type(guarantee).__name__}")
        if len(rows.weights) != len(labels):
            raise ParameterError(f"matrix must have {len(labels)} rows, one for each label, got {len(rows.weights)}")
        channel = ExactChannel(labels, rows)
        promise = _proven(guarantee, channel)
        super().__init__(labels, promise, {"_channel": channel, "_parts": Table(channel, promise), "_claim": guarantee})

    def _spec_parameters(self) -> Spec:
        claimed = {} if self._claim is None else {"guarantee": self._written(to_dict(self._claim))}
        return {"weights": self._channel.rows.weights.tolist(), **claimed}

    def _written(self, claim: Spec) -> Spec:
        """The claim with its labels written as the channel's are: 2, or [0, 1], in both places."""
        return {**claim, "domain": self.domain.to_json()} if "domain" in claim else claim

    def __repr__(self) -> str:
        return f"Channel({self.domain!r}, {self.layout.outputs} reports, {self.guarantee})"

    @property
    def exact(self) -> Exact:
        """The realised probabilities as Fractions, inputs by outputs."""
        return self._channel.exact

    @property
    def probabilities(self) -> Matrix:
        """The realised probabilities as floats, inputs by outputs."""
        return self._channel.probabilities


def _proven(claim: Guarantee | None, channel: ExactChannel) -> Guarantee:
    """The claimed guarantee if it holds; without a claim LDP at the matrix's level, which may be infinite."""
    if claim is None:
        return LDP(1.0).at(level(channel.rows.worst_ratio()))
    if (claim.order or channel.domain) != channel.domain:
        raise ParameterError(f"guarantee must be about the channel's domain, got {claim}")
    if not claim.judge(channel.rows).holds:
        raise ParameterError(f"matrix must keep the guarantee, got one that is not {claim}")
    return claim


def read_channel(written: Any, parameters: Spec) -> Channel:
    """The channel that a spec with integer weights describes."""
    domain, weights = Domain.from_json(written), parameters["weights"]
    check_weights(weights)
    claim = parameters.get("guarantee")
    return Channel(domain, Rows.of(weights), None if claim is None else from_dict(claim, domain, computed=True))

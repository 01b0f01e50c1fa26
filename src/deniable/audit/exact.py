"""The exact certificate: the worst ratio of the realised rational channel against what is claimed."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from deniable.errors import CapacityError, ParameterError
from deniable.estimation.table import Table
from deniable.mechanisms.mechanism import Mechanism
from deniable.privacy.context import check_inputs
from deniable.privacy.guarantees import Verdict, level
from deniable.values.values import closed_domain


@dataclass(frozen=True, slots=True)
class Certificate:
    """What an audit found. ``epsilon`` is an upper bound of ln(exact_ratio), infinite if none could be proven.

    ``listed`` tells whether the channel was written out; otherwise the ratio is the family's closed form.
    """

    mechanism: str
    claimed: float
    exact_ratio: Fraction | float
    epsilon: float
    holds: bool
    listed: bool
    guarantee: str

    def to_dict(self) -> dict[str, Any]:
        """For JSON; the ratio as a string of integers."""
        return {
            "mechanism": self.mechanism,
            "guarantee": self.guarantee,
            "claimed": self.claimed,
            "exact_ratio": str(self.exact_ratio),
            "epsilon": self.epsilon,
            "holds": self.holds,
            "method": self.method,
        }

    @property
    def method(self) -> str:
        """How the ratio was found."""
        return "every cell of the channel" if self.listed else "closed form"

    @property
    def verdict(self) -> str:
        """Whether the claim holds, in words."""
        return "holds" if self.holds else "DOES NOT HOLD"

    def __str__(self) -> str:
        return (
            f"{self.mechanism}: claimed epsilon {self.claimed:.12g} {self.verdict} ({self.guarantee})\n"
            f"realised epsilon at most {self.epsilon:.12g} ({self.method})"
        )

    def _repr_html_(self) -> str:
        headings = ("claimed epsilon", "the claim", "realised epsilon, at most", "found by")
        row = (f"{self.claimed:.12g}", self.verdict, f"{self.epsilon:.12g}", self.method)
        return Table(f"{self.mechanism}, {self.guarantee}", headings, [row])._repr_html_()


def audit(mechanism: Mechanism) -> Certificate:
    """Prove the claim of a mechanism, or refute it, in exact arithmetic.

    Where the channel is small every cell is written out; its rows must add up to 1, and the ratio that comes nearest
    to the claim is compared with the family's closed form, the larger one counting. Where it is not small, the closed
    form stands alone.

    >>> import deniable as dn
    >>> audit(dn.Rappor(3, 1.0)).holds
    True
    """
    if not isinstance(mechanism, Mechanism):
        raise ParameterError(f"mechanism must be one of deniable's, got {type(mechanism).__name__}")
    try:
        verdict, listed = _of_listed(mechanism), True
    except CapacityError:
        verdict, listed = _of_closed_form(mechanism), False
    found = level(verdict.ratio)
    promise = str(mechanism.guarantee)
    return Certificate(repr(mechanism), verdict.level, verdict.ratio, found, verdict.holds, listed, promise)


def _of_listed(mechanism: Mechanism) -> Verdict:
    """Every cell; where the closed form admits to more, that counts."""
    try:
        rows = check_inputs(mechanism.channel().rows.check(), closed_domain(mechanism.domain))
    except ParameterError:  # what is no channel keeps no promise
        return Verdict(mechanism.guarantee.claimed, math.inf, False)
    verdict, closed = mechanism.guarantee.judge(rows), mechanism.law.exact_ratio()
    if closed <= verdict.ratio:
        return verdict
    return Verdict(verdict.level, closed, verdict.holds and mechanism.guarantee.allows(closed))


def _of_closed_form(mechanism: Mechanism) -> Verdict:
    ratio, guarantee = mechanism.law.exact_ratio(), mechanism.guarantee
    return Verdict(guarantee.claimed, ratio, guarantee.allows(ratio))

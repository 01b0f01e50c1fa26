"""The exact certificate: the worst ratio of the realised rational channel, compared with the claim."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import PurePath
from typing import Any, Protocol, TypeVar, overload

from deniable.audit.claims import verdict
from deniable.audit.mechanism_judges import judged_mechanism
from deniable.audit.truth import JudgedStatement, said_of
from deniable.estimation.table import Table
from deniable.mechanisms.mechanism import Mechanism
from deniable.protocol.errors import CapacityError, ParameterError
from deniable.protocol.privacy.guarantees import Verdict, check_inputs, exact_rows
from deniable.protocol.privacy.rows import level

C_co = TypeVar("C_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Certificate:
    """The result of an audit. ``epsilon`` is an upper bound on ln(exact_ratio), infinite if none could be proven.

    ``listed`` says whether every cell of the channel was computed; otherwise the ratio is the family's closed form.
    ``statements`` are those of the label, each judged; empty for a mechanism with too many answers or reports.

    >>> import deniable as dn
    >>> certificate = dn.audit(dn.RandomizedResponse(2, epsilon=1.0))
    >>> certificate.holds, round(certificate.epsilon, 6), certificate.listed
    (True, 1.0, True)
    """

    mechanism: str
    claimed: float
    exact_ratio: Fraction | float
    epsilon: float
    proven: bool
    listed: bool
    guarantee: str
    statements: tuple[JudgedStatement, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether the claim is proven, and every statement that was judged is true."""
        return self.proven and all(each.holds for each in self.statements)

    def to_dict(self) -> dict[str, Any]:
        """The certificate as plain values for JSON; the ratio is a string such as "3/2"."""
        return {
            "mechanism": self.mechanism,
            "guarantee": self.guarantee,
            "claimed": self.claimed,
            "exact_ratio": str(self.exact_ratio),
            "epsilon": self.epsilon,
            "holds": self.holds,
            "method": self.method,
            "statements": [each.to_dict() for each in self.statements],
        }

    @property
    def method(self) -> str:
        """How the ratio was found, in words."""
        return "every cell of the channel" if self.listed else "closed form"

    @property
    def verdict(self) -> str:
        """Whether the claim holds, in words."""
        return verdict(self.proven)

    def __str__(self) -> str:
        return (
            f"{self.mechanism}: claimed epsilon {self.claimed:.12g} {self.verdict} ({self.guarantee})\n"
            f"realised epsilon at most {self.epsilon:.12g} ({self.method})\n{said_of(self.statements)}"
        )

    def _repr_html_(self) -> str:
        headings = ("claimed epsilon", "the claim", "realised epsilon, at most", "found by")
        row = (f"{self.claimed:.12g}", self.verdict, f"{self.epsilon:.12g}", self.method)
        title, notes = f"{self.mechanism}, {self.guarantee}", [said_of(self.statements)]
        return Table(title, headings, [row], notes)._repr_html_()


class ProvesItself(Protocol[C_co]):
    """What has a promise made of several mechanisms, such as a survey, and proves it."""

    def audit(self) -> C_co:
        """The certificate."""
        ...


@overload
def audit(subject: Mechanism) -> Certificate: ...


@overload
def audit(subject: ProvesItself[C_co]) -> C_co: ...


def audit(subject: Mechanism | ProvesItself[Any]) -> Any:
    """Prove or refute the claim of a mechanism, or the promise of a survey, in exact arithmetic.

    If the channel is small, every cell is computed; rows must add up to 1, and the larger of the worst ratio found and
    the family's closed form counts. If it is large, only the closed form is used. Where there are few answers and
    reports, every statement of the label is judged by these cells too.

    >>> import deniable as dn
    >>> audit(dn.Rappor(3, 1.0)).holds
    True
    """
    if isinstance(subject, Mechanism):
        return replace(proof_of(subject), statements=judged_mechanism(subject))
    prove = None if isinstance(subject, type) else getattr(subject, "audit", None)
    if callable(prove):
        return prove()
    how = (
        "; from_spec makes a mechanism of a dict, or of the text of a file"
        if isinstance(subject, str | Mapping | PurePath)
        else ""
    )
    raise ParameterError(f"subject must be a mechanism or a survey, got {type(subject).__name__}{how}")


def proof_of(mechanism: Mechanism) -> Certificate:
    """The certificate of a mechanism's claim alone."""
    try:
        proof, listed = _verdict_of_cells(mechanism), True
    except CapacityError:
        ratio, guarantee = mechanism.law.exact_ratio(), mechanism.guarantee
        proof, listed = Verdict(guarantee.claimed, ratio, guarantee.allows(ratio)), False
    promise = str(mechanism.guarantee)
    return Certificate(repr(mechanism), proof.level, proof.ratio, level(proof.ratio), proof.holds, listed, promise)


def _verdict_of_cells(mechanism: Mechanism) -> Verdict:
    """Whether the claim holds by every cell of the channel; the closed form counts if it is larger."""
    try:
        channel = mechanism.channel()
        check_inputs(channel.rows.check(), mechanism.domain.every())
        rows = exact_rows(channel, mechanism.guarantee.order)
    except ParameterError:  # rows that are no channel, or are about other labels, keep no guarantee
        return Verdict(mechanism.guarantee.claimed, math.inf, holds=False)
    by_cells, closed_form = mechanism.guarantee.judge(rows), mechanism.law.exact_ratio()
    if closed_form <= by_cells.ratio:
        return by_cells
    return Verdict(by_cells.level, closed_form, by_cells.holds and mechanism.guarantee.allows(closed_form))

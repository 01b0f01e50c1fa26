"""What a device may send of an answer: how many of 100 people send what fits it, or words, and what the parts are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from deniable.estimation.laws.support_law import SupportLaw
from deniable.pages.dots import about_hundred
from deniable.protocol.errors import CapacityError
from deniable.protocol.say import Statement
from deniable.surveys.arms import Part


class FittingShares(NamedTuple):
    """How many of 100 people with an answer send what fits it, and how many of those with another one send that too."""

    own: Statement
    own_share: float
    other: Statement
    other_share: float

    @classmethod
    def of(cls, key: str, shares: tuple[float, float], part: Part, **values: str) -> FittingShares:
        """The shares with what is said of them: of reports that are remembered it is true of one round."""
        here = "" if part.rounds is None else "_round"
        own, other = (about_hundred(share) for share in shares)
        return cls(
            Statement(f"own_{key}{here}", {"fitting": own, **values}), shares[0],
            Statement(f"other_{key}{here}", {"fitting": other, **values}), shares[1],
        )  # fmt: skip


class SentAnswer(NamedTuple):
    """What may be sent of an answer. Where a picture of guesses says more than one of reports there is neither."""

    fitting: FittingShares | None = None
    told: Statement | None = None
    """Said where a picture would not help."""
    parts: tuple[Statement, ...] = ()
    """What the parts of the survey are that ask about it, and why there are several; nothing where one asks for it."""


def several(key: str, count: int) -> tuple[Statement, ...]:
    """What several parts are; nothing is said of one."""
    return (Statement(key, {"count": count}),) if count > 1 else ()


def fitting_shares(part: Part) -> tuple[float, float] | None:
    """How often a report fits the value that was given, and another one; None where none fits values one by one."""
    law = part.mechanism.law
    return (law.support.g, law.support.h) if isinstance(law, SupportLaw) else None


def told_apart(part: Part, first: int, second: int) -> tuple[float, float] | None:
    """How often people with either of two values, by their places, send what is likelier from the first of them.

    None where the values are too many to write all reports of them out.
    """
    if (shares := fitting_shares(part)) is not None:
        return shares
    try:
        own, other = part.mechanism.channel().probabilities[[first, second]]
    except CapacityError:
        return None
    fits = own > other
    return float(own[fits].sum()), float(other[fits].sum())


def most_telling(found: Sequence[tuple[float, float] | None]) -> int | None:
    """The place of the shares that tell most, so that a picture makes nothing look safer than it is."""
    gaps = [-1.0 if each is None else each[0] - each[1] for each in found]
    return max(range(len(gaps)), key=gaps.__getitem__) if any(each is not None for each in found) else None

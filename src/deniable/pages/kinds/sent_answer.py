"""What a device may send of an answer: how many of 100 people send what fits it, or words, and what the parts are."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeAlias

from deniable.estimation.laws.support_law import SupportLaw
from deniable.pages.dots import of_hundred
from deniable.protocol.errors import CapacityError
from deniable.protocol.say import Statement
from deniable.surveys.arms import Part

Shares: TypeAlias = tuple[float, float]
"""How often people with an answer send what fits it, and how often those with another one send that too."""


class FittingShares(NamedTuple):
    """How many with an answer, and with another one, send what fits it: of 100 in words, and as shares from 0 to 1."""

    own: Statement
    own_share: float
    other: Statement
    other_share: float

    @classmethod
    def of(cls, key: str, shares: Shares, part: Part, **values: str) -> FittingShares:
        """The shares with what is said of them: of reports that are remembered it is true of one round."""
        period = "" if part.rounds is None else "_round"
        own, other = (of_hundred(share) for share in shares)
        return cls(
            Statement(f"own_{key}{period}", fitting=own, **values), shares[0],
            Statement(f"other_{key}{period}", fitting=other, **values), shares[1],
        )  # fmt: skip


class SentAnswer(NamedTuple):
    """What may be sent of an answer: a picture, or words instead; neither where pictures of guesses say more."""

    fitting: FittingShares | None = None
    instead: Statement | None = None
    """What is said where a picture would not help."""
    parts: tuple[Statement, ...] = ()
    """What the parts of the survey are that ask about it, and why there are several; nothing where one asks for it."""


def parts_note(key: str, count: int) -> tuple[Statement, ...]:
    """What several parts of a survey are that ask about a question; nothing is said of one."""
    return (Statement(key, count=count),) if count > 1 else ()


def fitting_shares(part: Part) -> Shares | None:
    """How often a report fits the value that was given, and another one; None where none fits values one by one."""
    law = part.mechanism.law
    return (law.support.g, law.support.h) if isinstance(law, SupportLaw) else None


def shares_telling_apart(part: Part, first: int, second: int) -> Shares | None:
    """How often people with either of two values, by their places, send what is likelier from the first of them.

    Where reports fit values one by one, how often one fits its own and another. None where the values are too many to
    write all reports of them out.
    """
    if (shares := fitting_shares(part)) is not None:
        return shares
    try:
        own, other = part.mechanism.channel().probabilities[[first, second]]
    except CapacityError:
        return None
    fits = own > other
    return float(own[fits].sum()), float(other[fits].sum())


def most_telling(
    parts: Iterable[Part], shares_of: Callable[[Part], Shares | None] = fitting_shares
) -> tuple[Shares, Part] | None:
    """The shares that lie farthest apart, and their part: a picture of it makes nothing look safer than it is."""
    known = [(shares, part) for part in parts if (shares := shares_of(part)) is not None]
    return max(known, key=lambda each: each[0][0] - each[0][1], default=None)

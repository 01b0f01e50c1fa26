"""What an error means to people: how far shares may be off, what is not seen, what the noise costs, what is found."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from deniable.estimation.words import decimals
from deniable.protocol.checks import LARGEST_EPSILON
from deniable.theory.lower_bounds.effective import effective_users

TWO_SIDED, POWER = 1.959964, 0.841621
"""Quantiles of the normal distribution: of 19 in 20 around the middle, and of 4 in 5 below."""
UNSEEN, USELESS = 2.0, 0.2
"""A share of so many errors can just be told from none; plans warn where that is so large."""


@dataclass(frozen=True, slots=True)
class Outlook:
    r"""What people may expect of a survey in which so many ``users`` answer about ``size`` labels.

    ``error`` is the root mean squared error of one label's share, averaged over the labels.

    >>> print(*Outlook(0.01, 4, 10_000).sentences, sep="\n")
    In 19 of 20 surveys a share is right within 2.0 points.
    A share below about 2.0% cannot be told apart from 0%.
    10,000 people tell as much as 1,875 would who answered openly.
    A change of 4.0 points between two such surveys is found 4 times in 5.
    A difference of 5.6 points between two halves of the people is found 4 times in 5.
    """

    error: float
    size: int
    users: int

    @property
    def margin(self) -> float:
        """How far a share is off at most in 19 of 20 surveys."""
        return TWO_SIDED * self.error

    @property
    def unseen(self) -> float:
        """The share that can just be told from none."""
        return UNSEEN * self.error

    @property
    def worth(self) -> float:
        """How many people would tell as much if they answered openly, where all labels are equally frequent."""
        return min(float(self.users), effective_users(self.size, self.size * self.error**2))

    @property
    def change(self) -> float:
        """The change between two such surveys that is found 4 times in 5."""
        return (TWO_SIDED + POWER) * math.sqrt(2) * self.error

    @property
    def difference(self) -> float:
        """The difference between two halves of the people that is found 4 times in 5."""
        return math.sqrt(2) * self.change

    def to_dict(self) -> dict[str, float]:
        """The figures, as plain values for JSON."""
        margins = {"margin": self.margin, "unseen": self.unseen, "worth": self.worth}
        return {**margins, "change": self.change, "difference": self.difference}

    @property
    def sentences(self) -> tuple[str, ...]:
        """What to expect in plain sentences; shares and changes that are larger than a whole are left out."""
        return tuple(self._sentences())

    def _sentences(self) -> Iterator[str]:
        yield f"In 19 of 20 surveys a share is right within {points_in_words(self.margin)}."
        if self.unseen < USELESS:
            yield f"A share below about {digits(100 * self.unseen)}% cannot be told apart from 0%."
        if self.size > 1:
            yield f"{self.users:,} people tell as much as {math.floor(self.worth):,} would who answered openly."
        for size, between in ((self.change, "two such surveys"), (self.difference, "two halves of the people")):
            if size < 1:
                what = "change" if size == self.change else "difference"
                yield f"A {what} of {points_in_words(size)} between {between} is found 4 times in 5."


def points_in_words(share: float) -> str:
    """A share as percentage points in words.

    >>> points_in_words(0.0161), points_in_words(0.00016), points_in_words(0.25)
    ('1.6 points', '0.016 points', '25 points')
    """
    return f"{digits(100 * share)} points"


def digits(value: float) -> str:
    """A number with two digits that count.

    >>> digits(1.96), digits(12.2), digits(0.0161), digits(150.0)
    ('2.0', '12', '0.016', '150')
    """
    return "0" if value <= 0 else f"{value:.{decimals(value)}f}"


MIDDLING: Final = 2.0
"""The level of middling protection, of which errors tell beside the best."""


def least_error_in_words(
    users: int, error_at: Callable[[float], float], shown: Callable[[float], str], level: float = 0.0
) -> str:
    """The least error that there is, and that under middling protection if ``level`` is stronger.

    ``error_at`` tells the error of a level.

    >>> least_error_in_words(120, lambda level: 30 / level, lambda error: f"give or take {error:.2g}")
    '120 people reach give or take 0.94 at best, even unprotected; with epsilon 2 it is 15'
    """
    best = f"{users:,} people reach {shown(error_at(LARGEST_EPSILON))} at best, even unprotected"
    if level >= MIDDLING:
        return best
    middling = shown(error_at(MIDDLING)).rpartition(" ")[2]
    return f"{best}; with epsilon {MIDDLING:g} it is {middling}"

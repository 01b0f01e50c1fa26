"""By how much an answer must be ahead of the next one for a result to tell them apart in 4 of 5 surveys."""

from __future__ import annotations

import math
from typing import Final, NamedTuple

from deniable.planning.outlook import POWER, TWO_SIDED

DETECTABLE: Final = TWO_SIDED + POWER
"""A difference of so many standard errors is found in 4 of 5 surveys."""
SECOND: Final = 0.3
"""The share of the second answer, or less where the first one leaves less."""
HALVINGS: Final = 40


class ShareError(NamedTuple):
    """The standard error of a share if all answers are equally frequent, and from how many people it is."""

    value: float
    people: int
    size: float
    """Of how many these are; infinite if that is not known."""


def lead_of_one(error: ShareError, labels: int, level: float) -> float:
    """The least lead that is found, where each person gives one of the answers; 1 where none is.

    A report varies more about two answers the more people give one of them: under k-ary randomized response
    (e^level + 1) / 2 times as much if all do as if nobody does. No report that either supports an answer or does not
    varies more unevenly than that.

    >>> round(lead_of_one(ShareError(0.05, 120, 120), 4, 2.0), 2)
    0.26
    """
    uniform = 2 * labels / (labels - 1) * (error.value**2 + (1 - 1 / labels) / labels / error.size)
    uneven = (math.exp(level) + 1) / 2
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        lead = (low + high) / 2
        share_of_both = lead + 2 * (SECOND if labels > 2 and lead < 1 - 2 * SECOND else (1 - lead) / 2)
        growth = labels * (share_of_both * uneven + 1 - share_of_both) / (2 * uneven + labels - 2)
        variance = uniform * growth - lead**2 / error.people - (share_of_both - lead**2) / error.size
        low, high = (low, lead) if lead >= DETECTABLE * math.sqrt(max(variance, 0.0)) else (lead, high)
    return high

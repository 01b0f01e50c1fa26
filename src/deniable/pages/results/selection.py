"""Which labels a page shows, and in which order: of many the largest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from deniable.estimation.estimate import Estimate
from deniable.estimation.table import printable

MOST_SHOWN: Final = 60
"""Up to so many labels are all shown unless one wants less."""
FEW: Final = 20
"""Up to so many where other questions are on the same page."""
LARGEST: Final = 10
"""So many of more are shown, the largest."""
MOST_FOUND: Final = 60


@dataclass(frozen=True)
class Selection:
    """What a reader asked for: the order, all labels or the ends, and a text that labels must hold."""

    by_value: bool = False
    all: bool = False
    find: str = ""
    page: int = 0
    """Of all labels only those of this page; 0: all on one."""
    most: int = MOST_SHOWN
    """Up to so many labels are all shown."""


def places(estimate: Estimate, wanted: Selection) -> Sequence[int]:
    """The places of the labels to show. Whoever sees only some of many sees them by value."""
    order: list[int] = np.argsort(-np.nan_to_num(estimate.unbiased, nan=-np.inf), kind="stable").tolist()
    if wanted.find:
        return holding(estimate, wanted.find, order)[:MOST_FOUND]
    if is_cut(estimate, wanted):
        return order[:LARGEST]
    return order if is_sorted(estimate, wanted) else range(len(order))


def holding(estimate: Estimate, text: str, order: Sequence[int]) -> list[int]:
    """The places of the labels that hold a text."""
    wanted = text.casefold()
    return [place for place in order if wanted in printable(estimate.labels[place]).casefold()]


def unshown(estimate: Estimate, wanted: Selection) -> int:
    """How many labels that hold the text are left out, since too many do."""
    every = range(len(estimate.labels))
    return max(len(holding(estimate, wanted.find, every)) - MOST_FOUND, 0) if wanted.find else 0


def is_cut(estimate: Estimate, wanted: Selection) -> bool:
    """Whether only the largest of a long list are shown."""
    return len(estimate.labels) > wanted.most and not wanted.all and not wanted.find


def is_sorted(estimate: Estimate, wanted: Selection) -> bool:
    """Whether labels stand by value, so that intervals must hold all at once."""
    return wanted.by_value or len(estimate.labels) > wanted.most

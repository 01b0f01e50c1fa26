"""Which labels a page shows, and in which order: of many the largest, or a long list in pages of so many."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

import numpy as np

from deniable.estimation.estimate import Estimate
from deniable.estimation.table import printable
from deniable.protocol.say import Statement

AT_ONCE: Final = 100
"""So many rows of a long list stand on a page, so that each page stays small."""
FEW_PAGES: Final = 12
"""Up to so many pages are all linked."""
NEIGHBOURS: Final = 5
"""So many pages before and after are linked, besides the first and the last."""
MOST_SHOWN: Final = 60
"""Up to so many labels are all shown unless one wants less."""
FEW: Final = 20
"""Up to so many where other questions are on the same page."""
LARGEST: Final = 10
"""So many of more are shown, the largest."""
MOST_FOUND: Final = 60
VALUE, NAME, ERROR = "value", "name", "error"
ORDERS: Final = {
    "": Statement("as_asked"),
    VALUE: Statement("by_value"),
    NAME: Statement("by_name"),
    ERROR: Statement("by_error"),
}
"""The orders in which labels can stand, by how addresses name them."""
T = TypeVar("T")


@dataclass(frozen=True)
class Selection:
    """Which labels a reader asked for: in which order, all or the largest, or those that hold a text."""

    order: str = ""
    """As asked, or one of ``ORDERS``."""
    all: bool = False
    find: str = ""
    page: int = 0
    """Of all labels only those of this page; 0: all on one."""
    most: int = MOST_SHOWN
    """Up to so many labels are all shown."""
    above: float | None = None
    """A share at which the reader drew a line."""
    zoomed: bool = False
    """Whether pictures show where the answers are, and not all from 0 to 100."""


def places(estimate: Estimate, wanted: Selection) -> Sequence[int]:
    """The places of the labels to show. Whoever sees only some of many sees them by value."""
    order: list[int] = np.argsort(-np.nan_to_num(estimate.unbiased, nan=-np.inf), kind="stable").tolist()
    if wanted.find:
        return holding(estimate, wanted.find, order)[:MOST_FOUND]
    if is_cut(estimate, wanted):
        return order[:LARGEST]
    if wanted.order == NAME:
        return sorted(order, key=lambda place: printable(estimate.labels[place]).casefold())
    if wanted.order == ERROR:
        by_error: list[int] = np.argsort(estimate.stderr, kind="stable").tolist()
        return by_error
    return order if is_sorted(estimate, wanted) else range(len(order))


def holding(estimate: Estimate, text: str, order: Sequence[int]) -> list[int]:
    """The places of the labels that hold a text."""
    folded = text.casefold()
    return [place for place in order if folded in printable(estimate.labels[place]).casefold()]


def unshown(estimate: Estimate, wanted: Selection) -> int:
    """How many labels that hold the text are left out, since too many do."""
    every = range(len(estimate.labels))
    return max(len(holding(estimate, wanted.find, every)) - MOST_FOUND, 0) if wanted.find else 0


def is_cut(estimate: Estimate, wanted: Selection) -> bool:
    """Whether only the largest of a long list are shown."""
    return len(estimate.labels) > wanted.most and not wanted.all and not wanted.find


def is_sorted(estimate: Estimate, wanted: Selection) -> bool:
    """Whether labels stand by value, so that intervals must hold all at once."""
    return wanted.order == VALUE or wanted.above is not None or len(estimate.labels) > wanted.most


@dataclass(frozen=True)
class Paging:
    """Which of all rows a page shows; the first page is number 1.

    >>> page = Paging(2, 250)
    >>> page.count, english(page.span(2)), english(page.span(3)), page.numbers
    (3, '101 to 200', '201 to 250', (1, 2, 3))
    """

    number: int
    total: int
    size: int = AT_ONCE

    @classmethod
    def of(cls, number: int, total: int, size: int = AT_ONCE) -> Paging:
        """The page that is asked for, or the last if there are fewer."""
        return cls(min(max(number, 1), max(-(-total // size), 1)), total, size)

    @property
    def count(self) -> int:
        """How many pages there are."""
        return -(-self.total // self.size)

    @property
    def numbers(self) -> tuple[int, ...]:
        """The pages that are linked: all of a few, and of many the ends and those close by."""
        every, near = range(1, self.count + 1), range(self.number - NEIGHBOURS, self.number + NEIGHBOURS + 1)
        return tuple(page for page in every if self.count <= FEW_PAGES or page in (1, self.count) or page in near)

    def span(self, number: int) -> Statement:
        """The rows of a page."""
        return Statement("to_first_last", first=(number - 1) * self.size + 1, last=min(number * self.size, self.total))

    def part(self, rows: Sequence[T]) -> Sequence[T]:
        """The rows of this page."""
        return rows[(self.number - 1) * self.size : self.number * self.size]

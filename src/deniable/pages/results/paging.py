"""A long list in pages of so many rows, so that each page stays small."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from deniable.protocol.say import Statement

AT_ONCE: Final = 100
FEW: Final = 12
"""Up to so many pages are all linked."""
NEIGHBOURS: Final = 5
"""So many pages before and after are linked, besides the first and the last."""
T = TypeVar("T")


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
        return tuple(page for page in every if self.count <= FEW or page in (1, self.count) or page in near)

    def span(self, number: int) -> Statement:
        """The rows of a page."""
        return Statement("to_first_last", first=(number - 1) * self.size + 1, last=min(number * self.size, self.total))

    def part(self, rows: Sequence[T]) -> Sequence[T]:
        """The rows of this page."""
        return rows[(self.number - 1) * self.size : self.number * self.size]

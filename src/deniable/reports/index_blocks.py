"""Integers that are reports of several blocks: each tells its block, and what the block's own layout has."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from deniable.arrays import Column, Counts, Indices
from deniable.reports.index_layout import IndexLayout


@dataclass(frozen=True)
class IndexBlocks:
    """Integers, first those of block 0, then those of block 1, and so on.

    >>> blocks = IndexBlocks((3, 2))
    >>> blocks.join(np.array([0, 1]), np.array([2, 1])).tolist(), blocks.heads(np.array([2, 4])).tolist()
    ([2, 4], [0, 1])
    """

    outputs: tuple[int, ...]
    """How many integers each block has."""

    alone: ClassVar[int] = 0
    """The report of a block that has one, as its own layout has it."""

    @cached_property
    def starts(self) -> Counts:
        """The first integer of each block, and the number of all."""
        return np.cumsum([0, *self.outputs])

    @property
    def layout(self) -> IndexLayout:
        """One integer per report."""
        return IndexLayout(int(self.starts[-1]))

    def heads(self, reports: Column) -> Indices:
        """The block of each report."""
        return np.searchsorted(self.starts, reports, side="right") - 1

    def within(self, reports: Column, block: int) -> Column:
        """Reports of one block as its own layout has them."""
        return np.asarray(reports.astype(np.int64) - self.starts[block])

    def split(self, reports: Column) -> Iterator[tuple[int, Indices, Column]]:
        """Each block that reports are of, the places of these reports, and the reports as its own layout has them."""
        for block, places in grouped(self.heads(reports)):
            yield block, places, self.within(reports[places], block)

    def join(self, blocks: Indices, within: Column) -> Column:
        """Reports from their blocks and what they are ``within`` these: the inverse of ``heads`` and ``within``."""
        return np.asarray(self.starts[blocks] + within).astype(self.layout.dtype)


def grouped(numbers: Indices) -> Iterator[tuple[int, Indices]]:
    """Each number that occurs, ascending, with its places, ascending: one sort, however many numbers there are.

    >>> [(number, places.tolist()) for number, places in grouped(np.array([7, 2, 7]))]
    [(2, [1]), (7, [0, 2])]
    """
    order = np.argsort(numbers, kind="stable")
    distinct, starts = np.unique(numbers[order], return_index=True)
    for number, start, end in zip(distinct.tolist(), starts, [*starts[1:], len(numbers)], strict=True):
        yield number, order[start:end]

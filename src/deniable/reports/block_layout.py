"""Reports that are a block and a set of its labels: two bytes, little-endian, before the bits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np

from deniable.arrays import Column, Counts, Indices
from deniable.kernels.counts import HEAD, Faults, count_by_block
from deniable.kernels.threads import added
from deniable.reports.headed_rows import HeadedRows
from deniable.reports.index_blocks import grouped
from deniable.reports.layout import UNCOUNTED, refused
from deniable.reports.packed_layout import PackedLayout


@dataclass(frozen=True)
class BlockLayout(HeadedRows):
    """A block in two bytes, then one bit per label of the largest block, of which ``weights[block]`` are set.

    Counts hold the blocks' labels one after another: how many reports of each block there are follows from its weight.
    """

    sizes: tuple[int, ...]
    weights: tuple[int, ...]

    alone: ClassVar[int] = 1
    """The bits of a block of one label."""

    @cached_property
    def blocks(self) -> tuple[PackedLayout, ...]:
        """The bits of each block's own labels."""
        return tuple(PackedLayout(size, weight) for size, weight in zip(self.sizes, self.weights, strict=True))

    @cached_property
    def starts(self) -> Counts:
        """Where each block's counts start, and where the last one's end."""
        return np.cumsum([0, *self.sizes])

    @property
    def layout(self) -> Self:
        """The layout itself."""
        return self

    @property
    def width(self) -> int:
        return HEAD + -(-max(self.sizes) // 8)

    @property
    def report_bits(self) -> int:
        """The bits that one report needs."""
        return (len(self.sizes) - 1).bit_length() + max(self.sizes)

    @property
    def outputs(self) -> int:
        """All sets of all blocks."""
        return min(sum(block.outputs for block in self.blocks), UNCOUNTED)

    @property
    def cells(self) -> int:
        """One count for each label."""
        return sum(self.sizes)

    @property
    def counts_per_report(self) -> int | None:
        """The number of bits set, where all blocks have the same."""
        return self.weights[0] if len(set(self.weights)) == 1 else None

    def check(self, reports: Any) -> Column:
        """The reports as rows of bytes: blocks in range, no bits beyond their labels, weights right."""
        column = self._rows.check(reports)
        self._count(column)
        return column

    def tally(self, reports: Any, onto: Counts | None = None) -> tuple[int, Counts]:
        """How many reports there are and how many hold each label: checked and counted in one pass."""
        column = self._rows.check(reports)
        return len(column), added([self._count(column)], onto)

    def _count(self, column: Column) -> Counts:
        counts, faults = count_by_block(column, np.array(self.sizes), np.array(self.weights))
        self._refuse(faults, len(column))
        return counts

    def _refuse(self, faults: Faults, n: int) -> None:
        reasons = ("name no block", "have bits beyond the labels of their block", "have another number of bits set")
        for wrong, reason in zip(faults, reasons, strict=True):
            if wrong:
                wanted = f"{self.width} bytes, a block from 0 to {len(self.sizes) - 1} and bits of its labels"
                raise refused(wanted, wrong, n, reason)

    def people(self, counts: Counts) -> Counts:
        """How many reports of each block counts are of."""
        return np.asarray(np.add.reduceat(counts, self.starts[:-1]) // np.array(self.weights))

    def fault(self, n: int, counts: Counts) -> str | None:
        """Blocks whose counts are not of whole reports, or do not add up to the people."""
        people = self.people(counts)
        whole = np.add.reduceat(counts, self.starts[:-1]) == people * np.array(self.weights)
        if whole.all() and int(people.sum()) == n and (counts <= np.repeat(people, self.sizes)).all():
            return None
        return "count each report in one block, got other sums"

    def every_report(self) -> Column:
        """The sets of each block in lexicographic order, block after block."""
        sets = [block.every_report() for block in self.blocks]
        return np.concatenate([self.join(np.full(len(rows), number), rows) for number, rows in enumerate(sets)])

    def report_index(self, reports: Column) -> Indices:
        """The place of each set, after those of the blocks before."""
        starts = np.cumsum([0, *(block.outputs for block in self.blocks)])
        places = np.empty(len(reports), np.int64)
        for number, found, sets in self.split(reports):
            places[found] = starts[number] + self.blocks[number].report_index(sets)
        return places

    def within(self, reports: Column, block: int) -> Column:
        """The sets of reports of one block, as its own packed bits."""
        return np.ascontiguousarray(reports[:, HEAD : HEAD + -(-self.sizes[block] // 8)])

    def split(self, reports: Column) -> Iterator[tuple[int, Indices, Column]]:
        """Each block that reports are of, the places of these reports, and their sets as its own packed bits."""
        for block, places in grouped(self.heads(reports)):
            yield block, places, self.within(reports[places], block)

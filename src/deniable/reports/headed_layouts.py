"""Reports that begin with a number, a block or a cohort: two bytes, little-endian, before packed bits."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from deniable.arrays import Column, Counts, Indices
from deniable.kernels.counts import HEAD, count_by_block, count_by_cohort
from deniable.kernels.threads import added
from deniable.protocol.errors import CapacityError, ReportError
from deniable.reports.index_blocks import grouped
from deniable.reports.layout import UNCOUNTED, Layout, check_cells, refused
from deniable.reports.packed_layout import PackedLayout
from deniable.reports.packed_sets import MOST_BITS


class HeadedRows(Layout, ABC):
    """What layouts share whose reports are such rows: how columns are held, read and handed on."""

    @property
    @abstractmethod
    def width(self) -> int:
        """Bytes per report."""

    @property
    def _rows(self) -> PackedLayout:
        """The whole report as bytes, whose bits are checked apart."""
        return PackedLayout(8 * self.width)

    @property
    def wanted(self) -> str:
        return self._rows.wanted

    def empty(self, n: int) -> Column:
        return self._rows.empty(n)

    @staticmethod
    def heads(reports: Column) -> Indices:
        """The number that each report begins with."""
        return reports[:, 0].astype(np.int64) | reports[:, 1].astype(np.int64) << 8

    def join(self, heads: npt.NDArray[np.integer[Any]], bits: Column) -> Column:
        """Reports from numbers and rows of packed bits; what these leave of a report's room is 0."""
        out = np.zeros((len(heads), self.width), np.uint8)
        out[:, 0], out[:, 1], out[:, HEAD : HEAD + bits.shape[1]] = heads & 0xFF, heads >> 8, bits
        return out

    def single(self, column: Column) -> bytes:
        return self._rows.single(column)


@dataclass(frozen=True)
class CohortLayout(HeadedRows):
    """A cohort below ``cohorts`` in two bytes, then one bit per symbol, pad bits 0."""

    cohorts: int
    symbols: int

    @property
    def bits(self) -> PackedLayout:
        """The bits after the cohort."""
        return PackedLayout(self.symbols)

    @property
    def width(self) -> int:
        return HEAD + self.bits.width

    @property
    def report_bits(self) -> int:
        return (self.cohorts - 1).bit_length() + self.symbols

    @property
    def outputs(self) -> int:
        return min(self.cohorts << min(self.symbols, 63), UNCOUNTED)

    @property
    def cells(self) -> int:
        """The number of counts: the people of each cohort, and the count of each of its bits."""
        return self.cohorts * (1 + self.symbols)

    @property
    def counts_per_report(self) -> None:
        return

    def check(self, reports: Any) -> Column:
        """The reports as rows of bytes, cohorts in range and pad bits clear."""
        column = self._rows.check(reports)
        outside = int((self.heads(column) >= self.cohorts).sum())
        if outside:
            raise ReportError(
                f"every report must have a cohort below {self.cohorts}, got {outside} of {len(column)} that have not; "
                "none was counted"
            )
        self.bits.check(np.ascontiguousarray(column[:, HEAD:]))
        return column

    def tally(self, reports: Any, onto: Counts | None = None) -> tuple[int, Counts]:
        """How many reports there are, and counts: the people of each cohort, then, by cohort, those of each symbol."""
        check_cells(self.cohorts * self.symbols)
        column = self._rows.check(reports)
        people, bits, outside = count_by_cohort(column, self.cohorts)
        if outside or bits[:, self.symbols :].any():
            self.check(column)
        return len(column), added([np.concatenate((people, bits[:, : self.symbols].ravel()))], onto)

    def per_cohort(self, counts: Counts) -> tuple[Counts, Counts]:
        """The people of each cohort, and the counts [cohorts, symbols] of their bits."""
        return counts[: self.cohorts], counts[self.cohorts :].reshape(self.cohorts, self.symbols)

    def fault(self, n: int, counts: Counts) -> str | None:
        """What counts must be, if cohorts do not add up to the people or have more bits than people; else None."""
        people, bits = self.per_cohort(counts)
        if int(people.sum()) != n or (bits > people[:, None]).any():
            return f"count each report in one cohort, got {int(people.sum()):,} of {n:,} people"
        return None

    def every_report(self) -> Column:
        """All reports, cohort by cohort, in the order of their sets as integers."""
        if self.outputs > 1 << MOST_BITS:
            raise CapacityError(f"reports must be at most 2^{MOST_BITS} to be listed, got more")
        sets = self.bits.every_report()
        return self.join(
            np.repeat(np.arange(self.cohorts, dtype=np.uint32), len(sets)), np.tile(sets, (self.cohorts, 1))
        )

    def report_index(self, reports: Column) -> Indices:
        """The index of each report: its set as an integer, after all reports of earlier cohorts."""
        sets = self.bits.report_index(np.ascontiguousarray(reports[:, HEAD:]))
        return np.asarray((self.heads(reports) << self.symbols) + sets)


@dataclass(frozen=True)
class BlockLayout(HeadedRows):
    """A block in two bytes, then a bit for each label of the largest of all ``sizes``: ``weights[block]`` are set.

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
        return (len(self.sizes) - 1).bit_length() + max(self.sizes)

    @property
    def outputs(self) -> int:
        return min(sum(block.outputs for block in self.blocks), UNCOUNTED)

    @property
    def cells(self) -> int:
        return sum(self.sizes)

    @property
    def counts_per_report(self) -> int | None:
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
        """How many reports hold each label; malformed ones are refused."""
        counts, faults = count_by_block(column, np.array(self.sizes), np.array(self.weights))
        reasons = ("name no block", "have bits beyond the labels of their block", "have another number of bits set")
        for wrong, reason in zip(faults, reasons, strict=True):
            if wrong:
                wanted = f"{self.width} bytes, a block from 0 to {len(self.sizes) - 1} and bits of its labels"
                raise refused(wanted, wrong, len(column), reason)
        return counts

    def people(self, counts: Counts) -> Counts:
        """How many reports of each block counts are of."""
        return np.asarray(np.add.reduceat(counts, self.starts[:-1]) // np.array(self.weights))

    def fault(self, n: int, counts: Counts) -> str | None:
        """What counts must be, if those of a block are not of whole reports, or do not add up to the people."""
        people = self.people(counts)
        whole = np.add.reduceat(counts, self.starts[:-1]) == people * np.array(self.weights)
        if whole.all() and int(people.sum()) == n and (counts <= np.repeat(people, self.sizes)).all():
            return None
        return f"count each report in one block, got {int(people.sum()):,} of {n:,} people"

    def every_report(self) -> Column:
        """The sets of each block in lexicographic order, block after block."""
        sets = [block.every_report() for block in self.blocks]
        return np.concatenate([self.join(np.full(len(rows), number), rows) for number, rows in enumerate(sets)])

    def report_index(self, reports: Column) -> Indices:
        """The index of each report: that of its set within the block, after all reports of the blocks before."""
        starts = np.cumsum([0, *(block.outputs for block in self.blocks)])
        indices = np.empty(len(reports), np.int64)
        for number, places, sets in self.split(reports):
            indices[places] = starts[number] + self.blocks[number].report_index(sets)
        return indices

    def within(self, reports: Column, block: int) -> Column:
        """The sets of reports of one block, as its own packed bits."""
        return np.ascontiguousarray(reports[:, HEAD : HEAD + -(-self.sizes[block] // 8)])

    def split(self, reports: Column) -> Iterator[tuple[int, Indices, Column]]:
        """Each block that reports are of, the places of these reports, and their sets as its own packed bits."""
        for block, places in grouped(self.heads(reports)):
            yield block, places, self.within(reports[places], block)

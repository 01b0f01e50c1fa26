"""Reports that are a cohort and packed bits: two bytes, little-endian, before the bits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from deniable.arrays import Column, Counts, Indices
from deniable.kernels.counts import HEAD, count_by_cohort
from deniable.kernels.threads import added
from deniable.protocol.errors import CapacityError, ReportError
from deniable.reports.headed_rows import HeadedRows
from deniable.reports.layout import UNCOUNTED, check_cells
from deniable.reports.packed_layout import PackedLayout
from deniable.reports.packed_sets import MOST_BITS


@dataclass(frozen=True, slots=True)
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
        """The bits that one report needs."""
        return (self.cohorts - 1).bit_length() + self.symbols

    @property
    def outputs(self) -> int:
        """The number of reports: all sets of symbols in all cohorts."""
        return min(self.cohorts << min(self.symbols, 63), UNCOUNTED)

    @property
    def cells(self) -> int:
        """The number of counts: the people of each cohort, and the count of each of its bits."""
        return self.cohorts * (1 + self.symbols)

    @property
    def counts_per_report(self) -> None:
        """None: a report may set any number of bits."""
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
        """How many reports there are; the people of each cohort, then those who hold each of its symbols."""
        check_cells(self.cohorts * self.symbols)
        column = self._rows.check(reports)
        people, held, outside = count_by_cohort(column, self.cohorts)
        if outside or held[:, self.symbols :].any():
            self.check(column)
        return len(column), added([np.concatenate((people, held[:, : self.symbols].ravel()))], onto)

    def per_cohort(self, counts: Counts) -> tuple[Counts, Counts]:
        """The people of each cohort, and the counts [cohorts, symbols] of their bits."""
        return counts[: self.cohorts], counts[self.cohorts :].reshape(self.cohorts, self.symbols)

    def fault(self, n: int, counts: Counts) -> str | None:
        """A sentence if cohorts do not add up to the people, or have more bits than people; otherwise None."""
        people, bits = self.per_cohort(counts)
        if int(people.sum()) != n or (bits > people[:, None]).any():
            return "count each report in one cohort, got other sums"
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

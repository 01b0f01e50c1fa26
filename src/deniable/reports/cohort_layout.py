"""Reports that are a cohort and packed bits: two bytes, little-endian, before the bits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from deniable.arrays import Column, Counts
from deniable.errors import ReportError
from deniable.kernels.count.cohort_counts import HEAD, count_by_cohort
from deniable.kernels.threads import added
from deniable.reports.layout import PackedLayout


@dataclass(frozen=True, slots=True)
class CohortLayout:
    """A cohort below ``cohorts`` in two bytes, then one bit a symbol, pad bits clear."""

    cohorts: int
    symbols: int

    @property
    def bits(self) -> PackedLayout:
        """The bits after the cohort."""
        return PackedLayout(self.symbols)

    @property
    def _rows(self) -> PackedLayout:
        """The whole report as bytes; its bits are checked apart."""
        return PackedLayout(8 * self.width)

    @property
    def width(self) -> int:
        """Bytes a report."""
        return HEAD + self.bits.width

    @property
    def report_bits(self) -> int:
        """The bits that one report needs."""
        return (self.cohorts - 1).bit_length() + self.symbols

    @property
    def arrow_type(self) -> pa.DataType:
        """The type of an Arrow column of reports."""
        return pa.binary(self.width)

    def empty(self, n: int) -> Column:
        """Room for so many reports."""
        return self._rows.empty(n)

    def check(self, reports: Any) -> Column:
        """The reports as rows of bytes, cohorts in range and pad bits clear."""
        column = self._rows.check(reports)
        outside = int((self.cohorts_of(column) >= self.cohorts).sum())
        if outside:
            raise ReportError(
                f"every report must have a cohort below {self.cohorts}, got {outside} of {len(column)} that have not; "
                "none was counted"
            )
        self.bits.check(np.ascontiguousarray(column[:, HEAD:]))
        return column

    def tally(self, reports: Any, onto: Counts | None = None) -> tuple[int, Counts]:
        """How many reports there are; the people of each cohort, then those who hold each of its symbols."""
        column = self._rows.check(reports)
        people, held, outside = count_by_cohort(column, self.cohorts)
        if outside or held[:, self.symbols :].any():
            self.check(column)
        return len(column), added([np.concatenate((people, held[:, : self.symbols].ravel()))], onto)

    @staticmethod
    def cohorts_of(column: Column) -> npt.NDArray[np.int64]:
        """Each report's cohort."""
        return column[:, 0].astype(np.int64) | column[:, 1].astype(np.int64) << 8

    def join(self, cohorts: npt.NDArray[np.uint32], bits: Column) -> Column:
        """Cohorts and bits as reports."""
        out = np.empty((len(cohorts), self.width), np.uint8)
        out[:, 0], out[:, 1], out[:, HEAD:] = cohorts & 0xFF, cohorts >> 8, bits
        return out

    def single(self, column: Column) -> bytes:
        """The one report of a column of one."""
        return self._rows.single(column)

    def to_arrow(self, column: Column) -> pa.Array[Any]:
        """A column of reports for Arrow, without copying."""
        return self._rows.to_arrow(column)

    def from_arrow(self, array: pa.Array[Any]) -> Column:
        """What ``to_arrow`` made; not checked yet."""
        return self._rows.from_arrow(array)

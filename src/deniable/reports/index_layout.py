"""Reports that are one small integer each; a tally is their histogram, which keeps all their information."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from deniable.arrays import Column, Counts, Indices
from deniable.kernels.counts import histogram, out_of_range
from deniable.protocol.checks import is_int
from deniable.protocol.errors import ReportError
from deniable.reports.arrow_columns import as_array
from deniable.reports.layout import check_cells, listed, refused, require_column


@dataclass(frozen=True, slots=True)
class IndexLayout:
    """An integer below ``outputs``, in the smallest unsigned type.

    ``silent`` lists integers that no value sends; reports that hold one are refused when they are counted.
    """

    outputs: int
    silent: tuple[int, ...] = ()

    @property
    def report_bits(self) -> int:
        """The bits that one report needs."""
        return (self.outputs - 1).bit_length()

    @property
    def cells(self) -> int:
        """The number of counts: one per integer."""
        return self.outputs

    @property
    def counts_per_report(self) -> int:
        """1: each report is counted once."""
        return 1

    @property
    def dtype(self) -> np.dtype[Any]:
        """The smallest unsigned type that holds every output."""
        return np.min_scalar_type(self.outputs - 1)

    @property
    def wanted(self) -> str:
        """What one report must be, for errors."""
        return f"an integer from 0 to {self.outputs - 1}"

    def empty(self, n: int) -> Column:
        """Room for so many reports."""
        return np.empty(n, self.dtype)

    def check(self, reports: Any) -> Column:
        """The reports as an array, every one in range."""
        column = self._integers(reports)
        self._refuse_outside(out_of_range(column, self.outputs), len(column))
        return np.ascontiguousarray(column, self.dtype)

    def tally(self, reports: Any, onto: Counts | None = None) -> tuple[int, Counts]:
        """How many reports there are and how often each integer is among them: checked and counted in one pass."""
        check_cells(self.cells)
        column = self._integers(reports)
        if column.dtype != self.dtype:
            column = self.check(column)
        counts, outside = histogram(np.ascontiguousarray(column), self.outputs, onto)
        self._refuse_outside(outside, len(column))
        self._refuse_silent(counts)
        return len(column), counts

    def tally_of_times(self, reports: Any, times: Counts, missing: int = 0) -> tuple[int, Counts]:
        """The tally of different reports that were each seen so many ``times``, and of so many that are missing.

        >>> IndexLayout(4).tally_of_times(np.array([3, 0]), np.array([5, 2]))
        (7, array([2, 0, 0, 5]))
        """
        check_cells(self.cells)
        column, n = self._integers(reports).astype(np.int64), int(times.sum()) + missing
        if missing:
            raise refused(self.wanted, missing, n, "are null")
        self._refuse_outside(int(times[(column < 0) | (column >= self.outputs)].sum()), n)
        counts = np.zeros(self.cells, np.int64)
        counts[column] = times
        self._refuse_silent(counts)
        return n, counts

    def fault(self, n: int, counts: Counts) -> str | None:
        """What counts must be, if there are some of reports that no value sends; otherwise None."""
        impossible = bool(self.silent) and bool(counts[list(self.silent)].any())
        return "be of reports that some label sends, got some that none sends" if impossible else None

    def every_report(self) -> Column:
        """All reports: 0, 1, ..., outputs - 1."""
        return np.arange(self.outputs).astype(self.dtype)

    def report_index(self, reports: Column) -> Indices:
        """The index of each report, which is the report itself."""
        return reports.astype(np.int64)

    def _refuse_silent(self, counts: Counts) -> None:
        if self.silent and (impossible := int(counts[list(self.silent)].sum())):
            raise ReportError(f"reports must be ones that some label sends, got {impossible} that none does")

    def _refuse_outside(self, wrong: int, n: int) -> None:
        if wrong:
            raise refused(self.wanted, wrong, n, "are out of range")

    def _integers(self, reports: Any) -> Column:
        """The reports as an array of integers from 0 on."""
        require_column(reports, self.wanted)
        array = as_array(self, reports)
        column = array if isinstance(array, np.ndarray) else self._from_sequence(array)
        if column.ndim != 1:
            raise ReportError(f"reports must be one column, got {column.ndim} dimensions")
        if len(column) and column.dtype.kind not in "iu":
            raise refused(self.wanted, len(column), len(column), f"are {column.dtype}")
        if column.dtype.kind == "i" and len(column) and column.min() < 0:
            raise refused(self.wanted, int((column < 0).sum()), len(column), "are below 0")
        return column

    def _from_sequence(self, reports: Sequence[Any]) -> npt.NDArray[Any]:
        values = listed(reports)
        wrong = sum(not is_int(r) for r in values)
        if wrong:
            raise refused(self.wanted, wrong, len(values), "are not integers")
        outside = sum(not 0 <= r < self.outputs for r in values)
        if outside:
            raise refused(self.wanted, outside, len(values), "are out of range")
        return np.array(values, self.dtype)

    def single(self, column: Column) -> int:
        """The one report of a column of one."""
        return int(column[0])

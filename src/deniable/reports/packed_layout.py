"""Reports that are packed bits; a tally counts each bit, and no longer says which bits came together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from deniable.arrays import Column, Counts, Indices
from deniable.kernels._kernels import beyond_single, out_of_weight
from deniable.kernels.counts import ANY_WEIGHT, count_packed
from deniable.kernels.threads import added, spread
from deniable.reports import packed_sets
from deniable.reports.arrow_columns import as_array
from deniable.reports.layout import Layout, listed, refused, require_column


@dataclass(frozen=True)
class PackedLayout(Layout):
    """One bit per symbol, little-endian, in ceil(symbols / 8) bytes.

    With ``weight`` exactly so many bits are set; with ``single_from`` at most one of the bits from there on.
    """

    symbols: int
    weight: int | None = None
    single_from: int | None = None

    @property
    def report_bits(self) -> int:
        return self.symbols

    @property
    def outputs(self) -> int:
        """The number of possible reports: of sets of symbols with the right weight."""
        return packed_sets.how_many(self.symbols, self.weight, self.single_from)

    @property
    def cells(self) -> int:
        return self.symbols

    @property
    def counts_per_report(self) -> int | None:
        return self.weight

    @property
    def width(self) -> int:
        """Bytes per report."""
        return -(-self.symbols // 8)

    @property
    def last(self) -> np.uint8:
        """The bits of the last byte that belong to symbols."""
        return np.uint8(0xFF >> (-self.symbols % 8))

    @property
    def wanted(self) -> str:
        weight = "" if self.weight is None else f" with {self.weight} bits set"
        return f"{self.width} bytes of packed bits{weight}"

    def empty(self, n: int) -> Column:
        return np.empty((n, self.width), np.uint8)

    def check(self, reports: Any) -> Column:
        """The reports as rows of bytes, pad bits clear and weights right."""
        column = self._bytes(reports)
        misweighed = 0 if self.weight is None else out_of_weight(column, self.weight)
        self._refuse_bits(column, self.last != 0xFF, misweighed)
        return column

    def tally(self, reports: Any, onto: Counts | None = None) -> tuple[int, Counts]:
        """How many reports there are and how many hold each symbol: checked and counted in one pass."""
        column = self._bytes(reports)
        counts, misweighed = count_packed(column, ANY_WEIGHT if self.weight is None else self.weight)
        self._refuse_bits(column, bool(counts[self.symbols :].any()), misweighed)
        return len(column), added([counts[: self.symbols]], onto)

    def fault(self, n: int, counts: Counts) -> str | None:
        """A sentence if some report must have more than one bit where one is allowed; otherwise None."""
        if self.single_from is None or int(counts[self.single_from :].sum()) <= n:
            return None
        return "count at most one label that is not sensitive in each report, got more"

    def every_report(self) -> Column:
        """All possible reports, as packed bits."""
        return packed_sets.every(self.symbols, self.weight, self.single_from)

    def report_index(self, reports: Column) -> Indices:
        return packed_sets.places(reports, self.symbols, self.weight, self.single_from)

    def _bytes(self, reports: Any) -> Column:
        """The reports as rows of bytes, whose bits are not checked yet."""
        require_column(reports, self.wanted)
        array = as_array(self, reports)
        column = array if isinstance(array, np.ndarray) else self._from_sequence(array)
        n = len(column)
        if column.dtype != np.uint8 or column.ndim != 2:
            raise refused(self.wanted, n, n, f"are {column.dtype} in {column.ndim} dimensions")
        if column.shape[1] != self.width:
            raise refused(self.wanted, n, n, f"have {column.shape[1]} bytes")
        return np.ascontiguousarray(column)

    def _refuse_bits(self, column: Column, suspect: bool, misweighed: int) -> None:
        """Refuse wrong weights, more than one bit where one is allowed and, if suspect, bits that are no symbol's."""
        if padded := int(np.count_nonzero(column[:, -1] & ~self.last)) if suspect else 0:
            raise refused(self.wanted, padded, len(column), "have bits beyond the last symbol")
        if misweighed:
            raise refused(self.wanted, misweighed, len(column), "have another number of bits set")
        if wrong := 0 if self.single_from is None else sum(spread(self._beyond_single, column)):
            raise refused(self.wanted, wrong, len(column), f"have more than one bit set from {self.single_from} on")

    def _beyond_single(self, column: Column) -> int:
        return beyond_single(column, self.single_from or 0) if (self.single_from or 0) < self.symbols else 0

    def _from_sequence(self, reports: Sequence[Any]) -> npt.NDArray[Any]:
        rows = listed(reports)
        wrong = sum(not self._is_report(r) for r in rows)
        if wrong:
            raise refused(self.wanted, wrong, len(rows), "have another type or length")
        return np.frombuffer(bytearray(b"".join(bytes(r) for r in rows)), np.uint8).reshape(-1, self.width)

    def _is_report(self, report: object) -> bool:
        if isinstance(report, np.ndarray):
            return bool(report.dtype == np.uint8 and report.shape == (self.width,))
        return isinstance(report, bytes | bytearray) and len(report) == self.width

    def single(self, column: Column) -> bytes:
        return bytes(column[0])

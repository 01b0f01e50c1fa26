"""How a mechanism's reports are stored: one small integer each, or packed bits. Malformed ones stop here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from deniable.arrays import Column, Counts
from deniable.checks import is_int
from deniable.errors import ReportError
from deniable.kernels.count.counts import histogram, out_of_range
from deniable.kernels.count.popcounts import ANY, beyond_single, count_packed, out_of_pad, out_of_weight
from deniable.kernels.threads import added, spread
from deniable.values.columns import unquoted


class Layout(Protocol):
    """How reports are stored, checked and handed to Arrow."""

    @property
    def report_bits(self) -> int:
        """The bits that one report needs."""
        ...

    @property
    def arrow_type(self) -> pa.DataType:
        """The type of an Arrow column of reports."""
        ...

    def empty(self, n: int) -> Column:
        """Room for so many reports."""
        ...

    def check(self, reports: Any) -> Column:
        """The reports as an array, every one well-formed; otherwise a ReportError with the count and reason."""
        ...

    def tally(self, reports: Any, onto: Counts | None = None) -> tuple[int, Counts]:
        """How many reports there are and what they add up to, checked and counted in one pass.

        Added to ``onto`` if given, which is spoilt where reports are refused.
        """
        ...

    def single(self, column: Column) -> int | bytes:
        """The one report of a column of one."""
        ...

    def to_arrow(self, column: Column) -> pa.Array[Any]:
        """A column of reports for Arrow, without copying."""
        ...

    def from_arrow(self, array: pa.Array[Any]) -> Column:
        """What ``to_arrow`` made; not checked yet."""
        ...


def stored_bytes(layout: Layout) -> int:
    """The bytes that one report takes in a column."""
    return layout.arrow_type.bit_width // 8


def _refuse(wanted: str, wrong: int, n: int, reason: str) -> ReportError:
    return ReportError(f"every report must be {wanted}, got {wrong} of {n} that {reason}; none was counted")


def _require_column(reports: Any, wanted: str) -> None:
    hidden = isinstance(reports, str | bytes | Mapping | Set | np.ma.MaskedArray | pa.Table)
    if hidden or not hasattr(reports, "__len__") or getattr(reports, "ndim", 1) == 0:
        raise ReportError(f"reports must be a column, each {wanted}, got {type(reports).__name__}")


def _listed(reports: Sequence[Any]) -> list[Any]:
    refusal = ReportError(f"reports must be a column that can be read, got {type(reports).__name__} that cannot")
    return unquoted(lambda: list(reports), refusal)


def _no_nulls(array: pa.Array[Any], wanted: str) -> None:
    if array.null_count:
        raise _refuse(wanted, array.null_count, len(array), "are null")


@dataclass(frozen=True, slots=True)
class IndexLayout:
    """An integer below ``outputs``, in the smallest of uint8, uint16 and uint32."""

    outputs: int

    @property
    def report_bits(self) -> int:
        """The bits that one report needs."""
        return (self.outputs - 1).bit_length()

    @property
    def dtype(self) -> np.dtype[Any]:
        """The smallest unsigned type that holds every output."""
        return np.min_scalar_type(self.outputs - 1)

    @property
    def arrow_type(self) -> pa.DataType:
        """The type of an Arrow column of reports."""
        return pa.from_numpy_dtype(self.dtype)

    @property
    def _wanted(self) -> str:
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
        column = self._integers(reports)
        if column.dtype != self.dtype:
            column = self.check(column)
        counts, outside = histogram(np.ascontiguousarray(column), self.outputs, onto)
        self._refuse_outside(outside, len(column))
        return len(column), counts

    def _refuse_outside(self, wrong: int, n: int) -> None:
        if wrong:
            raise _refuse(self._wanted, wrong, n, "are out of range")

    def _integers(self, reports: Any) -> Column:
        """The reports as an array of integers from 0 on."""
        _require_column(reports, self._wanted)
        column = reports if isinstance(reports, np.ndarray) else self._from_sequence(reports)
        if column.ndim != 1:
            raise ReportError(f"reports must be one column, got {column.ndim} dimensions")
        if len(column) and column.dtype.kind not in "iu":
            raise _refuse(self._wanted, len(column), len(column), f"are {column.dtype}")
        if column.dtype.kind == "i" and len(column) and column.min() < 0:
            raise _refuse(self._wanted, int((column < 0).sum()), len(column), "are below 0")
        return column

    def _from_sequence(self, reports: Sequence[Any]) -> npt.NDArray[Any]:
        if isinstance(reports, pa.Array | pa.ChunkedArray):
            raise ReportError("reports must be a NumPy array or a list; use array.to_numpy() on an Arrow column")
        held = _listed(reports)
        wrong = sum(not is_int(r) for r in held)
        if wrong:
            raise _refuse(self._wanted, wrong, len(held), "are not integers")
        outside = sum(not 0 <= r < self.outputs for r in held)
        if outside:
            raise _refuse(self._wanted, outside, len(held), "are out of range")
        return np.array(held, self.dtype)

    def single(self, column: Column) -> int:
        """The one report of a column of one."""
        return int(column[0])

    def to_arrow(self, column: Column) -> pa.Array[Any]:
        """A column of reports for Arrow, without copying."""
        return pa.array(column)

    def from_arrow(self, array: pa.Array[Any]) -> Column:
        """What ``to_arrow`` made; not checked yet."""
        _no_nulls(array, self._wanted)
        return array.to_numpy(zero_copy_only=False)


@dataclass(frozen=True, slots=True)
class PackedLayout:
    """One bit a symbol, little-endian, in ceil(symbols / 8) bytes.

    With ``weight`` given, exactly so many are set; with ``single_from``, at most one of the symbols from there on.
    """

    symbols: int
    weight: int | None = None
    single_from: int | None = None

    @property
    def report_bits(self) -> int:
        """The bits that one report needs."""
        return self.symbols

    @property
    def width(self) -> int:
        """Bytes a report."""
        return -(-self.symbols // 8)

    @property
    def last(self) -> np.uint8:
        """The bits of the last byte that belong to symbols."""
        return np.uint8(0xFF >> (-self.symbols % 8))

    @property
    def arrow_type(self) -> pa.DataType:
        """The type of an Arrow column of reports."""
        return pa.binary(self.width)

    @property
    def _wanted(self) -> str:
        weight = "" if self.weight is None else f" with {self.weight} bits set"
        return f"{self.width} bytes of packed bits{weight}"

    def empty(self, n: int) -> Column:
        """Room for so many reports."""
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
        counts, misweighed = count_packed(column, ANY if self.weight is None else self.weight)
        self._refuse_bits(column, bool(counts[self.symbols :].any()), misweighed)
        return len(column), added([counts[: self.symbols]], onto)

    def _bytes(self, reports: Any) -> Column:
        """The reports as rows of bytes, whose bits nobody has looked at."""
        _require_column(reports, self._wanted)
        column = reports if isinstance(reports, np.ndarray) else self._from_sequence(reports)
        n = len(column)
        if column.dtype != np.uint8 or column.ndim != 2:
            raise _refuse(self._wanted, n, n, f"are {column.dtype} in {column.ndim} dimensions")
        if column.shape[1] != self.width:
            raise _refuse(self._wanted, n, n, f"have {column.shape[1]} bytes")
        return np.ascontiguousarray(column)

    def _refuse_bits(self, column: Column, suspect: bool, misweighed: int) -> None:
        """Refuse wrong weights, more than one bit where one is allowed and, if suspect, bits that are no symbol's."""
        if padded := out_of_pad(column, self.last) if suspect else 0:
            raise _refuse(self._wanted, padded, len(column), "have bits beyond the last symbol")
        if misweighed:
            raise _refuse(self._wanted, misweighed, len(column), "have another number of bits set")
        if wrong := 0 if self.single_from is None else sum(spread(self._beyond_single, column)):
            raise _refuse(self._wanted, wrong, len(column), f"have more than one bit set from {self.single_from} on")

    def _beyond_single(self, column: Column) -> int:
        return beyond_single(column, self.single_from or 0) if (self.single_from or 0) < self.symbols else 0

    def _from_sequence(self, reports: Sequence[Any]) -> npt.NDArray[Any]:
        if isinstance(reports, pa.Array | pa.ChunkedArray):
            raise ReportError("reports must be rows of bytes or a list of bytes, got an Arrow column")
        held = _listed(reports)
        wrong = sum(not self._is_report(r) for r in held)
        if wrong:
            raise _refuse(self._wanted, wrong, len(held), "have another type or length")
        return np.frombuffer(bytearray(b"".join(bytes(r) for r in held)), np.uint8).reshape(-1, self.width)

    def _is_report(self, report: object) -> bool:
        if isinstance(report, np.ndarray):
            return bool(report.dtype == np.uint8 and report.shape == (self.width,))
        return isinstance(report, bytes | bytearray) and len(report) == self.width

    def single(self, column: Column) -> bytes:
        """The one report of a column of one."""
        return bytes(column[0])

    def to_arrow(self, column: Column) -> pa.Array[Any]:
        """A column of reports for Arrow, without copying."""
        buffer = pa.py_buffer(np.ascontiguousarray(column).data)
        return pa.Array.from_buffers(self.arrow_type, len(column), [None, buffer])

    def from_arrow(self, array: pa.Array[Any]) -> Column:
        """What ``to_arrow`` made; not checked yet."""
        _no_nulls(array, self._wanted)
        data = array.buffers()[1]
        if data is None:
            return np.empty((0, self.width), np.uint8)
        rows = np.frombuffer(memoryview(data), np.uint8, len(array) * self.width, array.offset * self.width)
        return rows.reshape(-1, self.width)

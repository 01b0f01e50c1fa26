"""How reports are stored, checked, counted and listed. Malformed ones stop here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import Any, Protocol

import numpy as np
import pyarrow as pa

from deniable.arrays import Column, Counts, Indices
from deniable.errors import CapacityError, ReportError
from deniable.values.columns import unquoted

UNCOUNTED = 1 << 63
"""Stands for any larger number of reports."""
MOST_CELLS = 1 << 26
"""Counts that a tally may hold: half a gibibyte."""


class Layout(Protocol):
    """How a mechanism's reports are stored: what follows from that, and from nothing else."""

    @property
    def report_bits(self) -> int:
        """The bits that one report needs."""
        ...

    @property
    def outputs(self) -> int:
        """How many different reports there are; 2^63 stands for more."""
        ...

    @property
    def cells(self) -> int:
        """How many counts a tally holds."""
        ...

    @property
    def counts_per_report(self) -> int | None:
        """How much one report adds to the counts, where that is the same for all."""
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

    def fault(self, n: int, counts: Counts) -> str | None:
        """Why these cannot be the counts of so many reports, beyond what they add up to; None if they can."""
        ...

    def every_report(self) -> Column:
        """Every report there is, in the order of ``report_index``; refused where there are too many."""
        ...

    def report_index(self, reports: Column) -> Indices:
        """The place of each report among all."""
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


def check_cells(cells: int) -> None:
    """Refuse a tally that would not fit into memory."""
    if cells > MOST_CELLS:
        raise CapacityError(f"a tally must hold at most {MOST_CELLS} counts, got reports that need {cells}")


def refused(wanted: str, wrong: int, n: int, reason: str) -> ReportError:
    """The refusal of a batch: how many of its reports are not as wanted, and why."""
    return ReportError(f"every report must be {wanted}, got {wrong} of {n} that {reason}; none was counted")


def require_column(reports: Any, wanted: str) -> None:
    """Refuse what has no order or no length."""
    hidden = isinstance(reports, str | bytes | Mapping | Set | np.ma.MaskedArray | pa.Table)
    if hidden or not hasattr(reports, "__len__") or getattr(reports, "ndim", 1) == 0:
        raise ReportError(f"reports must be a column, each {wanted}, got {type(reports).__name__}")


def listed(reports: Sequence[Any]) -> list[Any]:
    """A sequence as a list; what cannot be read is refused without its own words."""
    refusal = ReportError(f"reports must be a column that can be read, got {type(reports).__name__} that cannot")
    return unquoted(lambda: list(reports), refusal)


def no_nulls(array: pa.Array[Any], wanted: str) -> None:
    """Refuse an Arrow column with nulls in it."""
    if array.null_count:
        raise refused(wanted, array.null_count, len(array), "are null")

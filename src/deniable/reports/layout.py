"""Layouts: how reports are stored, checked, counted and listed. Malformed reports are refused here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import Any, Protocol

import numpy as np

from deniable.arrays import Column, Counts, Indices
from deniable.protocol.errors import CapacityError, ReportError
from deniable.values.columns import is_arrow, unquoted

UNCOUNTED = 1 << 63
"""The number of possible reports if there are at least so many."""
MOST_CELLS = 1 << 26
"""The most counts of a tally: half a gibibyte."""


class Layout(Protocol):
    """How a mechanism's reports are stored, and everything that follows from this alone."""

    @property
    def report_bits(self) -> int:
        """The information of one report in bits; stored reports may be padded to bytes."""
        ...

    @property
    def outputs(self) -> int:
        """The number of possible reports; 2^63 if there are more."""
        ...

    @property
    def cells(self) -> int:
        """How many counts a tally holds."""
        ...

    @property
    def counts_per_report(self) -> int | None:
        """How much one report adds to the counts in total, if that is the same for all reports; otherwise None."""
        ...

    @property
    def wanted(self) -> str:
        """What one report must be, for errors."""
        ...

    def empty(self, n: int) -> Column:
        """An uninitialized column for so many reports."""
        ...

    def check(self, reports: Any) -> Column:
        """The reports as an array, every one well-formed; otherwise a ReportError with the count and reason."""
        ...

    def tally(self, reports: Any, onto: Counts | None = None) -> tuple[int, Counts]:
        """How many reports there are and what they add up to, checked and counted in one pass.

        Added to ``onto`` if given, whose contents are undefined if reports are refused.
        """
        ...

    def fault(self, n: int, counts: Counts) -> str | None:
        """What counts of so many reports must be, apart from their sum, if these cannot be some; None if they can."""
        ...

    def every_report(self) -> Column:
        """All possible reports, in the order of ``report_index``; refused if there are too many."""
        ...

    def report_index(self, reports: Column) -> Indices:
        """The index of each report among all possible reports."""
        ...

    def single(self, column: Column) -> int | bytes:
        """The only report of a column of one, as a Python int or bytes."""
        ...


def stored_bytes(layout: Layout) -> int:
    """The bytes that one report takes in a column."""
    return layout.empty(1).nbytes


def check_cells(cells: int) -> None:
    """Refuse a tally that would not fit into memory."""
    if cells > MOST_CELLS:
        raise CapacityError(f"a tally must hold at most {MOST_CELLS} counts, got reports that need {cells}")


def refused(wanted: str, wrong: int, n: int, reason: str) -> ReportError:
    """The error that refuses a batch: how many of its reports are malformed, and why."""
    return ReportError(f"every report must be {wanted}, got {wrong} of {n} that {reason}; none was counted")


def require_column(reports: Any, wanted: str) -> None:
    """Refuse anything that is not a column, for lack of an order or a length."""
    hidden = isinstance(reports, str | bytes | Mapping | Set | np.ma.MaskedArray)
    if hidden or is_arrow(reports, "Table") or not hasattr(reports, "__len__") or getattr(reports, "ndim", 1) == 0:
        raise ReportError(f"reports must be a column, each {wanted}, got {type(reports).__name__}")


def listed(reports: Sequence[Any]) -> list[Any]:
    """A sequence as a list; if it cannot be read, the refusal does not quote its error."""
    refusal = ReportError(f"reports must be a column that can be read, got {type(reports).__name__} that cannot")
    return unquoted(lambda: list(reports), refusal)

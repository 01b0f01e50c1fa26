"""What is asked of crossed questions: the table of pairs, the shares within rows, one row less another."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from deniable.cli.findings import named
from deniable.estimation.cross import CrossTable
from deniable.protocol.errors import ParameterError
from deniable.surveys.results import Results

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Cross: TypeAlias = Annotated[
    list[str] | None, typer.Option("--cross", metavar="A,B", help="Two questions that the survey crosses.")
]
Within: TypeAlias = Annotated[
    bool, typer.Option("--within", help="With --cross: B's answers among the people of each answer to A.")
]
RowDifferences: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--row-difference", metavar="X,Y", help="With --cross: among those of X less among those of Y."),
]


@dataclass(frozen=True, slots=True)
class CrossOptions:
    """What was asked for."""

    cross: list[str] | None = None
    within: bool = False
    row_differences: list[str] | None = None

    def of(self, found: Results) -> list[CrossAnswer]:
        """An answer for each pair of questions."""
        if (self.within or self.row_differences) and not self.cross:
            raise ParameterError("--within and --row-difference must go with --cross, got one of them alone")
        tables = [
            found.cross(*_pair(each, "--cross", "two questions, such as --cross way,late")) for each in self.cross or ()
        ]
        return [CrossAnswer(table, self.within, self._rows(table)) for table in tables]

    def _rows(self, table: CrossTable) -> list[tuple[Any, Any]]:
        wanted = "two answers, such as --row-difference bus,bike"
        pairs = [_pair(each, "--row-difference", wanted) for each in self.row_differences or ()]
        option = "each of --row-difference"
        return [(named(table.rows, one, option), named(table.rows, other, option)) for one, other in pairs]


@dataclass(frozen=True, slots=True)
class CrossAnswer:
    """Two crossed questions, as the table of pairs or within rows, and the rows that are compared."""

    table: CrossTable
    is_within: bool
    rows: Sequence[tuple[Any, Any]]

    def parts(self, level: float) -> list[object]:
        """The tables for people, each above a blank line."""
        shown = self.table.within_rows() if self.is_within else self.table
        tables = [shown.table(level), *(self.table.row_difference(*pair).table(level) for pair in self.rows)]
        return [part for table in tables for part in (table, "")]

    def to_dict(self, level: float) -> dict[str, Any]:
        """The table of pairs, and what else was asked for."""
        told = self.table.to_dict(level)
        if self.is_within:
            told["within_rows"] = self.table.within_rows().to_dict(level)
        if self.rows:
            told["row_differences"] = [self.table.row_difference(*pair).to_dict(level) for pair in self.rows]
        return told

    def plot(self, level: float) -> Figure:
        """A picture of the table that is shown."""
        return (self.table.within_rows() if self.is_within else self.table).plot(level=level)


def _pair(text: str, option: str, wanted: str) -> tuple[str, str]:
    """Two names, as a row of CSV."""
    names = next(csv.reader([text], skipinitialspace=True), [])
    if len(names) != 2:
        raise ParameterError(f"{option} must name {wanted}, got another number of them")
    return names[0], names[1]

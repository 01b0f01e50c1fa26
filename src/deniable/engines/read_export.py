"""A column of reports in an export of somebody else's questionnaire: read in all, and by groups of its rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import BinaryIO

from deniable.engines.host_export import column_of_reports, export_columns, groups_of
from deniable.surveys.field_column import FieldColumn
from deniable.surveys.results import Results
from deniable.surveys.survey import Survey


@dataclass(frozen=True)
class ReadExport:
    """What was read of an export."""

    file: str
    """What it is called."""
    survey: Survey
    named: str
    """The column of reports."""
    whole: FieldColumn
    by: str | None
    groups: Mapping[str, FieldColumn]
    """The rows of each group of the column ``by``."""
    decoder: str

    @classmethod
    def of(
        cls,
        opened: Callable[[], BinaryIO],
        name: str,
        survey: Survey,
        *,
        column: str | None,
        by: str | None,
        decoder: str,
    ) -> ReadExport:
        """Read a file; where one column alone holds reports it need not be named."""
        named = column or _column_of(opened, name)
        with opened() as file:
            table = export_columns(file, name, [named, *([] if by is None else [by])])
        whole = survey.read_column(table[named])
        groups = {} if by is None else groups_of(table[by])
        parts = {group: whole.part(rows) for group, rows in groups.items()}
        return cls(name, survey, named, whole, by, parts, decoder)

    def results(self, column: FieldColumn) -> Results:
        """The results of the whole column, or of a group."""
        return Results(column.document, column.tally, self.decoder)


def _column_of(opened: Callable[[], BinaryIO], name: str) -> str:
    with opened() as file:
        return column_of_reports(export_columns(file, name), name)

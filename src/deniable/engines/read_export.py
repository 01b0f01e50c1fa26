"""A column of reports in an export of somebody else's questionnaire: read in all, and by groups of its rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import BinaryIO

from deniable.engines.host_export import export_columns, groups_of
from deniable.surveys.field_column import FieldColumn, column_of_reports
from deniable.surveys.results import Results
from deniable.surveys.survey import Survey


@dataclass(frozen=True)
class ReadExport:
    """What was read of an export."""

    file: str
    """What it is called."""
    survey: Survey
    whole: FieldColumn
    """The column of reports."""
    by: str | None
    groups: Mapping[str, FieldColumn]
    """The rows of each group of the column ``by``."""
    decoder: str

    @classmethod
    def of(
        cls, file: BinaryIO, name: str, survey: Survey, *, column: str | None, by: str | None, decoder: str
    ) -> ReadExport:
        """Read a file; where one column alone holds reports it need not be named."""
        table = export_columns(file, name, [each for each in (column, by) if each is not None], others=column is None)
        whole = survey.read_column(table[column or column_of_reports(table, name)])
        groups = {} if by is None else groups_of(table[by])
        parts = {group: whole.part(rows) for group, rows in groups.items()}
        return cls(name, survey, whole, by, parts, decoder)

    def results(self, column: FieldColumn) -> Results:
        """The results of the whole column, or of a group."""
        return Results(column.document, column.tally, self.decoder)

"""A column of reports in an export of somebody else's questionnaire: read in all, and by groups of its rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import BinaryIO

import numpy as np

from deniable.arrays import Vector
from deniable.engines.host_export import export_columns, groups_of, numbers_or_texts
from deniable.protocol.errors import ParameterError
from deniable.surveys.field_column import FieldColumn, column_of_reports
from deniable.surveys.results import Results
from deniable.surveys.survey import Survey
from deniable.surveys.weighted_results import WeightedResults


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
        cls,
        file: BinaryIO,
        name: str,
        survey: Survey,
        *,
        column: str | None,
        by: str | None,
        decoder: str,
        weights: str | None = None,
    ) -> ReadExport:
        """Read a file; where one column alone holds reports it need not be named. Rows may have ``weights``."""
        wanted = [each for each in (column, by, weights) if each is not None]
        table = export_columns(file, name, wanted, others=column is None)
        whole = survey.read_column(table[column or column_of_reports(table, name)])
        if weights is not None:
            whole = replace(whole, weights=weights_of(table[weights]))
        groups = {} if by is None else groups_of(table[by])
        columns = {group: whole.part(rows) for group, rows in groups.items()}
        return cls(name, survey, whole, by, columns, decoder)

    def results(self, column: FieldColumn) -> Results:
        """The results of the whole column, or of a group."""
        if column.weights is not None:
            return WeightedResults.of_rows(column.document, column, (column.weights, None, None), self.decoder)
        return Results(column.document, column.tally, self.decoder)


def weights_of(column: Sequence[str]) -> Vector:
    """A column of weights as numbers; what is empty is none, which only rows without an answer may have."""
    numbers = numbers_or_texts(column)
    if any(isinstance(each, str) for each in numbers):
        raise ParameterError("a column of weights must hold numbers, got texts that are none")
    return np.array([np.nan if each is None else each for each in numbers], np.float64)

"""Public columns and a report, row by row: equal rows are one, with how many people have it.

That is what regression and weights need of files, and it is small: a billion reports of a few hundred patterns are a
few hundred rows. The columns are public: they stand beside the report as they are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from deniable.arrays import Column, Counts
from deniable.arrow import pa
from deniable.engines.accumulate import Accumulator
from deniable.engines.dataset import Dataset
from deniable.engines.host_export import numbers_or_texts
from deniable.engines.open_any import open_any
from deniable.engines.parts import Source, check_unchanged
from deniable.engines.tally_folder import TallyFolder
from deniable.estimation.estimate import Estimate
from deniable.mechanisms.mechanism import Mechanism
from deniable.protocol.checks import is_number
from deniable.protocol.errors import FormatError, ParameterError, ReportError
from deniable.reports.arrow_columns import as_column
from deniable.reports.parquet import Footer, opened
from deniable.reports.places import Place

ROWS_AT_ONCE, MOST_ROWS = 1 << 20, 1 << 22
"""So many rows are read at once, and so many different ones are kept."""
MOST_OUTPUTS = 1 << 16
COUNT = "people"


@dataclass(frozen=True, eq=False)
class CountedRows:
    """Different rows: the public columns ``frame``, what was reported, and how many ``people`` have it."""

    mechanism: Mechanism
    frame: Mapping[str, list[Any]]
    reports: Column
    people: Counts

    def __len__(self) -> int:
        return len(self.people)

    def estimate(self, weights: str, decoder: str = "projected") -> Estimate:
        """The shares among people of whom each counts by the column that ``weights`` names."""
        rows = np.repeat(np.arange(len(self)), self.people)
        column = self.frame[weights]
        if any(not is_number(weight) for weight in column):
            raise ParameterError(f"weights must be numbers, got a column {weights!r} that holds something else")
        return self.mechanism.estimate(self.reports[rows], decoder, weights=np.array(column, np.float64)[rows])


def counted_rows(path: Place | str, columns: Sequence[str]) -> CountedRows:
    """The rows of report files with columns that ``privatize --keep`` left beside reports, or of a folder of tallies.

    A folder of tallies by groups will do wherever a tally counts whole reports, and not their single bits.
    """
    found = open_any(path)
    if isinstance(found.content, TallyFolder):
        return _rows_of_folder(found.content, found.mechanism, columns)
    dataset = found.content
    if not isinstance(dataset, Dataset):
        raise FormatError(
            f"{path} must be report files or a folder of tallies by group, got {found.what}; "
            "of an export --survey names the survey and --column the reports"
        )
    names = list(dict.fromkeys(columns))
    tables = [_rows_of_file(found.mechanism, file, names) for file in dataset.files]
    table = _merge_equal(tables, names)
    frame = {name: _values(table.column(name)) for name in names}
    reports = found.mechanism.layout.check(as_column(found.mechanism.layout, table.column(0)))
    return CountedRows(found.mechanism, frame, reports, table.column(COUNT).to_numpy())


def _rows_of_file(mechanism: Mechanism, file: Source, names: Sequence[str]) -> pa.Table:
    """The different rows of a file, whose reports are checked against what its end says of them."""
    footer = Footer.read(file.path)
    for name in names:
        footer.require(name, "public values")
    counting, merged = Accumulator(mechanism), list[pa.Table]()
    with opened(file.path, footer=file.footer) as parquet:
        for batch in parquet.iter_batches(ROWS_AT_ONCE, columns=[file.name, *names]):
            try:
                counting.add(as_column(mechanism.layout, batch.column(file.name)))
            except ReportError as error:
                raise ReportError(f"{file.path}: {error}") from error
            decoded = [_decoded(batch.column(name)) for name in (file.name, *names)]
            ones = pa.array(np.ones(batch.num_rows, np.int64))
            merged = [_merge_equal([*merged, pa.table([*decoded, ones], names=[REPORT, *names, COUNT])], names)]
    check_unchanged(file)
    tally = counting.tally()
    file.check(tally.n, tally.counts)
    return merged[0]


REPORT = "\0report"
"""No column that is kept is called so."""


def _decoded(column: Any) -> Any:
    return column.dictionary_decode() if pa.types.is_dictionary(column.type) else column


def _merge_equal(tables: Sequence[Any], names: Sequence[str]) -> Any:
    """Equal rows of several tables as one, with the sum of their counts."""
    rows = pa.concat_tables(tables, promote_options="permissive").group_by([REPORT, *names]).aggregate([(COUNT, "sum")])
    if rows.num_rows > MOST_ROWS:
        raise ParameterError(f"rows must be of at most {MOST_ROWS:,} different patterns with their reports, got more")
    return rows.select([REPORT, *names, f"{COUNT}_sum"]).rename_columns([REPORT, *names, COUNT])


def _values(column: Any) -> list[Any]:
    """The values of a kept column: texts that are all numbers as these, as CSV files have them."""
    values: list[Any] = column.to_pylist()
    texts = all(value is None or isinstance(value, str) for value in values)
    return numbers_or_texts([value or "" for value in values]) if texts else values


def _rows_of_folder(folder: TallyFolder, mechanism: Mechanism, columns: Sequence[str]) -> CountedRows:
    """A row for each group and each report that was sent there."""
    for name in columns:
        if name not in folder.by:
            raise ParameterError(
                f"columns must be among {', '.join(folder.by)}, by which tallies were counted, got {name!r}"
            )
    reports, rows = _whole_reports(mechanism), [
        (group, place, count)
        for group, tally in folder.tallies.items() for place, count in enumerate(tally.counts.tolist()) if count
    ]  # fmt: skip
    frame = {
        name: numbers_or_texts([group[folder.by.index(name)] for group, _, _ in rows])
        for name in dict.fromkeys(columns)
    }
    places, people = (np.array([row[k] for row in rows], np.int64) for k in (1, 2))
    return CountedRows(mechanism, frame, reports[places], people)


def _whole_reports(mechanism: Mechanism) -> Column:
    """The report that each count of a tally is of; refused where counts are of bits, which came together in reports."""
    layout = mechanism.layout
    if layout.cells == layout.outputs <= MOST_OUTPUTS:
        reports = layout.every_report()
        counts_of_each = [layout.tally(reports[place : place + 1])[1] for place in range(len(reports))]
        if all(counts.sum() == counts[place] == 1 for place, counts in enumerate(counts_of_each)):
            return reports
    raise ParameterError(
        f"tallies must count whole reports to be regressed on, got those of {mechanism.name}, which count bits; "
        "take the report files"
    )

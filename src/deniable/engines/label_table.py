"""Tables for training: public columns, and beside them the label that each report names, as CSV or Parquet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from deniable.arrays import Column
from deniable.arrow import csv, pa, pq
from deniable.mechanisms.facts import names_a_label
from deniable.mechanisms.mechanism import Mechanism
from deniable.protocol.errors import ParameterError
from deniable.reports.atomic_files import written_whole
from deniable.reports.index_layout import IndexLayout
from deniable.values.domain import Domain

MOST_LABELS = 1 << 12
"""Whether reports name labels is looked up in a table of labels by reports."""
TableFile: TypeAlias = "csv.CSVWriter | pq.ParquetWriter"


@dataclass(frozen=True, slots=True)
class LabelTable:
    """Takes columns of reports one after another, as a ``ReportWriter`` does, and writes the labels that they name."""

    names: pa.Array[Any]
    """The labels, in the order of the reports that name them."""
    schema: pa.Schema
    file: TableFile

    def write(self, reports: Column, kept: Sequence[pa.Array[Any]] = ()) -> None:
        """Add reports, and the public columns beside them."""
        named = self.names.take(reports)
        self.file.write_batch(pa.record_batch([*kept, named], schema=self.schema))


@contextmanager
def write_label_table(
    path: Path | str, mechanism: Mechanism, column: str, kept: pa.Schema | None = None
) -> Iterator[LabelTable]:
    """A table to write, CSV if ``path`` ends in .csv, else Parquet; it is there when the block ends well.

    The labels stand under ``column``, after the columns of ``kept``, which are public and stay as they are.
    """
    names = _labels_of_reports(mechanism)
    schema = pa.schema([*(kept or ()), pa.field(column, names.type, nullable=False)])
    as_csv = Path(path).suffix.lower() == ".csv"
    with written_whole(path) as file, _open_writer(file, schema, as_csv) as table:
        yield LabelTable(names, schema, table)


def _open_writer(file: Any, schema: pa.Schema, as_csv: bool) -> TableFile:
    return (
        csv.CSVWriter(file, schema, write_options=csv.WriteOptions(quoting_style="needed"))
        if as_csv
        else pq.ParquetWriter(file, schema)
    )


def _labels_of_reports(mechanism: Mechanism) -> pa.Array[Any]:
    """The labels in the order of the reports that name them."""
    size, layout, domain = mechanism.domain.size, mechanism.layout, mechanism.domain
    fits = size is not None and size <= MOST_LABELS and isinstance(layout, IndexLayout)
    if not (fits and isinstance(domain, Domain) and names_a_label(mechanism)):
        raise ParameterError(
            "mechanism must be one whose report names one label, as RandomizedResponse's does, of at most "
            f"{MOST_LABELS:,} labels, got {mechanism!r}; without labels (--labels) any mechanism will do"
        )
    if domain.kind == "integers":
        return pa.array(np.array(list(domain), np.int64))
    return pa.array([str(label) for label in domain])

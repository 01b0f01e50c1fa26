"""Files: randomize a column of labels into a report file, and count report files into one tally."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path

from deniable.arrow import pa
from deniable.engines.chunks import Progress, reports_per_chunk
from deniable.engines.counting import count_dataset
from deniable.engines.dataset import open_dataset
from deniable.engines.label_table import LabelTable, write_label_table
from deniable.engines.labels import LabelColumn, have_values, in_rows, label_indices
from deniable.mechanisms.mechanism import Mechanism, draw_column
from deniable.privacy.entropy import entropy_of
from deniable.protocol.errors import LabelError, ParameterError
from deniable.reports.atomic_files import check_apart
from deniable.reports.places import Place
from deniable.reports.report_file import NAME, ReportWriter, write_reports
from deniable.reports.tally import Tally


@dataclass(frozen=True, slots=True)
class Privatized:
    """How many values became reports, and how many blank ones were left out."""

    reports: int
    skipped: int


def privatize_file(
    mechanism: Mechanism,
    labels: LabelColumn,
    out: Path | str,
    skip_blank: bool = False,
    seed: int | None = None,
    progress: Progress | None = None,
    as_labels: bool = False,
) -> Privatized:
    r"""Randomize a column of labels into a report file, batch by batch. A seed is for simulations only.

    Columns that ``labels`` keeps stand beside the reports as they are: they must be public. ``as_labels`` writes the
    label that each report names instead, under the column's own name and as CSV if ``out`` ends in .csv: for training.

    >>> import io, tempfile, deniable as dn
    >>> from deniable.engines.labels import open_labels
    >>> m, answers = dn.RandomizedResponse(["yes", "no"], 1.0), io.BytesIO(b"answer\nyes\nno\nno\n")
    >>> with tempfile.TemporaryDirectory() as folder, open_labels(answers, "answer") as labels:
    ...     done = privatize_file(m, labels, Path(folder) / "reports.parquet")
    ...     done.reports, tally_files([Path(folder) / "reports.parquet"]).n
    (3, 3)
    """
    check_apart(out, [labels.name])
    entropy = entropy_of(seed)
    n_read = n_reports = 0
    chunks = _chunks(labels, mechanism)
    first = list(islice(chunks, 1))
    schema = next((chunk.schema.remove(0) for chunk in first if chunk.num_columns > 1), None)
    column = next((chunk.schema.names[0] for chunk in first), NAME)
    with _writing(out, mechanism, column, schema, as_labels) as writer:
        for index, chunk in enumerate(chain(first, chunks)):
            try:
                values = label_indices(mechanism.domain, chunk.column(0), skip_blank)
            except LabelError as error:
                raise in_rows(error, labels.name, "value", n_read, len(chunk)) from error
            if len(values):
                answered = have_values(mechanism.domain, chunk) if len(values) < len(chunk) else chunk
                writer.write(draw_column(mechanism, values, entropy.part(index)), answered.columns[1:])
            n_read, n_reports = n_read + len(chunk), n_reports + len(values)
            if progress is not None:
                progress(len(chunk))
        if not n_reports:
            raise LabelError(
                f"{labels.name} must hold at least one value in its column that is not blank, got {n_read} blank ones"
            )
    return Privatized(n_reports, n_read - n_reports)


def _writing(
    out: Path | str, mechanism: Mechanism, column: str, schema: pa.Schema | None, as_labels: bool
) -> AbstractContextManager[ReportWriter | LabelTable]:
    """What writes a file of reports, or a table of labels."""
    if as_labels:
        return write_label_table(out, mechanism, column, schema)
    if Path(out).suffix.lower() == ".csv":
        raise ParameterError(f"a report file must not be called .csv, for it is Parquet, got {out}")
    return write_reports(out, mechanism.spec(), mechanism.layout, schema=schema)


def _chunks(labels: LabelColumn, mechanism: Mechanism) -> Iterator[pa.RecordBatch]:
    """As many rows at a time as keep their reports within memory."""
    size = reports_per_chunk(mechanism)
    for batch in labels.tables():
        for start in range(0, len(batch), size):
            yield batch.slice(start, size)


def tally_files(paths: Sequence[Place | str], progress: Progress | None = None) -> Tally:
    """One tally of report files, and folders of them, of one spec. Whatever is wrong in one, nothing is counted."""
    return count_dataset(open_dataset(paths), progress).tally

"""Files in, files out: a column of labels becomes a report file, report files become one tally."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from deniable.engines.labels import Batch, LabelColumn, label_indices
from deniable.engines.simulate import CHUNK_BYTES, Progress
from deniable.errors import FormatError, LabelError, ParameterError, ReportError, TallyError
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.registry import from_spec
from deniable.privacy.entropy import SeededEntropy, SystemEntropy
from deniable.reports.columns import ReportFile, write_reports
from deniable.reports.tally import Tally
from deniable.reports.whole import check_apart


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
) -> Privatized:
    r"""Randomize a column of labels into a report file, batch by batch. A seed is for simulations only.

    >>> import io, tempfile, deniable as dn
    >>> from deniable.engines.labels import open_labels
    >>> m, answers = dn.RandomizedResponse(["yes", "no"], 1.0), io.BytesIO(b"answer\nyes\nno\nno\n")
    >>> with tempfile.TemporaryDirectory() as folder, open_labels(answers, "answer") as labels:
    ...     done = privatize_file(m, labels, Path(folder) / "reports.parquet")
    ...     done.reports, tally_files([Path(folder) / "reports.parquet"]).n
    (3, 3)
    """
    check_apart(out, [labels.name])
    entropy = SystemEntropy() if seed is None else SeededEntropy(seed)
    read = reports = 0
    with write_reports(out, mechanism.spec(), mechanism.layout) as writer:
        for index, chunk in enumerate(_chunks(labels, mechanism)):
            try:
                values = label_indices(mechanism.domain, chunk, skip_blank)
            except LabelError as error:
                place = f"{labels.name}, values {read + 1} to {read + len(chunk)}"
                raise LabelError(f"{place}: {error}") from error
            if len(values):
                writer.write(mechanism.draw_column(values, entropy.part(index)))
            read, reports = read + len(chunk), reports + len(values)
            if progress is not None:
                progress(len(chunk))
        if not reports:
            raise LabelError(f"{labels.name} must hold at least one value in its column, got {read} that are not blank")
    return Privatized(reports, read - reports)


def _chunks(labels: LabelColumn, mechanism: Mechanism) -> Iterator[Batch]:
    """As many values at a time as keep their reports within memory."""
    size = max(1, CHUNK_BYTES * 8 // max(64, mechanism.report_bits))
    for batch in labels.batches():
        for start in range(0, len(batch), size):
            yield batch.slice(start, size)


def open_reports(paths: Sequence[Path | str]) -> tuple[Mechanism, list[ReportFile]]:
    """Report files of one spec, and the mechanism that it describes; no report is read yet."""
    if not paths:
        raise ParameterError("files must name at least one report file, got none")
    if len({Path(path).resolve() for path in paths}) < len(paths):
        raise ParameterError("files must be named once each, got one that would be counted twice")
    files = [ReportFile.open(path) for path in paths]
    first = files[0]
    other = next((file for file in files if file.spec != first.spec), None)
    if other is not None:
        raise TallyError(
            f"all files must hold reports of one spec, but that of {other.path} is another than that of {first.path}"
        )
    try:
        return from_spec(first.spec), files
    except FormatError as error:
        raise FormatError(f"{first.path}: {error}") from error


def tally_files(paths: Sequence[Path | str], progress: Progress | None = None) -> Tally:
    """One tally of any number of report files of one spec. Whatever is wrong in one of them, nothing is counted."""
    mechanism, files = open_reports(paths)
    total = mechanism.empty_tally()
    for file in files:
        try:
            for reports in file.columns(mechanism.layout):
                total += mechanism.tally(reports)
                if progress is not None:
                    progress(len(reports))
        except ReportError as error:
            raise ReportError(f"{file.path}: {error}") from error
    return total

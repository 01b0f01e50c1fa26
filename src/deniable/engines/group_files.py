"""The groups of a prefix survey as files: one report file per group, and back to one tally per group."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

from deniable.arrays import Column
from deniable.engines.chunks import Progress
from deniable.engines.files import Privatized, tally_files
from deniable.engines.labels import LabelColumn, label_texts
from deniable.engines.prefix_survey import PrefixSurvey
from deniable.errors import FormatError, LabelError, ParameterError, TallyError
from deniable.privacy.entropy import entropy_of
from deniable.reports.atomic_files import check_apart, check_once, written_whole
from deniable.reports.report_file import ReportFile, write_reports
from deniable.reports.spec import read_json
from deniable.reports.tally import MAGIC, Tally


def write_survey(survey: PrefixSurvey, path: Path | str) -> None:
    """The survey's spec as a JSON file, for devices and for collectors."""
    with written_whole(path) as file:
        file.write(json.dumps(survey.spec(), ensure_ascii=False, indent=2).encode() + b"\n")


def read_survey(path: Path | str) -> PrefixSurvey:
    """The survey that a JSON file describes.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_survey(PrefixSurvey(3.0, longest=8), Path(folder) / "survey.json")
    ...     read_survey(Path(folder) / "survey.json").longest
    8
    """
    spec = read_json(path, "a survey's spec")
    try:
        return PrefixSurvey.from_spec(spec)
    except FormatError as error:
        raise FormatError(f"{path}: {error}") from error


def privatize_groups(
    survey: PrefixSurvey,
    labels: LabelColumn,
    out: Path | str,
    skip_blank: bool = False,
    seed: int | None = None,
    progress: Progress | None = None,
) -> Privatized:
    """Randomize a column of texts into one report file per group: ``visits-1.parquet`` and so on.

    A seed is for simulations only.
    """
    paths = group_paths(survey, out)
    for path in paths:
        check_apart(path, [labels.name])
    read = reports = 0
    with ExitStack() as files:
        writers = [
            files.enter_context(write_reports(path, group.spec(), group.layout))
            for path, group in zip(paths, survey.groups, strict=True)
        ]
        for values, drawn in _draws(survey, labels, skip_blank, seed):
            for writer, column in zip(writers, drawn, strict=True):
                writer.write(column)
            read, reports = read + values, reports + sum(map(len, drawn))
            if progress is not None:
                progress(values)
    return Privatized(reports, read - reports)


def tally_values(
    survey: PrefixSurvey,
    labels: LabelColumn,
    skip_blank: bool = False,
    seed: int | None = None,
    progress: Progress | None = None,
) -> list[Tally]:
    """One tally per group from a column of texts that is randomized here; a seed is for simulations only."""
    totals = [group.tally([]) for group in survey.groups]
    for values, drawn in _draws(survey, labels, skip_blank, seed):
        tallies = [group.tally(column) for group, column in zip(survey.groups, drawn, strict=True)]
        totals = [total + tally for total, tally in zip(totals, tallies, strict=True)]
        if progress is not None:
            progress(values)
    return totals


def _draws(
    survey: PrefixSurvey, labels: LabelColumn, skip_blank: bool, seed: int | None
) -> Iterator[tuple[int, list[Column]]]:
    """For each batch the number of values and each group's reports; a column of only blanks is refused at the end."""
    entropy = entropy_of(seed)
    read, some = 0, False
    for index, batch in enumerate(labels.batches()):
        try:
            texts = label_texts(batch, skip_blank)
            drawn = survey.draw_groups(texts, entropy.part(index)) if texts else None
        except LabelError as error:
            raise LabelError(f"{labels.name}, values {read + 1} to {read + len(batch)}: {error}") from error
        read, some = read + len(batch), some or drawn is not None
        yield len(batch), drawn or [group.layout.empty(0) for group in survey.groups]
    if not some:
        raise LabelError(f"{labels.name} must hold at least one value in its column, got {read} that are not blank")


def group_paths(survey: PrefixSurvey, out: Path | str) -> list[Path]:
    """The files of a survey's groups, named after one.

    >>> [path.name for path in group_paths(PrefixSurvey(3.0, longest=4), "visits.parquet")]
    ['visits-1.parquet', 'visits-2.parquet', 'visits-3.parquet']
    """
    target = Path(out)
    if not target.name:
        raise ParameterError(f"out must name a file, got {out}")
    width = len(str(len(survey.groups)))
    return [target.with_stem(f"{target.stem}-{number:0{width}}") for number in range(1, len(survey.groups) + 1)]


def tally_groups(survey: PrefixSurvey, paths: Sequence[Path | str], progress: Progress | None = None) -> list[Tally]:
    """One tally per group, from report files and tallies in any order; each file states its group.

    If anything is wrong in one of them, nothing is counted. Every group needs a file, even without reports.
    """
    check_once(paths)
    totals = {group.spec_bytes: group.tally([]) for group in survey.groups}
    lacking = {group.spec_bytes: number for number, group in enumerate(survey.groups, 1)}
    for path in paths:
        counted = _counted(path, set(totals), progress)
        totals[counted.spec_bytes] += counted
        lacking.pop(counted.spec_bytes, None)
    if lacking:
        raise ParameterError(
            f"files must be given for each of {len(totals)} groups, got none of group {min(lacking.values())}"
        )
    return list(totals.values())


def _counted(path: Path | str, groups: set[bytes], progress: Progress | None) -> Tally:
    """The tally of a tally file or a report file; refused if it belongs to no group."""
    with Path(path).open("rb") as file:
        stored = file.read() if file.peek(len(MAGIC)).startswith(MAGIC) else None
    try:
        tally = None if stored is None else Tally.from_bytes(stored)
    except FormatError as error:
        raise FormatError(f"{path}: {error}") from error
    written = ReportFile.open(path).spec_bytes if tally is None else tally.spec_bytes
    if written not in groups:
        raise TallyError(f"{path} must be of a group of the survey, got one of another spec")
    return tally_files([path], progress) if tally is None else tally

"""Which files a survey's reports are in: folders become files, and files of one mechanism are told from others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from deniable.engines.parts import Source, submitted
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.registry import from_spec, from_spec_bytes
from deniable.protocol.errors import FormatError, ParameterError, TallyError
from deniable.reports.arm_file import ArmFile, is_of_survey
from deniable.reports.atomic_files import check_once
from deniable.reports.foreign_file import ForeignFile
from deniable.reports.parquet import Footer
from deniable.reports.places import Place, StorePath, files_below, in_file, is_named, pattern_of, place_of
from deniable.reports.report_file import NAME, ReportFile, is_described
from deniable.reports.spec import differences

READERS = 8
"""Footers that are read at once: a store takes its time to answer."""
Found: TypeAlias = dict[Place, ReportFile | ForeignFile | ArmFile | FormatError]
"""Files by their places: what the end of each says that it holds, or what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Refused:
    """A file that is not counted, and why."""

    path: Place
    reason: str


@dataclass(frozen=True, slots=True)
class Dataset:
    """Files of reports of one mechanism, their footers read, and those that were refused."""

    mechanism: Mechanism
    files: tuple[Source, ...]
    refused: tuple[Refused, ...] = ()
    skip_bad: bool = False
    """Whether a file that turns out to be bad is left out and named too."""

    @property
    def n(self) -> int:
        """How many reports the files hold."""
        return sum(file.n for file in self.files)


def find_files(paths: Iterable[Place | str]) -> list[Place]:
    """The files, and those below folders or named by patterns, in order; names that begin with . or _ are others' own.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for name in ("b.parquet", "a.parquet", "_SUCCESS"):
    ...         _ = (Path(folder) / name).write_bytes(b"")
    ...     [file.name for file in find_files([folder])]
    ['a.parquet', 'b.parquet']
    """
    if isinstance(paths, str | Path | StorePath):
        raise ParameterError(f"files must be a list of files and folders, got {type(paths).__name__}")
    found = [file for path in map(place_of, paths) for file in _files_of(path)]
    if not found:
        raise ParameterError("files must name at least one report file, got none")
    check_once([file for file in found if isinstance(file, Path)])
    stored = Counter(file.uri for file in found if isinstance(file, StorePath))
    twice = [uri for uri, count in stored.items() if count > 1]
    if twice:
        raise ParameterError(f"files must be named once each, got one that would be counted twice: {twice[0]}")
    return found


def _files_of(path: Place) -> list[Place]:
    """The file itself, those of a folder, or those that a pattern names."""
    folder, pattern = pattern_of(path) or (path, [])
    below = files_below(folder)
    if below is None:
        return [path]
    by_parts = [(name.split("/"), file) for name, file in below]
    shown = [(parts, file) for parts, file in by_parts if not any(part.startswith((".", "_")) for part in parts)]
    matching = [file for parts, file in shown if is_named(parts, pattern)]
    if not matching:
        raise ParameterError(
            f"{'a pattern must name' if pattern else 'a folder must hold'} report files, got none in {path}"
        )
    return matching


def read_files(paths: Iterable[Place | str], column: str | None = None) -> Found:
    """The end of each file, read once, and no report: what the file holds, or why it cannot be read.

    Where a ``column`` is named, it is that of the reports in files that do not say what made them.
    """
    documents: dict[bytes, bytes] = {}

    def read(path: Place) -> ReportFile | ForeignFile | ArmFile | FormatError:
        try:
            footer = Footer.read(path)
            return ArmFile.of(footer, documents) if is_of_survey(footer) else source_of(footer, column)
        except FormatError as error:
            return error

    with ThreadPoolExecutor(READERS) as pool:
        return {path: file.result() for path, file in submitted(pool, find_files(paths), read, 2 * READERS)}


def source_of(footer: Footer, column: str | None) -> ReportFile | ForeignFile:
    """The reports of a file that says what made them, or a column of one of which the caller says it."""
    return ReportFile.of(footer) if column is None or is_described(footer) else ForeignFile.of(footer, column)


def open_dataset(
    paths: Sequence[Place | str], spec: Mapping[str, Any] | None = None, column: str = NAME, skip_bad: bool = False
) -> Dataset:
    """Report files and folders of them, and the mechanism that made their reports; no report is read yet.

    Files that do not say what made them, such as those of other tools, need a ``spec``; then ``column`` is read.
    With ``skip_bad`` a file that cannot be read or is of another mechanism is left out and named.
    """
    mechanism = None if spec is None else from_spec(spec)
    return dataset_of(read_files(paths, None if mechanism is None else column), mechanism, skip_bad)


def dataset_of(found: Found, given: Mechanism | None = None, skip_bad: bool = False) -> Dataset:
    """The files of one mechanism, the ``mechanism`` given if there is any, among those whose ends were read."""
    files: list[Source] = []
    refused: list[Refused] = []
    for path, file in found.items():
        source = _refuse_answers(file) if isinstance(file, ArmFile) else file
        if not isinstance(source, FormatError):
            files.append(source)
        elif skip_bad:
            refused.append(Refused(path, str(source)))
        else:
            raise source
    spec = _spec_to_count(files, skip_bad) if given is None else given.spec_bytes
    of_spec, of_other_specs = _by_spec(files, spec)
    if of_other_specs and not skip_bad:
        raise TallyError(of_other_specs[0].reason)
    if not of_spec:
        raise FormatError(f"no file could be counted; the first: {(refused + of_other_specs)[0].reason}")
    mechanism = given if given is not None else mechanism_of(of_spec[0].path, spec)
    return Dataset(mechanism, tuple(of_spec), (*refused, *of_other_specs), skip_bad)


def _refuse_answers(file: ArmFile) -> FormatError:
    return FormatError(f"{file.path} must be a file of reports, got answers to a survey, which must be counted apart")


def _spec_to_count(files: Sequence[Source], skip_bad: bool) -> bytes:
    """The spec to count, in bytes: that of the first file, or of the most reports where others may be skipped."""
    reports: Counter[bytes] = Counter()
    for file in _described(files):
        reports[file.spec_bytes] += file.n
    if not reports:
        return b""
    return reports.most_common(1)[0][0] if skip_bad else next(iter(reports))


def _described(files: Iterable[Source]) -> Iterator[ReportFile]:
    return (file for file in files if isinstance(file, ReportFile))


def _by_spec(files: Sequence[Source], spec: bytes) -> tuple[list[Source], list[Refused]]:
    """The files of this spec, which those that say none have too, and the refusals of the others."""
    of_spec = [file for file in files if isinstance(file, ForeignFile) or file.spec_bytes == spec]
    first = next((str(file.path) for file in _described(of_spec)), "the one given")
    others = [file for file in _described(files) if file.spec_bytes != spec]
    reasons = [
        f"all files must hold reports of one spec, but that of {file.path} is another than that of {first}"
        + differences(file.spec_bytes, spec)
        for file in others
    ]
    return of_spec, [Refused(file.path, reason) for file, reason in zip(others, reasons, strict=True)]


def mechanism_of(path: Place, written: bytes) -> Mechanism:
    """The mechanism of the spec that a file holds."""
    with in_file(path):
        return from_spec_bytes(written)

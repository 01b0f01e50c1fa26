"""A file of another kind than a command reads: the error says what it is, and which command goes on from there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from deniable.protocol.errors import DenialError, FormatError
from deniable.reports.magic import PARQUET, SURVEY_TALLY, TALLY, begins


@dataclass(frozen=True, slots=True)
class Kind:
    """What a command reads: its name, the bytes it begins with, and the command that makes it."""

    name: str
    begins: bytes
    made: str


A_TALLY = Kind("a tally of reports", TALLY, "deniable tally counts report files into one")
A_SURVEY_TALLY = Kind("a survey's tally", SURVEY_TALLY, "deniable tally counts a folder of answers into one")
A_SURVEY = Kind("a survey's document", b"{", "deniable survey new makes one of a plan")
ANSWERS = Kind(
    "a folder of answers, or a file of one", PARQUET, "deniable survey answer makes one of a table of answers"
)
REPORTS = Kind("a file of reports", PARQUET, "deniable privatize randomizes a column of answers into one")


@contextmanager
def reading(kind: Kind, paths: Sequence[Path | str]) -> Iterator[None]:
    """Refuse the first of the files that is of another kind, with what it is instead; else the error as it came."""
    try:
        yield
    except (FormatError, IsADirectoryError):
        files = (file for path in paths for file in _files(Path(path), kind))
        other = next((file for file in files if _is_other(file, kind)), None)
        if other is None:
            raise
        raise FormatError(f"{other} must be {kind.name}, got {_described(other, kind)}") from None


def _files(path: Path, kind: Kind) -> list[Path]:
    """The file itself, or those of a folder of reports, where somebody may have written the tally too."""
    from deniable.engines.dataset import find_files  # whoever gives the right file does not wait for this

    if kind is REPORTS and path.is_dir():
        return [Path(str(file)) for file in find_files([path])]
    return [path]


def _is_other(path: Path, kind: Kind) -> bool:
    """Whether there is something that does not begin as this kind does. A pipe is not opened: it ends but once."""
    if not path.is_file():
        return path.is_dir()
    with suppress(OSError):
        return not begins(path, kind.begins)
    return False


def _described(path: Path, kind: Kind) -> str:
    from deniable.engines.shown import shown

    try:
        facts = shown(path)
    except (DenialError, OSError):
        if path.is_dir() and any(file.is_file() and not _is_other(file, kind) for file in path.iterdir()):
            return "a folder of such; name the files in it"
        return f"a {'folder' if path.is_dir() else 'file'} that deniable did not write; {kind.made}"
    return f"{facts['what']}; go on with: {facts['next'].partition(';')[0]}"

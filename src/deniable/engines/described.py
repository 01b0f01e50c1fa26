"""What a file is of, recognised by its content: the survey or the mechanism that its document or its reports name."""

from __future__ import annotations

import json
from pathlib import Path

from deniable.engines.dataset import find_files, open_dataset
from deniable.engines.shown_text import of_text
from deniable.engines.survey_files import DOCUMENT, holds_survey, open_survey_files, read_document
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.registry import from_spec, from_spec_bytes
from deniable.protocol.errors import FormatError
from deniable.reports.magic import SURVEY_TALLY, TALLY, begins, is_parquet
from deniable.reports.tally import Tally
from deniable.surveys.document import Document
from deniable.surveys.survey import Survey
from deniable.surveys.tally import SurveyTally

WANTED = "a survey, a spec, a file or folder of reports, or a tally"
MADE = "deniable survey new makes a survey of a plan, and deniable privatize makes reports of a column of answers"


def described(path: Path) -> Document | Mechanism:
    """The survey or the mechanism that a file, or a folder of reports, is of.

    >>> import tempfile, deniable as dn
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "spec.json"
    ...     _ = file.write_text(json.dumps(dn.Subset(4, 1.0).spec()), encoding="utf-8")
    ...     described(file)
    Subset(4 labels, epsilon=1.0, size=1)
    """
    return of_reports(path) if holds_reports(path) else of_file(path, path.read_bytes())


def holds_reports(path: Path) -> bool:
    """Whether it is a folder or a file of reports, which is not read as a whole."""
    return path.is_dir() or is_parquet(path)


def of_file(path: Path, written: bytes) -> Document | Mechanism:
    """What the bytes of a file describe or count; errors name the file."""
    try:
        found = _of_tally(written) or _of_json(written)
    except FormatError as error:
        raise FormatError(f"{path}: {error}") from error
    if found is None:
        raise FormatError(f"{path} must be {WANTED}, got {_other(path.name, written)}")
    return found


def _other(name: str, written: bytes) -> str:
    """What a file is that describes nothing, and what goes on from there."""
    if (facts := of_text(name, written)) is not None:
        return f"{facts['what']}: {facts['next']}"
    return f"{'a file that deniable did not write' if written else 'an empty file'}; {MADE}"


def of_reports(path: Path) -> Document | Mechanism:
    """What the footers of one file, or of all files of a folder, name."""
    files = [Path(str(file)) for file in find_files([path])]
    if files == [path / DOCUMENT]:  # nobody has answered yet
        return read_document(path / DOCUMENT)
    if path.is_dir() and begins(files[0], TALLY, SURVEY_TALLY):
        raise FormatError(f"{path} must be a folder of reports, got one of tallies: name a file, such as {files[0]}")
    if holds_survey([path]):
        return open_survey_files([path])[0]
    return open_dataset([path]).mechanism


def _of_tally(written: bytes) -> Document | Mechanism | None:
    """What a tally counts."""
    if written.startswith(SURVEY_TALLY):
        return SurveyTally.from_bytes(written, Survey).document
    if written.startswith(TALLY):
        return from_spec_bytes(Tally.from_bytes(written).spec_bytes)
    return None


def _of_json(written: bytes) -> Document | Mechanism | None:
    """What a spec or a survey's document describes."""
    try:
        text = written.decode("utf-8-sig")
        fields = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if isinstance(fields, dict) and "mechanism" in fields:
        return from_spec(text)
    return Survey.from_json(text) if isinstance(fields, dict) and "questions" in fields else None

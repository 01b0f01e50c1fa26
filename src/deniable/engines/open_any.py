"""What a file or folder is, told by its content: looked at once, for every command and for every error."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from deniable.engines.checkpoint import SUFFIX
from deniable.engines.dataset import Dataset, Found, dataset_of, find_files, read_files
from deniable.engines.opened_file import Facts, OpenedFile
from deniable.engines.survey_files import DOCUMENT, SurveyDataset, are_of_survey, survey_dataset_of
from deniable.engines.tally_folder import TallyFolder, listed
from deniable.estimation.table import printable
from deniable.estimation.words import amount
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.registry import from_spec
from deniable.privacy.ledger import Ledger
from deniable.protocol.errors import FormatError
from deniable.reports.magic import PARQUET, SURVEY_TALLY, TALLY, begins
from deniable.reports.places import Place, in_file, place_of
from deniable.reports.report_file import NAME
from deniable.reports.tally import Tally

if TYPE_CHECKING:
    from deniable.surveys.survey import Survey

COLLECTOR_FILE = "collector.sqlite"
CSV_HEAD = b"label,frequency,count,"
"""How an estimate as CSV begins."""
HEAD_BYTES = 64
"""So many bytes tell a text that may be known from one that need not be read."""
LONGEST = 80
DOCUMENTS: Mapping[frozenset[str], Callable[[Any], tuple[str, str, Facts]]] = {
    frozenset({"label", "frequency", "n"}): lambda found: (
        f"an estimate from {found['n']:,} people",
        "pandas.read_json, or any program, reads it",
        {"of": _shown(found.get("mechanism")), "labels": f"{len(found['label']):,}"},
    ),
    frozenset({"guarantee", "rows", "users"}): lambda found: (
        f"a plan of {len(found['rows']):,} mechanisms",
        "each of its rows has a spec, which --spec takes",
        {"promise": _shown(found["guarantee"])},
    ),
    frozenset({"digest", "claims", "version"}): lambda found: (
        f"a certificate {'whose claims hold' if found['holds'] is True else 'that refutes a claim'}",
        "deniable audit proves the file again that it is of",
        {"of": _shown(found["subject"]), "SHA-256": _shown(found["digest"])},
    ),
}
"""Documents that are written to be read, by the names in them by which they are recognised: what, next, and facts."""


def open_any(path: Place | str) -> OpenedFile:
    """Look at a file or a folder: no report is read, and nothing is counted.

    >>> import tempfile, deniable as dn
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "spec.json"
    ...     _ = file.write_text(json.dumps(dn.Subset(4, 1.0).spec()), encoding="utf-8")
    ...     found = open_any(file)
    >>> found.what, found.content, found.subject == found.content
    ('the spec of a mechanism', Subset(4 labels, epsilon=1.0, size=1), True)
    """
    place = place_of(path)
    if not isinstance(place, Path):
        return _open_reports(place)
    if place.is_dir():
        return _open_folder(place)
    with place.open("rb") as file:
        head = file.read(HEAD_BYTES)
        if head.startswith(PARQUET):
            return _open_reports(place)
        if place.name.endswith(SUFFIX):
            return OpenedFile(
                place, None, "the checkpoint of a count that was interrupted", "run the same deniable tally again"
            )
        if head.startswith(CSV_HEAD[:HEAD_BYTES]):
            labels = sum(1 for _ in file)
            return OpenedFile(
                place, None, f"an estimate of {labels:,} labels as CSV", "a spreadsheet, or any program, reads it"
            )
        if not head.lstrip(b"\xef\xbb\xbf \r\n\t").startswith((b"{", TALLY, SURVEY_TALLY)):
            return _unrecognised(place, head)
        written = head + file.read()
    with in_file(place):
        return _open_bytes(place, written)


def read_document(path: Path | str) -> Survey:
    """The survey of a file, in any writing of its JSON."""
    from deniable.surveys.survey import Survey  # here and below: nothing else that is opened needs surveys

    return open_any(path).of_kind(Survey)


def open_reports(
    paths: Sequence[Place | str], mechanism: Mechanism | None = None, column: str = NAME, skip_bad: bool = False
) -> Dataset | SurveyDataset:
    """Files and folders of one mechanism's reports, or of answers to one survey, each end read once.

    The error for a file of another kind says what that is. See ``open_dataset`` for the rest.
    """
    found = read_files(paths, None if mechanism is None else column)
    if mechanism is None and are_of_survey(found):
        return _survey_dataset(found)
    try:
        return dataset_of(found, mechanism, skip_bad)
    except FormatError as error:
        raise _of_another_kind(found, Dataset, error) from None


def open_answers(paths: Sequence[Place | str]) -> SurveyDataset:
    """Folders and files of answers to one survey; the error for a file of another kind says what that is."""
    return _survey_dataset(read_files(paths))


def _survey_dataset(found: Found) -> SurveyDataset:
    try:
        return survey_dataset_of(found)
    except FormatError as error:
        raise _of_another_kind(found, SurveyDataset, error) from None


def _of_another_kind(found: Found, kind: type, error: FormatError) -> FormatError:
    """The error for the first file that is no Parquet at all; else the error that there is. A pipe ends but once."""
    for path, file in found.items():
        if isinstance(file, FormatError) and isinstance(path, Path) and path.is_file() and not begins(path, PARQUET):
            return open_any(path).refused(kind)
    return error


def _open_folder(path: Path) -> OpenedFile:
    if (path / COLLECTOR_FILE).exists():
        following = f"deniable collector status --data {path}, or deniable mixer status"
        return OpenedFile(path, None, "the folder of a collector or a mixer", following)
    if not any(path.iterdir()):
        return OpenedFile(path, None, "an empty folder")
    files = [Path(str(file)) for file in find_files([path])]
    if files == [path / DOCUMENT]:
        survey = read_document(path / DOCUMENT)
        return OpenedFile(
            path, SurveyDataset(survey, ()), "a folder without answers yet", f"deniable survey show {path}"
        )
    if begins(files[0], SURVEY_TALLY):
        return OpenedFile(path, None, "a folder of surveys' tallies", f"name the files in it, such as {files[0]}")
    if begins(files[0], TALLY):
        tallies = TallyFolder.read(path)
        counted, groups = amount(tallies.n, "report"), amount(len(tallies.tallies), "group")
        what = f"tallies of {counted} in {groups} by {listed(tallies.by)}"
        return OpenedFile(path, tallies, what, f"deniable estimate {path}")
    return _open_reports(path)


def _open_reports(path: Place) -> OpenedFile:
    """What the ends of a file, or of all files of a folder, say that there is."""
    found, following = open_reports([path]), f"deniable tally {path} --out survey.tally"
    files = amount(len(found.files), "file")
    if isinstance(found, Dataset):
        return OpenedFile(path, found, f"{amount(found.n, 'report')} in {files}", following)
    answers, arms = amount(found.answers, "answer"), amount(len(found.survey.arms), "arm")
    return OpenedFile(path, found, f"{answers} to {arms} in {files}", following)


def _open_bytes(path: Path, written: bytes) -> OpenedFile:
    """A tally, or a document in JSON."""
    if written.startswith(TALLY):
        tally = Tally.from_bytes(written)
        return OpenedFile(path, tally, f"a tally of {amount(tally.n, 'report')}", f"deniable estimate {path}")
    if written.startswith(SURVEY_TALLY):
        return _open_survey_tally(path, written)
    try:
        text = written.decode("utf-8-sig")
        fields = json.loads(text)
    except (ValueError, RecursionError):
        return _unrecognised(path, written)
    names = set(fields) if isinstance(fields, dict) else set[str]()
    with suppress(KeyError, TypeError, ValueError):  # somebody else's document with these names
        for known, described in DOCUMENTS.items():
            if known <= names:
                return OpenedFile(path, None, *described(fields))
    if {"cap", "entries"} <= names:
        ledger = Ledger.from_json(text)
        what = f"a ledger of {amount(len(ledger.entries), 'survey')} that one person answered"
        about = {"spent": str(ledger.spent), "of": str(ledger.cap)}
        return OpenedFile(path, ledger, what, "dn.Ledger.from_json reads it", about)
    if "mechanism" in names:
        following = f"deniable tally FILES --spec {path} --out survey.tally"
        return OpenedFile(path, from_spec(text), "the spec of a mechanism", following)
    if "questions" in names:
        from deniable.surveys.survey import Survey

        return OpenedFile(path, Survey.from_json(text), "the document of a survey", f"deniable survey show {path}")
    return _unrecognised(path, written)


def _open_survey_tally(path: Path, written: bytes) -> OpenedFile:
    from deniable.surveys.survey import Survey
    from deniable.surveys.tally import SurveyTally

    counted = SurveyTally.from_bytes(written, Survey)
    what = f"a tally of {amount(counted.n, 'answer')}"
    return OpenedFile(path, counted, what, f"deniable survey estimate {path}")


def _unrecognised(path: Path, written: bytes) -> OpenedFile:
    if path.suffix == ".toml":
        return OpenedFile(path, None, "a text in TOML, perhaps a plan", f"deniable survey new {path} --out survey.json")
    return OpenedFile(path, None, "a file that deniable did not write" if written else "an empty file")


def _shown(text: Any) -> str:
    return printable(str(text), LONGEST)

"""A survey's answers as files: a folder for a survey, a file for an arm, a column for a part; and back to a tally."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path

from deniable.engines.chunks import Progress
from deniable.engines.counting import Workers, count_dataset
from deniable.engines.dataset import Dataset, find_files
from deniable.protocol.errors import FormatError, ParameterError, TallyError
from deniable.reports.arm_file import ArmFile, is_of_survey, write_arm
from deniable.reports.atomic_files import check_once, new_folder, written_whole
from deniable.reports.parquet import Footer
from deniable.reports.places import Place
from deniable.surveys.answer_bytes import Answers
from deniable.surveys.survey import Survey
from deniable.surveys.tally import SurveyTally

DOCUMENT = "survey.json"
"""The survey's document in a folder of its answers."""


def write_document(survey: Survey, path: Path | str) -> None:
    """The survey's canonical document as a file."""
    with written_whole(path) as file:
        file.write(survey.document)


def read_document(path: Path | str) -> Survey:
    """The survey of a file, in any writing of its JSON.

    >>> import tempfile, deniable as dn
    >>> survey = Survey.plan("lunch", [dn.OneOf("late", ["yes", "no"])], epsilon=1.0, people=100)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_document(survey, Path(folder) / "survey.json")
    ...     read_document(Path(folder) / "survey.json") == survey
    True
    """
    try:
        return Survey.from_json(Path(path).read_text(encoding="utf-8-sig"))
    except UnicodeDecodeError:
        raise FormatError(f"{path} must be a survey in JSON, got bytes that are not text") from None
    except FormatError as error:
        if Path(path).suffix == ".toml":
            raise FormatError(
                f"{path} must be a survey in JSON, got TOML; first: deniable survey new {path} --out survey.json"
            ) from None
        raise FormatError(f"{path}: {error}") from error


def read_survey_tally(path: Path | str) -> SurveyTally:
    """The tally of a survey that a file holds."""
    try:
        return SurveyTally.from_bytes(Path(path).read_bytes(), Survey)
    except FormatError as error:
        raise FormatError(f"{path}: {error}") from error


def write_answers(survey: Survey, batches: Iterable[Answers], folder: Path | str) -> int:
    """Write answers into a new folder, with the document beside them; how many there are. All files or none appear."""
    with new_folder(Path(folder)) as target:
        written = _write_arms(survey, batches, target)
        write_document(survey, target / DOCUMENT)
    return written


def _write_arms(survey: Survey, batches: Iterable[Answers], target: Path) -> int:
    """Write a file for each arm; how many answers there are."""
    width, written = len(str(len(survey.arms) - 1)), 0
    with ExitStack() as files:
        writers = [
            files.enter_context(
                write_arm(
                    target / f"arm-{number:0{width}}.parquet", survey.document, number,
                    [part.mechanism.layout for part in arm.parts],
                )
            )
            for number, arm in enumerate(survey.arms)
        ]  # fmt: skip
        for answers in batches:
            for writer, columns in zip(writers, answers.columns, strict=True):
                writer.write(columns)
            written += len(answers)
    return written


def holds_survey(paths: Sequence[Place | str]) -> bool:
    """Whether the first file below some paths that can be read holds answers to a survey."""
    for path in find_files(paths):
        read_once = isinstance(path, Path) and not path.is_file()  # a pipe, which whoever counts it will refuse
        if not read_once and not str(path).endswith(".json"):
            with suppress(FormatError):  # whoever counts it says so, or leaves it out
                return is_of_survey(Footer.read(path))
    return False


def open_survey_files(paths: Sequence[Place | str]) -> tuple[Survey, list[ArmFile]]:
    """The files of answers below some paths, and the survey that all of them name."""
    found = [path for path in find_files(paths) if not str(path).endswith(".json")]
    check_once([path for path in found if isinstance(path, Path)])
    known: dict[bytes, bytes] = {}
    files = [ArmFile.of(Footer.read(path), known) for path in found]
    if not files:
        raise ParameterError("files must name a survey's folder, or files of its answers, got none")
    others = [file for file in files if file.document != files[0].document]
    if others:
        raise TallyError(
            f"all files must be of one survey, but that of {others[0].path} is another than that of {files[0].path}"
        )
    try:
        survey = Survey.from_stored(files[0].document)
    except FormatError as error:
        raise FormatError(f"{files[0].path}: {error}") from error
    strange = [file for file in files if file.arm >= len(survey.arms)]
    if strange:
        raise FormatError(f"{strange[0].path} must be of an arm of its survey, got arm {strange[0].arm}")
    return survey, files


def tally_survey_files(
    paths: Sequence[Place | str], progress: Progress | None = None, workers: Workers | None = None
) -> SurveyTally:
    """One tally of a survey's folders or files. Whatever is wrong in one of them, nothing is counted.

    Every arm must have a file, so that a lost one is noticed; it may be empty.
    """
    survey, files = open_survey_files(paths)
    return count_survey(survey, files, progress, workers)


def _folder_of(path: Place) -> str:
    return str(path).rpartition("/")[0] or "."


def count_survey(
    survey: Survey, files: Sequence[ArmFile], progress: Progress | None = None, workers: Workers | None = None
) -> SurveyTally:
    """Count files whose footers have been read, part by part."""
    for folder in {_folder_of(file.path) for file in files}:
        missing = set(range(len(survey.arms))) - {file.arm for file in files if _folder_of(file.path) == folder}
        if missing:
            raise ParameterError(
                f"files must be given for each of {len(survey.arms)} arms, got none of arm {min(missing)} in {folder}"
            )
    arms = []
    for number, arm in enumerate(survey.arms):
        own = [file for file in files if file.arm == number]
        tallies = [
            count_dataset(Dataset(part.mechanism, tuple(file.part(k) for file in own)), progress, workers).tally
            for k, part in enumerate(arm.parts)
        ]
        arms.append(tuple(tallies))
    return SurveyTally(survey, tuple(arms))

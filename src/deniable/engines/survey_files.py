"""A survey's answers as files: a folder for a survey, a file for an arm, a column for a part; and back to a tally."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from deniable.engines.chunks import Progress
from deniable.engines.counting import Workers, count_dataset
from deniable.engines.dataset import Dataset, Found, read_files
from deniable.protocol.errors import FormatError, ParameterError, TallyError
from deniable.reports.arm_file import ArmFile, write_arm
from deniable.reports.atomic_files import made_folder, new_folder, written_whole
from deniable.reports.places import Place, in_file
from deniable.reports.tally import Tally

if TYPE_CHECKING:
    from deniable.surveys.answer_bytes import Answers
    from deniable.surveys.survey import Survey
    from deniable.surveys.tally import SurveyTally

DOCUMENT = "survey.json"
"""The survey's document in a folder of its answers."""


def write_document(survey: Survey, path: Path | str) -> None:
    """The survey's canonical document as a file."""
    with written_whole(path) as file:
        file.write(survey.document)


def write_files(made: Mapping[str, bytes], folder: Path | str) -> None:
    """Write files, by names that may have folders, into a new folder."""
    with new_folder(Path(folder)) as target:
        for name, content in made.items():
            made_folder((target / name).parent)
            with written_whole(target / name) as file:
                file.write(content)


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


@dataclass(frozen=True, slots=True)
class SurveyDataset:
    """Files of answers to one survey, their footers read."""

    survey: Survey
    files: tuple[ArmFile, ...]

    @property
    def answers(self) -> int:
        """How many people answered."""
        return sum(sum(file.footer.groups) for file in self.files)

    @property
    def n(self) -> int:
        """How many reports the files hold: one for each part of an answer."""
        return sum(len(self.survey.arms[file.arm].parts) * sum(file.footer.groups) for file in self.files)

    def count(self, progress: Progress | None = None, workers: Workers | None = None) -> SurveyTally:
        """One tally, part by part. Every arm must have a file in each folder, so that a lost one is noticed."""
        for folder in {_folder_of(file.path) for file in self.files}:
            arms = {file.arm for file in self.files if _folder_of(file.path) == folder}
            if missing := set(range(len(self.survey.arms))) - arms:
                raise ParameterError(
                    f"files must be given for each of {len(self.survey.arms)} arms, "
                    f"got none of arm {min(missing)} in {folder}"
                )
        from deniable.surveys.tally import SurveyTally  # here and below: who counts one mechanism's needs no surveys

        return SurveyTally(
            self.survey, tuple(self._arm(number, progress, workers) for number in range(len(self.survey.arms)))
        )

    def _arm(self, number: int, progress: Progress | None, workers: Workers | None) -> tuple[Tally, ...]:
        files = [file for file in self.files if file.arm == number]
        return tuple(
            count_dataset(Dataset(part.mechanism, tuple(file.part(k) for file in files)), progress, workers).tally
            for k, part in enumerate(self.survey.arms[number].parts)
        )


def are_of_survey(found: Found) -> bool:
    """Whether the first of some files that can be read holds answers to a survey."""
    return isinstance(next((file for file in found.values() if not isinstance(file, FormatError)), None), ArmFile)


def survey_dataset_of(found: Found) -> SurveyDataset:
    """The files of answers, and the survey that all of them name, among those whose ends were read."""
    files = [_arm_file(path, file) for path, file in found.items() if not str(path).endswith(".json")]
    if not files:
        raise ParameterError("files must name a survey's folder, or files of its answers, got none")
    others = [file for file in files if file.document != files[0].document]
    if others:
        raise TallyError(
            f"all files must be of one survey, but that of {others[0].path} is another than that of {files[0].path}"
        )
    from deniable.surveys.survey import Survey

    with in_file(files[0].path):
        survey = Survey.from_stored(files[0].document)
    misplaced = [file for file in files if file.arm >= len(survey.arms)]
    if misplaced:
        raise FormatError(f"{misplaced[0].path} must be of an arm of its survey, got arm {misplaced[0].arm}")
    return SurveyDataset(survey, tuple(files))


def _arm_file(path: Place, file: object) -> ArmFile:
    if isinstance(file, FormatError):
        raise file
    if not isinstance(file, ArmFile):
        raise FormatError(f"{path} must be a file of a survey's answers, got one that names no survey")
    return file


def tally_survey_files(
    paths: Sequence[Place | str], progress: Progress | None = None, workers: Workers | None = None
) -> SurveyTally:
    """One tally of a survey's folders or files. Whatever is wrong in one of them, nothing is counted.

    Every arm must have a file, so that a lost one is noticed; it may be empty.
    """
    return survey_dataset_of(read_files(paths)).count(progress, workers)


def _folder_of(path: Place) -> str:
    return str(path).rpartition("/")[0] or "."

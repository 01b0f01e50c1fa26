"""A file or folder that was looked at: its content, what it is in words, and what goes on from there."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from deniable.engines.dataset import Dataset, mechanism_of
from deniable.engines.survey_files import SurveyDataset
from deniable.engines.tally_folder import TallyFolder
from deniable.estimation.table import printable
from deniable.mechanisms.mechanism import Mechanism
from deniable.privacy.ledger import Ledger
from deniable.protocol.errors import FormatError
from deniable.reports.places import Place
from deniable.reports.tally import Tally

if TYPE_CHECKING:
    from deniable.surveys.document import Document
    from deniable.surveys.survey import Survey
    from deniable.surveys.tally import SurveyTally

Content: TypeAlias = "Mechanism | Survey | Tally | SurveyTally | Dataset | SurveyDataset | TallyFolder | Ledger | None"
Facts: TypeAlias = dict[str, str]
Known = TypeVar("Known", "Survey", Tally, "SurveyTally")

MOST_LABELS = 8
SUBJECT_FILES = "a survey, a spec, a file or folder of reports, or a tally"
REMEDY = "deniable survey new makes a survey of a plan, and deniable privatize makes reports of a column of answers"
WANTED: Mapping[str, tuple[str, str]] = {
    "Mechanism": ("the spec of a mechanism", "mechanism.spec() in Python is one, to be written as JSON"),
    "Survey": ("a survey's document", "deniable survey new makes one of a plan"),
    "Tally": ("a tally of reports", "deniable tally counts report files into one, --survey reads an export"),
    "SurveyTally": ("a survey's tally", "deniable tally counts a folder of answers into one"),
    "Dataset": ("a file of reports", "deniable privatize randomizes a column of answers into one"),
    "SurveyDataset": (
        "a folder of answers, or a file of one", "deniable survey answer makes one of a table of answers"
    ),
}  # fmt: skip
"""What each kind is called where another file is given for it, and what makes it, by the name of its class."""


@dataclass(frozen=True, slots=True)
class OpenedFile:
    """A file or folder that was looked at: its content, what it is in words, and the command that goes on from there.

    ``content`` is None of what deniable did not write, and of what only its ``about`` is known.
    """

    path: Place
    content: Content
    what: str
    following: str = ""
    about: Facts = field(default_factory=dict)
    """More facts of what names neither a survey nor a mechanism."""

    @property
    def subject(self) -> Document | Mechanism:
        """The survey or the mechanism that it is of; of what names neither, an error says what it is."""
        if (found := self._subject()) is None:
            raise FormatError(f"{self.path} must be {SUBJECT_FILES}, got {self.what}{self._then(': ', REMEDY)}")
        return found

    @property
    def mechanism(self) -> Mechanism:
        """The mechanism that it is of; of what names none, an error says what it is."""
        found = self._subject()
        if not isinstance(found, Mechanism):
            raise self.refused(Mechanism)
        return found

    def _subject(self) -> Document | Mechanism | None:
        """The survey or the mechanism that the content is of; None of an empty file and of a ledger."""
        match self.content:
            case None | Ledger():
                return None
            case Mechanism():
                return self.content
            case Tally() | TallyFolder():
                return mechanism_of(self.path, self.content.spec_bytes)
            case Dataset():
                return self.content.mechanism
            case SurveyDataset():
                return self.content.survey
        from deniable.surveys.tally import SurveyTally  # what is left is of surveys, which are loaded by now

        return self.content.document if isinstance(self.content, SurveyTally) else self.content

    @property
    def facts(self) -> Facts:
        """What the file is, what it is of, what that promises, and which commands go on from there, by their names."""
        if self.following and isinstance(self.content, Ledger | None):
            return {"what": self.what, **self.about, "next": self.following}
        about, path = _about(self.subject), self.path
        following = f"{self.following}; deniable explain {path}; deniable audit {path}"
        return {"what": self.what, **about, "next": following}

    def of_kind(self, kind: type[Known]) -> Known:
        """The content, which must be of this kind."""
        if not isinstance(self.content, kind):
            raise self.refused(kind)
        return self.content

    def refused(self, kind: type) -> FormatError:
        """The error where a file of a ``kind`` is wanted and this is another: what it is, and what goes on."""
        name, hint = WANTED[kind.__name__]
        return FormatError(f"{self.path} must be {name}, got {self.what}{self._then('; go on with: ', hint)}")

    def _then(self, join: str, hint: str) -> str:
        return f"{join}{self.following}" if self.following else f"; {hint}"


def _about(subject: Document | Mechanism) -> Facts:
    if isinstance(subject, Mechanism):
        digest = hashlib.sha256(subject.spec_bytes).hexdigest()
        return {"of": repr(subject), "promise": str(subject.guarantee), "labels": _labels(subject), "SHA-256": digest}
    title = f" ({printable(subject.title, 60)})" if subject.title else ""
    return {
        "of": f"the survey {subject.name}{title}",
        "questions": ", ".join(question.name for question in subject.questions),
        "promise": str(subject.promise),
        "SHA-256": subject.digest,
    }


def _labels(mechanism: Mechanism) -> str:
    """The first labels, or that any text will do."""
    if mechanism.domain.size is None:
        return "any text"
    labels = mechanism.domain.labels
    first = ", ".join(printable(label, 32) for label in islice(labels, MOST_LABELS))
    more = len(labels) - MOST_LABELS
    return first if more <= 0 else f"{first} and {more:,} more"

"""What a file or folder is, in a few facts, and what can be done with it next; nothing is counted for that."""

from __future__ import annotations

import hashlib
from itertools import islice
from pathlib import Path

from deniable.engines.dataset import open_dataset
from deniable.engines.described import holds_reports, of_file, of_reports
from deniable.engines.shown_text import of_text
from deniable.engines.survey_files import holds_survey, open_survey_files
from deniable.estimation.table import printable
from deniable.estimation.words import amount
from deniable.mechanisms.mechanism import Mechanism
from deniable.reports.magic import SURVEY_TALLY, TALLY
from deniable.reports.tally import Tally
from deniable.surveys.document import Document
from deniable.surveys.survey import Survey
from deniable.surveys.tally import SurveyTally

COLLECTED = "collector.sqlite"
MOST_LABELS = 8
Facts = dict[str, str]


def shown(path: Path) -> Facts:
    """The facts of whatever ``deniable`` writes, by their names.

    >>> import json, tempfile, deniable as dn
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "spec.json"
    ...     _ = file.write_text(json.dumps(dn.Subset(4, 1.0).spec()), encoding="utf-8")
    ...     shown(file)["what"]
    'the spec of a mechanism'
    """
    if path.is_dir() and (path / COLLECTED).exists():
        return {"what": "the folder of a collector", "next": f"deniable collector status --data {path}"}
    if holds_reports(path):
        return _facts(path, of_reports(path), _of_reports(path), f"deniable tally {path} --out survey.tally")
    written = path.read_bytes()
    if (facts := of_text(path.name, written)) is not None:
        return facts
    subject = of_file(path, written)
    return _facts(path, subject, *_kind(path, written, subject))


def _facts(path: Path, subject: Document | Mechanism, what: str, following: str) -> Facts:
    """What it is, what it is of, and the commands that take it further."""
    return {"what": what, **_about(subject), "next": f"{following}; deniable explain {path}; deniable audit {path}"}


def _kind(path: Path, written: bytes, subject: Document | Mechanism) -> tuple[str, str]:
    """What a tally, a survey or a spec is, and the command that takes it further."""
    survey = "survey " if isinstance(subject, Document) else ""
    if written.startswith(SURVEY_TALLY):
        n = SurveyTally.from_bytes(written, Survey).n
    elif written.startswith(TALLY):
        n = Tally.from_bytes(written).n
    elif survey:
        return "the document of a survey", f"deniable survey show {path}"
    else:
        return "the spec of a mechanism", f"deniable tally FILES --spec {path} --out survey.tally"
    return f"a tally of {amount(n, 'answer' if survey else 'report')}", f"deniable {survey}estimate {path}"


def _of_reports(path: Path) -> str:
    """How many reports the footers say that there are."""
    if not holds_survey([path]):
        found = open_dataset([path])
        return f"{amount(found.n, 'report')} in {amount(len(found.files), 'file')}"
    survey, files = open_survey_files([path])
    told = amount(sum(sum(file.footer.groups) for file in files), "answer")
    return f"{told} to {amount(len(survey.arms), 'arm')} in {amount(len(files), 'file')}"


def _about(subject: Document | Mechanism) -> Facts:
    if isinstance(subject, Mechanism):
        digest = hashlib.sha256(subject.spec_bytes).hexdigest()
        return {"of": repr(subject), "promise": str(subject.guarantee), "labels": _labels(subject), "SHA-256": digest}
    title = f" ({printable(subject.title, 60)})" if subject.title else ""
    questions = ", ".join(question.name for question in subject.questions)
    return {
        "of": f"the survey {subject.name}{title}",
        "questions": questions,
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

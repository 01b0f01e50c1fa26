"""What a file promises, proven, as a paper to keep: its digest, the day, every claim and how it was proven."""

from __future__ import annotations

import datetime
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from deniable.audit.claims import Claim, claims_table
from deniable.audit.exact import audit
from deniable.audit.truth import JudgedStatement
from deniable.engines.counting import count_dataset
from deniable.engines.dataset import Dataset
from deniable.engines.open_any import open_any
from deniable.engines.opened_file import OpenedFile
from deniable.engines.survey_files import SurveyDataset
from deniable.estimation.table import Table, printable, sentences_html, sentences_text
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.repeat.linked import lifetime
from deniable.mechanisms.repeat.remembered import Remembered
from deniable.protocol.fields import MOST_WORDS
from deniable.protocol.say import Statement, english
from deniable.protocol.surveys.protection import Protection
from deniable.protocol.surveys.responsible import RESPONSIBLE
from deniable.surveys.auditing import LIFE, PARTS, audit_survey, proof_of_life
from deniable.surveys.document import Document
from deniable.surveys.label import kept_for, label
from deniable.version import installed_version

STATED = ("stated", "by the author of the survey, checked by nobody:")


@dataclass(frozen=True, slots=True)
class FileCertificate:
    """A certificate for a survey or a mechanism, and for what a file holds of its reports.

    ``digest`` is the SHA-256 of the survey's document, or of the mechanism's spec; ``what_was_read`` says, in words,
    which reports were checked.
    """

    subject: str
    digest: str
    day: datetime.date
    version: str
    claims: tuple[Claim, ...]
    protection: Protection
    what_was_read: str | None
    sentences: tuple[str, ...]
    """The privacy label, in words."""
    statements: tuple[JudgedStatement, ...]
    """Each of these sentences, judged; none where there are too many answers or reports."""
    stated: Mapping[str, str] = field(default_factory=dict)
    """Who asks, for what, on what legal basis, and how long reports are kept, as a survey's author states it.

    A text is empty where nothing is stated.
    """

    @property
    def holds(self) -> bool:
        """Whether every claim is proven, and every statement that was judged is true."""
        return all(claim.holds for claim in self.claims) and all(each.holds for each in self.statements)

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        """What was audited, when, and by what, in pairs of a name and a text."""
        verdict = "every claim is proven" if self.holds else "NOT EVERY CLAIM HOLDS"
        grade = english(Statement("protection_and_guess", grade=self.protection.name, guess=self.protection.guess()))
        facts = [
            ("certificate for", self.subject),
            ("verdict", verdict),
            ("protection", grade),
            ("SHA-256", self.digest),
        ]
        if self.stated:
            facts.append(STATED)
            missing = english(Statement("must_answer"))
            stated = {name: printable(text, MOST_WORDS) if text else missing for name, text in self.stated.items()}
            facts += [(name.replace("_", " "), text) for name, text in stated.items()]
        if self.what_was_read is not None:
            facts.append(("read", self.what_was_read))
        return (*facts, ("made", f"on {self.day.isoformat()} by deniable {self.version}"))

    @property
    def claimed(self) -> Table:
        """A row for each claim."""
        return claims_table("Claims", self.claims, self.statements)

    def to_dict(self) -> dict[str, Any]:
        """The certificate as plain values for JSON."""
        about = {"subject": self.subject, "digest": self.digest, "read": self.what_was_read, "holds": self.holds}
        made = {"day": self.day.isoformat(), "version": self.version}
        judged = [each.to_dict() for each in self.statements]
        claims = [each._asdict() for each in self.claims]
        return {
            **about,
            **made,
            "stated": dict(self.stated),
            "claims": claims,
            "label": list(self.sentences),
            "statements": judged,
        }

    @property
    def facts_text(self) -> str:
        """A line for each fact."""
        width = max(len(name) for name, _ in self.facts)
        return "\n".join(f"{name:<{width}}  {text}" for name, text in self.facts)

    def __str__(self) -> str:
        return f"{self.facts_text}\n\n{self.claimed}\n\nWhat the person asked is told\n{sentences_text(self.sentences)}"

    def _repr_html_(self) -> str:
        facts = Table("Certificate", ("what", ""), self.facts)
        return f"{facts._repr_html_()}{self.claimed._repr_html_()}{sentences_html(self.sentences)}"


def certify(
    subject: Document | Mechanism, day: datetime.date | None = None, read: str | None = None
) -> FileCertificate:
    """Prove every promise of a survey or a mechanism; ``day`` is today unless given, ``read`` says what was read.

    >>> import deniable as dn
    >>> found = certify(dn.RandomizedResponse(["yes", "no"], 1.0))
    >>> found.holds, found.claims[0].method
    (True, 'every cell of the channel')
    """
    day = datetime.datetime.now(datetime.UTC).date() if day is None else day
    if isinstance(subject, Mechanism):
        name, digest = repr(subject), hashlib.sha256(subject.spec_bytes).hexdigest()
        claims, statements = _of_mechanism(subject)
        stated: dict[str, str] = {}
        protection = Protection(max(claim.claimed for claim in claims))
    else:
        name, digest = f"the survey {subject.name}", subject.digest
        audited = audit_survey(subject)
        claims, statements = [arm.claim for arm in audited.arms], audited.statements
        stated, protection = _stated(subject), Protection.of(subject)
    sentences, version = tuple(label(subject).sentences), installed_version()
    return FileCertificate(name, digest, day, version, tuple(claims), protection, read, sentences, statements, stated)


def audit_file(path: Path | str, day: datetime.date | None = None) -> FileCertificate:
    """The certificate for a spec, a survey, a tally, or a file or folder of reports.

    Of reports each is read: one that no device sends, or a file that was altered, is refused.

    >>> import json, tempfile, deniable as dn
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "spec.json"
    ...     _ = file.write_text(json.dumps(dn.Subset(4, 1.0).spec()), encoding="utf-8")
    ...     audit_file(file).subject
    'Subset(4 labels, epsilon=1.0, size=1)'
    """
    return certify_file(open_any(path), day)


def certify_file(opened: OpenedFile, day: datetime.date | None = None) -> FileCertificate:
    """The certificate of a file that was looked at, once all that it holds has been read and checked."""
    read, content = opened.what, opened.content
    if isinstance(content, Dataset):
        count_dataset(content)
    elif isinstance(content, SurveyDataset) and content.files:
        content.count()
    if isinstance(content, Dataset | SurveyDataset) and content.files:
        read = f"{read}, each one that a device can send"
    return certify(opened.subject, day, None if isinstance(content, Mechanism | Document) else read)


def _of_mechanism(mechanism: Mechanism) -> tuple[list[Claim], tuple[JudgedStatement, ...]]:
    """One claim about a report; of reports that are remembered one about a round and one about a life of them."""
    certificate = audit(mechanism)
    about = "one round" if isinstance(mechanism, Remembered) else "one report"
    ratio = str(certificate.exact_ratio)
    claims = [
        Claim(
            about,
            certificate.guarantee,
            certificate.claimed,
            certificate.epsilon,
            certificate.proven,
            certificate.method,
            ratio,
        )
    ]
    if isinstance(mechanism, Remembered):
        whole = proof_of_life([mechanism])
        claims.append(Claim(LIFE, str(lifetime(mechanism)), whole.claimed, whole.epsilon, whole.holds, PARTS))
    return claims, certificate.statements


def _stated(survey: Document) -> dict[str, str]:
    """What is signed together with the proof, all of it part of the digest; nobody has checked it."""
    asked = {"purpose": survey.purpose, "asked_by": survey.owner, "contact": survey.contact}
    retention = english(kept_for(survey)) if survey.carrier is None else ""
    return {**asked, **dict.fromkeys(RESPONSIBLE, ""), **(survey.responsible or {}), "retention": retention}

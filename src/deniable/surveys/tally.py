"""The tally of a survey: one tally for each part of each arm. They add, and belong to one document."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from deniable.estimation.table import Table
from deniable.mechanisms.mechanism import Mechanism, check_tally
from deniable.protocol.errors import FormatError, TallyError
from deniable.reports.magic import SURVEY_TALLY
from deniable.reports.tally import Tally
from deniable.surveys.answer_bytes import Answers
from deniable.surveys.document import Document

VERSION = 1
_HEAD = struct.Struct("<16sBQ")  # magic, version, bytes of the document
_LENGTH = struct.Struct("<Q")
_HASH = 32


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SurveyTally:
    """How often each report was sent, part by part; ``n`` people answered.

    Adding is exactly associative; a tally of another survey is refused.

    >>> import deniable as dn
    >>> survey = dn.Survey.plan("ways", [dn.OneOf("way", ["car", "bus", "bike"])], 3.0, 900)
    >>> day = survey.tally(survey.answer_many({"way": ["car", "bus"]}))
    >>> (day + day).n
    4
    """

    document: Document
    arms: tuple[tuple[Tally, ...], ...]
    """One tally for each part of each arm, in the document's order."""

    def __post_init__(self) -> None:
        specs = [[part.mechanism.spec_bytes for part in arm.parts] for arm in self.document.arms]
        if [[tally.spec_bytes for tally in tallies] for tallies in self.arms] != specs:
            raise TallyError("a survey's tally must hold one tally for each part of its arms, got some that are not")
        for arm, tallies in zip(self.document.arms, self.arms, strict=True):
            for part, tally in zip(arm.parts, tallies, strict=True):
                _check(part.mechanism, tally)
        if any(len({tally.n for tally in tallies}) > 1 for tallies in self.arms):
            raise TallyError("the tallies of one arm must be of the same people, got different numbers of them")

    @classmethod
    def empty(cls, document: Document) -> SurveyTally:
        """The tally of nobody: adding it changes nothing."""
        return cls(document, tuple(tuple(part.mechanism.tally([]) for part in arm.parts) for arm in document.arms))

    @classmethod
    def of(cls, answers: Answers) -> SurveyTally:
        """The tally of answers; if a report is malformed all are refused."""
        counted = zip(answers.document.arms, answers.columns, strict=True)
        return cls(
            answers.document,
            tuple(
                tuple(part.mechanism.tally(column) for part, column in zip(arm.parts, columns, strict=True))
                for arm, columns in counted
            ),
        )

    @property
    def n(self) -> int:
        """How many people answered."""
        return sum(tallies[0].n for tallies in self.arms)

    @property
    def digest(self) -> str:
        """The digest of the survey's document: tallies with the same one, and only those, add."""
        return self.document.digest

    def __add__(self, other: SurveyTally) -> SurveyTally:
        if not isinstance(other, SurveyTally):
            return NotImplemented
        if self.document != other.document:
            raise TallyError(
                f"only tallies of one survey add, got digests {self.digest[:12]} and {other.digest[:12]}; "
                "a changed document is another survey"
            )
        pairs = zip(self.arms, other.arms, strict=True)
        return SurveyTally(
            self.document, tuple(tuple(a + b for a, b in zip(mine, theirs, strict=True)) for mine, theirs in pairs)
        )

    def __radd__(self, other: object) -> SurveyTally:
        """Support ``sum(tallies)``, which starts from 0."""
        return self if other == 0 else NotImplemented

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SurveyTally):
            return NotImplemented
        return self.document == other.document and self.arms == other.arms

    def __hash__(self) -> int:
        return hash((self.document, self.arms))

    def __repr__(self) -> str:
        return f"SurveyTally({self.document.name!r}, n={self.n}, {len(self.arms)} arms, digest={self.digest[:12]})"

    def table(self) -> Table:
        """A row for each part."""
        rows = [
            (f"{number}", " and ".join(part.names), part.mechanism.name, f"{tally.n:,}")
            for number, (arm, tallies) in enumerate(zip(self.document.arms, self.arms, strict=True))
            for part, tally in zip(arm.parts, tallies, strict=True)
        ]
        title = f"Survey {self.document.name}, {self.n:,} answers, digest {self.digest[:12]}"
        return Table(title, ("arm", "question", "mechanism", "reports"), rows)

    def _repr_html_(self) -> str:
        return self.table()._repr_html_()

    def to_bytes(self) -> bytes:
        """The tally as bytes: head, document, each part's tally after its length, and the SHA-256 of all that."""
        written = [tally.to_bytes() for tallies in self.arms for tally in tallies]
        head = _HEAD.pack(SURVEY_TALLY, VERSION, len(self.document.document)) + self.document.document
        body = b"".join([head, *(_LENGTH.pack(len(one)) + one for one in written)])
        return body + hashlib.sha256(body).digest()

    @classmethod
    def from_bytes(cls, written: bytes, of: Document | type[Document] = Document) -> SurveyTally:
        """Read ``to_bytes``; anything truncated, altered, longer or of another version is refused.

        ``of`` is what to read its document as, or the document itself where that is known: it is then not read again.
        """
        body = _checked(written)
        _, version, length = _HEAD.unpack_from(body)
        if version != VERSION:
            raise FormatError(f"a survey's tally must have version {VERSION}, got version {version}")
        document = _document(body[_HEAD.size : _HEAD.size + length], of)
        tallies = _tallies(body, _HEAD.size + length)
        if len(tallies) != sum(len(arm.parts) for arm in document.arms):
            raise FormatError(f"a survey's tally must hold one tally for each part, got {len(tallies)}")
        each = iter(tallies)
        try:
            return cls(document, tuple(tuple(next(each) for _ in arm.parts) for arm in document.arms))
        except TallyError as error:
            raise FormatError(f"a survey's tally must hold tallies of its parts: {error}") from error


def _check(mechanism: Mechanism, tally: Tally) -> None:
    """Refuse counts that cannot come from so many reports; the tally of nobody has only zeros."""
    if tally.n:
        check_tally(mechanism, tally)
    elif len(tally.counts) != mechanism.layout.cells:
        wanted = mechanism.layout.cells
        raise TallyError(f"a tally of {mechanism.name} must hold {wanted} counts, got {len(tally.counts)}")


def _document(stored: bytes, of: Document | type[Document]) -> Document:
    """The document that is stored."""
    if isinstance(of, type):
        return of.from_stored(stored)
    return of if of.document == stored else type(of).from_stored(stored)


def _checked(written: Any) -> bytes:
    """The bytes before the checksum, which is right."""
    if not isinstance(written, bytes):
        raise FormatError(f"a survey's tally must be bytes, got {type(written).__name__}")
    if len(written) < _HEAD.size + _HASH or not written.startswith(SURVEY_TALLY):
        raise FormatError(f"a survey's tally must start with its head, got {len(written)} other bytes")
    body = written[:-_HASH]
    if hashlib.sha256(body).digest() != written[-_HASH:]:
        raise FormatError("a survey's tally must match its checksum, got one that was altered")
    return body


def _tallies(body: bytes, place: int) -> Sequence[Tally]:
    """The tallies from a place on to the end."""
    tallies = []
    while place < len(body):
        if place + _LENGTH.size > len(body):
            raise FormatError("a survey's tally must be as long as it says, got a truncated one")
        (length,) = _LENGTH.unpack_from(body, place)
        place += _LENGTH.size
        tallies.append(Tally.from_bytes(body[place : place + length]))
        place += length
    return tallies

"""Rows of a collector's tables, as the collector speaks of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Self

OPEN, CLOSING, RELEASED, WITHHELD, JOINED = "open", "closing", "released", "withheld", "joined"
"""The states of a period."""
PeriodKey = tuple[str, str]
"""A survey's digest and the name of a period."""


class SurveyRow(NamedTuple):
    """A survey that is served since the ``day`` on which it was put."""

    digest: str
    name: str
    document: bytes
    owner: str
    """The id of the token that put it."""
    day: str
    ended: float | None
    """When it was closed by hand."""
    invited: bool
    """Whether an answer needs an invitation."""
    away: bool = False
    """Whether it was put away, so that lists leave it out."""

    @classmethod
    def of(cls, row: Sequence[Any]) -> Self:
        """As a database gives it."""
        digest, name, document, owner, day, ended, invited, away = row
        return cls(digest, name, bytes(document), owner, day, ended, bool(invited), bool(away))


class GoneRow(NamedTuple):
    """What remains of a ``SurveyRow`` after its survey was deleted."""

    digest: str
    name: str
    owner: str
    day: str
    ended: float | None
    deleted: str
    """The day on which that was done."""


class Batch(NamedTuple):
    """A period of the survey with digest ``survey`` that somebody answered; other rows know it by its ``number``."""

    number: int
    survey: str
    period: str
    state: str
    gaps: bool
    """Whether acknowledged answers may be missing, since storage was restored from a backup."""
    damaged: str = ""
    """What of it is damaged, so that it is set aside; nothing if it is sound."""

    @classmethod
    def of(cls, row: Sequence[Any]) -> Self:
        """As a database gives it."""
        number, survey, period, state, gaps, damaged = row
        return cls(number, survey, period, state, bool(gaps), damaged)

    @property
    def key(self) -> PeriodKey:
        """Of which survey, and which period."""
        return self.survey, self.period


class Standing(NamedTuple):
    """How a period stands: ``answers`` for those who may know the exact number, ``shown`` for everybody else."""

    number: int
    survey: str
    period: str
    state: str
    answers: int
    shown: int
    gaps: bool
    damaged: str = ""
    """As in ``Batch``."""

    @classmethod
    def of(cls, row: Sequence[Any]) -> Self:
        """As a database gives it: a released period has its result's numbers; of a withheld one nobody is shown any."""
        number, survey, period, state, gaps, damaged, released, folded, shown, stored = row
        answers, shown = (int(stored), shown or 0) if state != WITHHELD else (folded or 0, 0)
        if released is not None:
            answers = shown = released
        return cls(number, survey, period, state, answers, shown, bool(gaps), damaged)

    @property
    def is_open(self) -> bool:
        """Whether answers may still be added."""
        return self.state in (OPEN, CLOSING)


class VisibleTally(NamedTuple):
    """What readers may see of a period: its result, or a snapshot while it is open; and a note on it."""

    tally: bytes
    note: str


class Chunk(NamedTuple):
    """So many (``n``) answers to the period of number ``batch`` that were taken together, or merged."""

    key: int
    batch: int
    n: int
    body: bytes
    checksum: bytes
    """Of its period, key, number and body."""


class ChunkSize(NamedTuple):
    """What is known of a chunk of ``n`` answers without reading it."""

    key: int
    folded: bool
    n: int
    bytes: int


class FoldedTally(NamedTuple):
    """What the folded chunks of a period add up to, and what readers see of it while it is open."""

    version: int
    n: int
    tally: bytes
    shown: int
    """The answers in the snapshot; 0 if there is none yet."""
    earlier: bytes
    """The snapshot, if it lacks answers that the tally has; else nothing, for large tallies are not kept twice."""

    @property
    def snapshot(self) -> bytes:
        """The tally that readers see."""
        return self.tally if self.shown == self.n else self.earlier


class Release(NamedTuple):
    """The result of a closed period, which never changes."""

    n: int
    tally: bytes
    note: str


class Token(NamedTuple):
    """Who may do what; of its secret only the hash is kept."""

    name: str
    hash: bytes
    scope: str
    surveys: tuple[str, ...]
    """The names of the surveys that a reader or an auditor may see; none for all."""
    id: str = ""
    """To what surveys and drafts belong: a new token has another one, even if it has the name of one before."""


class Disk(NamedTuple):
    """Where the storage is: bytes that are free, and how few of them there may be."""

    free: int
    floor: int

    @property
    def is_full(self) -> bool:
        """Whether nothing more may be taken: closing needs room, and so does a restart."""
        return self.free < self.floor

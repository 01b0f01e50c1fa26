"""Rows of a collector that takes parcels of a mixer: the keys of surveys, and which parcel of each period came."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from deniable.intake.storage.rows import PeriodKey

ARRIVAL = "survey, period, digest, withheld, codes, answers, repeated, unreadable, again"


class KeyRow(NamedTuple):
    """The key of a survey."""

    key: str
    """The public one, as the document has it."""
    survey: str
    destroyed: str
    """The day on which the private one was destroyed; nothing while it is kept."""


class ArrivalRow(NamedTuple):
    """A parcel that came, or the word that a period was withheld; when, and from whom, is not kept."""

    survey: str
    period: str
    digest: str
    """The SHA-256 of its bytes; of a period that was withheld, that of none."""
    withheld: int
    """How many answers the mixer deleted, since they were too few."""
    codes: int
    """How many codes the mixer has given out."""
    answers: int
    """How many of its answers were stored."""
    repeated: int
    """How many were left out, since their ids were those of others."""
    unreadable: int
    again: int = 0
    """How many of the repeated ones have an id that came in another period: their sender was in both."""

    @property
    def reply(self) -> dict[str, int]:
        """What the mixer is told, each time in the same words."""
        return {"answers": self.answers, "repeated": self.repeated, "unreadable": self.unreadable}


@dataclass(frozen=True, slots=True)
class Arrivals:
    """What a transaction reads and writes of keys and of parcels that came; ``run`` runs a statement."""

    run: Callable[..., list[Any]]

    def bind(self, key: str, survey: str) -> bool:
        """Give a key to a survey for ever, unless another one has it; whether it is that survey's now."""
        new = "INSERT INTO sealing_key (key, survey, destroyed) VALUES (?, ?, '') ON CONFLICT DO NOTHING"
        self.run(new, key, survey)
        return self.run("SELECT survey FROM sealing_key WHERE key = ?", key) == [(survey,)]

    def keys(self) -> list[KeyRow]:
        """The keys of all surveys, destroyed ones too."""
        return [KeyRow(*row) for row in self.run("SELECT key, survey, destroyed FROM sealing_key")]

    def key(self, survey: str) -> KeyRow | None:
        """The key of a survey."""
        found = self.run("SELECT key, survey, destroyed FROM sealing_key WHERE survey = ?", survey)
        return KeyRow(*found[0]) if found else None

    def destroy(self, key: KeyRow, day: str) -> None:
        """Write down that a private key was destroyed; the ids of its survey are of no more use."""
        self.run("UPDATE sealing_key SET destroyed = ? WHERE key = ?", day, key.key)
        self.run("UPDATE arrival SET ids = ? WHERE survey = ?", b"", key.survey)

    def add(self, row: ArrivalRow, ids: bytes) -> None:
        """Write down that a parcel came, once and for all; ``ids`` are those within its seals."""
        self.run(f"INSERT INTO arrival ({ARRIVAL}, ids) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", *row, ids)

    def of(self, key: PeriodKey) -> ArrivalRow | None:
        """The arrival of a period, if its parcel came or it was withheld."""
        found = self.run(f"SELECT {ARRIVAL} FROM arrival WHERE survey = ? AND period = ?", *key)
        return ArrivalRow(*found[0]) if found else None

    def all(self, survey: str | None = None) -> list[ArrivalRow]:
        """The arrivals of a survey, or of all."""
        whose, given = ("", ()) if survey is None else ("WHERE survey = ?", (survey,))
        found = self.run(f"SELECT {ARRIVAL} FROM arrival {whose} ORDER BY survey, period", *given)
        return [ArrivalRow(*row) for row in found]

    def ids(self, key: PeriodKey) -> bytes:
        """The ids within the seals of a period's parcel, one after another."""
        found = self.run("SELECT ids FROM arrival WHERE survey = ? AND period = ?", *key)
        return bytes(found[0][0]) if found else b""

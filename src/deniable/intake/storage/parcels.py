"""Rows of a mixer: where sealed answers go, and what was frozen to go there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

PARCEL = "batch, digest, n, codes, reply, day"


class ParcelRow(NamedTuple):
    """The parcel of the period of number ``batch``, which was shut, without its bytes."""

    batch: int
    digest: str
    """The SHA-256 of its bytes; nothing if it was withheld."""
    n: int
    """How many sealed answers there were."""
    codes: int
    """How many invitations there were."""
    reply: str
    """What its collector said; nothing while that is not known."""
    day: str
    """The day of the reply, or of the freezing before."""


@dataclass(frozen=True, slots=True)
class Parcels:
    """What a transaction reads and writes of parcels and of the tokens they are sent by; ``run`` runs a statement."""

    run: Callable[..., list[Any]]

    def allow(self, survey: str, token: str, wording: str) -> None:
        """Write down by which token parcels of a survey are sent, and the SHA-256 of what the survey asks."""
        self.run(
            "INSERT INTO addressee (survey, token, wording) VALUES (?, ?, ?) "
            "ON CONFLICT (survey) DO UPDATE SET token = excluded.token",
            survey, token, wording,
        )  # fmt: skip

    def token(self, survey: str) -> str:
        """The token by which parcels of a survey are sent."""
        return str(self.run("SELECT token FROM addressee WHERE survey = ?", survey)[0][0])

    def alike(self, wording: str) -> list[str]:
        """The surveys that ask this very thing."""
        return [str(row[0]) for row in self.run("SELECT survey FROM addressee WHERE wording = ?", wording)]

    def freeze(self, row: ParcelRow, body: bytes) -> None:
        """Write down what a period holds, once and for all."""
        self.run(f"INSERT INTO parcel ({PARCEL}, body) VALUES (?, ?, ?, ?, ?, ?, ?)", *row, body)

    def all(self) -> list[ParcelRow]:
        """Every one, without its bytes."""
        return [ParcelRow(*row) for row in self.run(f"SELECT {PARCEL} FROM parcel ORDER BY batch")]

    def unanswered(self) -> list[ParcelRow]:
        """Those whose collector has not said what became of them."""
        return [ParcelRow(*row) for row in self.run(f"SELECT {PARCEL} FROM parcel WHERE reply = '' ORDER BY batch")]

    def body(self, batch: int) -> bytes:
        """The bytes of one."""
        return bytes(self.run("SELECT body FROM parcel WHERE batch = ?", batch)[0][0])

    def replied(self, batch: int, reply: str, day: str) -> None:
        """Write down what the collector said."""
        self.run("UPDATE parcel SET reply = ?, day = ? WHERE batch = ?", reply, day, batch)

    def send_again(self, survey: str) -> list[int]:
        """Forget the replies of a survey's taken parcels that are kept, so that they are sent again; their batches."""
        sent = (
            "reply LIKE '{%' AND (digest = '' OR LENGTH(body) > 0) "
            "AND batch IN (SELECT number FROM batch WHERE survey = ?)"
        )
        return [int(row[0]) for row in self.run(f"UPDATE parcel SET reply = '' WHERE {sent} RETURNING batch", survey)]

    def forget(self, before: str) -> bool:
        """Delete the bytes of those whose reply came before a day; whether there were any."""
        old = "reply <> '' AND day < ? AND LENGTH(body) > 0"
        return bool(self.run(f"UPDATE parcel SET body = ? WHERE {old} RETURNING 1", b"", before))

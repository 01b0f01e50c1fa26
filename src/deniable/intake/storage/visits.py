"""Rows of the pages' visitors: who is signed in, and links to results. Of every secret only a hash is kept."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any, NamedTuple

FORGOTTEN = 90 * 86400.0
"""Seconds after its end when nothing is known of a link any longer."""
KNOWN = 6 * 3600
"""Seconds after its end for which a session is known as one: what somebody typed meanwhile may be long."""
LINK = "hash, survey, name, bound, day, until, salt, seal, title, opened, ended, questions"
BY_HAND, RESTORED = "by hand", "restored"
"""How a link ended before its time: somebody ended it, or the storage was restored from a backup."""


class VisitRow(NamedTuple):
    """Somebody who signed in."""

    hash: bytes
    """Of the secret in their cookie."""
    name: str
    """Of their token."""
    bound: bytes
    """The hash of that token, with which the visit ends; nothing for the operator."""
    until: float


class ResultLinkRow(NamedTuple):
    """A link to the results of the surveys of a name."""

    hash: bytes
    """Of the secret in the link."""
    survey: str
    """The name of the surveys."""
    name: str
    """Of the token of whoever made it."""
    bound: bytes
    """The hash of that token, with which the link ends; nothing for the operator."""
    day: str
    """When it was made."""
    until: float
    salt: bytes
    """Of its password; nothing if there is none."""
    seal: bytes
    """The hash of its password with that salt; nothing if there is none."""
    title: str = ""
    """For whom it was made, as its maker says."""
    opened: str = ""
    """The day on which it was last opened; nothing if nobody has."""
    ended: str = ""
    """How it ended before its time; nothing if it did not."""
    questions: str = ""
    """Which questions it opens, as a list of names in JSON; all of them if it is empty."""

    @property
    def only(self) -> frozenset[str] | None:
        """The names of the questions that it opens; None if it opens all."""
        return frozenset(json.loads(self.questions)) if self.questions else None


@dataclass(frozen=True, slots=True)
class Visits:
    """What a transaction reads and writes of visitors; ``run`` runs a statement."""

    run: Callable[..., list[Any]]

    def add(self, row: VisitRow, now: float) -> None:
        """Let somebody in; those whose time was over long before are forgotten."""
        self.run("DELETE FROM visit WHERE until <= ?", now - KNOWN)
        self.run("INSERT INTO visit (hash, name, bound, until) VALUES (?, ?, ?, ?)", *row)

    def of(self, hashed: bytes) -> VisitRow | None:
        """Whoever has a cookie."""
        found = self.run("SELECT hash, name, bound, until FROM visit WHERE hash = ?", hashed)
        return VisitRow(bytes(found[0][0]), found[0][1], bytes(found[0][2]), found[0][3]) if found else None

    def end(self, hashed: bytes) -> None:
        """Sign somebody out."""
        self.run("DELETE FROM visit WHERE hash = ?", hashed)

    def end_all(self) -> None:
        """Sign everybody out."""
        self.run("DELETE FROM visit")

    def add_link(self, row: ResultLinkRow, now: float) -> None:
        """A new link; those that ended long ago are forgotten."""
        self.run("DELETE FROM share WHERE until <= ? OR hash = ?", now - FORGOTTEN, row.hash)  # ended, and opened again
        self.run(f"INSERT INTO share ({LINK}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", *row)

    def links(self, survey: str) -> list[ResultLinkRow]:
        """The links to the results of a name, the oldest first."""
        found = self.run(f"SELECT {LINK} FROM share WHERE survey = ? ORDER BY day, until, hash", survey)
        return [_link(row) for row in found]

    def links_of(self, hashes: Collection[bytes]) -> list[ResultLinkRow]:
        """The links of these hashes, in their order, but for those that are not there."""
        found = (self.run(f"SELECT {LINK} FROM share WHERE hash = ?", each) for each in hashes)
        return [_link(row) for rows in found for row in rows]

    def end_link(self, survey: str, hashed: bytes, moment: float) -> None:
        """End a link before its time."""
        end = "UPDATE share SET until = ?, ended = ? WHERE hash = ? AND survey = ? AND until > ?"
        self.run(end, moment, BY_HAND, hashed, survey, moment)

    def end_restored(self, moment: float) -> None:
        """End all that lets anybody in: some of it may have ended since the backup."""
        self.end_all()
        self.run("UPDATE share SET until = ?, ended = ? WHERE until > ?", moment, RESTORED, moment)

    def open_link(self, hashed: bytes, day: str) -> None:
        """Note on which day a link was last opened, and nothing finer."""
        self.run("UPDATE share SET opened = ? WHERE hash = ? AND opened <> ?", day, hashed, day)


def _link(row: Any) -> ResultLinkRow:
    hashed, survey, name, bound, day, until, salt, seal, *texts = row
    return ResultLinkRow(bytes(hashed), survey, name, bytes(bound), day, until, bytes(salt), bytes(seal), *texts)

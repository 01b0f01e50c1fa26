"""Rows of surveys that are being written: what authors typed, until the survey is opened or thrown away."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

DRAFT = "id, owner, version, changed, body"


class DraftRow(NamedTuple):
    """A survey that is being written."""

    id: str
    owner: str
    """The id of its author's token."""
    version: int
    """How often it was saved."""
    changed: float
    """When it was last saved, in seconds since 1970."""
    body: str
    """What was typed, as the pages write it down."""


@dataclass(frozen=True, slots=True)
class Drafts:
    """What a transaction reads and writes of drafts; ``run`` runs a statement."""

    run: Callable[..., list[Any]]

    def add(self, row: DraftRow, most: int) -> bool:
        """A new draft, unless its author has so many already; whether it was added."""
        [(count,)] = self.run("SELECT count(*) FROM draft WHERE owner = ?", row.owner)
        if count >= most:
            return False
        self.run(f"INSERT INTO draft ({DRAFT}) VALUES (?, ?, ?, ?, ?)", *row)
        return True

    def of(self, owner: str, key: str) -> DraftRow | None:
        """An author's draft."""
        found = self.run(f"SELECT {DRAFT} FROM draft WHERE id = ? AND owner = ?", key, owner)
        return DraftRow(*found[0]) if found else None

    def all(self, owner: str) -> list[DraftRow]:
        """An author's drafts, those first that were changed last."""
        return [
            DraftRow(*row)
            for row in self.run(f"SELECT {DRAFT} FROM draft WHERE owner = ? ORDER BY changed DESC, id", owner)
        ]

    def save(self, row: DraftRow) -> bool:
        """Write a draft's next version, unless the one that is there is not the version before it; whether it was."""
        return bool(
            self.run(
                "UPDATE draft SET version = ?, changed = ?, body = ? "
                "WHERE id = ? AND owner = ? AND version = ? RETURNING 1",
                row.version, row.changed, row.body, row.id, row.owner, row.version - 1,
            )
        )  # fmt: skip

    def drop(self, owner: str, key: str) -> None:
        """Delete a draft that was opened or thrown away."""
        self.run("DELETE FROM draft WHERE id = ? AND owner = ?", key, owner)

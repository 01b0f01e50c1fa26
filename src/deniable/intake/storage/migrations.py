"""Numbered SQL files, each applied once and known by its checksum; a database that is newer is refused."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from importlib.resources import files
from typing import NamedTuple

from deniable.protocol.errors import StoreError


class Migration(NamedTuple):
    """One step from a schema to the next."""

    number: int
    name: str
    text: str

    @property
    def checksum(self) -> str:
        """The SHA-256 of its text."""
        return hashlib.sha256(self.text.encode()).hexdigest()


def migrations_of(dialect: str) -> list[Migration]:
    """The migrations of a dialect, in order."""
    folder = files("deniable.intake.storage") / "sql" / dialect
    named = sorted((entry.name, entry.read_text(encoding="utf-8")) for entry in folder.iterdir())
    return [Migration(int(name[:4]), name, text) for name, text in named if name.endswith(".sql")]


def migrate(known: Sequence[Migration], applied: Sequence[tuple[int, str]], apply: Callable[[Migration], None]) -> None:
    """Apply what is missing, given the numbers and checksums of what was applied."""
    if len(applied) > len(known):
        raise StoreError(
            f"the storage must be of schema {len(known)} or older, got schema {len(applied)}; use a newer release"
        )
    for step, (number, checksum) in zip(known, applied, strict=False):
        if (step.number, step.checksum) != (number, checksum):
            raise StoreError(f"migration {step.number} must be as it was applied, got a changed one")
    for step in known[len(applied) :]:
        apply(step)

"""Vectors of `wire/` as tests read them, and entropy that hands out their words."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from tests.wire.make import FOLDER

import deniable as dn
from deniable.arrays import Words
from deniable.protocol import FormatError

Vector = dict[str, Any]


def vectors(file: str, *sections: str) -> list[Vector]:
    """The vectors of some sections of a file."""
    kept = json.loads((FOLDER / file).read_text(encoding="ascii"))
    return [vector for section in sections for vector in kept[section]]


def named(vector: Vector) -> str:
    """A vector in a test's name."""
    return str(vector.get("why") or vector.get("name"))


class Taped:
    """Entropy that hands out a vector's words part by part, whatever number is asked for."""

    def __init__(self, parts: list[list[str]], fill: int) -> None:
        self.parts = [[int(word) for word in part] for part in parts]
        self.fill = fill

    def words(self, count: int) -> Words:
        """The next words of a part; what it lacks is filled, and the next call begins the next part."""
        part = self.parts[0]
        given, rest = part[:count], part[count:]
        self.parts[:1] = [rest] if rest else []
        return np.array(given + [self.fill] * (count - len(given)), np.uint64)

    def part(self, index: int) -> Taped:
        """One report is never drawn in parts."""
        raise AssertionError(f"one report must be drawn from one source, got a request for part {index}")


def reading(read: Any, text: str) -> str | None:
    """What a reader makes of a text; None if it refuses."""
    try:
        found = read(text)
    except (FormatError, dn.FormatError):
        return None
    return str(found.to_json()) if hasattr(found, "to_json") else str(found.spec_bytes.decode())

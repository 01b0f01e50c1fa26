"""The vectors of wire/, and words that a test chooses."""

from __future__ import annotations

import json
from typing import Any

from tests.wire.make import FOLDER

import deniable as dn
from deniable.protocol import Mechanism
from deniable.protocol.testing import GivenWords
from deniable.protocol.words import Words

Vector = dict[str, Any]


def vectors(file: str, section: str) -> list[Vector]:
    """The vectors of one section of one file."""
    found: list[Vector] = json.loads((FOLDER / file).read_text(encoding="ascii"))[section]
    return found


def named(vector: Vector) -> str:
    """A vector in a test's name."""
    return str(vector.get("why") or vector.get("name"))


def words_of(vector: Vector) -> GivenWords:
    """All words of a vector, one after another."""
    return GivenWords(int(word) for part in vector["words"] for word in part)


class SeededWords(Words):
    """The same words every time, so that a test that fails fails again."""

    def __init__(self, seed: int) -> None:
        self._entropy = dn.SeededEntropy(seed)
        self._left: list[int] = []

    def __next__(self) -> int:
        if not self._left:
            self._left = self._entropy.words(4096).tolist()[::-1]
        return self._left.pop()


def value_of(mechanism: Mechanism, written: Any) -> Any:
    """The value of an index or of a list of them; texts are themselves."""
    domain: Any = mechanism.domain
    if isinstance(written, str):
        return written
    return [domain.labels[place] for place in written] if isinstance(written, list) else domain[written]

"""Words that a test chooses, and the values that vectors write down."""

from __future__ import annotations

from typing import Any

from tests.wire.vectors import Vector

import deniable as dn
from deniable.protocol import Mechanism
from deniable.protocol.testing import GivenWords
from deniable.protocol.words import Words


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

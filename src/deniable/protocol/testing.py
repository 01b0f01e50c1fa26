"""For tests alone: reports and answers from given words. On a device nothing may choose them.

Nothing of the public interface takes words or a seed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from .layouts import Report
from .mechanisms.mechanism import Mechanism
from .surveys import survey as surveys
from .words import Words


class GivenWords(Words):
    """These words, one after another; it is an error to need more."""

    def __init__(self, words: Iterable[int]) -> None:
        self._words = iter(words)

    def __next__(self) -> int:
        return next(self._words)

    @property
    def left(self) -> int:
        """How many words nobody has read. They are then gone."""
        return sum(1 for _ in self._words)


def privatize_from(mechanism: Mechanism, value: Any, words: Words) -> Report:
    """The report of a value, from given words."""
    return mechanism.draw(mechanism.domain.index(value), words)


def answer_from(survey: surveys.Survey, given: Mapping[str, Any], words: Words) -> bytes:
    """An answer, from given words: those of the arm first, then those of each part."""
    return surveys.answer_from(survey, given, lambda: words)

"""Where a value that ours is held against comes from, so that a reader can find it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Origin(StrEnum):
    """What kind of value it is. Only the first is a number that the paper prints."""

    PRINTED = "printed"
    SENTENCE = "sentence"
    FORMULA = "formula"
    INDEPENDENT = "independent value"


IN_WORDS = {
    Origin.PRINTED: "numbers that the paper prints",
    Origin.SENTENCE: "what the paper says in words, or shows as a picture",
    Origin.FORMULA: "formulas of the paper, or derived from it, beside what is measured or computed another way",
    Origin.INDEPENDENT: "values from elsewhere: another program, another derivation",
}
"""What a reader is told of each."""


@dataclass(frozen=True, slots=True)
class Source:
    """An origin, and the place in the paper where a reader finds it, or how an independent value was made.

    ``item`` names one number among several of a place, so that a number that two of ours are held against counts once.
    """

    origin: Origin
    place: str
    item: str = ""


def printed(place: str, item: str = "") -> Source:
    """A number that stands in the paper.

    >>> printed("Table 1, column k*").origin.value
    'printed'
    """
    return Source(Origin.PRINTED, place, item)


def sentence(place: str) -> Source:
    """Something that the paper says in words, or shows in a picture."""
    return Source(Origin.SENTENCE, place)


def formula(place: str) -> Source:
    """A formula of the paper, evaluated by us; one that we derived again says so in its place."""
    return Source(Origin.FORMULA, place)


def independent(place: str) -> Source:
    """A value from elsewhere; the place says how it was made."""
    return Source(Origin.INDEPENDENT, place)

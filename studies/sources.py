"""Where the reference value of a check comes from, so that a reader can find it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Origin(StrEnum):
    """The kind of a reference value. Only the first is a number that the paper prints and that ours is set beside."""

    PRINTED = "printed"
    SENTENCE = "sentence"
    FORMULA = "formula"
    INDEPENDENT = "independent value"


IN_WORDS = {
    Origin.PRINTED: "numbers that the paper prints",
    Origin.SENTENCE: "what it says in words or pictures",
    Origin.FORMULA: "formulas, of the paper or derived from it",
    Origin.INDEPENDENT: "values from elsewhere",
}
"""The description of each origin on the pages."""


@dataclass(frozen=True, slots=True)
class Source:
    """An origin, and the place in the paper where a reader finds it, or how an independent value was made.

    ``item`` names one number among several of a place, so that a number that is compared twice counts once.
    """

    origin: Origin
    place: str
    item: str = ""


def printed(place: str, item: str = "") -> Source:
    """The source of a number that is printed in the paper.

    >>> printed("Table 1, column k*").origin.value
    'printed'
    """
    return Source(Origin.PRINTED, place, item)


def sentence(place: str) -> Source:
    """The source of a statement that the paper makes in words or in a picture."""
    return Source(Origin.SENTENCE, place)


def formula(place: str) -> Source:
    """The source of a value from a formula of the paper, evaluated by us; ``place`` says if we re-derived it."""
    return Source(Origin.FORMULA, place)


def independent(place: str) -> Source:
    """The source of an independent value; ``place`` says how it was computed."""
    return Source(Origin.INDEPENDENT, place)

"""How an answer becomes the value that a mechanism randomizes: a closed set, known to every language."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from ..canonical import Spec
from ..checks import check_int
from ..errors import CapacityError, FormatError, ParameterError
from ..labels import read_label, write_label
from ..privacy.guarantees import Guarantee
from ..values import Domain, Texts, Values
from .encoding import Chances, Encoder, Source
from .numbers import Number
from .one_of import OneOf
from .question import Question
from .questions import END, LONGEST, AnyOf, Text
from .scale_encoders import HALF, Block, Point

YES, NO = "yes", "no"
MOST_CELLS = 4096
"""The most pairs of labels of two crossed questions."""


class AsItIs(Encoder):
    """What encoders share whose values are the answers."""

    def carries(self, guarantee: Guarantee) -> bool:
        """Every guarantee."""
        return True


class Label(AsItIs):
    """The answer itself, one of the labels."""

    kind = "label"

    def check(self, questions: Sequence[Question], values: Values) -> None:
        """One question with one answer, and a mechanism over its labels."""
        self._same(self._only(questions, OneOf).labels, values)


class Listed(AsItIs):
    """The whole list that answers a checklist."""

    kind = "list"

    def check(self, questions: Sequence[Question], values: Values) -> None:
        """One checklist, and a mechanism over lists of its labels."""
        self._same(self._only(questions, AnyOf).values, values)


class Has(Encoder):
    """Whether the list that answers a checklist holds a label: yes or no."""

    kind = "has"

    def __init__(self, label: Any) -> None:
        self.label = label

    def check(self, questions: Sequence[Question], values: Values) -> None:
        """One checklist with this label, and a mechanism over yes and no."""
        self._only(questions, AnyOf).labels.index(self.label)
        self._same(Domain(2, (YES, NO)), values)

    def of(self, answers: Sequence[Any]) -> Any:
        """Yes or no."""
        return YES if self.label in answers[0] else NO

    def to_json(self) -> Spec:
        """The encoder as a document holds it."""
        return {"kind": self.kind, "label": write_label(self.label)}


class Whole(AsItIs):
    """The whole text."""

    kind = "text"

    def check(self, questions: Sequence[Question], values: Values) -> None:
        """One question answered in words, and a mechanism over any text."""
        self._only(questions, Text)
        self._same(Texts(), values)


class Prefix(Encoder):
    """The first ``length`` characters of a text; one that is shorter is filled up with marks of its end."""

    kind = "prefix"

    def __init__(self, length: Any) -> None:
        self.length = check_int("length", length, 1, LONGEST)

    def check(self, questions: Sequence[Question], values: Values) -> None:
        """One question answered in words, and a mechanism over any text."""
        self._only(questions, Text)
        self._same(Texts(), values)

    def of(self, answers: Sequence[Any]) -> Any:
        """The prefix."""
        text: str = answers[0]
        return text[: self.length].ljust(self.length, END)

    def to_json(self) -> Spec:
        """The encoder as a document holds it."""
        return {"kind": self.kind, "length": self.length}


class Pair(Encoder):
    """The answers to two questions as one label: that of the first, then that of the second; a number as 1 or 0."""

    kind = "pair"

    def check(self, questions: Sequence[Question], values: Values) -> None:
        """Two different questions with one answer each, and a mechanism over all pairs of their labels."""
        both = [question for question in questions if isinstance(question, (OneOf, Number))]
        if len(questions) != 2 or len(both) != 2 or both[0].name == both[1].name:
            raise ParameterError("a pair must be of two different questions with one answer each, got others")
        sides = [question.labels if isinstance(question, OneOf) else (0, 1) for question in both]
        cells = math.prod(map(len, sides))
        if cells > MOST_CELLS:
            raise CapacityError(f"a pair must have at most {MOST_CELLS} pairs of labels, got {cells}")
        self._same(Domain(cells, tuple(itertools.product(*sides))), values)

    def value(self, questions: Sequence[Question], answers: Sequence[Any], source: Source) -> Any:
        """Both labels."""
        asked = zip(questions, answers, strict=True)
        return tuple(HALF.value([q], [a], source) if isinstance(q, Number) else a for q, a in asked)

    def chances(self, questions: Sequence[Question], answers: Sequence[Any]) -> Chances:
        """The pairs that may be drawn: one, unless there is a number."""
        asked = zip(questions, answers, strict=True)
        sides = [HALF.chances([q], [a]) if isinstance(q, Number) else [(a, Fraction(1))] for q, a in asked]
        return [((a, b), p * q) for (a, p), (b, q) in itertools.product(*sides)]


ENCODERS: dict[str, Callable[[Spec], Encoder]] = {
    Label.kind: lambda _: Label(),
    Listed.kind: lambda _: Listed(),
    Has.kind: lambda written: Has(read_label(written["label"])),
    Whole.kind: lambda _: Whole(),
    Prefix.kind: lambda written: Prefix(written["length"]),
    Pair.kind: lambda _: Pair(),
    Block.kind: lambda written: Block(written["size"], written["offset"]),
    Point.kind: lambda written: Point(*(written[field] for field in ("points", "levels", "level", "about"))),
}
"""How every encoder is read, by its name in a document."""


def read_encoder(written: Any) -> Encoder:
    """The encoder that a document holds."""
    read = ENCODERS.get(str(written.get("kind"))) if isinstance(written, dict) else None
    if read is None:
        raise FormatError(f"an encoder must be one of {', '.join(ENCODERS)}, got another")
    return read(written)

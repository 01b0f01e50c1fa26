"""How an answer becomes the value that a mechanism randomizes: a closed set, known to every language."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from ..canonical import Spec
from ..checks import check_int
from ..errors import CapacityError, FormatError, ParameterError
from ..labels import read_label, write_label
from ..privacy.guarantees import Guarantee
from ..values import Domain, Texts
from .encoding import Chances, Encoder, Source
from .numbers import Number
from .one_of import OneOf
from .question import Question
from .questions import END, LONGEST, AnyOf, Text
from .scale_encoders import HALF, Block, Point

__all__ = ["Block", "Has", "Label", "Listed", "Pair", "Point", "Prefix", "Whole"]
__dir__ = __all__.copy
YES, NO = "yes", "no"
MOST_CELLS = 4096
"""The most pairs of labels of two crossed questions."""


class AsItIs(Encoder):
    """What encoders share whose values are the answers."""

    def carries(self, guarantee: Guarantee) -> bool:
        """Every guarantee."""
        return True


@dataclass(frozen=True)
class Label(AsItIs):
    """The answer itself, one of the labels."""

    kind: ClassVar[str] = "label"

    def check(self, questions: Sequence[Question], values: Any) -> None:
        """One question with one answer, and a mechanism over its labels."""
        self._same(self._only(questions, OneOf).labels, values)


@dataclass(frozen=True)
class Listed(AsItIs):
    """The whole list that answers a checklist."""

    kind: ClassVar[str] = "list"

    def check(self, questions: Sequence[Question], values: Any) -> None:
        """One checklist, and a mechanism over lists of its labels."""
        self._same(self._only(questions, AnyOf).values, values)


@dataclass(frozen=True)
class Has(Encoder):
    """Whether the list that answers a checklist holds a label: yes or no."""

    kind: ClassVar[str] = "has"
    label: Hashable

    def check(self, questions: Sequence[Question], values: Any) -> None:
        """One checklist with this label, and a mechanism over yes and no."""
        self._only(questions, AnyOf).labels.index(self.label)
        self._same(Domain(2, (YES, NO)), values)

    def of(self, answers: Sequence[Any]) -> Any:
        """Yes or no."""
        return YES if self.label in answers[0] else NO

    def to_json(self) -> Spec:
        """The encoder as a document holds it."""
        return {"kind": self.kind, "label": write_label(self.label)}


@dataclass(frozen=True)
class Whole(AsItIs):
    """The whole text."""

    kind: ClassVar[str] = "text"

    def check(self, questions: Sequence[Question], values: Any) -> None:
        """One question answered in words, and a mechanism over any text."""
        self._only(questions, Text)
        self._same(Texts(), values)


@dataclass(frozen=True)
class Prefix(Encoder):
    """The first ``length`` characters of a text; one that is shorter is filled up with marks of its end.

    >>> Prefix(3).of(["news"]), len(Prefix(3).of(["a"]))
    ('new', 3)
    """

    kind: ClassVar[str] = "prefix"
    length: int

    def __post_init__(self) -> None:
        check_int("length", self.length, 1, LONGEST)

    def check(self, questions: Sequence[Question], values: Any) -> None:
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


@dataclass(frozen=True)
class Pair(Encoder):
    """The answers to two questions as one label: that of the first, then that of the second; a number as 1 or 0."""

    kind: ClassVar[str] = "pair"

    def check(self, questions: Sequence[Question], values: Any) -> None:
        """Two different questions with one answer each, and a mechanism over all pairs of their labels."""
        if len(questions) != 2 or not all(isinstance(question, OneOf | Number) for question in questions):
            raise ParameterError("a pair must be of two questions with one answer each, got others")
        if questions[0].name == questions[1].name:
            raise ParameterError(f"a pair must be of two different questions, got {questions[0].name!r} twice")
        cells = math.prod(len(labels_of(question)) for question in questions)
        if cells > MOST_CELLS:
            raise CapacityError(f"a pair must have at most {MOST_CELLS} pairs of labels, got {cells}")
        if cells != values.size:  # before all pairs are written out
            raise ParameterError(f"the encoder 'pair' must have a mechanism over {cells} labels, got {values!r}")
        self._same(pairs_of(questions), values)

    def value(self, questions: Sequence[Question], answers: Sequence[Any], source: Source) -> Any:
        """Both labels."""
        asked = zip(questions, answers, strict=True)
        return tuple(HALF.value([q], [a], source) if isinstance(q, Number) else a for q, a in asked)

    def chances(self, questions: Sequence[Question], answers: Sequence[Any]) -> Chances:
        """The pairs that may be drawn: one, unless there is a number."""
        asked = zip(questions, answers, strict=True)
        sides = [HALF.chances([q], [a]) if isinstance(q, Number) else [(a, Fraction(1))] for q, a in asked]
        return [((a, b), p * q) for (a, p), (b, q) in itertools.product(*sides)]


def labels_of(question: Question) -> Sequence[Hashable]:
    """What a pair holds of a question: its labels, or the two ends of its scale."""
    return question.labels if isinstance(question, OneOf) else (0, 1)


def pairs_of(questions: Iterable[Question]) -> Domain:
    """All pairs of labels of two questions, those of the first label first."""
    return Domain.of(list(itertools.product(*map(labels_of, questions))))


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


def encoder_from_json(written: Any) -> Encoder:
    """The encoder that a document holds."""
    read = ENCODERS.get(str(written.get("kind"))) if isinstance(written, dict) else None
    if read is None:
        raise FormatError(f"an encoder must be one of {', '.join(ENCODERS)}, got another")
    return read(written)

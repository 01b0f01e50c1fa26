"""How an answer becomes a value that a mechanism randomizes: a closed set, known to every language."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, TypeVar

from deniable.arrays import Indices
from deniable.checks import check_int
from deniable.errors import CapacityError, FormatError, ParameterError
from deniable.surveys.one_of import OneOf
from deniable.surveys.questions import END, LONGEST, AnyOf, Question, Text
from deniable.values.columns import Labels, python_values
from deniable.values.domain import Domain
from deniable.values.labels import label_from_json, label_to_json
from deniable.values.texts import Texts, text_column
from deniable.values.values import Values

__all__ = ["Has", "Label", "Listed", "Pair", "Prefix", "Whole"]
Q = TypeVar("Q", OneOf, AnyOf, Text)
YES, NO = "yes", "no"
MOST_CELLS = 4096
"""The most pairs of labels of two crossed questions: the covariance of all their shares is held at once."""


class Encoder(Protocol):
    """What is reported of the answers to a part's questions."""

    kind: ClassVar[str]

    def check(self, questions: Sequence[Question], values: Values) -> None:
        """Raise a ParameterError unless the questions have such answers, and the mechanism such values."""
        ...

    def value(self, answers: Sequence[Any]) -> Any:
        """The value of one person's answers, which have been checked."""
        ...

    def column(self, answers: Sequence[Labels], values: Values) -> Indices:
        """The indices of the values of columns of answers."""
        ...

    def to_json(self) -> dict[str, Any]:
        """The encoder as a document holds it."""
        ...


class _AsItIs:
    """What encoders share that report the answer to their only question as it is."""

    kind: ClassVar[str]

    def value(self, answers: Sequence[Any]) -> Any:
        """The answer."""
        return answers[0]

    def column(self, answers: Sequence[Labels], values: Values) -> Indices:
        """The indices of the answers."""
        return values.column(answers[0])

    def to_json(self) -> dict[str, Any]:
        """The encoder as a document holds it."""
        return {"kind": self.kind}


@dataclass(frozen=True)
class Label(_AsItIs):
    """The answer itself, one of the labels."""

    kind: ClassVar[str] = "label"

    def check(self, questions: Sequence[Question], values: Values) -> None:
        """One question with one answer, and a mechanism over its labels."""
        question = _only(questions, OneOf, self)
        _check_same(question.labels, values, self)


@dataclass(frozen=True)
class Listed(_AsItIs):
    """The whole list that answers a checklist."""

    kind: ClassVar[str] = "list"

    def check(self, questions: Sequence[Question], values: Values) -> None:
        """One checklist, and a mechanism over lists of its labels."""
        question = _only(questions, AnyOf, self)
        _check_same(question.values, values, self)


@dataclass(frozen=True)
class Has:
    """Whether the list that answers a checklist holds ``label``: yes or no."""

    kind: ClassVar[str] = "has"
    label: Hashable

    def check(self, questions: Sequence[Question], values: Values) -> None:
        """One checklist with this label, and a mechanism over yes and no."""
        question = _only(questions, AnyOf, self)
        question.labels.index(self.label)
        _check_same(Domain.of([YES, NO]), values, self)

    def value(self, answers: Sequence[Any]) -> Any:
        """Yes or no."""
        return YES if self.label in answers[0] else NO

    def column(self, answers: Sequence[Labels], values: Values) -> Indices:
        """The indices of yes and no."""
        return values.column([YES if self.label in held else NO for held in python_values(answers[0])])

    def to_json(self) -> dict[str, Any]:
        """The encoder as a document holds it."""
        return {"kind": self.kind, "label": label_to_json(self.label)}


@dataclass(frozen=True)
class Whole(_AsItIs):
    """The whole text."""

    kind: ClassVar[str] = "text"

    def check(self, questions: Sequence[Question], values: Values) -> None:
        """One question answered in words, and a mechanism over any text."""
        _only(questions, Text, self)
        _check_texts(values, self)


@dataclass(frozen=True)
class Prefix:
    """The first ``length`` characters of a text; one that is shorter is filled up with marks of its end.

    >>> Prefix(3).value(["news"]), len(Prefix(3).value(["a"]))
    ('new', 3)
    """

    kind: ClassVar[str] = "prefix"
    length: int

    def __post_init__(self) -> None:
        check_int("length", self.length, 1, LONGEST)

    def check(self, questions: Sequence[Question], values: Values) -> None:
        """One question answered in words, and a mechanism over any text."""
        _only(questions, Text, self)
        _check_texts(values, self)

    def value(self, answers: Sequence[Any]) -> Any:
        """The prefix."""
        text: str = answers[0]
        return text[: self.length].ljust(self.length, END)

    def column(self, answers: Sequence[Labels], values: Values) -> Indices:
        """The hashes of the prefixes."""
        return values.column([self.value([text]) for text in text_column(answers[0])])

    def to_json(self) -> dict[str, Any]:
        """The encoder as a document holds it."""
        return {"kind": self.kind, "length": self.length}


@dataclass(frozen=True)
class Pair:
    """The answers to two questions as one label: that of the first, then that of the second."""

    kind: ClassVar[str] = "pair"

    def check(self, questions: Sequence[Question], values: Values) -> None:
        """Two different questions with one answer each, and a mechanism over all pairs of their labels."""
        if len(questions) != 2 or not all(isinstance(question, OneOf) for question in questions):
            raise ParameterError("a pair must be of two questions with one answer each, got others")
        if questions[0].name == questions[1].name:
            raise ParameterError(f"a pair must be of two different questions, got {questions[0].name!r} twice")
        cells = math.prod(len(question.labels) for question in questions if isinstance(question, OneOf))
        if cells > MOST_CELLS:
            raise CapacityError(f"a pair must have at most {MOST_CELLS} pairs of labels, got {cells}")
        if cells != values.size:  # before all pairs are written out
            raise ParameterError(f"the encoder 'pair' must have a mechanism over {cells} labels, got {values!r}")
        _check_same(pairs_of(questions), values, self)

    def value(self, answers: Sequence[Any]) -> Any:
        """Both labels."""
        return tuple(answers)

    def column(self, answers: Sequence[Labels], values: Values) -> Indices:
        """The indices of the pairs."""
        return values.column(list(zip(*map(python_values, answers), strict=True)))

    def to_json(self) -> dict[str, Any]:
        """The encoder as a document holds it."""
        return {"kind": self.kind}


def pairs_of(questions: Sequence[Question]) -> Domain:
    """All pairs of labels of two questions, those of the first label first."""
    first, second = (question for question in questions if isinstance(question, OneOf))
    return Domain.of([(a, b) for a in first.labels for b in second.labels])


ENCODERS: Mapping[str, Callable[[Mapping[str, Any]], Encoder]] = {
    Label.kind: lambda _: Label(),
    Listed.kind: lambda _: Listed(),
    Has.kind: lambda written: Has(label_from_json(written["label"])),
    Whole.kind: lambda _: Whole(),
    Prefix.kind: lambda written: Prefix(written["length"]),
    Pair.kind: lambda _: Pair(),
}
"""How every encoder is read, by its name in a document."""


def encoder_from_json(written: Any) -> Encoder:
    """The encoder that a document holds."""
    read = ENCODERS.get(str(written.get("kind"))) if isinstance(written, Mapping) else None
    if read is None:
        raise FormatError(f"an encoder must be one of {', '.join(ENCODERS)}, got another")
    return read(written)


def _only(questions: Sequence[Question], kind: type[Q], encoder: Encoder) -> Q:
    """The only question, of the kind that the encoder is for."""
    only = questions[0] if len(questions) == 1 else None
    if not isinstance(only, kind):
        raise ParameterError(f"the encoder {encoder.kind!r} must be of one question of kind {kind.kind}, got others")
    return only


def _check_same(wanted: Values, values: Values, encoder: Encoder) -> None:
    if wanted != values:
        raise ParameterError(f"the encoder {encoder.kind!r} must have a mechanism over {wanted!r}, got {values!r}")


def _check_texts(values: Values, encoder: Encoder) -> None:
    if not isinstance(values, Texts):
        raise ParameterError(f"the encoder {encoder.kind!r} must have a mechanism over any text, got {values!r}")

"""How an answer becomes a value that a mechanism randomizes: a closed set, known to every language."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from deniable.arrays import Indices
from deniable.privacy.entropy import Entropy
from deniable.protocol.checks import check_int
from deniable.protocol.errors import FormatError, ParameterError
from deniable.protocol.labels import label_from_json, write_label
from deniable.protocol.privacy.guarantees import Guarantee
from deniable.protocol.surveys.one_of import OneOf
from deniable.protocol.surveys.question import Question
from deniable.protocol.surveys.questions import END, LONGEST, AnyOf, Text
from deniable.surveys.answer_values import values_of
from deniable.surveys.encoding import Encoder, Fixed, check_same, only
from deniable.surveys.pairing import Pair
from deniable.surveys.scale_encoders import Block, Point
from deniable.values.columns import Labels, python_values
from deniable.values.domain import Domain
from deniable.values.texts import Texts, text_column
from deniable.values.values import Values

__all__ = ["Block", "Has", "Label", "Listed", "Pair", "Point", "Prefix", "Whole"]
__dir__ = __all__.copy
YES, NO = "yes", "no"


class _AsItIs(Fixed):
    """What encoders share that report the answer to their only question as it is."""

    kind: ClassVar[str]

    def column(
        self, questions: Sequence[Question], answers: Sequence[Labels], values: Values, entropy: Entropy
    ) -> Indices:
        """The indices of the answers."""
        return values.column(answers[0])

    def carries(self, guarantee: Guarantee) -> bool:
        """Every guarantee: the values are the answers."""
        return True

    def to_json(self) -> dict[str, Any]:
        """The encoder as a document holds it."""
        return {"kind": self.kind}


@dataclass(frozen=True)
class Label(_AsItIs):
    """The answer itself, one of the labels."""

    kind: ClassVar[str] = "label"

    def check(self, questions: Sequence[Question], values: Values) -> None:
        """One question with one answer, and a mechanism over its labels."""
        question = only(questions, OneOf, self)
        check_same(values_of(question), values, self)


@dataclass(frozen=True)
class Listed(_AsItIs):
    """The whole list that answers a checklist."""

    kind: ClassVar[str] = "list"

    def check(self, questions: Sequence[Question], values: Values) -> None:
        """One checklist, and a mechanism over lists of its labels."""
        question = only(questions, AnyOf, self)
        check_same(values_of(question), values, self)


@dataclass(frozen=True)
class Has(Fixed):
    """Whether the list that answers a checklist holds ``label``: yes or no."""

    kind: ClassVar[str] = "has"
    label: Hashable

    def check(self, questions: Sequence[Question], values: Values) -> None:
        """One checklist with this label, and a mechanism over yes and no."""
        question = only(questions, AnyOf, self)
        question.labels.index(self.label)
        check_same(Domain.of([YES, NO]), values, self)

    def of(self, answers: Sequence[Any]) -> Any:
        """Yes or no."""
        return YES if self.label in answers[0] else NO

    def column(
        self, questions: Sequence[Question], answers: Sequence[Labels], values: Values, entropy: Entropy
    ) -> Indices:
        """The indices of yes and no."""
        return values.column([YES if self.label in held else NO for held in python_values(answers[0])])

    def to_json(self) -> dict[str, Any]:
        """The encoder as a document holds it."""
        return {"kind": self.kind, "label": write_label(self.label)}


@dataclass(frozen=True)
class Whole(_AsItIs):
    """The whole text."""

    kind: ClassVar[str] = "text"

    def check(self, questions: Sequence[Question], values: Values) -> None:
        """One question answered in words, and a mechanism over any text."""
        only(questions, Text, self)
        _check_texts(values, self)


@dataclass(frozen=True)
class Prefix(Fixed):
    """The first ``length`` characters of a text; one that is shorter is filled up with marks of its end.

    >>> Prefix(3).of(["news"]), len(Prefix(3).of(["a"]))
    ('new', 3)
    """

    kind: ClassVar[str] = "prefix"
    length: int

    def __post_init__(self) -> None:
        check_int("length", self.length, 1, LONGEST)

    def check(self, questions: Sequence[Question], values: Values) -> None:
        """One question answered in words, and a mechanism over any text."""
        only(questions, Text, self)
        _check_texts(values, self)

    def of(self, answers: Sequence[Any]) -> Any:
        """The prefix."""
        text: str = answers[0]
        return text[: self.length].ljust(self.length, END)

    def column(
        self, questions: Sequence[Question], answers: Sequence[Labels], values: Values, entropy: Entropy
    ) -> Indices:
        """The hashes of the prefixes."""
        return values.column([self.of([text]) for text in text_column(answers[0])])

    def to_json(self) -> dict[str, Any]:
        """The encoder as a document holds it."""
        return {"kind": self.kind, "length": self.length}


ENCODERS: Mapping[str, Callable[[Mapping[str, Any]], Encoder]] = {
    Label.kind: lambda _: Label(),
    Listed.kind: lambda _: Listed(),
    Has.kind: lambda written: Has(label_from_json(written["label"])),
    Whole.kind: lambda _: Whole(),
    Prefix.kind: lambda written: Prefix(written["length"]),
    Pair.kind: lambda _: Pair(),
    Block.kind: lambda written: Block(written["size"], written["offset"]),
    Point.kind: lambda written: Point(*(written[field] for field in ("points", "levels", "level", "about"))),
}
"""How every encoder is read, by its name in a document."""


def encoder_from_json(written: Any) -> Encoder:
    """The encoder that a document holds."""
    read = ENCODERS.get(str(written.get("kind"))) if isinstance(written, Mapping) else None
    if read is None:
        raise FormatError(f"an encoder must be one of {', '.join(ENCODERS)}, got another")
    return read(written)


def _check_texts(values: Values, encoder: Encoder) -> None:
    if not isinstance(values, Texts):
        raise ParameterError(f"the encoder {encoder.kind!r} must have a mechanism over any text, got {values!r}")

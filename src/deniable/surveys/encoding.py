"""What all encoders share: the protocol, and the checks of the questions and the mechanism that they go with."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, ClassVar, Protocol, TypeVar, runtime_checkable

import numpy as np

from deniable.arrays import Counts, Indices
from deniable.privacy.entropy import Entropy
from deniable.protocol.errors import ParameterError
from deniable.protocol.privacy.guarantees import LDP, Guarantee
from deniable.protocol.surveys.numbers import Number
from deniable.protocol.surveys.one_of import OneOf
from deniable.protocol.surveys.question import Question
from deniable.protocol.surveys.questions import AnyOf, Text
from deniable.values.columns import Labels
from deniable.values.values import Values

Q = TypeVar("Q", OneOf, AnyOf, Text, Number)


class Encoder(Protocol):
    """What is reported of the answers to a part's questions.

    Answers have been checked; that to a question of kind number is its place on the scale.
    """

    kind: ClassVar[str]

    def check(self, questions: Sequence[Question], values: Values) -> None:
        """Raise a ParameterError unless the questions have such answers, and the mechanism such values."""
        ...

    def value(self, questions: Sequence[Question], answers: Sequence[Any], entropy: Entropy) -> Any:
        """The value of one person's answers; where it is drawn, from the device's own entropy."""
        ...

    def chances(self, questions: Sequence[Question], answers: Sequence[Any]) -> Sequence[tuple[Any, Fraction]]:
        """The values that one person's answers may become, each with its exact probability."""
        ...

    def column(
        self, questions: Sequence[Question], answers: Sequence[Labels], values: Values, entropy: Entropy
    ) -> Indices:
        """The indices of the values of columns of answers."""
        ...

    def carries(self, guarantee: Guarantee) -> bool:
        """Whether what a guarantee says of the values is as true when it is said of the answers."""
        ...

    def to_json(self) -> dict[str, Any]:
        """The encoder as a document holds it."""
        ...


class Recoding:
    """What encoders share by which several answers become one value, or one answer one of several values.

    The values' groups and neighbours are not those of the answers, so a guarantee for some of them cannot be
    said of the answers. Plain LDP can: it holds between any two values, and so between any two mixtures of values.
    """

    def carries(self, guarantee: Guarantee) -> bool:
        """Plain LDP alone."""
        return isinstance(guarantee, LDP)


@runtime_checkable
class Rounding(Protocol):
    """An encoder that draws which value stands for an answer."""

    def draw_held(
        self,
        questions: Sequence[Question],
        answers: Sequence[Labels],
        people: Counts,
        values: Values,
        generator: np.random.Generator,
    ) -> Counts:
        """How many people come to hold each value, if so many give each row of answers: for simulation."""
        ...


class Fixed(Recoding):
    """What encoders share whose value follows from the answers."""

    def of(self, answers: Sequence[Any]) -> Any:
        """The value: the answer as it is, unless told otherwise."""
        return answers[0]

    def value(self, questions: Sequence[Question], answers: Sequence[Any], entropy: Entropy) -> Any:
        """The value of one person's answers."""
        return self.of(answers)

    def chances(self, questions: Sequence[Question], answers: Sequence[Any]) -> Sequence[tuple[Any, Fraction]]:
        """The value alone."""
        return [(self.of(answers), Fraction(1))]


def only(questions: Sequence[Question], kind: type[Q], encoder: Encoder) -> Q:
    """The only question, of the kind that the encoder is for."""
    found = questions[0] if len(questions) == 1 else None
    if not isinstance(found, kind):
        raise ParameterError(f"the encoder {encoder.kind!r} must be of one question of kind {kind.kind}, got others")
    return found


def check_same(wanted: Values, values: Values, encoder: Encoder) -> None:
    """Refuse a mechanism over other values than the encoder makes."""
    if wanted != values:
        raise ParameterError(f"the encoder {encoder.kind!r} must have a mechanism over {wanted!r}, got {values!r}")

"""What all encoders share: how an answer becomes a value, and the checks of questions and mechanism."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, ClassVar, TypeVar

from ..canonical import Spec
from ..errors import ParameterError
from ..privacy.guarantees import LDP, Guarantee
from ..words import Words
from .question import Question

Source = Callable[[], Words]
"""Makes the words of one draw: on a device new ones each time."""
Chances = Sequence["tuple[Any, Fraction]"]
"""Values, each with its exact probability."""
Q = TypeVar("Q", bound=Question)


class Encoder(ABC):
    """What is reported of the answers to a part's questions; that to a number is its place on the scale."""

    kind: ClassVar[str]

    @abstractmethod
    def check(self, questions: Sequence[Question], values: Any) -> None:
        """Raise an error unless the questions have such answers, and the mechanism such values."""

    def of(self, answers: Sequence[Any]) -> Any:
        """The value that follows from one person's answers: the answer as it is, unless told otherwise."""
        return answers[0]

    def value(self, questions: Sequence[Question], answers: Sequence[Any], source: Source) -> Any:
        """The value of one person's answers, which have been checked; some encoders draw it."""
        return self.of(answers)

    def chances(self, questions: Sequence[Question], answers: Sequence[Any]) -> Chances:
        """The values that the answers may become."""
        return [(self.of(answers), Fraction(1))]

    def carries(self, guarantee: Guarantee) -> bool:
        """Whether what a guarantee says of the values is as true when it is said of the answers.

        Where several answers become one value, or one answer one of several values, plain LDP alone.
        """
        return isinstance(guarantee, LDP)

    def to_json(self) -> Spec:
        """The encoder as a document holds it."""
        return {"kind": self.kind}

    def _only(self, questions: Sequence[Question], kind: type[Q]) -> Q:
        """The only question, of the kind that the encoder is for."""
        only = questions[0] if len(questions) == 1 else None
        if not isinstance(only, kind):
            raise ParameterError(f"the encoder {self.kind!r} must be of one question of kind {kind.kind}, got others")
        return only

    def _same(self, wanted: Any, values: Any) -> None:
        if wanted != values:
            raise ParameterError(f"the encoder {self.kind!r} must have a mechanism over {wanted!r}, got {values!r}")

"""What all questions of a survey share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, ClassVar, Self

from ..canonical import Spec
from ..errors import DenialError, LabelError
from ..privacy.guarantees import LDP, Guarantee
from ..python_values import python_value, stranger


class Question(ABC):
    """A question of a survey: its name, its words for people, and which answers it takes."""

    kind: ClassVar[str]
    """Its kind, in the document."""
    name: str
    """What it is called, in the document and in tables."""
    wording: str
    """The question as people read it."""

    @property
    @abstractmethod
    def values(self) -> Any:
        """The answers as values."""

    @property
    def skipped(self) -> Any:
        """The answer that stands for none; None where one must answer."""
        return None

    @property
    def limit(self) -> str:
        """What answers must be beyond being values, in words that follow "must be"; empty if nothing."""
        return ""

    def is_beyond(self, answer: Any) -> bool:
        """Whether a value breaks the limit."""
        return False

    @abstractmethod
    def check(self, answer: Any) -> None:
        """Raise a LabelError that names the question, and never the answer, if it is not one."""

    def taken(self, answer: Any) -> Any:
        """A checked answer as encoders take it: a value of Python's own."""
        return python_value(answer)

    def guarantee(self, epsilon: float) -> Guarantee:
        """What a mechanism for the answer must promise at a level: plain LDP, unless told otherwise."""
        return LDP(epsilon)

    def to_json(self) -> Spec:
        """The question as a document holds it."""
        return {"kind": self.kind, "name": self.name, "wording": self.wording}

    @classmethod
    @abstractmethod
    def from_json(cls, written: Mapping[str, Any]) -> Self:
        """The question that ``to_json`` wrote."""

    def _settle(self, **fields: Any) -> None:
        """Set all fields, once."""
        for name, value in fields.items():
            object.__setattr__(self, name, value)

    def _refused(self, wanted: str, answer: Any) -> LabelError:
        return LabelError(f"the answer to {self.name!r} must be {wanted}, got {stranger(answer)}")


@contextmanager
def about(name: str) -> Iterator[None]:
    """Say in an error which question it is about."""
    try:
        yield
    except DenialError as error:
        raise type(error)(f"question {name!r}: {error}") from error

"""How an answer becomes the value that a mechanism randomizes: a closed set, known to every language."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Callable, TypeVar

from deniable_client.canonical import Spec
from deniable_client.checks import check_int
from deniable_client.errors import CapacityError, FormatError, ParameterError
from deniable_client.labels import read_label, write_label
from deniable_client.surveys.questions import END, LONGEST, AnyOf, OneOf, Question, Text
from deniable_client.values import Domain, Texts, Values

YES, NO = "yes", "no"
MOST_CELLS = 4096
"""The most pairs of labels of two crossed questions."""
Q = TypeVar("Q", OneOf, AnyOf, Text)


class Encoder(ABC):
    """What is reported of the answers to a part's questions."""

    kind: str

    @abstractmethod
    def check(self, questions: Sequence[Question], values: Values) -> None:
        """Raise an error unless the questions have such answers, and the mechanism such values."""

    def value(self, answers: Sequence[Any]) -> Any:
        """The value of one person's answers, which have been checked: the answer as it is, unless told otherwise."""
        return answers[0]

    def to_json(self) -> Spec:
        """The encoder as a document holds it."""
        return {"kind": self.kind}

    def _only(self, questions: Sequence[Question], kind: type[Q]) -> Q:
        """The only question, of the kind that the encoder is for."""
        only = questions[0] if len(questions) == 1 else None
        if not isinstance(only, kind):
            raise ParameterError(f"the encoder {self.kind!r} must be of one question of kind {kind.kind}, got others")
        return only

    def _same(self, wanted: Values, values: Values) -> None:
        if wanted != values:
            raise ParameterError(f"the encoder {self.kind!r} must have a mechanism over {wanted!r}, got {values!r}")


class Label(Encoder):
    """The answer itself, one of the labels."""

    kind = "label"

    def check(self, questions: Sequence[Question], values: Values) -> None:
        """One question with one answer, and a mechanism over its labels."""
        self._same(self._only(questions, OneOf).labels, values)


class Listed(Encoder):
    """The whole list that answers a checklist."""

    kind = "list"

    def check(self, questions: Sequence[Question], values: Values) -> None:
        """One checklist, and a mechanism over lists of its labels."""
        self._same(self._only(questions, AnyOf).lists, values)


class Has(Encoder):
    """Whether the list that answers a checklist holds a label: yes or no."""

    kind = "has"

    def __init__(self, label: Any) -> None:
        self.label = label

    def check(self, questions: Sequence[Question], values: Values) -> None:
        """One checklist with this label, and a mechanism over yes and no."""
        self._only(questions, AnyOf).labels.index(self.label)
        self._same(Domain(2, (YES, NO)), values)

    def value(self, answers: Sequence[Any]) -> Any:
        """Yes or no."""
        return YES if self.label in answers[0] else NO

    def to_json(self) -> Spec:
        """The encoder as a document holds it."""
        return {"kind": self.kind, "label": write_label(self.label)}


class Whole(Encoder):
    """The whole text."""

    kind = "text"

    def check(self, questions: Sequence[Question], values: Values) -> None:
        """One question answered in words, and a mechanism over any text."""
        self._only(questions, Text)
        self._same(Texts(), values)


class Prefix(Whole):
    """The first ``length`` characters of a text; one that is shorter is filled up with marks of its end."""

    kind = "prefix"

    def __init__(self, length: Any) -> None:
        self.length = check_int("length", length, 1, LONGEST)

    def value(self, answers: Sequence[Any]) -> Any:
        """The prefix."""
        text: str = answers[0]
        return text[: self.length].ljust(self.length, END)

    def to_json(self) -> Spec:
        """The encoder as a document holds it."""
        return {"kind": self.kind, "length": self.length}


class Pair(Encoder):
    """The answers to two questions as one label: that of the first, then that of the second."""

    kind = "pair"

    def check(self, questions: Sequence[Question], values: Values) -> None:
        """Two different questions with one answer each, and a mechanism over all pairs of their labels."""
        both = [question for question in questions if isinstance(question, OneOf)]
        if len(questions) != 2 or len(both) != 2 or both[0].name == both[1].name:
            raise ParameterError("a pair must be of two different questions with one answer each, got others")
        first, second = both[0].labels, both[1].labels
        cells = len(first) * len(second)
        if cells > MOST_CELLS:
            raise CapacityError(f"a pair must have at most {MOST_CELLS} pairs of labels, got {cells}")
        self._same(Domain(cells, tuple((a, b) for a in first for b in second)), values)

    def value(self, answers: Sequence[Any]) -> Any:
        """Both labels."""
        return tuple(answers)


ENCODERS: dict[str, Callable[[Spec], Encoder]] = {
    Label.kind: lambda _: Label(),
    Listed.kind: lambda _: Listed(),
    Has.kind: lambda written: Has(read_label(written["label"])),
    Whole.kind: lambda _: Whole(),
    Prefix.kind: lambda written: Prefix(written["length"]),
    Pair.kind: lambda _: Pair(),
}
"""How every encoder is read, by its name in a document."""


def read_encoder(written: Any) -> Encoder:
    """The encoder that a document holds."""
    read = ENCODERS.get(str(written.get("kind"))) if isinstance(written, dict) else None
    if read is None:
        raise FormatError(f"an encoder must be one of {', '.join(ENCODERS)}, got another")
    return read(written)

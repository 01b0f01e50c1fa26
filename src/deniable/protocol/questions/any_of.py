"""A checklist: the answer is a list of labels."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from ..canonical import Spec
from ..checks import check_int
from ..errors import LabelError
from ..fields import check_question_name, check_words
from ..labels import write_label
from ..python_values import python_value
from ..values import Domain, Lists
from .one_of import NO, YES, read_labels
from .question import AsItIs, Encoder, Question, about


@dataclass(frozen=True, init=False, repr=False)
class AnyOf(Question):
    """A checklist: the answer is a list of some, all or none of ``labels``, of at most ``most`` if that is given.

    Where few labels may be chosen from many, their shares can be told with a smaller error.

    >>> AnyOf("used", ["search", "share", "print"]), AnyOf("best", 40, most=3)
    (AnyOf('used', 3 labels), AnyOf('best', 40 labels, most=3))
    """

    kind: ClassVar[str] = "any_of"
    name: str
    labels: Domain
    wording: str
    most: int | None

    def __init__(self, name: str, labels: Any, wording: str = "", most: int | None = None) -> None:
        known = check_question_name(name)
        with about(known):
            listed = read_labels(labels)
            longest = None if most is None else check_int("most", most, 1, len(listed))
            self._settle(name=known, labels=listed, wording=check_words("wording", wording), most=longest)

    @property
    def values(self) -> Lists:
        """The lists of labels."""
        return Lists(self.labels)

    @property
    def plain_encoder(self) -> Listed:
        """The whole list."""
        return Listed()

    @property
    def limit(self) -> str:
        """The most labels that may be chosen."""
        return "" if self.most is None else f"lists of at most {self.most} labels"

    def is_beyond(self, answer: Any) -> bool:
        """Whether a list has more labels than may be chosen."""
        return self.most is not None and len(answer) > self.most

    def check(self, answer: Any) -> None:
        """Raise a LabelError that names the question if the answer is no list of labels, or one of too many."""
        if answer not in self.values:
            raise LabelError(
                f"the answer to {self.name!r} must be a list of distinct labels of its own, "
                f"got {'a list that is not' if isinstance(answer, list) else type(answer).__name__}"
            )
        if self.is_beyond(answer):
            raise LabelError(f"the answer to {self.name!r} must hold at most {self.most} labels, got more")

    def taken(self, answer: Any) -> list[Any]:
        """A checked list as encoders take it, whatever held it."""
        return [python_value(label) for label in answer]

    def to_json(self) -> Spec:
        """The question as a document holds it."""
        return {**super().to_json(), "labels": self.labels.to_json(), "most": self.most}

    @classmethod
    def from_json(cls, written: Mapping[str, Any]) -> AnyOf:
        """The question that ``to_json`` wrote."""
        return cls(written["name"], Domain.from_json(written["labels"]), written["wording"], written["most"])

    def __repr__(self) -> str:
        return f"AnyOf({self.name!r}, {self.labels!r}{'' if self.most is None else f', most={self.most}'})"


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

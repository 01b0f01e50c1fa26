"""A checklist: the answer is a list of labels."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from ..canonical import Spec
from ..checks import check_int
from ..errors import LabelError
from ..fields import check_question_name, check_words
from ..labels import label_from_json, write_label
from ..python_values import python_value
from ..values import Domain, Lists
from .one_of import NO, YES, read_labels
from .only_if import refuse_branch
from .question import AsItIs, Encoder, Question, QuestionWords, about


@dataclass(frozen=True, init=False, repr=False)
class AnyOf(Question):
    """A checklist: the answer is a list of some, all or none of ``labels``, of at most ``most`` if that is given.

    Where few labels may be chosen from many, their shares can be told with a smaller error. ``exclusive`` names labels
    that stand alone, such as "none of these": a list that holds one and another label is then no answer, nor is the
    empty list. Reports are protected as they would be without that rule.

    >>> AnyOf("used", ["search", "share", "print"]), AnyOf("best", 40, most=3)
    (AnyOf('used', 3 labels), AnyOf('best', 40 labels, most=3))
    >>> AnyOf("breaks", ["at my desk", "in the kitchen", "none"], exclusive=["none"]).check(["none", "at my desk"])
    Traceback (most recent call last):
    ...
    deniable.protocol.errors.LabelError: the answer to 'breaks' must hold an exclusive label alone, got more
    """

    kind: ClassVar[str] = "any_of"
    name: str
    labels: Domain
    wording: str
    most: int | None
    exclusive: tuple[Hashable, ...] | None

    def __init__(
        self,
        name: str,
        labels: Any,
        wording: str = "",
        most: int | None = None,
        exclusive: Iterable[Hashable] | None = None,
        only_if: Any = None,
    ) -> None:
        known = check_question_name(name)
        with about(known):
            refuse_branch(only_if, "an AnyOf")
            listed = read_labels(labels)
            longest = None if most is None else check_int("most", most, 1, len(listed))
            alone = None if exclusive is None else listed.checked_subset("exclusive", exclusive)
            words = check_words("wording", wording)
            self._settle(name=known, labels=listed, wording=words, most=longest, exclusive=alone)

    @property
    def values(self) -> Lists:
        return Lists(self.labels)

    @property
    def plain_encoder(self) -> Listed:
        return Listed()

    @property
    def words(self) -> QuestionWords:
        return QuestionWords(self.wording, tuple(self.labels))

    @property
    def limit(self) -> str:
        longest = "" if self.most is None else f"lists of at most {self.most} labels"
        if self.exclusive is None:
            return longest
        return f"{longest or 'lists'}, never empty and with an exclusive label alone"

    def is_beyond(self, answer: Any) -> bool:
        return not self.is_covered(answer) or self._is_empty(answer) or self._is_mixed(answer)

    def is_covered(self, value: Any) -> bool:
        """Whether a list is not too long: which labels stand alone changes nothing of what is promised."""
        return self.most is None or len(value) <= self.most

    def check(self, answer: Any) -> None:
        if answer not in self.values:
            raise LabelError(
                f"the answer to {self.name!r} must be a list of distinct labels of its own, "
                f"got {'a list that is not' if isinstance(answer, list) else type(answer).__name__}"
            )
        if not self.is_covered(answer):
            raise LabelError(f"the answer to {self.name!r} must hold at most {self.most} labels, got more")
        if self._is_empty(answer):
            raise LabelError(f"the answer to {self.name!r} must hold a label, got none")
        if self._is_mixed(answer):
            raise LabelError(f"the answer to {self.name!r} must hold an exclusive label alone, got more")

    def encoder_input(self, answer: Any) -> list[Any]:
        """A checked list as encoders take it, whatever held it."""
        return [python_value(label) for label in answer]

    def to_json(self) -> Spec:
        alone = {} if self.exclusive is None else {"exclusive": list(map(write_label, self.exclusive))}
        return {**super().to_json(), "labels": self.labels.to_json(), "most": self.most, **alone}

    @classmethod
    def from_json(cls, written: Mapping[str, Any]) -> AnyOf:
        alone = list(map(label_from_json, written["exclusive"])) if "exclusive" in written else None
        return cls(written["name"], Domain.from_json(written["labels"]), written["wording"], written["most"], alone)

    def _is_empty(self, answer: Any) -> bool:
        return self.exclusive is not None and not len(answer)

    def _is_mixed(self, answer: Any) -> bool:
        """Whether a list holds an exclusive label and another."""
        places = self._exclusive_places
        return bool(places) and len(answer) > 1 and any(self.labels.find(label) in places for label in answer)

    @cached_property
    def _exclusive_places(self) -> frozenset[int]:
        """The places of the exclusive labels."""
        return frozenset(map(self.labels.index, self.exclusive or ()))

    def __repr__(self) -> str:
        return f"AnyOf({self.name!r}, {self.labels!r}{'' if self.most is None else f', most={self.most}'})"


@dataclass(frozen=True)
class Listed(AsItIs):
    """Reports the whole list that answers a checklist."""

    kind: ClassVar[str] = "list"

    def check(self, questions: Sequence[Question], values: Any) -> None:
        self._same(self._only(questions, AnyOf).values, values)


@dataclass(frozen=True)
class Has(Encoder):
    """Whether the list that answers a checklist holds a label: yes or no."""

    kind: ClassVar[str] = "has"
    label: Hashable

    @property
    def single(self) -> Hashable:
        return self.label

    def check(self, questions: Sequence[Question], values: Any) -> None:
        self._only(questions, AnyOf).labels.index(self.label)
        self._same(Domain(2, (YES, NO)), values)

    def of(self, answers: Sequence[Any]) -> Any:
        return YES if self.label in answers[0] else NO

    def to_json(self) -> Spec:
        return {"kind": self.kind, "label": write_label(self.label)}

"""What a survey asks: for one answer or any number of them, for words of one's own, for a number."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from ..canonical import Spec
from ..checks import check_int, is_unicode
from ..errors import FormatError, LabelError
from ..python_values import python_value
from ..values import Domain, Lists, Texts
from .fields import check_question_name, check_words
from .numbers import Number
from .one_of import OneOf, read_labels
from .question import Question, about

LONGEST = 1024
"""The most characters of a text that can be found, since each step of characters takes a part of the people."""
END = "\uffff"
"""Marks the end of a text that is shorter than the prefix asked for; no text may hold it."""


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


@dataclass(frozen=True, repr=False)
class Text(Question):
    """A question answered in one's own words, of up to ``longest`` characters: frequent answers are discovered.

    Without ``longest`` nothing is discovered: answers are hashed, and candidates are looked for when they are named.

    >>> Text("site", longest=16), Text("word")
    (Text('site', longest=16), Text('word'))
    """

    kind: ClassVar[str] = "text"
    name: str
    longest: int | None = None
    wording: str = ""

    def __post_init__(self) -> None:
        check_question_name(self.name)
        with about(self.name):
            check_words("wording", self.wording)
            if self.longest is not None:
                object.__setattr__(self, "longest", check_int("longest", self.longest, 1, LONGEST))

    @property
    def values(self) -> Texts:
        """Any text; a mechanism has a key of its own."""
        return Texts()

    @property
    def limit(self) -> str:
        """The mark of a text's end stands in no text."""
        return "text in Unicode without U+FFFF"

    def is_beyond(self, answer: Any) -> bool:
        """Whether a text holds the mark of its end."""
        return END in answer

    def check(self, answer: Any) -> None:
        """Raise a LabelError that names the question if the answer is no text."""
        if not isinstance(answer, str) or self.is_beyond(answer) or not is_unicode(answer):
            raise self._refused(self.limit, answer)

    def to_json(self) -> Spec:
        """The question as a document holds it."""
        return {**super().to_json(), "longest": self.longest}

    @classmethod
    def from_json(cls, written: Mapping[str, Any]) -> Text:
        """The question that ``to_json`` wrote."""
        return cls(written["name"], written["longest"], written["wording"])

    def __repr__(self) -> str:
        return f"Text({self.name!r})" if self.longest is None else f"Text({self.name!r}, longest={self.longest})"


KINDS: Mapping[str, type[OneOf | AnyOf | Text | Number]] = {kind.kind: kind for kind in (OneOf, AnyOf, Text, Number)}
"""Every kind of question, by its name in a document."""


def question_from_json(written: Any) -> Question:
    """The question that a document holds; fields of another kind are refused."""
    kind = KINDS.get(str(written.get("kind"))) if isinstance(written, Mapping) else None
    if kind is None:
        raise FormatError(f"a question must be of kind {', '.join(KINDS)}, got another")
    made = kind.from_json(written)
    if made.to_json().keys() != written.keys():
        raise FormatError(f"a question of kind {kind.kind} must have its own fields, got others")
    return made

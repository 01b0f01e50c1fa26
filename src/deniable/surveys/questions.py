"""What a survey asks: for one answer or any number of them, for words of one's own, for a number."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from deniable.protocol.checks import check_int, is_unicode
from deniable.protocol.errors import FormatError, LabelError
from deniable.protocol.privacy.guarantees import LDP, Guarantee
from deniable.protocol.python_values import stranger
from deniable.protocol.surveys.fields import check_question_name, check_words
from deniable.surveys.numbers import Number
from deniable.surveys.one_of import OneOf, about, read_labels
from deniable.values.domain import Domain, DomainLike
from deniable.values.lists import Lists
from deniable.values.texts import Texts
from deniable.values.values import Answerable

LONGEST = 1024
"""The most characters of a text that can be found, since each step of characters takes a part of the people."""
END = "\uffff"
"""Marks the end of a text that is shorter than the prefix asked for; no text may hold it."""


class Question(Protocol):
    """A question of a survey: its name, its words for people, and which answers it takes."""

    kind: ClassVar[str]

    @property
    def name(self) -> str:
        """What the question is called, in the document and in tables."""
        ...

    @property
    def wording(self) -> str:
        """The question as people read it."""
        ...

    @property
    def values(self) -> Answerable:
        """The answers as values."""
        ...

    @property
    def skipped(self) -> Hashable:
        """The answer that stands for none; None where one must answer."""
        ...

    @property
    def limit(self) -> str:
        """What answers must be beyond being values, in words that follow "must be"; empty if nothing."""
        ...

    def is_beyond(self, answer: Any) -> bool:
        """Whether a value breaks the limit."""
        ...

    def check(self, answer: Any) -> None:
        """Raise a LabelError that names the question, and never the answer, if it is not one."""
        ...

    def guarantee(self, epsilon: float) -> Guarantee:
        """What a mechanism for the answer must promise at a level."""
        ...

    def to_json(self) -> dict[str, Any]:
        """The question as a document holds it."""
        ...


@dataclass(frozen=True, init=False, repr=False)
class AnyOf:
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

    def __init__(self, name: str, labels: DomainLike, wording: str = "", most: int | None = None) -> None:
        known = check_question_name(name)
        with about(known):
            listed = read_labels(labels)
            longest = None if most is None else check_int("most", most, 1, len(listed))
            fields = {"name": known, "labels": listed, "wording": check_words("wording", wording), "most": longest}
        for field_name, value in fields.items():
            object.__setattr__(self, field_name, value)

    @property
    def values(self) -> Lists:
        """The lists of labels."""
        return Lists(self.labels)

    @property
    def skipped(self) -> None:
        """None: the empty list is an answer like any other."""
        return

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

    def guarantee(self, epsilon: float) -> Guarantee:
        """LDP over whole lists."""
        return LDP(epsilon)

    def to_json(self) -> dict[str, Any]:
        """The question as a document holds it."""
        plain = {"kind": self.kind, "name": self.name, "wording": self.wording, "labels": self.labels.to_json()}
        return {**plain, "most": self.most}

    @classmethod
    def from_json(cls, written: Mapping[str, Any]) -> AnyOf:
        """The question that ``to_json`` wrote."""
        return cls(written["name"], Domain.from_json(written["labels"]), written["wording"], written["most"])

    def __repr__(self) -> str:
        return f"AnyOf({self.name!r}, {self.labels!r}{'' if self.most is None else f', most={self.most}'})"


@dataclass(frozen=True, repr=False)
class Text:
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
        return Texts("")

    @property
    def skipped(self) -> None:
        """None: the empty text is an answer like any other."""
        return

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
            raise LabelError(
                f"the answer to {self.name!r} must be text in Unicode without U+FFFF, got {stranger(answer)}"
            )

    def guarantee(self, epsilon: float) -> Guarantee:
        """LDP over all texts."""
        return LDP(epsilon)

    def to_json(self) -> dict[str, Any]:
        """The question as a document holds it."""
        return {"kind": self.kind, "name": self.name, "wording": self.wording, "longest": self.longest}

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

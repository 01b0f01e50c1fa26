"""A question answered in words of one's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from ..canonical import Spec
from ..checks import check_int, is_unicode
from ..fields import check_question_name, check_words
from ..values import Texts
from .only_if import refuse_branch
from .question import AsItIs, Encoder, Question, about

LONGEST = 1024
"""The most characters of a text that can be found, since each step of characters takes a part of the people."""
END = "\uffff"
"""Marks the end of a text that is shorter than the prefix asked for; no text may hold it."""


@dataclass(frozen=True, repr=False)
class Text(Question):
    """A question answered in one's own words, of up to ``longest`` characters: frequent answers are discovered.

    Without ``longest`` nothing is discovered: answers are hashed, and candidates are looked for when they are named.

    >>> Text("site", longest=16), Text("word")
    (Text('site', longest=16), Text('word'))
    """

    kind: ClassVar[str] = "text"
    own_words: ClassVar[bool] = True
    name: str
    longest: int | None = None
    wording: str = ""
    only_if: Any = None

    def __post_init__(self) -> None:
        check_question_name(self.name)
        with about(self.name):
            refuse_branch(self.only_if, "a Text")
            check_words("wording", self.wording)
            if self.longest is not None:
                object.__setattr__(self, "longest", check_int("longest", self.longest, 1, LONGEST))

    @property
    def values(self) -> Texts:
        """Any text; a mechanism has a key of its own."""
        return Texts()

    @property
    def plain_encoder(self) -> Whole:
        return Whole()

    @property
    def limit(self) -> str:
        """The mark of a text's end stands in no text."""
        return "text in Unicode without U+FFFF"

    def is_beyond(self, answer: Any) -> bool:
        return END in answer

    def check(self, answer: Any) -> None:
        if not isinstance(answer, str) or self.is_beyond(answer) or not is_unicode(answer):
            raise self._refused(self.limit, answer)

    def to_json(self) -> Spec:
        return {**super().to_json(), "longest": self.longest}

    @classmethod
    def from_json(cls, written: Mapping[str, Any]) -> Text:
        return cls(written["name"], written["longest"], written["wording"])

    def __repr__(self) -> str:
        return f"Text({self.name!r})" if self.longest is None else f"Text({self.name!r}, longest={self.longest})"


@dataclass(frozen=True)
class Whole(AsItIs):
    """Reports the whole text that was answered."""

    kind: ClassVar[str] = "text"
    own_words: ClassVar[bool] = True

    def check(self, questions: Sequence[Question], values: Any) -> None:
        self._only(questions, Text)
        self._same(Texts(), values)


@dataclass(frozen=True)
class Prefix(Encoder):
    """The first ``length`` characters of a text; one that is shorter is filled up with marks of its end.

    >>> Prefix(3).of(["news"]), len(Prefix(3).of(["a"]))
    ('new', 3)
    """

    kind: ClassVar[str] = "prefix"
    length: int

    def __post_init__(self) -> None:
        check_int("length", self.length, 1, LONGEST)

    def check(self, questions: Sequence[Question], values: Any) -> None:
        self._only(questions, Text)
        self._same(Texts(), values)

    def of(self, answers: Sequence[Any]) -> Any:
        text: str = answers[0]
        return text[: self.length].ljust(self.length, END)

    def to_json(self) -> Spec:
        return {"kind": self.kind, "length": self.length}

"""The companion of every kind of question, by its name in a document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from deniable.protocol.questions.any_of import AnyOf
from deniable.protocol.questions.number import Number
from deniable.protocol.questions.one_of import OneOf
from deniable.protocol.questions.question import Question
from deniable.protocol.questions.scale import Scale
from deniable.protocol.questions.text import Text
from deniable.surveys.questions.any_of import AnyOfKind
from deniable.surveys.questions.kind import QuestionKind
from deniable.surveys.questions.number import NumberKind
from deniable.surveys.questions.one_of import OneOfKind
from deniable.surveys.questions.scale import ScaleKind
from deniable.surveys.questions.text import TextKind
from deniable.values.values import Values

COMPANIONS: Mapping[str, QuestionKind[Any]] = {
    OneOf.kind: OneOfKind(), AnyOf.kind: AnyOfKind(), Text.kind: TextKind(), Number.kind: NumberKind(),
    Scale.kind: ScaleKind(),
}  # fmt: skip


def companion(question: Question) -> QuestionKind[Any]:
    """What the library does with questions of this one's kind."""
    return COMPANIONS[question.kind]


def values_of(question: Question) -> Values:
    """The answers as values of the library.

    >>> import deniable as dn
    >>> values_of(dn.OneOf("way", ["bus", "bike"])).indices(["bike", "bus"]).tolist()
    [1, 0]
    """
    return companion(question).values(question)

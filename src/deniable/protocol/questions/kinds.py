"""Every kind of question by its name in a document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..checks import shown
from ..errors import FormatError
from .any_of import AnyOf
from .number import Number
from .one_of import OneOf
from .question import Question
from .scale import Scale
from .text import Text

KINDS: Mapping[str, type[OneOf | AnyOf | Text | Number]] = {
    kind.kind: kind for kind in (OneOf, Scale, AnyOf, Text, Number)
}
"""Every kind of question, by its name in a document."""


def question_from_json(written: Any) -> Question:
    """The question that a document holds; fields of another kind are refused."""
    if not isinstance(written, Mapping):
        raise FormatError(f"a question must be a table of fields, got {type(written).__name__}")
    kind = KINDS.get(str(written.get("kind")))
    if kind is None:
        raise FormatError(f"a question must be of kind {', '.join(KINDS)}, got {shown(written.get('kind'))}")
    question = kind.from_json(written)
    if question.to_json().keys() != written.keys():
        got = ", ".join(sorted(map(str, written)))
        raise FormatError(f"a question of kind {kind.kind} must have its own fields, got {got}")
    return question

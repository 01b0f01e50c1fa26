"""Every kind of question by its name in a document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

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
    kind = KINDS.get(str(written.get("kind"))) if isinstance(written, Mapping) else None
    if kind is None:
        raise FormatError(f"a question must be of kind {', '.join(KINDS)}, got another")
    made = kind.from_json(written)
    if made.to_json().keys() != written.keys():
        raise FormatError(f"a question of kind {kind.kind} must have its own fields, got others")
    return made

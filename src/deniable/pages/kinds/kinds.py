"""The companion of every kind of question on pages, by its name in a document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from deniable.pages.kinds.any_of import AnyOfPage
from deniable.pages.kinds.draft_question import DraftQuestion
from deniable.pages.kinds.number import NumberPage
from deniable.pages.kinds.one_of import OneOfPage
from deniable.pages.kinds.page_kind import PageKind
from deniable.pages.kinds.scale import ScalePage
from deniable.pages.kinds.text import TextPage
from deniable.protocol.questions.any_of import AnyOf
from deniable.protocol.questions.number import Number
from deniable.protocol.questions.one_of import OneOf
from deniable.protocol.questions.question import Question
from deniable.protocol.questions.scale import Scale
from deniable.protocol.questions.text import Text

COMPANIONS: Mapping[str, PageKind[Any]] = {
    OneOf.kind: OneOfPage(), Scale.kind: ScalePage(), AnyOf.kind: AnyOfPage(), Number.kind: NumberPage(),
    Text.kind: TextPage(),
}  # fmt: skip


def page_kind(question: Question) -> PageKind[Any]:
    """What pages do with questions of this one's kind."""
    return COMPANIONS[question.kind]


def kind_of(question: DraftQuestion) -> PageKind[Any]:
    """What pages do with a question of this kind that is still being written."""
    return COMPANIONS[question.kind]

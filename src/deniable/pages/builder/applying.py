"""Advice that is applied to a draft, and taken back."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from deniable.pages.builder.cards import title_of
from deniable.pages.builder.draft import Draft
from deniable.pages.builder.learning import advice_on
from deniable.pages.kinds.draft_question import DraftQuestion
from deniable.pages.kinds.kinds import page_kind
from deniable.protocol.errors import ParameterError
from deniable.protocol.say import Say, english
from deniable.surveys.advising.changes import stem_of

CHANGED: Final = ("questions", "people", "epsilon", "census")
"""The fields that advice may change."""


def applied(draft: Draft, key: str, say: Say = english) -> Draft:
    """The draft as one of the options has it, which can be taken back; ``say`` says what was applied."""
    told = advice_on(draft)
    option = next((each for each in (*told.keeping, *told.options) if each.key == key), None)
    if option is None:
        raise ParameterError("the change must be one that is advised, got another; look at the advice again")
    before = dict(zip(draft.names(), (asked for _, asked in draft.asked), strict=True))
    asked: list[DraftQuestion] = [
        page_kind(question).typed(question, before[question.name]) for question in option.survey.questions
    ]
    kept = Draft(**{name: getattr(draft, name) for name in CHANGED})
    return replace(
        draft,
        questions=tuple(asked),
        people=f"{option.asking.people}",
        epsilon=f"{option.asking.epsilon:g}",
        census=option.asking.population is not None,
        applied=f"{draft.applied} {say(title_of(told, option) or option.short)}".strip(),
        original=draft.original or kept.to_json(),
    )


def taken_back(draft: Draft) -> Draft:
    """The draft with what it asked before anything was applied to it; all else stays as it was typed."""
    if not draft.original:
        return draft
    before = Draft.from_json(draft.original)
    return replace(draft, applied="", original="", **{name: getattr(before, name) for name in CHANGED})


def put_aside(draft: Draft) -> tuple[str, ...]:
    """The questions that were asked before something was applied, and are not asked now."""
    if not draft.original:
        return ()
    asked = [each.wording for _, each in draft.asked]
    before = [each.wording for _, each in Draft.from_json(draft.original).asked]
    return tuple(each for each in before if not any(now.startswith(stem_of(each)) for now in asked))

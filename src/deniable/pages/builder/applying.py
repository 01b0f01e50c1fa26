"""Advice on a draft: what its survey would tell, and the draft as an option would have it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

from deniable.pages.builder.draft import Draft, DraftQuestion
from deniable.protocol.errors import ParameterError
from deniable.protocol.questions.any_of import AnyOf
from deniable.protocol.questions.number import Number
from deniable.protocol.questions.one_of import OneOf
from deniable.protocol.questions.question import Question
from deniable.surveys.advising.advice import Advice, advise
from deniable.surveys.advising.designs import AdvisedDesign

FIRST: Final = 3
"""How many options are shown at once; the others are in a fold."""


def advice_on(draft: Draft) -> Advice:
    """What the survey of a draft would tell, and what would tell more."""
    return _advised(tuple(draft.named()), draft.people, draft.epsilon, draft.people if draft.census else None)


@lru_cache(maxsize=32)
def _advised(questions: tuple[Question, ...], people: int, epsilon: float, population: int | None) -> Advice:
    """Kept, since it is asked for again when some of it is applied."""
    return advise(questions, people, epsilon, population)


def offered(advice: Advice) -> tuple[Sequence[AdvisedDesign], Sequence[AdvisedDesign]]:
    """The options that are shown at once, and the others."""
    return advice.options[:FIRST], advice.options[FIRST:]


def applied(draft: Draft, key: str) -> Draft:
    """The draft as one of the options has it; the draft that it was can be taken back."""
    option = next((each for each in advice_on(draft).options if each.key == key), None)
    if option is None:
        raise ParameterError("the change must be one that is advised, got another; look at the advice again")
    before = dict(zip((question.name for question in draft.named()), draft.questions, strict=True))
    questions = tuple(_asked(before[question.name], question) for question in option.survey.questions)
    return replace(
        draft,
        questions=questions,
        people=option.asking.people,
        epsilon=option.asking.epsilon,
        census=option.asking.population is not None,
        solve="error",
        applied=f"{draft.applied} {option.what}".strip(),
        original=draft.original or draft.to_json(),
    )


def taken_back(draft: Draft) -> Draft:
    """The draft before anything was applied to it."""
    return Draft.from_json(draft.original) if draft.original else draft


def _asked(before: DraftQuestion, question: Question) -> DraftQuestion:
    """A question as it would have been typed."""
    if isinstance(question, OneOf):
        answers = tuple(str(label) for label in question.labels if label != question.no_answer)
        partly = before.protected if question.labels == before.question("question").choices else "everybody"
        asked = replace(before, kind=question.kind, answers=answers, protected=partly)
        if question.sensitive is None or before.protected == "some":
            return asked
        return replace(asked, protected="some", chosen=tuple(map(str, question.sensitive)))
    if isinstance(question, AnyOf):
        return replace(before, answers=tuple(map(str, question.labels)))
    if isinstance(question, Number) and question.want == ("mean",):
        return replace(before, wanted=("mean",))
    return before

"""Drafts of what is there already: a survey that was opened, a file that was saved, an example."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from deniable.pages.builder.draft import Draft
from deniable.pages.builder.wordings import translations_of
from deniable.pages.kinds.draft_question import DraftQuestion, silence_in
from deniable.pages.kinds.kinds import page_kind
from deniable.pages.translation import translation
from deniable.protocol.errors import DenialError, ParameterError
from deniable.sentence import sentence
from deniable.surveys.authoring import survey_from_toml
from deniable.surveys.survey import Survey

EXAMPLES: Final[Mapping[str, Draft]] = MappingProxyType(
    {
        "work": Draft(
            title=sentence("Safety at work"),
            purpose=sentence("To see whether a second person is needed on night duty."),
            questions=(
                DraftQuestion(
                    sentence("Were you threatened or hit at work in the last 12 months?"),
                    answers=(sentence("yes"), sentence("no")),
                ),
            ),
            people="1800",
            epsilon="1",
        ),
        "class": Draft(
            title=sentence("The last test"),
            purpose=sentence("To talk about how we write tests. It is about nobody in particular, and has no marks."),
            questions=(
                DraftQuestion(
                    sentence("Did you copy from somebody in the last test?"), answers=(sentence("yes"), sentence("no"))
                ),
            ),
            people="28",
            census=True,
            epsilon="2",
            minimum="20",
        ),
        "product": Draft(
            title=sentence("What people use"),
            purpose=sentence("To decide which of these we improve first."),
            questions=(
                DraftQuestion(
                    sentence("Which of these have you used this week?"),
                    "any_of",
                    (
                        sentence("Search"), sentence("Share"), sentence("Offline"), sentence("Dark mode"),
                        sentence("Export"),
                    ),
                ),
            ),
            people="20000",
            epsilon="2",
        ),
    }
)  # fmt: skip
"""Surveys to begin with, each of a place where people are asked; their texts can be said in each author's language."""
PLACES: Final = {
    "work": sentence("At work"), "class": sentence("In a class"), "product": sentence("In a product"),
}  # fmt: skip


def example_in(place: str, code: str) -> Draft:
    """An example in one of the languages of authors, as its author would have typed it."""
    draft, told = EXAMPLES[place], translation(code).told
    title, purpose = told(draft.title), told(draft.purpose)
    questions = tuple(
        replace(asked, wording=told(asked.wording), answers=tuple(map(told, asked.answers)), silent=silence_in(code))
        for asked in draft.questions
    )
    return replace(draft, title=title, purpose=purpose, questions=questions, language=code)


def draft_of(survey: Survey, people: int | None = None) -> Draft:
    """A survey as its author would have typed it; when it opens and closes is for its next author to say."""
    level = survey.promise.level
    return Draft(
        title=survey.title,
        purpose=survey.purpose,
        owner=survey.owner,
        contact=survey.contact,
        questions=tuple(
            page_kind(question).typed(question, DraftQuestion(question.wording)) for question in survey.questions
        ),
        people="" if people is None and survey.population is None else f"{people or survey.population}",
        census=survey.population is not None,
        epsilon=f"{level:.4g}" if 0 < level < float("inf") else "1",
        minimum=f"{survey.minimum}",
        language=survey.language or "",
        translations=translations_of(survey),
        kiosk=bool(survey.kiosk),
        responsible=dict(survey.responsible or {}),
    )


def draft_of_file(text: str) -> Draft:
    """The draft of a file: one that was saved here, a survey's document, or a plan in TOML."""
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError):
        return _planned(text)
    if isinstance(fields, dict) and "arms" in fields:
        return draft_of(Survey.from_json(text))
    return Draft.from_json(text)


def _planned(text: str) -> Draft:
    try:
        survey, people = survey_from_toml(text)
    except DenialError as error:
        raise ParameterError(
            f"the file must be a draft that was saved here, the document of a survey or its plan, got another: {error}"
        ) from None
    return draft_of(survey, people)

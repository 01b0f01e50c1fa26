"""Drafts of what is there already: a survey that was opened, a file that was saved, an example."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final, NamedTuple

from deniable.pages.builder.draft import MOST_PEOPLE, Draft
from deniable.pages.builder.wordings import translations_of
from deniable.pages.kinds.draft_question import DraftQuestion, silence_in
from deniable.pages.kinds.kinds import page_kind
from deniable.protocol.errors import DenialError, ParameterError
from deniable.protocol.say import Statement, language
from deniable.surveys.authoring import survey_from_toml
from deniable.surveys.planning import minimum_for
from deniable.surveys.survey import Survey


class Example(NamedTuple):
    """A survey to begin with, of a place where people are asked: what it is called, and how it is asked."""

    title: Statement
    purpose: Statement
    wording: Statement
    answers: tuple[Statement, ...]
    asked: Draft
    kind: str = "one_of"


YES_OR_NO: Final = (Statement("yes"), Statement("no"))
EXAMPLES: Final[Mapping[str, Example]] = MappingProxyType(
    {
        "work": Example(
            Statement("safety_at_work"), Statement("to_see_whether_a_second"), Statement("were_you_threatened_or_hit"),
            YES_OR_NO, Draft(people="1800", epsilon="1"),
        ),
        "class": Example(
            Statement("the_last_test"), Statement("to_talk_about_how_we_write"),
            Statement("did_you_copy_from_somebody"), YES_OR_NO,
            Draft(people="28", census=True, epsilon="2"),
        ),
        "product": Example(
            Statement("what_people_use"), Statement("to_decide_which_of_these"),
            Statement("which_of_these_have_you_used"),
            (
                Statement("search"), Statement("share"), Statement("offline"), Statement("dark_mode"),
                Statement("export"),
            ),
            Draft(people="20000", epsilon="2"), "any_of",
        ),
    }
)  # fmt: skip
"""Surveys to begin with, which can be said in each author's language."""
PLACES: Final = {
    "work": Statement("at_work"), "class": Statement("in_a_class"), "product": Statement("in_a_product"),
}  # fmt: skip


def example_in(place: str, code: str) -> Draft:
    """An example in one of the languages of authors, as its author would have typed it."""
    example, say = EXAMPLES[place], language(code)
    asked = DraftQuestion(say(example.wording), example.kind, tuple(map(say, example.answers)), silent=silence_in(code))
    return replace(
        example.asked, title=say(example.title), purpose=say(example.purpose), questions=(asked,), language=code
    )


def draft_of(survey: Survey, people: int | None = None) -> Draft:
    """A survey as its author would have typed it; when it opens and closes is for its next author to say."""
    level, usual = survey.promise.level, minimum_for(people or survey.population or MOST_PEOPLE)
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
        minimum="" if survey.minimum == usual else f"{survey.minimum}",
        language=survey.language or "",
        translations=translations_of(survey),
        kiosk=survey.kiosk,
        lan=survey.lan,
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

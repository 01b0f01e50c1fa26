"""The survey that a draft plans, and drafts of what is there already: a survey that was opened, a file."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any, Final

from deniable.pages.builder.branches import drafts_with_branches
from deniable.pages.builder.draft import MOST_PEOPLE, Draft
from deniable.pages.builder.notation import document_time
from deniable.pages.builder.translations import terms_of_languages, translations_of
from deniable.pages.kinds.draft_question import DraftQuestion
from deniable.pages.kinds.kinds import page_kind
from deniable.protocol.checks import shown
from deniable.protocol.errors import DenialError, ParameterError
from deniable.protocol.surveys.crowd import ADDRESS, Crowd
from deniable.protocol.surveys.responsible import RESPONSIBLE
from deniable.surveys.authoring import survey_from_toml
from deniable.surveys.planning import minimum_for
from deniable.surveys.survey import Survey

SAME: Final = ("title", "purpose", "owner", "contact", "kiosk", "lan")
"""What a draft and its survey hold alike."""


HARDLY_LESS: Final = 0.95
"""Of the level of a device the one that a crowd may have at most; a plan states the one that it has."""
SOME_MIXER: Final = "https://mixer.example"
SOME_DAY: Final = "2999-01-01T00:00"
"""What stands for a mixer and a day that nobody has named yet."""
TRIAL_PEOPLE: Final = 1000
"""So many people a survey is tried for while nobody said how many there are."""


def survey_of(draft: Draft) -> Survey:
    """The survey that a draft plans; refused with the reason if it cannot be."""
    if draft.expected_people is None or draft.level is None or draft.least is None:
        numbers = ", ".join(map(shown, (draft.people, draft.epsilon, draft.minimum)))
        raise ParameterError(f"people, protection and the least number of answers must be numbers, got {numbers}")
    terms: dict[str, Any] = {name: getattr(draft, name) for name in SAME}
    if draft.questionnaire:
        terms |= {"carrier": "field", "lan": False}  # and it opens and closes as the questionnaire does
    else:
        for name, moment in (("opens", draft.opening), ("closes", draft.closing)):
            terms[name] = None if moment is None else document_time(moment)
    if draft.mixed:
        terms["crowd"] = crowd_of(draft)
    questions = draft.to_questions()
    terms |= terms_of_languages(draft, questions)
    terms["responsible"] = {name: text for name in RESPONSIBLE if (text := draft.responsible.get(name))} or None
    terms["population"] = draft.expected_people if draft.census else None
    return Survey.plan(draft.slug, questions, draft.level, draft.expected_people, minimum=draft.least, **terms)


def crowd_of(draft: Draft) -> Crowd:
    """The crowd of a draft whose answers go through a mixer: its level is as low as the one of devices allows."""
    if draft.crowd is None or draft.level is None:
        raise ParameterError(f"a mixer must wait for a number of answers, got {shown(draft.batch)}")
    return Crowd(draft.mixer, draft.operator, draft.crowd, float(f"{HARDLY_LESS * draft.level:.3g}"))


def trial_of(draft: Draft) -> Survey:
    """The survey of a draft as people see it, before anybody said how many they are and how they are protected."""
    filled = draft if draft.expected_people and draft.least else replace(draft, people=f"{TRIAL_PEOPLE}", minimum="")
    filled = filled if filled.level else replace(filled, epsilon=Draft().epsilon)
    return survey_of(replace(filled, opens="", closes="", questionnaire=False, mixed=False, lan=False))


def forecast_of(draft: Draft) -> Survey:
    """The survey of a draft as its outcome is told while its author has yet to say who mixes, and until when."""
    if not draft.mixed:
        return survey_of(draft)
    filled = replace(draft, owner=draft.owner or "asks", operator=draft.operator or "mixes", opens="", closes=SOME_DAY)
    return survey_of(filled if ADDRESS.fullmatch(draft.mixer) else replace(filled, mixer=SOME_MIXER))


def draft_of(survey: Survey, people: int | None = None) -> Draft:
    """A survey as its author would have typed it; when it opens and closes is for its next author to say."""
    same: dict[str, Any] = {name: getattr(survey, name) for name in SAME}
    level, usual = survey.promise.level, minimum_for(people or survey.population or MOST_PEOPLE)
    return Draft(
        **same,
        questions=drafts_with_branches(
            survey.questions,
            [page_kind(question).to_draft(question, DraftQuestion(question.wording)) for question in survey.questions],
        ),
        people="" if people is None and survey.population is None else f"{people or survey.population}",
        census=survey.population is not None,
        epsilon=f"{level:.4g}" if 0 < level < float("inf") else "1",
        minimum="" if survey.minimum == usual else f"{survey.minimum}",
        language=survey.language or "",
        translations=translations_of(survey),
        responsible=dict(survey.responsible or {}),
        questionnaire=survey.carrier is not None,
        **_mixing_of(survey.crowd),
    )


def _mixing_of(crowd: Crowd | None) -> dict[str, Any]:
    """The fields of a draft about its mixer."""
    if crowd is None:
        return {}
    return {"mixed": True, "operator": crowd.operator, "mixer": crowd.mixer, "batch": f"{crowd.least}"}


def draft_of_file(text: str) -> Draft:
    """The draft of a file: one that was saved here, a survey's document, or a plan in TOML."""
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError):
        return _draft_of_plan(text)
    if isinstance(fields, dict) and "arms" in fields:
        return draft_of(Survey.from_json(text))
    return Draft.from_json(text)


def _draft_of_plan(text: str) -> Draft:
    try:
        survey, people = survey_from_toml(text)
    except DenialError as error:
        wanted = "the file must be a draft that was saved here, the document of a survey or its plan"
        raise ParameterError(f"{wanted}, got none of these: {error}") from None
    return draft_of(survey, people)

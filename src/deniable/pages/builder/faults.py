"""What is wrong with a draft, by the fields of each step, in the words that stand beside them."""

from __future__ import annotations

from dataclasses import replace

from deniable.pages.builder.draft import LEVELS, MOST_PEOPLE, Draft
from deniable.pages.builder.fields import Faults
from deniable.pages.builder.learning import nothing_known
from deniable.pages.builder.moments import moment_of, zone_of
from deniable.pages.builder.planned import survey_of
from deniable.pages.kinds.draft_question import DraftQuestion
from deniable.pages.kinds.kinds import kind_of
from deniable.protocol.errors import DenialError
from deniable.protocol.fields import SURVEY
from deniable.sentence import sentence


def faults_of_questions(draft: Draft, is_taken: bool) -> Faults:
    """What is wrong with the first form; its name may be another author's."""
    faults: Faults = {}
    if not draft.title.strip():
        faults["title"] = sentence("Give the survey a title, such as “How we come to work”.")
    for place, asked in draft.asked:
        found = kind_of(asked).faults(asked)
        if not asked.wording.strip():
            found = {"wording": sentence("Write the question as people will read it."), **found}
        faults |= {f"{name}-{place}": said for name, said in found.items()}
    if draft.name and not SURVEY.fullmatch(draft.name):
        faults["name"] = sentence("Use lower-case letters, digits and hyphens.")
    elif is_taken:
        faults["name"] = sentence("“{name}” belongs to another author: choose a name of your own.", name=draft.slug)
    return faults or _unnamed(draft)


def _unnamed(draft: Draft) -> Faults:
    """Why questions that stand one by one are no survey together, whoever is protected."""
    questions = tuple(asked.with_everybody for asked in draft.questions)
    try:
        replace(draft, questions=questions).named()
    except DenialError as error:
        return {"survey": said(error)}
    return {}


def faults_of_learning(draft: Draft, now: float) -> Faults:
    """What is wrong with the second form, of a draft whose first one stands."""
    faults = faults_of_numbers(draft) | faults_of_times(draft, now)
    if faults:
        return faults
    try:
        survey_of(draft)
        lost = nothing_known(draft)
    except DenialError as error:
        return {"survey": said(error)}
    if lost and not draft.knows:
        return {"knows": sentence("Apply a change, ask more people, protect less, or tick this box.")}
    return {}


def faults_of_opening(draft: Draft) -> Faults:
    """What keeps a draft that stands from being opened: what its label would not say, unless its author knows it."""
    if draft.unstated and not draft.knows_unstated:
        return {"knows_unstated": sentence("State what is missing, or tick this box.")}
    return {}


def faults_of_numbers(draft: Draft) -> Faults:
    """What is wrong with how many people there are, and with how they are protected."""
    faults: Faults = {}
    if draft.count is None:
        faults["people"] = sentence("Write a whole number of people from 1 to {most}.", most=MOST_PEOPLE)
    if draft.level is None:
        faults["epsilon"] = sentence(
            "Write a number from {least:number} to {most:number}.", least=LEVELS[0], most=LEVELS[1]
        )
    for place, asked in draft.asked:
        if said := kind_of(asked).refused(asked) or _unprotected(asked):
            faults[f"protected-{place}"] = said
    return faults


def _unprotected(asked: DraftQuestion) -> str:
    """What is wrong with groups that protect nobody; empty if nothing is."""
    if asked.protected == "blocks" and len(set(asked.grouped)) == len(asked.labels):
        return sentence(
            "Every answer is a group of its own, so nobody is protected: give at least two answers the same word."
        )
    return ""


def faults_of_times(draft: Draft, now: float) -> Faults:
    """What is wrong with when the survey is asked, and from how many answers on a result is shown."""
    faults: Faults = {}
    if draft.least is None:
        faults["minimum"] = sentence("Write a whole number of answers, 2 or more.")
    elif draft.count is not None and draft.least > draft.count:
        faults["minimum"] = sentence(
            "You expect {count} people, so no result would ever be shown: write fewer.", count=draft.count
        )
    zone = zone_of(draft.zone)
    if zone is None:
        return {**faults, "zone": sentence("Write the name of a time zone, such as Europe/Berlin.")}
    opens, closes = moment_of(draft.opens, zone), moment_of(draft.closes, zone)
    for name, moment in (("opens", opens), ("closes", closes)):
        if getattr(draft, name) and moment is None:
            faults[name] = sentence("Write a day and a time, such as 2026-12-31 23:59, or leave it empty.")
    if closes is not None and opens is not None and opens >= closes:
        faults["closes"] = sentence("Write a time after the one at which the survey opens.")
    elif closes is not None and closes.timestamp() <= now:
        faults["closes"] = sentence("This moment is over: the survey would be closed before anybody answers.")
    return faults


def said(error: DenialError) -> str:
    """An error as a sentence."""
    return f"{str(error)[:1].upper()}{str(error)[1:]}."

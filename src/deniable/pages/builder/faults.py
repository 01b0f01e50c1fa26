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
from deniable.pages.kinds.page_kind import reason_of
from deniable.protocol.errors import DenialError
from deniable.protocol.fields import SURVEY
from deniable.protocol.say import Statement


def faults_of_questions(draft: Draft, is_taken: bool) -> Faults:
    """What is wrong with the first form; its name may be another author's."""
    faults: Faults = {}
    if not draft.title.strip():
        faults["title"] = Statement("give_the_survey_a_title")
    for place, asked in draft.asked:
        found = kind_of(asked).faults(asked)
        if not asked.wording.strip():
            found = {"wording": Statement("write_the_question_as_people"), **found}
        faults |= {f"{name}-{place}": said for name, said in found.items()}
    if draft.name and not SURVEY.fullmatch(draft.name):
        faults["name"] = Statement("use_lower_case_letters")
    elif is_taken:
        faults["name"] = Statement("belongs_to_another_author", name=draft.slug)
    return faults or _unnamed(draft)


def _unnamed(draft: Draft) -> Faults:
    """Why questions that stand one by one are no survey together, whoever is protected."""
    questions = tuple(asked.with_everybody for asked in draft.questions)
    try:
        replace(draft, questions=questions).named()
    except DenialError as error:
        return {"survey": reason_of(error)}
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
        return {"survey": reason_of(error)}
    if lost and not draft.knows:
        return {"knows": Statement("apply_a_change_ask_more")}
    return {}


def faults_of_opening(draft: Draft) -> Faults:
    """What keeps a draft that stands from being opened: what its label would not say, unless its author knows it."""
    if draft.unstated and not draft.knows_unstated:
        return {"knows_unstated": Statement("state_what_is_missing_or_tick")}
    return {}


def faults_of_numbers(draft: Draft) -> Faults:
    """What is wrong with how many people there are, and with how they are protected."""
    faults: Faults = {}
    if draft.count is None:
        faults["people"] = Statement("write_a_whole_number_of_people", most=MOST_PEOPLE)
    if draft.level is None:
        faults["epsilon"] = Statement("write_a_number_from_to", least=LEVELS[0], most=LEVELS[1])
    for place, asked in draft.asked:
        if said := kind_of(asked).refused(asked) or _unprotected(asked):
            faults[f"protected-{place}"] = said
    return faults


def _unprotected(asked: DraftQuestion) -> Statement | None:
    """What is wrong with groups that protect nobody; nothing if they do not."""
    if asked.protected == "blocks" and len(set(asked.grouped)) == len(asked.labels):
        return Statement("every_answer_is_a_group_of_its_own")
    return None


def faults_of_times(draft: Draft, now: float) -> Faults:
    """What is wrong with when the survey is asked, and from how many answers on a result is shown."""
    faults: Faults = {}
    if draft.least is None:
        faults["minimum"] = Statement("write_a_whole_number_of_answers")
    elif draft.count is not None and draft.least > draft.count:
        faults["minimum"] = Statement("you_expect_people_so_no_result", count=draft.count)
    zone = zone_of(draft.zone)
    if zone is None:
        return {**faults, "zone": Statement("write_the_name_of_a_time")}
    opens, closes = moment_of(draft.opens, zone), moment_of(draft.closes, zone)
    for name, moment in (("opens", opens), ("closes", closes)):
        if getattr(draft, name) and moment is None:
            faults[name] = Statement("write_a_day_and_a_time")
    if closes is not None and opens is not None and opens >= closes:
        faults["closes"] = Statement("write_a_time_after_the_one")
    elif closes is not None and closes.timestamp() <= now:
        faults["closes"] = Statement("this_moment_is_over_the_survey")
    return faults

"""What needs a look first, for whoever can do something about it, with what that is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

from deniable.intake.clock import DAY
from deniable.intake.phases import Phase
from deniable.pages.builder.draft_list import DraftEntry
from deniable.pages.front.survey_entry import SurveyEntry
from deniable.protocol.say import Phrase, Statement

SOON: Final = 7 * DAY
"""A survey that ends within so many seconds can still be saved by a reminder."""
ENOUGH: Final = 0.75
"""The share of the planned answers below which a survey that ends soon has too few."""


class Need(NamedTuple):
    """A survey or a draft, what its title goes on to say is wrong, what to do, and where that is done."""

    title: Phrase
    what: Statement
    act: Statement
    address: str


def needs_of(drafts: Sequence[DraftEntry], entries: Sequence[SurveyEntry]) -> list[Need]:
    """Of the surveys first those whose answers are damaged, then those that can still be saved."""
    checks = (_damaged, _ending, _ended)
    needs = [need for check in checks for entry in entries if (need := check(entry)) is not None]
    return [*needs, *(need for draft in drafts if (need := _of_draft(draft)) is not None)]


def _damaged(entry: SurveyEntry) -> Need | None:
    """A survey of which something was stored and cannot be trusted any more."""
    if not any(each.damaged for each in entry.standings):
        return None
    what, act = Statement("has_damaged_answers"), Statement("see_which_period")
    return Need(entry.title, what, act, f"/s/{entry.row.name}?digest={entry.row.digest[:16]}")


def _ending(entry: SurveyEntry) -> Need | None:
    """A survey that ends soon with too few answers."""
    left, survey = entry.doors.ends - entry.calendar.now, entry.survey
    came = sum(each.answers for each in entry.standings)
    if not 0 < left <= SOON or entry.phase is Phase.PLANNED or survey.period != "once":
        return None
    if survey.crowd is not None:  # how many answers lie at the mixer nobody here knows
        return None
    ends = Statement("closes_in_days", count=math.ceil(left / DAY))
    planned = max(survey.minimum, survey.population or 0)
    if came < survey.minimum:
        few = Statement("of_the_answers_it_needs", came=came, needed=survey.minimum)
    elif came < ENOUGH * planned:
        few = Statement("of_the_answers_you_planned", came=came, planned=planned)
    else:
        return None
    what = Statement("has_and", few=few, ends=ends)
    return Need(entry.title, what, Statement("remind_everybody"), f"/run/{entry.row.digest}#reminder")


def _ended(entry: SurveyEntry) -> Need | None:
    """A survey that ended badly, until its answers are deleted."""
    deleted = entry.doors.discards_all
    if entry.calendar.now >= deleted or not (entry.is_early or entry.came is not None):
        return None
    act = Statement("ask_again_with_a_copy")
    return Need(entry.title, _how_it_ended(entry, deleted), act, f"/new?copy={entry.row.digest}")


def _how_it_ended(entry: SurveyEntry, deleted: float) -> Statement:
    """How a survey ended badly: by hand, without an answer, or with too few."""
    if entry.is_early:
        announced = entry.calendar.day(entry.calendar.date(entry.doors.announced))
        return Statement("was_closed_by_hand_before", day=announced)
    if not entry.came:
        return Statement("closed_without_an_answer")
    day = entry.calendar.day(entry.calendar.date(deleted))
    return Statement("closed_with_of_the_answers", came=entry.came, needed=entry.survey.minimum, day=day)


def _of_draft(draft: DraftEntry) -> Need | None:
    """A draft that was changed twice at once, or would tell nothing."""
    if draft.is_split:
        act = Statement("look_at_both_versions")
        return Need(draft.title, Statement("was_changed_twice_at_once"), act, f"/new/{draft.id}/differs")
    if draft.people is None:
        return None
    what = Statement("tells_nothing_yet_with_people", count=draft.people)
    return Need(draft.title, what, Statement("see_what_would_help"), f"/new/{draft.id}/learn")

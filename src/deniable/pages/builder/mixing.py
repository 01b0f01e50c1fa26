"""A survey whose answers go through a mixer, as its author reads it: what each party can find out, set side by side."""

from __future__ import annotations

from typing import NamedTuple

from deniable.pages.builder.draft import Draft
from deniable.protocol.say import Statement
from deniable.protocol.surveys.protection import Protection
from deniable.surveys.advising.ranking import least_of
from deniable.surveys.survey import Survey


class PartyLevel(NamedTuple):
    """Who sees something, on what condition, and what a guess of 50 in 100 becomes, without a mixer and with one."""

    who: Statement
    note: Statement
    directly: float | None
    """The share of guesses that are then right at most; None of a party that is not there."""
    mixed: float


def may_mix(draft: Draft) -> bool:
    """Whether a mixer is offered: of fewer people no half would be a crowd."""
    return draft.mixed or (least_of(draft.expected_people or 0) > 0 and not (draft.kiosk or draft.lan))


def party_levels(survey: Survey) -> list[PartyLevel]:
    """What each party can find out, without the mixer and with it; nothing of a survey without a crowd."""
    crowd = survey.crowd
    if crowd is None:
        return []
    together, alone = Protection.of(survey).most(), Protection.mixed(survey).most()
    statement = Statement("as_long_as_the_mixer", made_up=int(crowd.made_up or 0), least=crowd.least)
    return [
        PartyLevel(Statement("you_the_asking_side"), statement, together, alone),
        PartyLevel(Statement("you_and_the_mixer"), Statement("if_both_put_together"), together, together),
        PartyLevel(Statement("the_mixer_alone"), Statement("nothing_beyond_the_result"), None, together),
    ]

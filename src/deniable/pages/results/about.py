"""What a survey is, beneath its result: who asks, what for, when, who answered, and what a person gave away."""

from __future__ import annotations

import math
from typing import Final, NamedTuple

from deniable.pages.results.period_view import PeriodView
from deniable.protocol.say import Figure, Phrase, Statement, up
from deniable.surveys.advising.words import becomes, strength
from deniable.surveys.survey import Survey

DURING: Final = {
    "day": Statement("by_the_answers_of_one_day"),
    "week": Statement("by_the_answers_of_one_week"),
    "month": Statement("by_the_answers_of_one"),
}


class AboutRow(NamedTuple):
    """A fact and what it is called."""

    name: Phrase
    words: Phrase


def about(found: PeriodView) -> tuple[AboutRow, ...]:
    """What there is to say."""
    survey = found.survey
    asker = ", ".join(filter(None, (survey.owner, survey.contact)))
    state: Statement = found.state
    if found.ended_on and not found.is_open:
        state = Statement("on", state=state, day=found.ended_on)
    when = Statement("when_state", when=found.when, state=state) if found.when else state
    rows = [
        AboutRow(Statement("asked_by"), asker),
        AboutRow(Statement("what_for"), survey.purpose),
        AboutRow(Statement("when_heading"), when),
        AboutRow(Statement("answers"), _answers(found)),
        AboutRow(Statement("protection"), _protection(found)),
        AboutRow(Statement("document_heading"), found.row.digest),
    ]
    return tuple(row for row in rows if row.words)


def in_short(survey: Survey) -> Statement:
    """The protection in a line, for the foot of each printed page."""
    level = survey.promise.level
    if not survey.guarantee or not math.isfinite(level):
        return Statement("it_differs_by_question")
    odds, written = Figure(up(math.exp(level))), Figure(f"{level:.4g}")
    return Statement("at_most_times_the_odds", factor=odds, level=written)


def in_groups(digest: str) -> str:
    """The first digits of a digest, so that people can compare them."""
    return " ".join(digest[place : place + 4] for place in range(0, 16, 4))


def _answers(found: PeriodView) -> Statement:
    """How many, and what each told of."""
    survey = found.survey
    devices = Statement("devices", count=found.n)
    if len(survey.arms) == 1:
        return devices
    if len(survey.questions) == 1:
        return Statement("each_was_shown_the_question", devices=devices)
    return Statement(
        "each_was_shown_all",
        devices=devices, questions=len(survey.questions),
    )  # fmt: skip


def _protection(found: PeriodView) -> Statement:
    """What a guess about one person can become."""
    survey, level = found.survey, found.survey.promise.level
    if not survey.guarantee or not math.isfinite(level):
        return Statement("it_differs_by_question_see")
    told = Statement(
        "a_guess_of_10_in_100_about",
        strength=strength(level), rare=becomes(level, 0.1), even=becomes(level), level=Figure(f"{level:.4g}"),
    )  # fmt: skip
    if survey.level_in_all <= level:
        return told
    return Statement(
        "by_all_that_one_device",
        told=told, during=DURING[survey.period], ever=becomes(survey.level_in_all),
    )  # fmt: skip

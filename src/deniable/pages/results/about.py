"""What a survey is, beneath its result: who asks, what for, when, who answered, and what a person gave away."""

from __future__ import annotations

import math
from functools import reduce
from typing import Final, NamedTuple

from deniable.pages.results.period_view import PeriodView
from deniable.protocol.say import Figure, Phrase, Statement
from deniable.protocol.surveys.protection import Protection
from deniable.surveys.survey import Survey

RARE: Final = 0.1
"""A guess that is right once in ten."""


class AboutRow(NamedTuple):
    """A fact and what it is called."""

    name: Phrase
    words: Phrase


def about(found: PeriodView) -> tuple[AboutRow, ...]:
    """What there is to say."""
    survey = found.survey
    asker = ", ".join(filter(None, (survey.owner, survey.contact)))
    state = state_of(found)
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


def state_of(found: PeriodView, today: Phrase = "") -> Statement:
    """How it stands, and since which day; while that may change, on which day it was so, if that is known."""
    if found.is_open:
        return Statement("as_of_day", state=found.state, day=today) if today else found.state
    return Statement("on", state=found.state, day=found.ended_on) if found.ended_on else found.state


def source_of(found: PeriodView, today: Phrase, address: str) -> Phrase:
    """Who asked, when, how it stands and where it is: what a picture needs that is torn out of its page."""
    survey = found.survey
    told: list[Phrase] = [survey.owner, found.title, found.when, state_of(found, today), address]
    first, *others = [each for each in told if each]
    return reduce(_parted, others, first)


def _parted(first: Phrase, last: Phrase) -> Phrase:
    return Statement("parted", first=first, last=last)


def in_short(survey: Survey) -> Statement:
    """The protection in a line, for the foot of each printed page."""
    protection = Protection.of(survey)
    return Statement("protection_in_short", grade=protection.name, guess=protection.guess())


def hint_of(survey: Survey) -> Statement:
    """What is sent tells of one person, in a sentence."""
    return Protection.of(survey).hint


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
    """What a guess about one person can become, by all that a device sends and by the answers of one period."""
    survey, protection = found.survey, Protection.of(found.survey)
    if protection.level == math.inf:
        return Statement("protection_in_short", grade=protection.name, guess=protection.guess())
    told = Statement(
        "protection_of_guesses", grade=protection.name, rare=protection.guess(RARE), even=protection.guess(),
        level=Figure(f"{protection.level:.4g}"),
    )  # fmt: skip
    if survey.repeat != "fresh":
        return told
    once = Protection(survey.promise.level).during(Statement(f"during_{survey.period}"))
    return Statement("protection_of_one_period", told=told, once=once)

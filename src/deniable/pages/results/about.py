"""What a survey is, beneath its result: who asks, what for, when, who answered, and what a person gave away."""

from __future__ import annotations

import math
from typing import NamedTuple

from deniable.pages.results.period_view import PeriodView
from deniable.protocol.say import up
from deniable.surveys.advising.words import becomes, strength
from deniable.surveys.survey import Survey


class AboutRow(NamedTuple):
    """A fact and what it is called."""

    name: str
    words: str


def about(found: PeriodView) -> tuple[AboutRow, ...]:
    """What there is to say."""
    survey = found.survey
    asker = ", ".join(filter(None, (survey.owner, survey.contact)))
    state = f"{found.state} on {found.ended_on}" if found.ended_on and not found.is_open else found.state
    when = f"{found.when}, {state[:1].lower()}{state[1:]}" if found.when else state
    rows = [
        AboutRow("Asked by", asker),
        AboutRow("What for", survey.purpose),
        AboutRow("When", when),
        AboutRow("Answers", _answers(found)),
        AboutRow("Protection", _protection(found)),
        AboutRow("Document", found.row.digest),
    ]
    return tuple(row for row in rows if row.words)


def in_short(survey: Survey) -> str:
    """The protection in a line, for the foot of each printed page."""
    level = survey.promise.level
    if not survey.guarantee or not math.isfinite(level):
        return "it differs by question"
    return f"at most {up(math.exp(level))} times the odds (ε = {level:.4g})"


def in_groups(digest: str) -> str:
    """The first digits of a digest, so that people can compare them."""
    return " ".join(digest[place : place + 4] for place in range(0, 16, 4))


def _answers(found: PeriodView) -> str:
    """How many, and what each told of."""
    survey = found.survey
    devices = f"{found.n:,} {'device' if found.n == 1 else 'devices'}"
    if len(survey.arms) == 1:
        return devices
    shown = "the question" if len(survey.questions) == 1 else f"all {len(survey.questions)} questions"
    return f"{devices}; each was shown {shown} and reported on one part, drawn by lot"


def _protection(found: PeriodView) -> str:
    """What a guess about one person can become."""
    survey, level = found.survey, found.survey.promise.level
    if not survey.guarantee or not math.isfinite(level):
        return "It differs by question: see the privacy label"
    told = (
        f"{strength(level).capitalize()}: a guess of 10 in 100 about one person becomes {becomes(level, 0.1)} at most, "
        f"of 50 becomes {becomes(level)} (ε = {level:.4g})"
    )
    if survey.level_in_all <= level:
        return told
    ever = becomes(survey.level_in_all)
    return f"{told}, by the answers of one {survey.period}; by all that one device sends, 50 becomes {ever}"

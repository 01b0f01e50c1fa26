"""What a survey is, beneath its result: who asks, what for, when, who answered, and what a person gave away."""

from __future__ import annotations

import math
from typing import Final, NamedTuple

from deniable.pages.results.period_view import PeriodView
from deniable.protocol.say import up
from deniable.sentence import Figure, Sentence, opening, sentence
from deniable.surveys.advising.words import becomes, strength
from deniable.surveys.survey import Survey

DURING: Final = {
    "day": sentence("by the answers of one day"),
    "week": sentence("by the answers of one week"),
    "month": sentence("by the answers of one month"),
}


class AboutRow(NamedTuple):
    """A fact and what it is called."""

    name: str
    words: str


def about(found: PeriodView) -> tuple[AboutRow, ...]:
    """What there is to say."""
    survey = found.survey
    asker = ", ".join(filter(None, (survey.owner, survey.contact)))
    state: Sentence = found.state
    if found.ended_on and not found.is_open:
        state = sentence("{state} on {day}", state=state, day=found.ended_on)
    when = sentence("{when}: {state}", when=found.when, state=state) if found.when else state
    rows = [
        AboutRow(sentence("Asked by"), asker),
        AboutRow(sentence("What for"), survey.purpose),
        AboutRow(sentence("When"), when),
        AboutRow(sentence("Answers"), _answers(found)),
        AboutRow(sentence("Protection"), _protection(found)),
        AboutRow(sentence("Document"), found.row.digest),
    ]
    return tuple(row for row in rows if row.words)


def in_short(survey: Survey) -> Sentence:
    """The protection in a line, for the foot of each printed page."""
    level = survey.promise.level
    if not survey.guarantee or not math.isfinite(level):
        return sentence("it differs by question")
    odds, written = Figure(up(math.exp(level))), Figure(f"{level:.4g}")
    return sentence("at most {factor} times the odds (ε = {level})", factor=odds, level=written)


def in_groups(digest: str) -> str:
    """The first digits of a digest, so that people can compare them."""
    return " ".join(digest[place : place + 4] for place in range(0, 16, 4))


def _answers(found: PeriodView) -> Sentence:
    """How many, and what each told of."""
    survey = found.survey
    devices = sentence("{count} devices", one="{count} device", count=found.n)
    if len(survey.arms) == 1:
        return devices
    if len(survey.questions) == 1:
        return sentence(
            "{devices}; each was shown the question and reported on one part, drawn by lot", devices=devices
        )
    return sentence(
        "{devices}; each was shown all {questions} questions and reported on one part, drawn by lot",
        devices=devices, questions=len(survey.questions),
    )  # fmt: skip


def _protection(found: PeriodView) -> Sentence:
    """What a guess about one person can become."""
    survey, level = found.survey, found.survey.promise.level
    if not survey.guarantee or not math.isfinite(level):
        return sentence("It differs by question: see the privacy label")
    told = sentence(
        "{strength}: a guess of 10 in 100 about one person becomes {rare} at most, of 50 becomes {even} (ε = {level})",
        strength=opening(strength(level)), rare=becomes(level, 0.1), even=becomes(level), level=Figure(f"{level:.4g}"),
    )  # fmt: skip
    if survey.level_in_all <= level:
        return told
    return sentence(
        "{told}, {during}; by all that one device sends, 50 becomes {ever}",
        told=told, during=DURING[survey.period], ever=becomes(survey.level_in_all),
    )  # fmt: skip

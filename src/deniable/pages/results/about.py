"""What stands beneath a result: who asked, what for, when, how many reported, and what a person gave away."""

from __future__ import annotations

import math
from typing import Final, NamedTuple

from deniable.estimation.estimate import Estimate
from deniable.estimation.words import joined
from deniable.pages.results.period_view import PeriodView
from deniable.protocol.say import Figure, Phrase, Statement
from deniable.protocol.surveys.protection import Protection
from deniable.surveys.survey import Survey

WHEN, ANSWERS = Statement("when_heading"), Statement("answers")
UNLIKELY_GUESS: Final = 0.1
"""How often a guess is right whose protection is stated beside that of an even one: once in ten."""


class AboutRow(NamedTuple):
    """A fact and what it is called."""

    name: Phrase
    words: Phrase


def about(view: PeriodView) -> tuple[AboutRow, ...]:
    """The facts beneath a result, without those that the survey leaves empty."""
    survey = view.survey
    asker = ", ".join(filter(None, (survey.owner, survey.contact)))
    state = state_of(view)
    when = Statement("when_state", when=view.when, state=state) if view.when else state
    rows = [
        AboutRow(Statement("asked_by"), asker),
        AboutRow(Statement("what_for"), survey.purpose),
        AboutRow(WHEN, when),
        AboutRow(ANSWERS, _answers(view)),
        AboutRow(Statement("protection"), protection_of(view.survey)),
        AboutRow(Statement("document_heading"), view.row.digest),
    ]
    return tuple(row for row in rows if row.words)


def state_of(view: PeriodView, today: Phrase = "") -> Statement:
    """How the period stands, and since which day; while that may change, on which day it was so, if that is known."""
    if view.is_open:
        return Statement("as_of_day", state=view.state, day=today) if today else view.state
    return Statement("on", state=view.state, day=view.ended_on) if view.ended_on else view.state


def source_of(view: PeriodView, today: Phrase, address: str, when: Phrase = "") -> Phrase:
    """Who asked, when, how the result stands and where it is: what a picture needs that is torn out of its page.

    ``when`` says from which day to which it reaches, unless that is one period.
    """
    survey = view.survey
    facts: list[Phrase] = [survey.owner, view.title, when or view.when, state_of(view, today), address]
    line, *others = [each for each in facts if each]
    for each in others:
        line = Statement("parted", first=line, last=each)
    return line


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


def _answers(view: PeriodView) -> Statement:
    """How many answered, and how many of the questions each was shown."""
    survey = view.survey
    devices = Statement("devices", count=view.n)
    if len(survey.arms) == 1:
        return devices
    if len(survey.questions) == 1:
        return Statement("each_was_shown_the_question", devices=devices)
    return Statement("each_was_shown_all", devices=devices, questions=len(survey.questions))


def protection_of(survey: Survey) -> Statement:
    """What a guess about one person can become, by all that a device sends and by the answers of one period."""
    protection = Protection.of(survey)
    if protection.level == math.inf:
        return Statement("protection_in_short", grade=protection.name, guess=protection.guess())
    statement = Statement(
        "protection_of_guesses", grade=protection.name, rare=protection.guess(UNLIKELY_GUESS), even=protection.guess(),
        level=Figure(f"{protection.level:.4g}"),
    )  # fmt: skip
    if survey.repeat != "fresh":
        return statement
    once = Protection(survey.promise.level).during(Statement(f"during_{survey.period}"))
    return Statement("protection_of_one_period", told=statement, once=once)


# --- how many reported ------------------------------------------------------------------------------------------------


class Reported(NamedTuple):
    """How many people reported, and the rest of the sentence that begins with their number."""

    n: int
    rest: Statement

    @property
    def number(self) -> Statement:
        """How many, as it is written out."""
        return Statement("count_alone", count=self.n)

    @property
    def words(self) -> Statement:
        """The whole sentence."""
        return Statement("number_rest", number=self.number, rest=self.rest)


def reported(view: PeriodView, estimate: Estimate, n: int) -> Reported:
    """That n reported on the question of an estimate, of how many; and how many of them told the shares, if not all."""
    count = _of_how_many(view, estimate, n)
    if estimate.n >= n or estimate.unlisted is None:  # texts alone are found by other reports than they are counted by
        return count
    return count._replace(rest=joined([count.rest, Statement("of_them_tell_the_shares", count=estimate.n)]))


def _of_how_many(view: PeriodView, estimate: Estimate, n: int) -> Reported:
    """That n reported, of how many devices; of a census, of how many people, and what is supposed of the others."""
    census = estimate.census
    if census is None:
        return among(n, view.n, Statement("this_question"))
    if census.too_many:
        return Reported(n, Statement("reports_on_this_question", count=n, who=census.who(n)))
    key = "so_far_of_asked_others_alike" if view.is_open else "of_asked_others_alike"
    if census.is_all(n):
        key = "of_the_people_for_whom_it_is_meant"
    elif census.answered == census.population:  # those not asked were drawn by lot
        key = "of_asked_drawn"
    return Reported(n, Statement(key, people=census.population))


def among(n: int, everybody: int, about: Statement) -> Reported:
    """How many of all devices reported on something."""
    if n == everybody:
        return Reported(n, Statement("devices_reported_on", count=n, about=about))
    return Reported(n, Statement("of_devices_reported_on_drawn", all=everybody, about=about))


def python_of(view: PeriodView, url: str) -> str:
    """A program that reads the downloaded tally and prints the same numbers."""
    tally = f"{view.row.name}-{view.period}.tally"
    return f'''"""Repeats {url}

Download the tally first, into the folder where this runs: by the link "tally" of the page, or with a reader's token:
    curl -H "Authorization: Bearer TOKEN" -o {tally} \\
        {url.rsplit("/s/", 1)[0]}/v1/surveys/{view.row.digest}/periods/{view.period}/tally
"""

from pathlib import Path

import deniable as dn

tally = dn.SurveyTally.from_bytes(Path("{tally}").read_bytes())
survey = dn.Survey.from_json(tally.document.document)
assert survey.digest == "{view.row.digest}"
print(survey.estimate(tally))
'''

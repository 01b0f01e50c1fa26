"""How many devices reported on a question: its own number of answers, which is seldom that of the survey."""

from __future__ import annotations

from typing import NamedTuple

from deniable.estimation.estimate import Estimate
from deniable.estimation.words import joined
from deniable.pages.results.period_view import PeriodView
from deniable.protocol.say import Statement


class Reported(NamedTuple):
    """How many, and the rest of the sentence that begins with it."""

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


def reported(found: PeriodView, estimate: Estimate, n: int) -> Reported:
    """That n reported on the question of an estimate, of how many; and how many of them told the shares, if not all."""
    told = _of_how_many(found, estimate, n)
    if estimate.n >= n or estimate.unlisted is None:  # texts alone are found by other reports than they are counted by
        return told
    return told._replace(rest=joined([told.rest, Statement("of_them_tell_the_shares", count=estimate.n)]))


def _of_how_many(found: PeriodView, estimate: Estimate, n: int) -> Reported:
    """Of a census also who the others are."""
    census = estimate.census
    if census is not None and census.too_many:
        return Reported(n, Statement("reports_on_this_question", count=n, who=census.who(n)))
    if census is not None:
        drawn = "of_asked_drawn" if census.answered == census.population else "of_asked_others_alike"
        key = "of_the_people_for_whom_it_is_meant" if census.is_all(n) else drawn
        return Reported(n, Statement(key, people=census.population))
    return among(n, found.n, Statement("this_question"))


def among(n: int, everybody: int, about: Statement) -> Reported:
    """How many of all devices reported on something."""
    if n == everybody:
        return Reported(n, Statement(
            "devices_reported_on",  count=n, about=about
        ))  # fmt: skip
    return Reported(n, Statement(
        "of_devices_reported_on_drawn", all=everybody, about=about
    ))  # fmt: skip

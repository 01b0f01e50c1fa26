"""How many devices reported on a question: its own number of answers, which is seldom that of the survey."""

from __future__ import annotations

from typing import NamedTuple

from deniable.estimation.estimate import Estimate
from deniable.pages.results.period_view import PeriodView
from deniable.sentence import Sentence, sentence


class Reported(NamedTuple):
    """How many, and the rest of the sentence that begins with it."""

    n: int
    rest: Sentence

    @property
    def number(self) -> Sentence:
        """How many, as it is written out."""
        return sentence("{count}", count=self.n)

    @property
    def words(self) -> Sentence:
        """The whole sentence."""
        return sentence("{number} {rest}", number=self.number, rest=self.rest)


def reported(found: PeriodView, estimate: Estimate) -> Reported:
    """How many reported on the question of an estimate, of how many; of a census also who the others are."""
    n, census = estimate.n, estimate.census
    if census is not None and census.is_all(n):
        return Reported(n, sentence(
            "of the {people} people for whom it is meant reported on this question: all of them.", people=n
        ))  # fmt: skip
    if census is not None:
        return Reported(n, sentence(
            "reports on this question: {who}.", one="report on this question: {who}.", count=n, who=census.who(n)
        ))  # fmt: skip
    return among(n, found.n, sentence("this question"))


def among(n: int, everybody: int, about: Sentence) -> Reported:
    """How many of all devices reported on something."""
    if n == everybody:
        return Reported(n, sentence(
            "devices reported on {about}.", one="device reported on {about}.", count=n, about=about
        ))  # fmt: skip
    return Reported(n, sentence(
        "of {all} devices reported on {about}, drawn by lot.", all=everybody, about=about
    ))  # fmt: skip

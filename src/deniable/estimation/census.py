"""A census: a survey is meant for so many people and no others, and some or all of them answered.

An unbiased estimate from reports varies with the answers of the people who told, and the share that it is about varies
with those of all N. What both have in common is p(1 - p)/N, whoever told and however reports are weighed. So the
variance about the share among the N people is that about people who are drawn without end, less p(1 - p)/N. If all N
told, what remains is the protection's own.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from deniable.protocol.say import Statement


class Census(NamedTuple):
    """How many people a survey is meant for, and how many of them answered it.

    >>> english(Census(120, 120).who(120)), english(Census(120, 120).who(40))
    ('all of them answered this question', '40 of 120, drawn by lot')
    >>> english(Census(120, 84).who(84))
    '84 of 120, taken as if the others were like them'
    """

    population: int
    answered: int

    @property
    def too_many(self) -> bool:
        """Whether there are more answers than people, so that it is not known who answered."""
        return self.answered > self.population

    @property
    def size(self) -> float:
        """Among how many people shares are estimated: without end where there are more answers than people."""
        return math.inf if self.too_many else self.population

    def is_all(self, told: int) -> bool:
        """Whether everybody for whom it is meant told of a question."""
        return told >= self.population and not self.too_many

    def who(self, told: int) -> Statement:
        """How many of the people told of a question, and what is supposed of the others."""
        if self.too_many:
            return Statement(
                "more_answers_than_people",
                answered=self.answered, people=self.population,
            )  # fmt: skip
        if self.is_all(told):
            return Statement("all_of_them_answered_this_question")
        if self.answered == self.population:
            return Statement("of_drawn_by_lot", told=told, people=self.population)
        return Statement("of_taken_as_if_the_others", told=told, people=self.population)


def size_of(census: Census | None) -> float:
    """Among how many people shares are estimated: without end where that is not known."""
    return math.inf if census is None else census.size


def among(variance: float, spread: float, size: float) -> float:
    """The variance of an estimate about the mean of so many people, whose own values spread by ``spread``.

    >>> round(among(0.01, 0.25, 100), 6), among(0.01, 0.25, math.inf)
    (0.0075, 0.01)
    """
    return max(variance - spread / size, 0.0)

"""The levels of protection that an author chooses from: which subjects each suits, and what guesses it allows."""

from __future__ import annotations

from typing import Final, NamedTuple

from deniable.sentence import Sentence, sentence
from deniable.surveys.advising.words import becomes

RARE: Final = 0.01
"""A guess at something that few people do."""


class Strength(NamedTuple):
    """A level, what it is called, which subjects it suits, and examples of them."""

    level: str
    name: Sentence
    suits: Sentence
    examples: Sentence

    @property
    def even(self) -> int:
        """Of how many in 100 guesses as likely as not are right at most afterwards."""
        return becomes(float(self.level))

    @property
    def rare(self) -> int:
        """The same of guesses that were right once in 100."""
        return becomes(float(self.level), RARE)


STRENGTHS: Final = (
    Strength(
        "1",
        sentence("Strong"),
        sentence("for what could cost a job or is punishable"),
        sentence("breaking rules, violence, drugs, illness, what people think of their superiors"),
    ),
    Strength(
        "2",
        sentence("Middling"),
        sentence("for what may embarrass"),
        sentence("pay, debts, workload, conflicts, habits that one would rather not shout across a room"),
    ),
    Strength(
        "3",
        sentence("Weak"),
        sentence("for everyday things"),
        sentence("the way to work, preferences, use of a product"),
    ),
)

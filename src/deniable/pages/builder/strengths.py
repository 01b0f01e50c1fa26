"""The levels of protection that an author chooses from: which subjects each suits, and what guesses it allows."""

from __future__ import annotations

from typing import Final, NamedTuple

from deniable.protocol.say import Statement
from deniable.protocol.surveys.protection import Protection

RARE: Final = 0.01
"""A guess at something that few people do."""


class Strength(NamedTuple):
    """A level, what it is called, which subjects it suits, and examples of them."""

    level: str
    suits: Statement
    examples: Statement

    @property
    def name(self) -> Statement:
        """What it is called."""
        return Statement("grade_heading", grade=self.protection.name)

    @property
    def protection(self) -> Protection:
        """What it comes to."""
        return Protection(float(self.level))

    @property
    def even(self) -> Statement:
        """What a guess that is as likely as not becomes."""
        return self.protection.guess()

    @property
    def rare(self) -> float:
        """The share of guesses that are right at most afterwards and were right once in 100."""
        return self.protection.most(RARE)


STRENGTHS: Final = (
    Strength(
        "1",
        Statement("for_what_could_cost_a_job"),
        Statement("breaking_rules_violence_drugs"),
    ),
    Strength(
        "2",
        Statement("for_what_may_embarrass"),
        Statement("pay_debts_workload_conflicts"),
    ),
    Strength(
        "3",
        Statement("for_everyday_things"),
        Statement("the_way_to_work"),
    ),
)

"""A design that is proposed: the survey, what it tells, and what is given up for it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from deniable.estimation.table import Table, Tabled
from deniable.estimation.words import amount, joined, people, points
from deniable.protocol.say import Statement, english
from deniable.protocol.surveys.protection import Protection
from deniable.surveys.advising.changes import Change
from deniable.surveys.advising.inputs import DesignInputs
from deniable.surveys.advising.outlooks import QuestionOutlook, outlooks
from deniable.surveys.survey import Survey

SEES: Final = (
    "In 19 of 20 such surveys the truth lies within the give or take. A share that is seen is told apart from zero "
    "in 4 of 5."
)


@dataclass(frozen=True)
class AdvisedDesign(Tabled):
    """A survey with what it tells, and the changes that made it of the one that was asked about; of that one, none.

    >>> import deniable as dn
    >>> way = dn.OneOf("way", ["car", "bus", "bike"])
    >>> first = dn.advise([way], people=200, epsilon=1.0).options[0]
    >>> first.survey.level_in_all, [change.brief for change in first.changes]
    (2.0, ['middling protection'])
    """

    inputs: DesignInputs
    changes: tuple[Change, ...] = ()
    survey: Survey = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "survey", self.inputs.survey())

    @cached_property
    def rows(self) -> tuple[QuestionOutlook, ...]:
        """What is told of each question."""
        inputs = self.inputs
        level = inputs.epsilon if inputs.crowd is None else self.survey.promise.level
        return outlooks(inputs.questions, self.survey.expected(inputs.people), level)

    @property
    def errors(self) -> dict[str, float]:
        """Half of the 95% interval of each question, as a share; of a number's mean, as a part of its range."""
        return {row.question.name: row.error for row in self.rows}

    @property
    def smallest(self) -> float:
        """The smallest share that can be told from zero in 4 of 5 such surveys, whatever the question."""
        return max(row.smallest for row in self.rows)

    @property
    def seen(self) -> str:
        """``smallest`` in words."""
        return max(self.rows, key=lambda row: row.smallest).seen

    @property
    def verdict(self) -> str:
        """What the question of which least is told comes to, in words."""
        return english(self.verdict_statement)

    @property
    def verdict_statement(self) -> Statement:
        """``verdict``, in any language."""
        return max(self.rows, key=lambda row: (row.is_nothing, row.error)).verdict_statement

    @property
    def is_nothing(self) -> bool:
        """Whether nothing is told of some question."""
        return any(row.is_nothing for row in self.rows)

    @property
    def protection(self) -> Protection:
        """How well it protects."""
        return Protection.of(self.survey)

    @property
    def what(self) -> str:
        """What is given up, in sentences."""
        if self.changes:
            return english(joined(change.what for change in self.changes))
        asked, guess = amount(len(self.inputs.questions), "question"), english(self.protection.guess())
        whom = english(people(self.inputs.people))
        return f"As asked: {asked}, {whom}, and {guess}."

    @property
    def short(self) -> Statement:
        """``what`` in few words, to stand beside rows that show which questions are left out and what a guess was."""
        return joined(change.short or change.what for change in self.changes)

    @property
    def kind(self) -> str:
        """The kind of its dearest change; empty for what was asked about."""
        return max(self.changes, key=lambda change: change.price).kind if self.changes else ""

    @property
    def key(self) -> str:
        """What tells it apart from the others, for forms and links."""
        return ";".join(change.key for change in self.changes)

    @property
    def price(self) -> float:
        """How much is given up in all."""
        return math.fsum(change.price for change in self.changes)

    @property
    def brief(self) -> str:
        """What is changed, in a few words."""
        brief = [c.brief if c.question is None else f"{c.question}: {c.brief}" for c in self.changes]
        return ", ".join(brief) or "as asked"

    @property
    def give_or_take(self) -> str:
        """By how much each question may be off."""
        if len(self.rows) == 1:
            return self.rows[0].give_or_take
        return ", ".join(f"{row.question.name} {row.give_or_take}" for row in self.rows)

    def to_dict(self) -> dict[str, Any]:
        """The design as plain values: what is given up, what it tells, and how it is asked."""
        inputs = self.inputs
        return {
            "what": self.what,
            "changes": [change.to_dict() for change in self.changes],
            "verdict": self.verdict,
            "errors": self.errors,
            "smallest": self.smallest,
            "people": inputs.people,
            "epsilon": inputs.epsilon,
            "population": inputs.population,
            **({} if self.survey.crowd is None else {"crowd": self.survey.crowd.to_json()}),
            "questions": {row.question.name: row.to_dict() for row in self.rows},
        }

    def table(self) -> Table:
        rows = [(r.question.name, r.give_or_take, r.seen, r.verdict) for r in self.rows]
        return Table(self.brief, ("question", "give or take", "sees", "which is"), rows, [self.what, SEES])

    def __repr__(self) -> str:
        errors = ", ".join(f"{name}: {points(error)}" for name, error in self.errors.items())
        return f"AdvisedDesign({self.brief}; give or take {errors})"

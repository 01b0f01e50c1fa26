"""What error to expect of a survey: of every question, from its document and the number of people alone."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from deniable.checks import check_users
from deniable.estimation.census import Census, size_of
from deniable.estimation.frame import Frame
from deniable.estimation.table import Table, Tabled
from deniable.planning.outlook import TWO_SIDED, points_in_words
from deniable.protocol.questions.branches import trees
from deniable.protocol.questions.question import Question
from deniable.protocol.say import english
from deniable.surveys.arms import Arm
from deniable.surveys.branch_errors import expected_on_ways
from deniable.surveys.even_ways import EvenWays
from deniable.surveys.questions.kind import Expected
from deniable.surveys.questions.kinds import companion

COLUMNS = ("people", "error", "of_asked", "mean", "mean_worst", "mean_people", "below", "least_below", "note")
"""What a frame holds of each question."""
GIVE_OR_TAKE = "In 19 of 20 such surveys the truth lies within the give or take."
LOST = 0.1
"""The standard error from which on a share or a mean says next to nothing."""


@dataclass(frozen=True, repr=False)
class Expectation(Frame, Mapping[str, Expected], Tabled):
    """The standard error to expect in a share of each question, by its name."""

    survey: str
    people: int
    rows: Mapping[str, Expected]
    census: Census | None = None
    """Of how many people those are, if that is known."""

    def __getitem__(self, name: str) -> Expected:
        return self.rows[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def warnings(self) -> tuple[str, ...]:
        """Sentences on too many people, and on questions that would be lost in the noise, among those who are asked."""
        lost = [name for name, row in self.rows.items() if row.stated[-1][0] >= LOST and row.error != row.mean]
        means = [name for name, row in self.rows.items() if (row.mean or 0) >= LOST]
        of_shares = f"Beware: of {', '.join(lost)} a share below 20% cannot be told apart from 0%; ask more people."
        of_means = f"Beware: the mean of {', '.join(means)} may be off by 20% of the range or more; ask more people."
        is_exceeded = self.census is not None and self.census.too_many
        exceeded = (f"Beware: {english(self.census.who(self.people))}.",) if self.census and is_exceeded else ()
        return (*exceeded, *([of_shares] if lost else []), *([of_means] if means else []))

    @property
    def population(self) -> int | None:
        """How many people the survey is meant for, if it says so."""
        return None if self.census is None else self.census.population

    @property
    def who(self) -> tuple[str, ...]:
        """Of a census, who is expected to tell of each question."""
        if self.census is None or self.census.too_many:
            return ()
        return tuple(f"{name}: {english(self.census.who(row.people))}." for name, row in self.rows.items())

    @property
    def means(self) -> tuple[str, ...]:
        """What to expect of each number's mean, in its own units."""
        return tuple(row.mean_note for row in self.rows.values() if row.mean_note)

    @property
    def beside_the_best(self) -> tuple[str, ...]:
        """How near the errors of ranges are to those of the best reports that there could be."""
        return tuple(
            f"Shares of people below a number of {name} err {row.below / row.least_below:.2f} times as much as "
            "the best possible reports could."
            for name, row in self.rows.items()
            if row.below is not None and row.least_below is not None
        )

    def to_dict(self) -> dict[str, Any]:
        rows = {name: row.to_dict() for name, row in self.rows.items()}
        return {**self._head, "questions": rows, "warnings": list(self.warnings)}

    @property
    def about(self) -> dict[str, Any]:
        return {**self._head, "warnings": list(self.warnings)}

    @property
    def _head(self) -> dict[str, Any]:
        population = {} if self.population is None else {"population": self.population}
        return {"survey": self.survey, "people": self.people, **population}

    @property
    def columns(self) -> dict[str, list[Any]]:
        """A value for each question; shares, and of numbers the mean as a part of the range, with their errors."""
        values = {name: [getattr(row, name) for row in self.rows.values()] for name in COLUMNS}
        return {"question": list(self.rows), **values}

    @property
    def named(self) -> tuple[str, ...]:
        return ()

    def table(self) -> Table:
        rows = [
            (name, f"{row.people:,}", points_in_words(TWO_SIDED * error), of)
            for name, row in self.rows.items()
            for error, of in row.stated
        ]
        headings = ("question", "people asked", "give or take", "of")
        notes = [GIVE_OR_TAKE, *self.who, *self.means, *self.beside_the_best, *self.warnings]
        return Table(f"{self.survey}, {self.people:,} people", headings, rows, notes)

    def __repr__(self) -> str:
        return f"Expectation({self.survey!r}, {self.people} people)"


def expected(
    name: str, questions: Iterable[Question], arms: Iterable[Arm], people: int, population: int | None = None
) -> Expectation:
    """The error of every question if so many people answer; each arm gets its part of them.

    With a ``population`` the errors are about the shares among so many people, of whom these are a part or all.
    """
    n, every_arm, asked = check_users(people), tuple(arms), tuple(questions)
    census = None if population is None else Census(population, n)
    size = size_of(census)
    branched = {question.name for tree in trees(asked) if len(tree) > 1 for question in tree}
    ways = EvenWays([question for question in asked if question.pair_labels]) if branched else None
    rows = {q.name: _expected_of(q, ways if q.name in branched else None, every_arm, n, size) for q in asked}
    return Expectation(name, n, rows, census)


def _expected_of(question: Question, ways: EvenWays | None, arms: Sequence[Arm], people: int, size: float) -> Expected:
    """The error of a question among ``size`` people; ``ways`` are given if it follows from others or others from it."""
    total = sum(arm.weight for arm in arms)
    by_arm = [(arm, people * arm.weight / total) for arm in arms]
    asked = [(part, n) for arm, n in by_arm for part in arm.parts if question.name in part.estimable]
    count = math.fsum(n for arm, n in by_arm if any(question.name in part.estimable for part in arm.parts))
    if ways is not None:
        return expected_on_ways(question, ways, asked, round(count), size)
    return companion(question).expected(question, asked, round(count), size)

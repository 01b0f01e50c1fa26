"""What error to expect of a survey: of every question, from its document and the number of people alone."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from deniable.checks import check_users
from deniable.estimation.census import Census, among
from deniable.estimation.frame import Frame
from deniable.estimation.table import Table
from deniable.planning.outlook import TWO_SIDED, points
from deniable.protocol.surveys.encoders import Has, Listed
from deniable.protocol.surveys.numbers import Number
from deniable.protocol.surveys.one_of import OneOf
from deniable.protocol.surveys.question import Question
from deniable.protocol.surveys.questions import AnyOf
from deniable.surveys.arms import Arm, Part
from deniable.surveys.number_errors import amount, least_ranges_error, mean_error, range_of, ranges_error
from deniable.surveys.part_errors import item_variance, len_of, stated_share, unit_variance

COLUMNS = ("people", "error", "mean", "mean_worst", "mean_people", "below", "least_below", "note")
"""What a frame holds of each question."""
GIVE_OR_TAKE = "In 19 of 20 such surveys the truth lies within the give or take."
EVEN = "if all numbers are equally frequent"
BELOW = f"the share of people below a number, {EVEN}"
MEAN = f"the mean, as a part of the range, {EVEN}"
LONGEST = "a label's share, if lists are as long as they may be and all labels equally frequent"
LOST = 0.1
"""The standard error from which on a share or a mean says next to nothing."""


@dataclass(frozen=True, slots=True)
class Expected:
    """What to expect of one question: how many of the people are asked it, and the standard error of a share.

    Of a number also that of its mean, as a part of the range, if all numbers are equally frequent and at the worst,
    and how many people tell of it; and that of the share of people below a number, if all are equally frequent, and
    the least that it could be for any reports.
    """

    people: int
    error: float
    note: str
    mean: float | None = None
    mean_worst: float | None = None
    mean_people: int | None = None
    below: float | None = None
    least_below: float | None = None
    mean_note: str = ""

    @property
    def deciding(self) -> tuple[float, ...]:
        """What a design or a number of people is chosen by: of a mean the error that no truth exceeds."""
        known = tuple(error for error in (self.mean_worst, self.below) if error is not None)
        return known or (self.error,)

    def to_dict(self) -> dict[str, Any]:
        """The people and the errors that there are."""
        names = ("mean", "mean_worst", "mean_people", "below", "least_below")
        known = {name: getattr(self, name) for name in names if getattr(self, name) is not None}
        return {"people": self.people, "error": self.error, **known}


@dataclass(frozen=True, repr=False)
class Expectation(Frame, Mapping[str, Expected]):
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
        """Questions whose answers would be lost in the noise."""
        lost = [name for name, row in self.rows.items() if row.error >= LOST and row.error != row.mean]
        means = [name for name, row in self.rows.items() if (row.mean or 0) >= LOST]
        of_shares = f"Beware: of {', '.join(lost)} a share below 20% cannot be told apart from 0%; ask more people."
        of_means = f"Beware: the mean of {', '.join(means)} may be off by 20% of the range or more; ask more people."
        too_many = (
            [f"Beware: {self.census.who(self.people)}."] if self.census is not None and self.census.too_many else []
        )
        return (*too_many, *([of_shares] if lost else []), *([of_means] if means else []))

    @property
    def _too_many(self) -> tuple[str, ...]:
        census = self.census
        return () if census is None or not census.too_many else (f"Beware: {census.who(self.people)}.",)

    @property
    def population(self) -> int | None:
        """How many people the survey is meant for, if it says so."""
        return None if self.census is None else self.census.population

    @property
    def who(self) -> tuple[str, ...]:
        """Of a census, who is expected to tell of each question."""
        if self.census is None or self.census.too_many:
            return ()
        return tuple(f"{name}: {self.census.who(row.people)}." for name, row in self.rows.items())

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
        """The expectation as plain values."""
        rows = {name: row.to_dict() for name, row in self.rows.items()}
        return {**self._head, "questions": rows, "warnings": list(self.warnings)}

    @property
    def about(self) -> dict[str, Any]:
        """The survey, how many people are asked, and what to beware of."""
        return {**self._head, "warnings": list(self.warnings)}

    @property
    def _head(self) -> dict[str, Any]:
        population = {} if self.population is None else {"population": self.population}
        return {"survey": self.survey, "people": self.people, **population}

    @property
    def columns(self) -> dict[str, list[Any]]:
        """A value for each question; shares, and of numbers the mean as a part of the range, with their errors."""
        told = {name: [getattr(row, name) for row in self.rows.values()] for name in COLUMNS}
        return {"question": list(self.rows), **told}

    @property
    def named(self) -> tuple[str, ...]:
        """No column holds labels."""
        return ()

    def table(self) -> Table:
        """A row for each question."""
        rows = [(name, f"{row.people:,}", points(TWO_SIDED * row.error), row.note) for name, row in self.rows.items()]
        headings = ("question", "people asked", "give or take", "of")
        notes = [GIVE_OR_TAKE, *self.who, *self.means, *self.beside_the_best, *self.warnings]
        return Table(f"{self.survey}, {self.people:,} people", headings, rows, notes)

    def __str__(self) -> str:
        return str(self.table())

    def __repr__(self) -> str:
        return f"Expectation({self.survey!r}, {self.people} people)"

    def _repr_html_(self) -> str:
        return self.table()._repr_html_()


def expected(
    name: str, questions: Iterable[Question], arms: Iterable[Arm], people: int, population: int | None = None
) -> Expectation:
    """The error of every question if so many people answer; each arm gets its part of them.

    With a ``population`` the errors are about the shares among so many people, of whom these are a part or all.
    """
    n, drawn = check_users(people), tuple(arms)
    census = None if population is None else Census(population, n)
    size = math.inf if census is None else census.size
    rows = {question.name: _of(question, drawn, n, size) for question in questions}
    return Expectation(name, n, rows, census)


def _of(question: Question, arms: Sequence[Arm], people: int, size: float) -> Expected:
    total = sum(arm.weight for arm in arms)
    crowds = [(arm, people * arm.weight / total) for arm in arms]
    asked = [(part, n) for arm, n in crowds for part in arm.parts if question.name in part.names]
    count = round(sum(n for arm, n in crowds if _asks(arm.parts, question)))
    if isinstance(question, OneOf):
        share, error = 1 / len(question.labels), _of_labels(asked, len(question.labels))
        return Expected(count, _less(error, share, size), "a share, if all answers are equally frequent")
    if isinstance(question, AnyOf):
        share = stated_share(question)
        error = _less(_of_list(asked, len(question.labels), share), share, size)
        return Expected(count, error, "the share of a label that half of all hold" if share == 0.5 else LONGEST)
    if isinstance(question, Number):
        return _of_number(question, asked, count, size)
    return Expected(count, _of_texts(asked), "a text, which must be held by three times as many to be found")


def _less(error: float, share: float, size: float) -> float:
    """The error of such a share among so many people."""
    return math.sqrt(among(error**2, share * (1 - share), size))


def _asks(parts: tuple[Part, ...], question: Question) -> bool:
    return any(question.name in part.names for part in parts)


def _of_labels(asked: Sequence[tuple[Part, float]], labels: int) -> float:
    """The error of one of so many labels, equally frequent, from reports on them alone and on pairs with others."""
    precision = math.fsum(n * labels / (len_of(part) * unit_variance(part)) for part, n in asked)
    return math.sqrt((1 - 1 / labels) / precision)


def _of_list(asked: list[tuple[Part, float]], labels: int, share: float) -> float:
    """The error of one label: whole lists tell all, and reports about single labels one each."""
    whole = math.fsum(n / item_variance(part, share) for part, n in asked if isinstance(part.encoder, Listed))
    single = math.fsum(n / item_variance(part, share) for part, n in asked if isinstance(part.encoder, Has)) / labels
    return 1 / math.sqrt(whole + single)


def _of_number(question: Number, asked: Sequence[tuple[Part, float]], people: int, size: float) -> Expected:
    """The error of the share below a number, and that of the mean as a part of the range between the bounds."""
    mean, below = mean_error(question, asked, size), ranges_error(question, asked, size)
    least = least_ranges_error(question, asked, size)
    if mean is None:
        if below is None:
            error = _less(_of_labels(asked, 2), 0.5, size)
            return Expected(people, error, f"{MEAN} (told by group alone)", mean=error)
        return Expected(people, below, BELOW, below=below, least_below=least)
    told, even, worst = round(mean.people), mean.even, mean.worst
    usual, most = (amount(question, TWO_SIDED * error * range_of(question), 2) for error in (even, worst))
    give = f"give or take {usual} {EVEN}, at most {most}."
    said = f"{told:,} people tell of the mean of {question.name}: {give}"
    known = (even, worst, told, below, least, said)
    return Expected(people, even, MEAN, *known) if below is None else Expected(people, below, BELOW, *known)


def _of_texts(asked: list[tuple[Part, float]]) -> float:
    """The error of a text's share in the smallest group that has to show it (discovery)."""
    return max(1 / (math.sinh(part.mechanism.guarantee.claimed / 2) * math.sqrt(n)) for part, n in asked)

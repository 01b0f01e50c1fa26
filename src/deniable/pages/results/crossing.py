"""Two questions that were crossed: pairs of answers and whether they go together, or a number beside another answer."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, Final

from deniable.estimation.cross import CrossTable
from deniable.estimation.export import csv_text
from deniable.estimation.numbers.association import Association
from deniable.estimation.numbers.by_group import MeansByGroup
from deniable.estimation.numbers.number_saying import in_words
from deniable.estimation.numbers.quantity import Quantity
from deniable.estimation.saying import LEVEL, RARE, connection
from deniable.estimation.table import answer_name, printable
from deniable.estimation.words import give_or_take, how_often, joined, points, quoted, share_in_words
from deniable.pages.kinds.kinds import page_kind
from deniable.pages.results.about import Reported, among
from deniable.pages.results.period_view import PeriodView
from deniable.pages.results.selection import AT_ONCE
from deniable.pages.results.within_rows import WithinView
from deniable.protocol.questions.question import Question
from deniable.protocol.say import Phrase, Statement, english
from deniable.surveys.document import Document
from deniable.surveys.results import Results

MOST_COLUMNS: Final = 20
MOST_CELLS: Final = 300
"""So many pairs are shown on a page, or one row."""
EARLY: Final = Statement("answers_still_come_in_so")
OVERLAP: Final = Statement("the_sentence_at_the_top")


@dataclass(frozen=True)
class Cell:
    """A pair of answers: its share with its standard error and interval, and the same in words."""

    value: float
    stderr: float
    low: float
    high: float

    @property
    def estimate(self) -> str:
        """The share, in points."""
        return points(self.value)

    @property
    def take(self) -> Statement:
        """Give or take so many points."""
        return give_or_take(self.value, self.low, self.high)

    @property
    def words(self) -> Phrase:
        """What the interval says."""
        return share_in_words(self.low, self.high)


@dataclass(frozen=True, eq=False)
class CrossView:
    """Two crossed questions in plain values, with what can be said; of an open period the shares of pairs alone."""

    table: CrossTable
    finding: Phrase
    lead: Phrase
    """The test in a sentence, or why there is none."""
    test: Phrase
    chance: float | None
    reported: Reported
    columns: tuple[Phrase, ...]
    rows: tuple[tuple[Phrase, tuple[Cell, ...]], ...]
    within: WithinView | None = None

    @cached_property
    def csv(self) -> str:
        """All pairs as lines; of thousands that takes a second, and anybody with a link may ask for them again."""
        return self.table.to_csv()

    @property
    def at_once(self) -> int:
        """So many rows of pairs are shown on a page."""
        return max(1, min(AT_ONCE, MOST_CELLS // max(len(self.columns), 1)))

    def to_dict(self) -> dict[str, Any]:
        """The same for programs."""
        told: dict[str, Any] = {"n": self.reported.n, "sentence": self.finding, "columns": list(self.columns)}
        rows = [{"label": label, "cells": [vars(cell) for cell in cells]} for label, cells in self.rows]
        if self.within is None:
            return {**told, "rows": rows, "why": self.lead}
        rows = [{**row, **self.within.row(place)} for place, row in enumerate(rows)]
        everybody = self.within.everybody()
        return {**told, "test": self.lead, "p_value": self.chance, "rows": rows, "everybody": everybody}


def crossed_pairs(view: PeriodView) -> list[tuple[str, str]]:
    """The pairs of questions that are asked together, of which the reader may see both."""
    seen = {question.name for question in view.questions}
    pairs = [pair for arm in view.survey.arms for part in arm.parts for pair in part.crossed]
    return [pair for pair in dict.fromkeys(pairs) if seen.issuperset(pair)]


def long_one_down(document: Document, names: tuple[str, str]) -> tuple[str, str]:
    """The pair so that a long list of answers makes the rows, which can go on from page to page."""
    rows, columns = (_length(document.question(name)) for name in names)
    return (names[1], names[0]) if columns > max(rows, MOST_COLUMNS) else names


def _length(question: Question) -> int:
    return len(question.choices)


def asked_in_words(document: Document, name: str) -> Phrase:
    """A question as it stands in a sentence: its wording, or its name if it has none."""
    wording = document.question(name).wording
    return quoted(wording) if wording else name


def crossed(results: Results, first: str, second: str, is_open: bool = False) -> CrossView:
    """What the table of two questions says; of a period that is open nothing is tested."""
    table = results.cross(first, second)
    values = zip(table.shares.tolist(), table.stderr.tolist(), table.interval(LEVEL).tolist(), strict=True)
    rows = [tuple(Cell(share, error, *span) for share, error, span in zip(*each, strict=True)) for each in values]
    names = (asked_in_words(results.document, first), asked_in_words(results.document, second))
    labels, columns = map(answer_name, table.rows), tuple(map(answer_name, table.columns))
    reported, shown = together(table.told_both, results.n), tuple(zip(labels, rows, strict=True))
    if is_open:
        return CrossView(table, said_at_the_end(names), EARLY, "", None, reported, columns, shown)
    within = WithinView(table)
    chance = table.test.p_value
    return CrossView(table, *_found(names, chance, within), _tested(table), chance, reported, columns, shown, within)


def said_at_the_end(names: tuple[Phrase, Phrase]) -> Statement:
    """What is said of two questions while answers still come in."""
    first, second = names
    return Statement("whether_and_go_together_is_said", first=first, second=second)


def together(both: int, everybody: int) -> Reported:
    """How many devices reported on two answers together: what is said of them rests on these alone."""
    return among(both, everybody, Statement("both_answers_together"))


def _found(names: tuple[Phrase, Phrase], chance: float, within: WithinView) -> tuple[Statement, Statement]:
    """The two rows that differ most, or whether the answers go together; and what else the test says."""
    finding, rest = connection(names, chance)
    if chance < RARE and within.clearest is not None:
        return within.clearest.statement, joined([finding, rest])
    return finding, rest if chance >= RARE else joined([rest, Statement("which_rows_differ_cannot")])


def _tested(table: CrossTable) -> Statement:
    """How the chance in the sentence was found; and what it is, where the sentence does not say."""
    test = table.test
    how = Statement("by_comparison_with", method=test.method)
    if test.df:
        how = Statement("with_degrees_of_freedom", how=how, count=test.df)
    if test.p_value < RARE:
        return Statement("the_chance_is_found", how=how)
    return Statement("were_there_no_connection_chance", often=how_often(test.p_value), how=how)


# --- a number ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Line:
    """A group or a measure: its name, the estimate, and what can be said; nothing of groups that are too small."""

    name: Phrase
    estimate: Phrase
    words: Phrase
    value: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True)
class ComparisonView:
    """A sentence, how to read it, and a row for each group or each measure."""

    finding: Phrase
    lead: Phrase
    reported: Reported
    heading: Phrase
    rows: tuple[Line, ...]
    at_once: int = AT_ONCE
    """So many rows are shown on a page."""

    def to_dict(self) -> dict[str, Any]:
        """The same for programs."""
        rows = [{name: value for name, value in vars(row).items() if name != "estimate"} for row in self.rows]
        return {"n": self.reported.n, "sentence": self.finding, "rows": rows}

    def to_csv(self) -> str:
        """A row for each group or measure."""
        told = [{**vars(row), "name": english(row.name), "words": english(row.words)} for row in self.rows]
        columns = {name: [row[name] for row in told] for name in ("name", "value", "low", "high", "words")}
        return csv_text(columns, ("name", "words"))


def beside(results: Results, first: str, second: str) -> ComparisonView | None:
    """What is shown of two questions of which one at least is a number; None of two others."""
    document = results.document
    pair = [name for name in (first, second) if not page_kind(document.question(name)).has_shares]
    said = partial(asked_in_words, document)
    if len(pair) == 2:
        return _together(results.association(first, second), said, results.n)
    if len(pair) == 1:
        [number] = pair
        return _by_group(results.means(number, by=second if number == first else first), said, results.n)
    return None


def _by_group(means: MeansByGroup, said: Callable[[Phrase], Phrase], everybody: int) -> ComparisonView:
    groups, number = map(said, means.names)
    rows = tuple(_group(printable(group), means.mean(group), means.unit) for group in means.groups)
    clearest = means.clearest(LEVEL)
    if clearest is None:
        finding = Statement("whether_differs_in_the_mean", number=number, groups=groups)
    else:
        finding = replace(clearest, names=(groups, number)).statement
    lead = Statement("the_mean_of_among_the_people", number=number, groups=groups)
    return ComparisonView(finding, joined([lead, OVERLAP]), together(means.n, everybody), groups, rows)


def _group(name: str, mean: Quantity, unit: str) -> Line:
    if math.isnan(mean.value):
        return Line(name, "", Statement("too_few_people_to_say"), None, None, None)
    return _line(name, mean, unit)


def _together(association: Association, said: Callable[[Phrase], Phrase], everybody: int) -> ComparisonView:
    first, second = map(said, association.names)
    told = [
        (Statement("for_each_unit_more_of", first=first, second=second), association.slope),
        (Statement("correlation_from_minus1_to_1"), association.correlation),
        (Statement("covariance"), association.covariance),
    ]
    rows = tuple(_line(name, quantity) for name, quantity in told if quantity is not None)
    low, high = association.covariance.interval(LEVEL)
    if low > 0:
        finding = Statement("and_rise_together", first=first, second=second)
    elif high < 0:
        finding = Statement("and_go_against_each_other", first=first, second=second)
    else:
        finding = Statement("no_connection_between_and_can", first=first, second=second)
    return ComparisonView(finding, "", together(association.n, everybody), Statement("measure"), rows)


def _line(name: Phrase, quantity: Quantity, unit: str = "") -> Line:
    return Line(name, *in_words(quantity, unit), quantity.value, *quantity.interval(LEVEL))

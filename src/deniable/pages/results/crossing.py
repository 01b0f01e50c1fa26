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
from deniable.protocol.say import Phrase, Statement, english
from deniable.surveys.document import Document
from deniable.surveys.results import Results

MOST_COLUMNS: Final = 20
MOST_CELLS: Final = 300
"""So many pairs are shown on a page, or one row."""
NOT_TESTED_YET: Final = Statement("answers_still_come_in_so")
HOW_TO_READ_MEANS: Final = Statement("the_sentence_at_the_top")


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
    """How it was made."""
    chance: float | None
    """Its p-value; None while the period is open."""
    reported: Reported
    columns: tuple[Phrase, ...]
    rows: tuple[tuple[Phrase, tuple[Cell, ...]], ...]
    within: WithinView | None = None
    """What is told of the shares within rows; None while the period is open."""

    @cached_property
    def csv(self) -> str:
        """All pairs as lines; of thousands that takes a second, and anybody with a link may ask for them again."""
        return self.table.to_csv()

    @property
    def at_once(self) -> int:
        """So many rows of pairs are shown on a page."""
        return max(1, min(AT_ONCE, MOST_CELLS // max(len(self.columns), 1)))

    def to_dict(self) -> dict[str, Any]:
        """Two crossed questions for programs, with all pairs."""
        head: dict[str, Any] = {"n": self.reported.n, "sentence": self.finding, "columns": list(self.columns)}
        rows = [{"label": label, "cells": [vars(cell) for cell in cells]} for label, cells in self.rows]
        if self.within is None:
            return {**head, "rows": rows, "why": self.lead}
        rows = [{**row, **self.within.row(place)} for place, row in enumerate(rows)]
        everybody = self.within.everybody()
        return {**head, "test": self.lead, "p_value": self.chance, "rows": rows, "everybody": everybody}


def crossed_pairs(view: PeriodView) -> list[tuple[str, str]]:
    """The pairs of questions that are asked together, of which the reader may see both."""
    seen = {question.name for question in view.questions}
    pairs = [pair for arm in view.survey.arms for part in arm.parts for pair in part.crossed]
    return [pair for pair in dict.fromkeys(pairs) if seen.issuperset(pair)]


def longer_as_rows(document: Document, names: tuple[str, str]) -> tuple[str, str]:
    """The pair so that a long list of answers makes the rows, which can go on from page to page."""
    rows, columns = (len(document.question(name).choices) for name in names)
    return (names[1], names[0]) if columns > max(rows, MOST_COLUMNS) else names


def question_in_words(document: Document, name: str) -> Phrase:
    """A question as it stands in a sentence: its wording, or its name if it has none."""
    wording = document.question(name).wording
    return quoted(wording) if wording else name


def crossed(results: Results, first: str, second: str, is_open: bool = False) -> CrossView:
    """What the table of two questions says; of a period that is open nothing is tested."""
    table = results.cross(first, second)
    values = zip(table.shares.tolist(), table.stderr.tolist(), table.interval(LEVEL).tolist(), strict=True)
    rows = [tuple(Cell(share, error, *span) for share, error, span in zip(*each, strict=True)) for each in values]
    names = (question_in_words(results.document, first), question_in_words(results.document, second))
    labels, columns = map(answer_name, table.rows), tuple(map(answer_name, table.columns))
    reported, labelled = reported_both(table.told_both, results.n), tuple(zip(labels, rows, strict=True))
    if is_open:
        return CrossView(table, not_tested_while_open(names), NOT_TESTED_YET, "", None, reported, columns, labelled)
    within, chance, test = WithinView(table), table.test.p_value, _test_in_words(table)
    return CrossView(table, *_findings(names, chance, within), test, chance, reported, columns, labelled, within)


def not_tested_while_open(names: tuple[Phrase, Phrase]) -> Statement:
    """That whether two questions go together is said once no more answers come in."""
    first, second = names
    return Statement("whether_and_go_together_is_said", first=first, second=second)


def reported_both(both: int, everybody: int) -> Reported:
    """How many devices reported on two answers together: what is said of them rests on these alone."""
    return among(both, everybody, Statement("both_answers_together"))


def _findings(names: tuple[Phrase, Phrase], chance: float, within: WithinView) -> tuple[Statement, Statement]:
    """The two rows that differ most, or whether the answers go together; and what else the test says."""
    finding, rest = connection(names, chance)
    if chance < RARE and within.clearest is not None:
        return within.clearest.statement, joined([finding, rest])
    return finding, rest if chance >= RARE else joined([rest, Statement("which_rows_differ_cannot")])


def _test_in_words(table: CrossTable) -> Statement:
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
class QuantityRow:
    """A group's mean, or a measure of two numbers; None of groups that are too small."""

    name: Phrase
    estimate: Phrase
    words: Phrase
    value: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True)
class NumberCrossView:
    """Two crossed questions of which one at least is a number: a finding, how to read it, and its rows."""

    finding: Phrase
    lead: Phrase
    """How to read the rows; empty of two numbers."""
    reported: Reported
    first_column: Phrase
    """What stands above the names of the rows."""
    rows: tuple[QuantityRow, ...]
    at_once: int = AT_ONCE
    """So many rows are shown on a page."""

    def to_dict(self) -> dict[str, Any]:
        """The finding and its rows for programs."""
        rows = [{name: value for name, value in vars(row).items() if name != "estimate"} for row in self.rows]
        return {"n": self.reported.n, "sentence": self.finding, "rows": rows}

    def to_csv(self) -> str:
        """A line for each group or measure."""
        lines = [{**vars(row), "name": english(row.name), "words": english(row.words)} for row in self.rows]
        columns = {name: [line[name] for line in lines] for name in ("name", "value", "low", "high", "words")}
        return csv_text(columns, ("name", "words"))


def crossed_numbers(results: Results, first: str, second: str) -> NumberCrossView | None:
    """What is shown of two questions of which one at least is a number; None of two others."""
    document = results.document
    numbers = [name for name in (first, second) if not page_kind(document.question(name)).has_shares]
    wording = partial(question_in_words, document)
    if len(numbers) == 2:
        return _of_association(results.association(first, second), wording, results.n)
    if len(numbers) == 1:
        [number] = numbers
        return _of_means(results.means(number, by=second if number == first else first), wording, results.n)
    return None


def _of_means(means: MeansByGroup, wording: Callable[[Phrase], Phrase], everybody: int) -> NumberCrossView:
    """A number's mean in each group, and which two groups surely differ most."""
    groups, number = map(wording, means.names)
    rows = tuple(_group(printable(group), means.mean(group), means.unit) for group in means.groups)
    clearest = means.clearest(LEVEL)
    if clearest is None:
        finding = Statement("whether_differs_in_the_mean", number=number, groups=groups)
    else:
        finding = replace(clearest, names=(groups, number)).statement
    lead = Statement("the_mean_of_among_the_people", number=number, groups=groups)
    return NumberCrossView(finding, joined([lead, HOW_TO_READ_MEANS]), reported_both(means.n, everybody), groups, rows)


def _group(name: str, mean: Quantity, unit: str) -> QuantityRow:
    if math.isnan(mean.value):
        return QuantityRow(name, "", Statement("too_few_people_to_say"), None, None, None)
    return _row(name, mean, unit)


def _of_association(association: Association, wording: Callable[[Phrase], Phrase], everybody: int) -> NumberCrossView:
    """How two numbers go together: slope, correlation and covariance."""
    first, second = map(wording, association.names)
    measures = [
        (Statement("for_each_unit_more_of", first=first, second=second), association.slope),
        (Statement("correlation_from_minus1_to_1"), association.correlation),
        (Statement("covariance"), association.covariance),
    ]
    rows = tuple(_row(name, quantity) for name, quantity in measures if quantity is not None)
    low, high = association.covariance.interval(LEVEL)
    if low > 0:
        finding = Statement("and_rise_together", first=first, second=second)
    elif high < 0:
        finding = Statement("and_go_against_each_other", first=first, second=second)
    else:
        finding = Statement("no_connection_between_and_can", first=first, second=second)
    return NumberCrossView(finding, "", reported_both(association.n, everybody), Statement("measure"), rows)


def _row(name: Phrase, quantity: Quantity, unit: str = "") -> QuantityRow:
    return QuantityRow(name, *in_words(quantity, unit), quantity.value, *quantity.interval(LEVEL))

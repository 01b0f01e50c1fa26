"""Scales below one heading, which a page shows as one picture: each row small, on an axis for all, and one sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from deniable.estimation.saying import LEVEL
from deniable.estimation.table import printable
from deniable.estimation.words import joined, quoted
from deniable.pages.results.asked import result_kind_of
from deniable.pages.results.period_view import PeriodView
from deniable.pages.results.rows import Axis, Row
from deniable.protocol.questions.question import Question
from deniable.protocol.say import Phrase, Statement

MOST_LABELS: Final = 7
"""Of more labels a row has no room for a picture of each."""


@dataclass(frozen=True)
class GridRow:
    """A row: a question of its own, how many reported on it, and its answers; ``missing`` says why there is nothing."""

    name: str
    wording: str
    n: int
    answers: tuple[Row, ...]
    missing: str


@dataclass(frozen=True)
class GridView:
    """The rows of a grid; ``among`` says of whom the shares are, where not everybody was asked."""

    heading: str
    labels: tuple[str, ...]
    axis: Axis
    rows: tuple[GridRow, ...]
    sentence: Phrase
    among: Phrase

    @property
    def about(self) -> Phrase:
        """Of whom it is, and what the numbers of its rows are."""
        statement = Statement("each_line_has_its_n")
        return Statement("parted", first=self.among, last=statement) if self.among else statement


def table_runs(questions: Sequence[Question]) -> Iterator[list[Question]]:
    """The questions in runs: those that people see as lines of one table together, each other one alone."""
    for _, run in groupby(enumerate(questions), lambda each: _table_key(*each)):
        yield [question for _, question in run]


def _table_key(place: int, question: Question) -> object:
    """A key that is the same for all lines of a table, and another for each question outside of one."""
    heading = question.words.heading
    return (heading, tuple(question.choices), question.only_if) if heading else place


def is_grid(questions: Sequence[Question]) -> bool:
    """Whether a run of questions is drawn as one picture."""
    return len(questions) > 1 and len(questions[0].choices) <= MOST_LABELS


def grid_of(
    view: PeriodView, questions: Sequence[Question], rows: Sequence[GridRow], axis: Axis, among: Phrase
) -> GridView:
    """The picture of a run of scales, on an axis of which the ends alone are named."""
    ends = Axis(axis.low, axis.high, (axis.ticks[0], axis.ticks[-1]), axis.zero)
    labels = tuple(map(printable, questions[0].choices))
    sentence = _sentence(view, questions, labels[-1])
    return GridView(questions[0].words.heading, labels, ends, tuple(rows), sentence, among)


def _sentence(view: PeriodView, questions: Sequence[Question], last: str) -> Phrase:
    """Which row surely comes nearest to the end of the scale, and which stays farthest: of all rows at once."""
    results = view.results
    assert results is not None
    known = [each for each in questions if not isinstance(results.shown(each.name), str)]
    means = {each: result_kind_of(view.survey, each).mean(results[each.name]) for each in known}
    level = 1 - (1 - LEVEL) / max(len(known), 1)  # Bonferroni, over all rows
    bounds = {each.wording or each.name: mean.interval(level) for each, mean in means.items() if mean is not None}
    label, findings = quoted(last), []
    if len(bounds) > 1:
        order = sorted(bounds, key=lambda row: sum(bounds[row]))
        (far, above), (near, below) = (order[0], order[1:]), (order[-1], order[:-1])
        if bounds[near][0] > max(bounds[row][1] for row in below):
            findings.append(Statement("row_comes_nearest", row=quoted(near), label=label))
        if bounds[far][1] < min(bounds[row][0] for row in above):
            findings.append(Statement("row_stays_farthest", row=quoted(far), label=label))
    return joined(findings) if findings else Statement("no_row_is_told_apart", label=label)

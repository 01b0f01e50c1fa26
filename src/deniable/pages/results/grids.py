"""Scales below one heading, which a page shows as one picture: each row small, on an axis for all, and one sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING, Final, cast

from deniable.estimation.saying import LEVEL
from deniable.estimation.scales.scale_estimate import ScaleEstimate
from deniable.estimation.table import printable
from deniable.estimation.words import joined, quoted
from deniable.pages.results.asked import main_shares
from deniable.pages.results.period_view import PeriodView
from deniable.pages.results.rows import Axis
from deniable.protocol.questions.question import Question
from deniable.protocol.questions.scale import Scale
from deniable.protocol.say import Phrase, Statement

if TYPE_CHECKING:
    from deniable.pages.results.survey_view import QuestionView

MOST_LABELS: Final = 7
"""Of more labels a row has no room for a picture of each."""


@dataclass(frozen=True)
class GridView:
    """The rows of a grid, each a question of its own."""

    heading: str
    labels: tuple[str, ...]
    axis: Axis
    rows: tuple[QuestionView, ...]
    sentence: Phrase


def with_grids(found: PeriodView, views: Sequence[QuestionView]) -> list[QuestionView]:
    """The questions, of which the first of each grid has all of it, and the others say that they are in one."""
    by_name = {each.name: each for each in views}
    told: list[QuestionView] = []
    for questions in _runs([found.survey.question(each.name) for each in views]):
        rows = [by_name[each.name] for each in questions]
        grid = _grid(found, questions, rows)
        if grid is not None:
            rows = [replace(rows[0], grid=grid), *(replace(each, in_grid=True) for each in rows[1:])]
        told += rows
    return told


def _runs(questions: Sequence[Question]) -> Iterator[list[Question]]:
    """Questions in a row that people see in one table."""
    for _, run in groupby(enumerate(questions), lambda each: _key(each[0], each[1])):
        yield [question for _, question in run]


def _key(place: int, question: Question) -> object:
    if not isinstance(question, Scale) or not question.heading:
        return place
    return question.heading, tuple(question.labels), question.only_if


def _grid(found: PeriodView, questions: Sequence[Question], views: Sequence[QuestionView]) -> GridView | None:
    """All of it, if it is one of few labels of which something is told."""
    charts = [each.chart for each in views if each.chart is not None]
    first = questions[0]
    if len(questions) < 2 or not charts or not isinstance(first, Scale) or len(first.labels) > MOST_LABELS:
        return None
    whole = charts[0].axis
    ends = Axis(whole.low, whole.high, (whole.ticks[0], whole.ticks[-1]), whole.zero)
    labels = tuple(map(printable, first.labels))
    return GridView(first.heading, labels, ends, tuple(views), _sentence(found, views, labels[-1]))


def _sentence(found: PeriodView, views: Sequence[QuestionView], last: str) -> Phrase:
    """Which row surely comes nearest to the end of the scale, and which stays farthest: of all rows at once."""
    assert found.results is not None
    shown = [(each.wording, main_shares(found.results[each.name])) for each in views if not each.missing]
    told = [(wording, cast("ScaleEstimate", each)) for wording, each in shown if isinstance(each, ScaleEstimate)]
    level = 1 - (1 - LEVEL) / max(len(told), 1)
    bounds = {wording: each.mean.interval(level) for wording, each in told}
    near = [row for row in bounds if all(bounds[row][0] > high for other, (_, high) in bounds.items() if other != row)]
    far = [row for row in bounds if all(bounds[row][1] < low for other, (low, _) in bounds.items() if other != row)]
    label, said = quoted(last), []
    if len(bounds) > 1 and near:
        said.append(Statement("row_comes_nearest", row=quoted(near[0]), label=label))
    if len(bounds) > 1 and far:
        said.append(Statement("row_stays_farthest", row=quoted(far[0]), label=label))
    return joined(said) if said else Statement("no_row_is_told_apart", label=label)

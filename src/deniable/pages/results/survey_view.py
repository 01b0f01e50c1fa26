"""The result of a survey as its page shows it: a section for each question, and once what holds of all."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from deniable.estimation.saying import LEVEL, headline
from deniable.estimation.words import joined
from deniable.intake.access import allows
from deniable.intake.refusals import UNKNOWN, Refused
from deniable.intake.storage.rows import Token
from deniable.pages.kinds.kinds import page_kind
from deniable.pages.results.about import AboutRow, Reported, about, reported
from deniable.pages.results.asked import main_shares, result_kind_of
from deniable.pages.results.cautions import OPEN_TO_ALL, Caution, cautions
from deniable.pages.results.crossing import crossed_pairs
from deniable.pages.results.grids import GridRow, GridView, grid_of, is_grid, table_runs
from deniable.pages.results.period_view import KEPT, PeriodView
from deniable.pages.results.result_kind import Section
from deniable.pages.results.rows import HUNDRED, Axis, axis_of
from deniable.pages.results.selection import FEW, Selection, is_sorted, places
from deniable.protocol.questions.question import Question
from deniable.protocol.say import Phrase, Statement
from deniable.surveys.manipulation import MADE_UP

LOCKS: Final = tuple(threading.Lock() for _ in range(16))
"""Of two who ask for the same at once the second waits for the first, rather than work it out too."""


@dataclass(frozen=True, kw_only=True)
class QuestionView(Section):
    """All that is shown of a question; ``missing`` says why there is nothing else."""

    name: str
    wording: str
    kind: Statement | None
    """What readers must know of its kind; mostly nothing."""
    missing: str = ""
    sentence: Phrase = ""
    """What it found, in full."""
    title: Phrase = ""
    """What it found in a line, or how many answers lie above a line that a reader drew."""
    told: Phrase = ""
    """What is said beneath the title."""
    reported: Reported | None = None
    grid: GridView | None = None
    """The picture of all scales of a table, which stands in the place of the first of them."""
    in_grid: bool = False
    """Whether it is drawn in the picture of a question before it."""
    beside: Sequence[tuple[str, str, str]] = ()
    """Questions that it was crossed with: in words, and the names of the pair."""

    @property
    def is_of_line(self) -> bool:
        """Whether it is about a line that a reader drew."""
        return self.chart is not None and self.chart.line is not None and self.chart.line.is_drawn

    @property
    def finding(self) -> Phrase:
        """What a picture of it says: what was found, or how many answers lie above the line."""
        return joined([self.title, self.told]) if self.is_of_line else self.sentence


def question_view(
    period: PeriodView,
    question: Question,
    wanted: Selection,
    typed: tuple[str, str] | None = None,
    axis: Axis = HUNDRED,
) -> QuestionView:
    """What is shown of a question; ``typed`` is a range of numbers that a reader typed, ``axis`` that of shares."""
    assert period.results is not None
    kind, alone = page_kind(question), len(period.questions) == 1
    wording = question.wording or (period.title if alone else question.name)
    reading = period.results.shown(question.name)
    if isinstance(reading, str):
        missing = reading.removeprefix("no result: ")
        return QuestionView(name=question.name, wording=wording, kind=kind.caution, missing=missing)
    estimate, results = period.results[question.name], result_kind_of(period.survey, question)
    section, sentence = results.section(estimate, wanted, typed, axis), results.finding(estimate, period.is_open)
    title, more = headline(sentence)
    line = None if section.chart is None else section.chart.line
    if line is not None and line.is_drawn:
        title, more = line.sentence, line.rest
    return QuestionView(
        **vars(section),
        name=question.name,
        wording=wording,
        kind=kind.caution,
        sentence=sentence,
        title=title,
        told=more,
        reported=reported(period, estimate, period.results.devices(question.name)),
        beside=_beside(period, question.name),
    )


def axis_of_shares(period: PeriodView, questions: Iterable[Question], wanted: Selection) -> Axis:
    """The axis of all shares of a page: from 0 to 100, or as far as any of them reaches if a reader wants that."""
    if not wanted.zoomed or period.results is None:
        return HUNDRED
    names = {each.name for each in questions if page_kind(each).has_shares}
    read = [main_shares(period.results[name]) for name in names if not isinstance(period.results.shown(name), str)]
    bounds = [each.unclipped(LEVEL, is_sorted(each, wanted))[list(places(each, wanted))] for each in read]
    return axis_of(np.concatenate([np.zeros((1, 2)), *bounds]))


def _beside(period: PeriodView, name: str) -> list[tuple[str, str, str]]:
    """The questions that this one was crossed with, in words, each with the names of the pair."""
    pairs = [(names, names[names[0] == name]) for names in crossed_pairs(period) if name in names]
    return [(period.survey.question(other).wording or other, *names) for names, other in pairs]


# --- the whole page ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SurveyView:
    """The questions on a page, what to beware of, and what the survey is."""

    sections: Sequence[QuestionView]
    cautions: Sequence[Caution]
    about: Sequence[AboutRow]

    @property
    def has_shares(self) -> bool:
        """Whether shares of answers are drawn, which all have one axis."""
        return any(each.chart is not None and each.numbers is None for each in self.sections)

    @property
    def is_open_to_all(self) -> bool:
        """Whether it is cautioned against answers that anybody could make up."""
        return any(each.head == OPEN_TO_ALL for each in self.cautions)


@dataclass(frozen=True)
class _PageKey:
    """A period, and the facts of its view on which its page depends: equal keys have equal pages, which are kept."""

    tally: bytes
    only: frozenset[str] | None
    is_open: bool
    is_invited: bool
    until: Phrase
    cut: Phrase
    gaps: bool
    zoomed: bool
    period: PeriodView = field(compare=False)


def survey_view(period: PeriodView, zoomed: bool = False) -> SurveyView:
    """All questions, of long lists the largest answers."""
    state = (period.is_open, period.row.invited, period.until, period.cut, period.gaps, zoomed)
    key = _PageKey(period.tally, period.only, *state, period)
    with LOCKS[hash(key) % len(LOCKS)]:
        views, warnings = sections(key)
    return SurveyView(views, warnings, about(period))


def grid_from(period: PeriodView, name: str, zoomed: bool) -> GridView:
    """The grid that begins with a question."""
    for each in survey_view(period, zoomed).sections:
        if each.name == name and each.grid is not None:
            return each.grid
    raise Refused(UNKNOWN)


@lru_cache(maxsize=KEPT)
def sections(key: _PageKey) -> tuple[Sequence[QuestionView], Sequence[Caution]]:
    """The questions and what to beware of, worked out once for all who read them."""
    return all_questions(key.period, Selection(most=FEW, zoomed=key.zoomed))


def all_questions(period: PeriodView, wanted: Selection) -> tuple[Sequence[QuestionView], Sequence[Caution]]:
    """The questions and what to beware of."""
    axis = axis_of_shares(period, period.questions, wanted)
    views = [question_view(period, each, wanted, axis=axis) for each in period.questions]
    return _with_grids(period, views), _cautions(period, views)


def _with_grids(period: PeriodView, views: Sequence[QuestionView]) -> list[QuestionView]:
    """The questions, of which the first of each grid has its picture, and the others say that they are in one."""
    by_name = {each.name: each for each in views}
    gridded: list[QuestionView] = []
    for questions in table_runs([period.survey.question(each.name) for each in views]):
        rows = [by_name[each.name] for each in questions]
        drawn = [each for each in rows if each.chart is not None]
        if is_grid(questions) and drawn and drawn[0].chart is not None:
            grid = grid_of(period, questions, list(map(_grid_row, rows)), drawn[0].chart.axis, drawn[0].among)
            rows = [replace(rows[0], grid=grid), *(replace(each, in_grid=True) for each in rows[1:])]
        gridded += rows
    return gridded


def _grid_row(view: QuestionView) -> GridRow:
    answers = () if view.chart is None else view.chart.rows
    return GridRow(view.name, view.wording, 0 if view.reported is None else view.reported.n, answers, view.missing)


def one_question(
    period: PeriodView, question: Question, wanted: Selection, typed: tuple[str, str] | None, made_up: float = MADE_UP
) -> SurveyView:
    """One question alone, as its reader wants it; ``made_up`` is the share of answers that cautions suppose made up."""
    axis = axis_of_shares(period, [question], wanted)
    views = [question_view(period, question, wanted, typed, axis)]
    return SurveyView(views, _cautions(period, views, made_up), about(period))


def _cautions(period: PeriodView, views: Sequence[QuestionView], made_up: float = MADE_UP) -> Sequence[Caution]:
    assert period.results is not None
    read = [(each.name, period.results[each.name]) for each in views if not each.missing]
    return cautions(period, read, made_up) if read else []


class Tab(NamedTuple):
    """A page of a result: its name, and what its address ends with."""

    name: Statement
    ending: str


def tabs(period: PeriodView, token: Token | None) -> Iterator[Tab]:
    """The pages that there are of this result for whoever reads it."""
    yield Tab(Statement("result"), "")
    if period.survey.period != "once":
        yield Tab(Statement("over_time"), "/time")
    if period.results is not None:
        if crossed_pairs(period):
            yield Tab(Statement("together"), "/cross")
        if not period.is_open:
            yield Tab(Statement("compare"), "/compare")
    yield Tab(Statement("trust_heading"), "/trust")
    if token is not None and allows(token, "share", period.row):
        yield Tab(Statement("share"), "/share")
    if period.results is not None:
        yield Tab(Statement("export"), "/export")

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
from deniable.pages.results.asked import main_shares, result_of
from deniable.pages.results.cautions import OPEN_TO_ALL, Caution, cautions
from deniable.pages.results.crossing import crossed_pairs
from deniable.pages.results.grids import GridRow, GridView, grid_of, is_grid, runs
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
    """The same in a line, or how many answers lie above a line that a reader drew."""
    told: Phrase = ""
    """What is told beneath the title."""
    reported: Reported | None = None
    grid: GridView | None = None
    """The table of scales that it is the first of, which stands in its place."""
    in_grid: bool = False
    """Whether it stands in that of one before it."""
    beside: Sequence[tuple[str, str, str]] = ()
    """Questions that it was crossed with: in words, and the pair's names."""

    @property
    def is_of_line(self) -> bool:
        """Whether it is about a line that a reader drew."""
        return self.chart is not None and self.chart.line is not None and self.chart.line.is_drawn

    @property
    def finding(self) -> Phrase:
        """What a picture of it says: what was found, or how many answers lie above the line."""
        return joined([self.title, self.told]) if self.is_of_line else self.sentence


def view(
    found: PeriodView,
    question: Question,
    wanted: Selection,
    typed: tuple[str, str] | None = None,
    axis: Axis = HUNDRED,
) -> QuestionView:
    """What is shown of a question; ``typed`` is a range of numbers that a reader typed, ``axis`` that of shares."""
    assert found.results is not None
    kind, alone = page_kind(question), len(found.questions) == 1
    wording = question.wording or (found.title if alone else question.name)
    told = found.results.shown(question.name)
    if isinstance(told, str):
        missing = told.removeprefix("no result: ")
        return QuestionView(name=question.name, wording=wording, kind=kind.caution, missing=missing)
    estimate, shown = found.results[question.name], result_of(found.survey, question)
    section, sentence = shown.section(estimate, wanted, typed, axis), shown.finding(estimate, found.is_open)
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
        reported=reported(found, estimate, found.results.devices(question.name)),
        beside=_beside(found, question.name),
    )


def axis_of_shares(found: PeriodView, questions: Iterable[Question], wanted: Selection) -> Axis:
    """The axis of all shares of a page: from 0 to 100, or as far as any of them reaches if a reader wants that."""
    if not wanted.zoomed or found.results is None:
        return HUNDRED
    told = {each.name for each in questions if page_kind(each).has_shares}
    read = [main_shares(found.results[name]) for name in told if not isinstance(found.results.shown(name), str)]
    bounds = [each.unclipped(LEVEL, is_sorted(each, wanted))[list(places(each, wanted))] for each in read]
    return axis_of(np.concatenate([np.zeros((1, 2)), *bounds]))


def _beside(found: PeriodView, name: str) -> list[tuple[str, str, str]]:
    """The other questions of the pairs that a question is in."""
    pairs = [(names, names[names[0] == name]) for names in crossed_pairs(found) if name in names]
    return [(found.survey.question(other).wording or other, *names) for names, other in pairs]


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
class _ReadPeriod:
    """A period as it was read, with all on which it depends what is said of its questions."""

    tally: bytes
    only: frozenset[str] | None
    is_open: bool
    is_invited: bool
    until: Phrase
    cut: Phrase
    gaps: bool
    zoomed: bool
    found: PeriodView = field(compare=False)


def survey_view(found: PeriodView, zoomed: bool = False) -> SurveyView:
    """All questions, of long lists the largest answers."""
    state = (found.is_open, found.row.invited, found.until, found.cut, found.gaps, zoomed)
    kept = _ReadPeriod(found.tally, found.only, *state, found)
    with LOCKS[hash(kept) % len(LOCKS)]:
        told = sections(kept)
    return SurveyView(*told, about(found))


def grid_from(found: PeriodView, name: str, zoomed: bool) -> GridView:
    """The grid that begins with a question."""
    for each in survey_view(found, zoomed).sections:
        if each.name == name and each.grid is not None:
            return each.grid
    raise Refused(UNKNOWN)


@lru_cache(maxsize=KEPT)
def sections(kept: _ReadPeriod) -> tuple[Sequence[QuestionView], Sequence[Caution]]:
    """The questions and what to beware of, worked out once for all who read them."""
    return all_questions(kept.found, Selection(most=FEW, zoomed=kept.zoomed))


def all_questions(found: PeriodView, wanted: Selection) -> tuple[Sequence[QuestionView], Sequence[Caution]]:
    """The questions and what to beware of."""
    axis = axis_of_shares(found, found.questions, wanted)
    views, told = _with_cautions(found, [view(found, each, wanted, axis=axis) for each in found.questions])
    return _with_grids(found, views) if len(views) > 1 else views, told


def _with_grids(found: PeriodView, views: Sequence[QuestionView]) -> list[QuestionView]:
    """The questions, of which the first of each grid has all of it, and the others say that they are in one."""
    by_name = {each.name: each for each in views}
    told: list[QuestionView] = []
    for questions in runs([found.survey.question(each.name) for each in views]):
        rows = [by_name[each.name] for each in questions]
        drawn = [each for each in rows if each.chart is not None]
        if is_grid(questions) and drawn and drawn[0].chart is not None:
            grid = grid_of(found, questions, list(map(_grid_row, rows)), drawn[0].chart.axis, drawn[0].among)
            rows = [replace(rows[0], grid=grid), *(replace(each, in_grid=True) for each in rows[1:])]
        told += rows
    return told


def _grid_row(view: QuestionView) -> GridRow:
    answers = () if view.chart is None else view.chart.rows
    return GridRow(view.name, view.wording, 0 if view.reported is None else view.reported.n, answers, view.missing)


def one_question(
    found: PeriodView, question: Question, wanted: Selection, typed: tuple[str, str] | None, made: float = MADE_UP
) -> SurveyView:
    """One question alone, as its reader wants it."""
    axis = axis_of_shares(found, [question], wanted)
    return SurveyView(*_with_cautions(found, [view(found, question, wanted, typed, axis)], made), about(found))


def _with_cautions(
    found: PeriodView, views: Sequence[QuestionView], made: float = MADE_UP
) -> tuple[Sequence[QuestionView], Sequence[Caution]]:
    assert found.results is not None
    read = [(each.name, found.results[each.name]) for each in views if not each.missing]
    return views, cautions(found, read, made) if read else []


class Tab(NamedTuple):
    """A page of a result: its name, and what its address ends with."""

    name: Statement
    ending: str


def tabs(found: PeriodView, token: Token | None) -> Iterator[Tab]:
    """The pages that there are of this result for whoever reads it."""
    yield Tab(Statement("result"), "")
    if found.survey.period != "once":
        yield Tab(Statement("over_time"), "/time")
    if found.results is not None:
        if crossed_pairs(found):
            yield Tab(Statement("together"), "/cross")
        if not found.is_open:
            yield Tab(Statement("compare"), "/compare")
    yield Tab(Statement("trust_heading"), "/trust")
    if token is not None and allows(token, "share", found.row):
        yield Tab(Statement("share"), "/share")
    if found.results is not None:
        yield Tab(Statement("export"), "/export")

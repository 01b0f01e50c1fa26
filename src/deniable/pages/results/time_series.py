"""The periods of a question, read in a row: which answers are drawn, and what changed from the first to the last."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Final

import numpy as np

from deniable.collector.desk import Desk
from deniable.estimation.change import PeriodSpan, QuestionChange
from deniable.estimation.difference import SHARES, AnswerChange
from deniable.estimation.estimate import Estimate
from deniable.estimation.words import joined
from deniable.intake.storage.rows import RELEASED, Standing
from deniable.pages.results.asked import result_kind_of
from deniable.pages.results.period_view import KEPT, MOST_PERIODS, PeriodView, read
from deniable.pages.results.period_words import NOUNS, dates_between, period_words, periods_between, short_dates
from deniable.pages.results.result_kind import Measurement, ResultKind, known_bounds
from deniable.pages.results.rows import Axis
from deniable.pages.results.timeline import AnswerLine, PeriodColumn, PeriodPoint, SpanBand, Timeline
from deniable.protocol.errors import DenialError
from deniable.protocol.say import Phrase, Statement
from deniable.protocol.surveys.periods import ONCE
from deniable.surveys.changing import change
from deniable.surveys.document import Document

MOST_LINES: Final = 12
"""So many answers are drawn: those that changed, then the largest; all of them where there are no more."""
NO_RESULT = Measurement.nothing(Statement("too_few_answers"))
NO_ANSWERS = Measurement.nothing(Statement("no_answers"))
NOT_FOUND = Measurement.nothing(Statement("did_not_stand_out"))
NONE_CHANGED: Final = Statement("no_change_can_be_seen_in_any")
ClosedPeriods = tuple[tuple[str, bytes | None], ...]
"""The closed periods by their words, each with its tally if it has one that may be read."""


@dataclass(frozen=True)
class PeriodResult:
    """What was read of a period; ``tally`` is empty and ``estimate`` None where there is nothing to read."""

    period: str
    standing: Standing | None
    tally: bytes = b""
    estimate: Estimate | None = None

    @property
    def is_closed(self) -> bool:
        """Whether it has a result that stays."""
        return self.standing is not None and self.standing.state == RELEASED and bool(self.tally)


def timeline(
    desk: Desk, view: PeriodView, question: str, place: int | None, first: int | None = None, last: int | None = None
) -> Timeline:
    """A question over time, with the answer at ``place`` drawn large.

    ``first`` and ``last`` say how many of the first and of the last closed periods are compared.
    """
    standings = {each.period: each for each in view.periods}
    if not standings:
        return Timeline(Statement("nothing_can_be_shown_yet"))
    names = periods_between(view.survey, min(standings), max(standings))[-MOST_PERIODS:]
    tallies = desk.tallies([standings[name].number for name in names if name in standings])
    results = []
    for name in names:
        standing = standings.get(name)
        visible = None if standing is None else tallies.get(standing.number)
        tally = b"" if visible is None else visible.tally
        results.append(PeriodResult(name, standing, tally, _estimate(tally, question)))
    return timeline_of(view.survey, question, results, place, first, last)


def timeline_of(
    document: Document,
    question: str,
    results: Sequence[PeriodResult],
    place: int | None,
    first: int | None = None,
    last: int | None = None,
) -> Timeline:
    """A question over time, from the periods of it that have been read."""
    known = [each.estimate for each in results if each.estimate is not None]
    if not known:
        return Timeline(Statement("nothing_can_be_shown_yet_no"))
    # later periods of which nothing is known are not drawn
    while results and not (results[-1].is_closed or results[-1].estimate is not None):
        results = results[:-1]
    up_to_last_closed = list(results)  # changes are between closed periods
    while up_to_last_closed and not up_to_last_closed[-1].is_closed:
        up_to_last_closed.pop()
    changed = _change(document, question, up_to_last_closed, first, last)
    change, sentence = (changed, changed.statement) if isinstance(changed, QuestionChange) else (None, changed)
    asked = document.question(question)
    if change is not None and asked.only_if is not None:
        sentence = Statement("of_those_asked", said=sentence)
    kind = result_kind_of(document, asked)
    return _Lines(document, kind, results, known[-1], change, len(up_to_last_closed)).timeline(place, sentence)


def _estimate(tally: bytes, question: str) -> Estimate | None:
    try:
        return read(tally)[question] if tally else None
    except DenialError:  # too few were asked
        return None


def _change(
    document: Document, question: str, results: Sequence[PeriodResult], first: int | None, last: int | None
) -> QuestionChange | Statement:
    """What changed between the first and the last closed periods, or why nothing is said of it.

    ``results`` end with the last closed one. ``first`` and ``last`` say how many periods are compared, at most all of
    them: where a reader chose but one number, the other is as large if there is room; where none, the change chooses.
    """
    if document.period == ONCE:
        return Statement("it_asks_but_once")
    if sum(each.is_closed for each in results) < 2:
        return Statement("changes_are_shown_once_two", periods=NOUNS[document.period].many)
    most = len(results)
    first = None if first is None else min(max(first, 1), most - 1)
    last = None if last is None else min(max(last, 1), most - (first or 1))
    if first is None and last is not None:
        first = min(last, most - last)
    if last is None and first is not None:
        last = min(first, most - first)
    tallies = tuple(
        (period_words(document, each.period) or each.period, each.tally if each.is_closed else None) for each in results
    )
    try:
        return _kept_change(tallies, question, first, last)
    except DenialError as error:
        return Statement("changes_are_not_tested", why=error.args[0])


@lru_cache(maxsize=KEPT)
def _kept_change(closed: ClosedPeriods, question: str, first: int | None, last: int | None) -> QuestionChange:
    """A change, worked out once: to find words that nobody listed takes seconds."""
    changes = change({name: None if tally is None else read(tally) for name, tally in closed}, first, last)
    only_if = changes.results.document.question(question).only_if
    return changes[question] if only_if is None else changes.of_asked(question)


@dataclass(frozen=True)
class _Lines:
    """Draws the answers to a question over time."""

    document: Document
    kind: ResultKind[Any]
    results: Sequence[PeriodResult]
    latest: Estimate
    """The last estimate that there is."""
    change: QuestionChange | None
    closed: int
    """How many periods there are up to the last closed one."""

    def timeline(self, place: int | None, sentence: Statement) -> Timeline:
        """All that is shown, with one answer drawn large; ``sentence`` says what changed, or why that is not said."""
        change, drawn = self.change, self._drawn
        chosen = drawn[0] if place is None or place >= len(self.labels) else place
        every = [self.labels[number] for number in dict.fromkeys((*drawn, chosen))]
        measured = [self._measured(each, every) for each in self.results]
        axis = self._axis(measured)
        lines = {number: self._line(number, axis, measured) for number in {*drawn, chosen}}
        return Timeline(
            sentence,
            None if change is None else self._dates(change),
            change,
            (1, 1) if change is None else (_length(change.first), _length(change.last)),
            self.closed,
            tuple(map(self.kind.name, self.labels)),
            axis,
            self._columns,
            tuple(lines[number] for number in (drawn if len(self.labels) > MOST_LINES else sorted(drawn))),
            lines[chosen],
            self._rest(len(drawn)),
            self.kind.unit(self.latest),
            self._give_or_take(lines[chosen]),
        )

    # --- which answers ----------------------------------------------------------------------------------------------

    @cached_property
    def _rows(self) -> Sequence[AnswerChange]:
        """What changed of each answer; empty where nothing is compared."""
        return () if self.change is None else self.change.rows()

    @cached_property
    def labels(self) -> Sequence[Hashable]:
        """The answers, or what is told of a number."""
        return self.kind.followed(self.latest) if self.change is None else self.change.labels

    @cached_property
    def _drawn(self) -> list[int]:
        """The places of the answers that are drawn small, first what changed most clearly."""
        every = range(len(self.labels))
        if self.change is None:
            return [*every][:MOST_LINES]
        rows, places = self._rows, {label: place for place, label in enumerate(self.labels)}
        changed = [places[row.label] for row in self.change.changed]
        others = [place for place in every if place not in set(changed)]
        if len(self.labels) > MOST_LINES:
            others.sort(key=lambda place: -rows[place].last)
        return [*changed, *others][:MOST_LINES]

    def _rest(self, drawn: int) -> Statement | None:
        """What is said of the answers that are not drawn."""
        left = len(self.labels) - drawn
        if left <= 0 or self.change is None:
            return None
        changed = max(len(self.change.changed) - drawn, 0)
        seen = Statement("of_them_changed", changed=changed) if changed else NONE_CHANGED
        return Statement("more_answers_are_not_drawn", count=left, seen=seen)

    # --- one answer -------------------------------------------------------------------------------------------------

    def _line(self, number: int, axis: Axis, measured: Sequence[Mapping[Hashable, Measurement]]) -> AnswerLine:
        row, label = self._rows[number] if self._rows else None, self.labels[number]
        points = tuple(PeriodPoint(each[label], *(_places(each[label], axis) or ())) for each in measured)
        words, way = ("", 0) if row is None else (row.statement, row.way)
        return AnswerLine(number, self.kind.name(label), words, way, points, tuple(self._bands(number, axis)))

    def _measured(self, period: PeriodResult, labels: Sequence[Hashable]) -> Mapping[Hashable, Measurement]:
        """What is known of these answers in a period, or why nothing is."""
        if period.estimate is None:
            return dict.fromkeys(labels, NO_ANSWERS if period.standing is None else NO_RESULT)
        return {**dict.fromkeys(labels, NOT_FOUND), **self.kind.measurements(period.estimate, labels)}

    def _bands(self, number: int, axis: Axis) -> list[SpanBand]:
        """Both spans, if they are compared: where they are, and the interval of their answers taken together."""
        if self.change is None:
            return []
        across, (first, last) = 100 / len(self.results), (_length(self.change.first), _length(self.change.last))
        starts = (0, self.closed - last)
        bands = []
        for start, length, each in zip(starts, (first, last), self._spans, strict=True):
            if (places := _places(each[self.labels[number]], axis)) is not None:
                dot, top, bottom = places
                x, width = round(start * across + 0.1 * across, 3), round((length - 0.2) * across, 3)
                bands.append(SpanBand(x, width, top, round(bottom - top, 3), dot))
        return bands

    @cached_property
    def _spans(self) -> list[Mapping[Hashable, Measurement]]:
        """What is known of all answers in either span."""
        assert self.change is not None
        both: Sequence[Any] = (self.change.difference.first, self.change.difference.second)
        return [self.kind.measurements(each, self.labels) for each in both]

    # --- around them ------------------------------------------------------------------------------------------------

    @property
    def _columns(self) -> tuple[PeriodColumn, ...]:
        across = 100 / len(self.results)
        ticks = short_dates(self.document, [each.period for each in self.results])
        dates = [short_dates(self.document, [each.period])[0] for each in self.results]
        return tuple(
            PeriodColumn(
                each.period, period_words(self.document, each.period), tick, dates[number],
                round((number + 0.5) * across, 3),
                0 if each.estimate is None else each.estimate.n, each.standing is not None and each.standing.is_open,
            )
            for number, (each, tick) in enumerate(zip(self.results, ticks, strict=True))
        )  # fmt: skip

    def _axis(self, measured: Sequence[Mapping[Hashable, Measurement]]) -> Axis:
        return self.kind.axis(self.latest, known_bounds(measured))

    def _dates(self, change: QuestionChange) -> Statement:
        """Which days are compared, and what is to be said of the other answers."""
        names = [each.period for each in self.results[: self.closed]]
        first, last = names[: _length(change.first)], names[-_length(change.last) :]
        earlier, later = (dates_between(self.document, each[0], each[-1]) for each in (first, last))
        statement = Statement("against", earlier=earlier, later=later)
        others = len(self.labels) - len(change.changed)
        mirrored = len(self.labels) == 2 and change.difference.looked_at == 1
        if change.unit != SHARES or not (change.changed and others) or mirrored:
            return statement
        return joined([statement, Statement("for_the_other_answers_no_change")])

    def _give_or_take(self, line: AnswerLine) -> Phrase:
        """How far one period alone can be read, rounded up."""
        bounds = known_bounds([{column: point.measured for column, point in enumerate(line.points)}])
        if not bounds:
            return ""
        return self.kind.give_or_take(self.latest, float(np.median([(high - low) / 2 for low, high in bounds])))


def _places(measured: Measurement, axis: Axis) -> tuple[float, float, float] | None:
    """Where a dot is, and the top and the bottom of its line, in per cent from the top; None where nothing is known."""
    if measured.value is None or measured.low is None or measured.high is None:
        return None
    dot, top, bottom = (round(100 - axis.place(each), 3) for each in (measured.value, measured.high, measured.low))
    return dot, top, bottom


def _length(span: PeriodSpan) -> int:
    """How many periods a span has, those without a result too."""
    return len(span.periods) + len(span.left_out)


def whole_time(view: PeriodView) -> Phrase:
    """From which day to which all periods of a survey reach; empty while there are none."""
    names = [each.period for each in view.periods]
    return dates_between(view.survey, min(names), max(names)) if names else ""

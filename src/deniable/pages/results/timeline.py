"""The periods of a question in a row: every answer over time, and what changed from the first periods to the last."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Final

import numpy as np

from deniable.arrays import Matrix, Vector
from deniable.collector.desk import Desk
from deniable.collector.storage.rows import RELEASED, Standing
from deniable.estimation.change import AnswerChange, PeriodSpan, QuestionChange
from deniable.estimation.estimate import Estimate
from deniable.estimation.export import csv_text
from deniable.estimation.numbers.distribution import Distribution
from deniable.estimation.numbers.number_difference import HEADINGS, MEAN, QUANTITIES
from deniable.estimation.numbers.number_saying import between, value_of
from deniable.estimation.table import printable
from deniable.estimation.words import counted, joined, outward_by, points, precise, share_in_words
from deniable.pages.results.changes import (
    IN_HUNDRED,
    AnswerLine,
    Measurement,
    PeriodColumn,
    PeriodPoint,
    SpanBand,
    Timeline,
)
from deniable.pages.results.number_change import axis_of_numbers
from deniable.pages.results.period_view import KEPT, MOST_PERIODS, PeriodView, read
from deniable.pages.results.period_words import NOUNS, dates_between, period_words, periods_between, short_dates
from deniable.pages.results.rows import Axis, axis_of
from deniable.protocol.errors import DenialError
from deniable.protocol.say import Phrase, Statement, english
from deniable.protocol.surveys.periods import ONCE
from deniable.surveys.changing import change
from deniable.surveys.document import Document

MOST_LINES: Final = 12
"""So many answers are drawn: those that changed, then the largest; all of them where there are no more."""
LEVEL: Final = 0.95
NO_RESULT = Measurement.nothing(Statement("too_few_answers"))
NO_ANSWERS = Measurement.nothing(Statement("no_answers"))
NOT_FOUND = Measurement.nothing(Statement("did_not_stand_out"))
NONE_CHANGED: Final = Statement("no_change_can_be_seen_in_any")
Closed = tuple[tuple[str, bytes | None], ...]
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

    @cached_property
    def places(self) -> dict[Hashable, int]:
        """Where each label is: of words that are discovered each period has its own."""
        return {} if self.estimate is None else {label: place for place, label in enumerate(self.estimate.labels)}

    @cached_property
    def bounds(self) -> Matrix:
        """The interval of each label."""
        assert self.estimate is not None
        return self.estimate.evidence.interval(1 - LEVEL)


def timeline(
    desk: Desk, found: PeriodView, question: str, place: int | None, first: int | None = None, last: int | None = None
) -> Timeline:
    """A question over time; ``place`` is the answer that is drawn large, ``first`` and ``last`` the spans compared."""
    standings = {each.period: each for each in found.periods}
    if not standings:
        return Timeline(Statement("nothing_can_be_shown_yet"))
    names = periods_between(found.survey, min(standings), max(standings))[-MOST_PERIODS:]
    tallies = desk.tallies([standings[name].number for name in names if name in standings])
    told = []
    for name in names:
        standing = standings.get(name)
        visible = None if standing is None else tallies.get(standing.number)
        tally = b"" if visible is None else visible.tally
        told.append(PeriodResult(name, standing, tally, _estimate(tally, question)))
    return timeline_of(found.survey, question, told, place, first, last)


def timeline_of(
    document: Document,
    question: str,
    told: Sequence[PeriodResult],
    place: int | None,
    first: int | None = None,
    last: int | None = None,
) -> Timeline:
    """The same of periods that have been read."""
    known = [each.estimate for each in told if each.estimate is not None]
    if not known:
        return Timeline(Statement("nothing_can_be_shown_yet_no"))
    while told and not (told[-1].is_closed or told[-1].estimate is not None):
        told = told[:-1]
    closed = list(told)
    while closed and not closed[-1].is_closed:
        closed.pop()
    changed = _changed(document, question, closed, first, last)
    if isinstance(changed, QuestionChange):
        return _Lines(document, told, known[-1], changed, len(closed)).timeline(place, changed.statement)
    return _Lines(document, told, known[-1], None, len(closed)).timeline(place, changed)


def _estimate(tally: bytes, question: str) -> Estimate | None:
    try:
        return read(tally)[question] if tally else None
    except DenialError:  # too few were asked
        return None


def _changed(
    document: Document, question: str, closed: Sequence[PeriodResult], first: int | None, last: int | None
) -> QuestionChange | Statement:
    """What changed, or why nothing is said of it."""
    if document.period == ONCE:
        return Statement("it_asks_but_once")
    if sum(each.is_closed for each in closed) < 2:
        return Statement("changes_are_shown_once_two", periods=NOUNS[document.period].many)
    most = len(closed)
    first = None if first is None else min(max(first, 1), most - 1)
    last = None if last is None else min(max(last, 1), most - (first or 1))
    if first is None and last is not None:
        first = min(last, most - last)
    if last is None and first is not None:
        last = min(first, most - first)
    named = tuple(
        (period_words(document, each.period) or each.period, each.tally if each.is_closed else None) for each in closed
    )
    try:
        return _kept(named, question, first, last)
    except DenialError as error:
        return Statement("changes_are_not_tested", why=error.args[0])


@lru_cache(maxsize=KEPT)
def _kept(closed: Closed, question: str, first: int | None, last: int | None) -> QuestionChange:
    """A change, worked out once: to find words that nobody listed takes seconds."""
    return change({name: None if tally is None else read(tally) for name, tally in closed}, first, last)[question]


@dataclass(frozen=True)
class _Lines:
    """All answers over time."""

    document: Document
    told: Sequence[PeriodResult]
    known: Estimate
    """The last estimate that there is."""
    change: QuestionChange | None
    most: int

    def timeline(self, place: int | None, said: Statement) -> Timeline:
        """All that is shown, with one answer drawn large; ``said`` is what changed, or why nothing is said of it."""
        found, drawn = self.change, self._drawn
        chosen = drawn[0] if place is None or place >= len(self.labels) else place
        axis = self._axis({*drawn, chosen})
        lines = {number: self._line(number, axis) for number in {*drawn, chosen}}
        return Timeline(
            said,
            None if found is None else self._dates(found),
            found,
            (1, 1) if found is None else (_length(found.first), _length(found.last)),
            self.most,
            tuple(map(_name, self.labels)),
            axis,
            self._columns,
            tuple(lines[number] for number in (drawn if len(self.labels) > MOST_LINES else sorted(drawn))),
            lines[chosen],
            self._rest(len(drawn)),
            self._unit,
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
        if self.change is not None:
            return self.change.labels
        return [*self._quantities] if self._quantities else self.known.labels

    @cached_property
    def _quantities(self) -> dict[str, object]:
        if not isinstance(self.known, Distribution):
            return {}
        return {name: of for name, of in QUANTITIES.items() if name == MEAN or self.known.told.ranges is not None}

    @cached_property
    def _drawn(self) -> list[int]:
        """The places of those that are drawn, first what changed most clearly."""
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
        return Statement(
            "more_answers_are_not_drawn",
            count=left, seen=seen,
        )  # fmt: skip

    # --- one answer -------------------------------------------------------------------------------------------------

    def _line(self, number: int, axis: Axis) -> AnswerLine:
        row = self._rows[number] if self._rows else None
        told = [self._point(each, self.labels[number], axis) for each in self.told]
        words, way = ("", 0) if row is None else (row.statement, row.way)
        bands = tuple(self._bands(number, axis))
        return AnswerLine(number, _name(self.labels[number]), words, way, tuple(told), bands)

    def _point(self, period: PeriodResult, label: Hashable, axis: Axis) -> PeriodPoint:
        measured = self._measured(period, label)
        if measured.value is None or measured.low is None or measured.high is None:
            return PeriodPoint("", measured)
        dot, top, bottom = (_down(axis, value) for value in (measured.value, measured.high, measured.low))
        estimate = period.estimate
        if isinstance(estimate, Distribution):
            return PeriodPoint(value_of(estimate, QUANTITIES[str(label)](estimate)), measured, dot, top, bottom)
        return PeriodPoint(points(measured.value), measured, dot, top, bottom)

    def _measured(self, period: PeriodResult, label: Hashable) -> Measurement:
        estimate = period.estimate
        if estimate is None:
            return NO_ANSWERS if period.standing is None else NO_RESULT
        if isinstance(estimate, Distribution):
            quantity = QUANTITIES[str(label)](estimate)
            return Measurement(quantity.value, *quantity.interval(LEVEL), between(estimate, quantity))
        place = period.places.get(label)
        if place is None:
            return NOT_FOUND
        low, high = np.clip(period.bounds[place], 0, 1).tolist()
        drawn = period.bounds[place].tolist()
        return Measurement(float(estimate.unbiased[place]), drawn[0], drawn[1], share_in_words(low, high))

    def _bands(self, number: int, axis: Axis) -> list[SpanBand]:
        """Both spans, if they are compared: where they are, and the interval of their answers taken together."""
        if self.change is None:
            return []
        across, (first, last) = 100 / len(self.told), (_length(self.change.first), _length(self.change.last))
        starts = (0, self.most - last)
        bands = []
        for start, length, (value, low, high) in zip(starts, (first, last), self._spans(number), strict=True):
            top, bottom = _down(axis, high), _down(axis, low)
            x, width = round(start * across + 0.1 * across, 3), round((length - 0.2) * across, 3)
            bands.append(SpanBand(x, width, top, round(bottom - top, 3), _down(axis, value)))
        return bands

    def _spans(self, number: int) -> list[tuple[float, float, float]]:
        """The value and the interval of each span."""
        assert self.change is not None
        label, found = self.labels[number], self.change.difference
        if isinstance(found.first, Distribution) and isinstance(found.second, Distribution):
            quantities = [QUANTITIES[str(label)](each) for each in (found.first, found.second)]
            return [(each.value, *each.interval(LEVEL)) for each in quantities]
        told = [(shares[number], *bounds[number]) for shares, bounds in self._both]
        return [(float(share), float(low), float(high)) for share, low, high in told]

    @cached_property
    def _both(self) -> list[tuple[Vector, Matrix]]:
        """The shares of all answers in both spans, with their intervals."""
        assert self.change is not None
        evidence = (self.change.difference.first.evidence, self.change.difference.second.evidence)
        return [(each.unbiased(), each.interval(1 - LEVEL)) for each in evidence]

    # --- around them ------------------------------------------------------------------------------------------------

    @property
    def _columns(self) -> tuple[PeriodColumn, ...]:
        across = 100 / len(self.told)
        ticks = short_dates(self.document, [each.period for each in self.told])
        dates = [short_dates(self.document, [each.period])[0] for each in self.told]
        return tuple(
            PeriodColumn(
                each.period, period_words(self.document, each.period), tick, dates[number],
                round((number + 0.5) * across, 3),
                0 if each.estimate is None else each.estimate.n, each.standing is not None and each.standing.is_open,
            )
            for number, (each, tick) in enumerate(zip(self.told, ticks, strict=True))
        )  # fmt: skip

    def _axis(self, drawn: set[int]) -> Axis:
        told = [self._measured(each, self.labels[number]) for number in drawn for each in self.told]
        bounds = [(each.low, each.high) for each in told if each.low is not None and each.high is not None]
        if isinstance(self.known, Distribution):
            return axis_of_numbers(self.known, bounds)
        return axis_of(np.array(bounds, np.float64).reshape(-1, 2))

    @property
    def _unit(self) -> Phrase:
        if not isinstance(self.known, Distribution):
            return IN_HUNDRED
        return "" if self.known.scale.dated else self.known.unit

    def _dates(self, found: QuestionChange) -> Statement:
        """Which days are compared, and what is to be said of the other answers."""
        names = [each.period for each in self.told[: self.most]]
        first, last = names[: _length(found.first)], names[-_length(found.last) :]
        earlier, later = (dates_between(self.document, each[0], each[-1]) for each in (first, last))
        told = Statement("against", earlier=earlier, later=later)
        others = len(self.labels) - len(found.changed)
        mirrored = len(self.labels) == 2 and found.difference.looked_at == 1
        if isinstance(self.known, Distribution) or not (found.changed and others) or mirrored:
            return told
        return joined([told, Statement("for_the_other_answers_no_change")])

    def _give_or_take(self, line: AnswerLine) -> Phrase:
        """How far one period alone can be read, rounded up."""
        told = [each.measured for each in line.points]
        half = [(each.high - each.low) / 2 for each in told if each.high is not None and each.low is not None]
        if not half:
            return ""
        middle = float(np.median(half))
        if not isinstance(self.known, Distribution):
            return Statement("in", share=math.ceil(100 * middle), base=100)
        return counted(precise(outward_by(0, middle, middle)[1], middle), self.known.counted_in)


def told_of(line: Timeline) -> dict[str, Any]:
    """A timeline for programs: what changed of all answers, and the periods of those that are drawn."""
    drawn = {each.label: each for each in (*line.lines, *([line.chosen] if line.chosen else []))}
    periods = [
        {
            "period": column.period, "name": column.words, "open": column.is_open, "n": column.n or None,
            "answers": [{"label": name, **vars(each.points[at].measured)} for name, each in drawn.items()],
        }
        for at, column in enumerate(line.columns)
    ]  # fmt: skip
    change = None if line.change is None else {**line.change.to_dict(), "spans": [*line.spans], "dates": line.dates}
    return {"unit": line.unit, "sentence": line.sentence, "change": change, "periods": periods}


def csv_of(line: Timeline) -> str:
    """A row for each period of each answer that is drawn, with what is known of it."""
    told = [{**period, **answer} for period in told_of(line)["periods"] for answer in period["answers"]]
    names = ("period", "name", "open", "n", "label", "value", "low", "high", "words")
    return csv_text({name: [_in_english(row[name]) for row in told] for name in names}, ("label", "words"))


def _in_english(value: Any) -> Any:
    return english(value) if isinstance(value, Statement) else value


def _name(label: Hashable) -> Phrase:
    """An answer, or what is told of a number, as pages name it."""
    return HEADINGS.get(str(label)) or printable(label)


def _length(span: PeriodSpan) -> int:
    """How many periods a span has, those without a result too."""
    return len(span.periods) + len(span.left_out)


def _down(axis: Axis, value: float) -> float:
    """Where a value is, in per cent from the top."""
    return round(100 - axis.place(value), 3)


def whole_time(found: PeriodView) -> Phrase:
    """From which day to which all periods of a survey reach; empty while there are none."""
    names = [each.period for each in found.periods]
    return dates_between(found.survey, min(names), max(names)) if names else ""

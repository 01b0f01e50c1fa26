"""An answer over time as a picture of its own: dots with lines, and as broad bands the spans that are compared."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from deniable.estimation.words import in_a_row, joined
from deniable.pages.drawing import BOTTOM, FINE, RADIUS, SIDE, SMALL, WIDTH, PictureHead
from deniable.pages.lettering import clean, cut
from deniable.pages.results.rows import Axis
from deniable.pages.results.timeline import AnswerLine, PeriodColumn, Timeline
from deniable.pages.shapes import DOT, END, GRID, LOOKS, MARK, QUIET, ZERO, Circle, Part, Picture, Shape, Text
from deniable.protocol.say import Say, Statement

LEFT: Final = 80
ALL: Final = Statement("all_answers_word")
HIGH: Final = 320
"""How high the plot is."""
LEGEND: Final = Statement("dot_and_line_where_the_truth")
BANDS: Final = Statement("broad_bands_periods_taken")


def time_picture(head: PictureHead, line: Timeline, each_one: Statement, say: Say) -> Picture:
    """The answer that is drawn large, with what was found; only that where there is nothing to draw."""
    said_head = head.said(say)
    texts, title = said_head.texts(), clean(said_head.finding)
    if line.chosen is None or line.axis is None:
        foot = said_head.foot("", texts[-1].y + 24)
        return Picture(WIDTH, texts[-1].y + BOTTOM, title, "", [*texts, *foot], FINE)
    top = texts[-1].y + 68
    under = top + HIGH + 24
    legend = said_head.foot(say(joined([LEGEND, BANDS]) if line.chosen.bands else LEGEND), under + 56)
    unit = in_a_row([line.unit, each_one]) if line.unit else each_one
    shapes: list[Shape] = [
        *texts,
        Text(SIDE, top - 36, _name(line.chosen, say), SMALL, bold=True),
        Text(SIDE, top - 16, say(unit), SMALL, QUIET),
        *_axis(line.axis, top, say),
        *_spans(line.chosen, top),
        *_dots(line.chosen, line.columns, top),
        *_dates(line, under, say),
        *legend,
    ]
    both = zip(line.columns, line.chosen.points, strict=True)
    said = "; ".join(f"{say(column.words or ALL)}: {say(point.measured.words)}" for column, point in both)
    return Picture(WIDTH, legend[-1].y + 20, title, said, shapes, FINE)


def _name(line: AnswerLine, say: Say) -> str:
    """What is drawn, and what became of it."""
    name = f"{say(line.label)}: {say(line.words)}" if line.words else say(line.label)
    return cut(clean(name), SMALL, WIDTH - 2 * SIDE, bold=True)


def _x(place: float) -> float:
    return LEFT + place / 100 * (WIDTH - SIDE - LEFT)


def _y(place: float, top: float) -> float:
    return top + place / 100 * HIGH


def _axis(axis: Axis, top: float, say: Say) -> Iterator[Shape]:
    for label, place in axis.ticks:
        y = _y(100 - place, top)
        yield Part(LEFT, y - 0.5, WIDTH - SIDE - LEFT, 1, ZERO if label == "0" else GRID)
        yield Text(LEFT - 8, y + 5, say(label), SMALL, QUIET, anchor="end")


def _spans(line: AnswerLine, top: float) -> Iterator[Shape]:
    for band in line.bands:
        wide = _x(band.x + band.width) - _x(band.x)
        yield Part(_x(band.x), _y(band.top, top), wide, max(_y(band.height, 0), 1), LOOKS[0])
        yield Part(_x(band.x), _y(band.middle, top) - END / 2, wide, END, DOT)


def _dots(line: AnswerLine, columns: tuple[PeriodColumn, ...], top: float) -> Iterator[Shape]:
    for column, point in zip(columns, line.points, strict=True):
        if point.dot is not None and point.top is not None and point.bottom is not None:
            high = _y(point.bottom, 0) - _y(point.top, 0)
            yield Part(_x(column.x) - END / 2, _y(point.top, top), END, high, MARK)
            yield Circle(_x(column.x), _y(point.dot, top), RADIUS, column.is_open)


def _dates(line: Timeline, under: float, say: Say) -> Iterator[Shape]:
    """The days on which periods begin, and how many told."""
    yield Text(LEFT - 8, under + 22, "n", SMALL, QUIET, anchor="end")
    for column, date in line.dated:
        yield Text(_x(column.x), under, say(date), SMALL, QUIET, anchor="middle")
        if column.n:
            people = say(Statement("count_alone", count=column.n))
            yield Text(_x(column.x), under + 22, people, SMALL, QUIET, anchor="middle")

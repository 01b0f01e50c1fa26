"""The histogram of a number as shapes: columns with dots and lines, and where half of the people are, as on pages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from deniable.pages.drawing import BOTTOM, FINE, RADIUS, SIDE, SMALL, WIDTH, PictureHead, dashes
from deniable.pages.lettering import clean, width_of
from deniable.pages.results.histogram import Histogram
from deniable.pages.shapes import BLUES, END, GRID, INK, MARK, QUIET, ZERO, Box, Circle, Picture, Rectangle, Shape, Text
from deniable.protocol.say import Say, Statement

HIGH: Final = 260
"""How high the columns of a picture are at most."""


class HistogramTexts(NamedTuple):
    """A histogram with its words in a language: what it counts (``per``), the median, and the names at both axes."""

    histogram: Histogram
    per: str
    median: str
    levels: list[str]
    numbers: list[str]
    description: str
    is_open: bool

    @classmethod
    def of(cls, histogram: Histogram, say: Say, is_open: bool) -> HistogramTexts:
        """All that is written."""
        per = say(Statement("people_in_100_for_each", width=histogram.per))
        levels, numbers = ([say(label) for label, _ in each] for each in (histogram.levels, histogram.numbers))
        return cls(histogram, per, say(histogram.median), levels, numbers, "; ".join(map(say, histogram.said)), is_open)

    def shapes(self, box: Box, size: float) -> Iterator[Shape]:
        """The histogram within a box, with what is counted at the top."""
        left, top, right, bottom = box
        yield Text(left, top + size, self.per, size, QUIET)
        yield from column_shapes(self, (left + 2.5 * size, top + 3.2 * size, right, bottom - 1.8 * size), size)


def number_picture(head: PictureHead, histogram: Histogram | None, is_open: bool, say: Say) -> Picture:
    """A number's histogram with what was found; only that where nothing but a mean was asked for."""
    words = head.in_language(say)
    texts, title = words.texts(), clean(words.finding)
    if histogram is None:
        foot = words.foot("", texts[-1].y + 24)
        return Picture(WIDTH, texts[-1].y + BOTTOM, title, "", [*texts, *foot], FINE)
    columns, top = HistogramTexts.of(histogram, say, is_open), texts[-1].y + 64
    box = (SIDE + 40.0, top, WIDTH - 2.0 * SIDE, top + HIGH)
    foot = words.foot(say(Statement("column_best_estimate")), top + HIGH + 52)
    shapes = [*texts, Text(SIDE, top - 36, columns.per, SMALL, QUIET), *column_shapes(columns, box, SMALL)]
    return Picture(WIDTH, foot[-1].y + 16, title, columns.description, [*shapes, *foot], FINE)


def column_shapes(columns: HistogramTexts, box: Box, size: float) -> Iterator[Shape]:
    """Grid, columns, lines, dots, and the numbers beside and beneath them."""
    (left, top, right, bottom), histogram = box, columns.histogram

    def x(place: float) -> float:
        return left + place / 100 * (right - left)

    def y(place: float) -> float:
        return top + place / 100 * (bottom - top)

    for label, (number, place) in zip(columns.levels, histogram.levels, strict=True):
        yield Rectangle(left, y(place) - 0.5, right - left, 1, ZERO if number == "0" else GRID)
        yield Text(left - 8, y(place) + size * 0.35, label, size, QUIET, anchor="end")
    for each in histogram.columns:
        yield Rectangle(x(each.x), y(each.top), x(each.width) - left, y(each.height) - top, BLUES[0])
    yield from _half(columns.median, x(histogram.quarters[1].place), box, size)
    for each in histogram.columns:
        yield Rectangle(x(each.middle) - END / 2, y(each.line.start), END, y(each.line.width) - top, MARK)
        yield Circle(x(each.middle), y(each.dot), max(RADIUS, size / 3), columns.is_open)
    for label, (_, place) in zip(columns.numbers, histogram.numbers, strict=True):
        yield Text(x(place), bottom + 1.5 * size, label, size, QUIET, anchor="middle")


def _half(median: str, x: float, box: Box, size: float) -> Iterator[Shape]:
    """A dashed line where half of the people are, and its words on the side on which there is room."""
    yield from dashes(x, box[1] - 8, box[3])
    fits = x + 6 + width_of(median, size, bold=True) <= box[2]
    yield Text(x + 6 if fits else x - 6, box[1] - 10, median, size, INK, bold=True, anchor="start" if fits else "end")

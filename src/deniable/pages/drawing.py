"""A chart of dots and bands as a picture of its own, to download, as SVG and as PNG: the same places as on the page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final, NamedTuple, Protocol

import numpy as np

from deniable.pages.lettering import clean, cut, finding_lines, in_lines
from deniable.pages.results.rows import Axis, Chart, Span
from deniable.pages.shapes import BLUES, END, GRID, INK, MARK, QUIET, ZERO, Circle, Picture, Rectangle, Shape, Text
from deniable.protocol.say import Phrase, Say, Statement, english

WIDTH, NAMES, WORDS = 960, 220, 250
SIDE: Final = 20
BAND, RADIUS = 13, 4.5
"""How high bands and end marks are, and how large a dot is."""
LINE, TOP, BOTTOM = 36, 38, 48
"""How high a row is; what is free above the first, for the axis, and beneath the last, for the legend."""
FINDING, SMALLER, MOST_LINES = 20, 17, 3
"""How high the letters of the finding are, or of a long one, and how many lines it has at most."""
SMALL, STEP = 14, 20
"""How high other letters are, and their lines."""
DASH: Final = 6
RIGHTMOST: Final = 90
"""Where a line ends at most, in per cent of the axis, so that a number has room beside it."""
FINE: Final = 200
"""Dots to an inch: these pictures are put into texts."""


class PictureHead(NamedTuple):
    """What stands above a picture: the question, what was found, and what that is about."""

    question: Phrase
    finding: Phrase
    about: Phrase
    source: Phrase = ""
    """Who asked, when, and where it is, which stands beneath the picture."""

    def in_language(self, say: Say) -> HeadTexts:
        """The head with its words in a language."""
        return HeadTexts(say(self.question), say(self.finding), say(self.about), say(self.source))


class HeadTexts(NamedTuple):
    """The head of a picture in a language."""

    question: str
    finding: str
    about: str
    source: str

    def texts(self) -> list[Text]:
        """Line after line from the top."""
        room = WIDTH - 2 * SIDE
        size, finding = finding_lines(self.finding, FINDING, SMALLER, room, MOST_LINES)
        texts = [Text(SIDE, 28, cut(clean(self.question), SMALL, room), SMALL, QUIET)]
        texts += [Text(SIDE, 56 + 1.3 * size * line, text, size, bold=True) for line, text in enumerate(finding)]
        return texts + quiet_lines(self.about, texts[-1].y + 24)

    def foot(self, legend: str, base: float) -> list[Text]:
        """What stands beneath the picture: what it means, and where it is from."""
        lines = quiet_lines(legend, base) if legend else []
        return lines + (quiet_lines(self.source, base + STEP * len(lines)) if self.source else [])


def quiet_lines(text: str, base: float) -> list[Text]:
    """A text in small letters, from its first line on, in as many as it takes."""
    lines = in_lines(clean(text), SMALL, WIDTH - 2 * SIDE)
    return [Text(SIDE, base + STEP * line, each, SMALL, QUIET) for line, each in enumerate(lines)]


class DrawnRow(Protocol):
    """A label with its share: places are in per cent of the axis, and bands begin with the widest."""

    @property
    def label(self) -> Phrase:
        """What it is."""

    @property
    def words(self) -> Phrase:
        """What can be said of it."""

    @property
    def dot(self) -> float | None:
        """Where its estimate is."""

    @property
    def bands(self) -> tuple[Span, ...]:
        """Its intervals."""

    @property
    def value(self) -> str:
        """What stands beside the dot."""


class RowTexts(NamedTuple):
    """A ``DrawnRow`` whose words are said in the language of a picture."""

    label: str
    words: str
    dot: float | None
    bands: tuple[Span, ...]
    value: str


class RowsOnAxis(NamedTuple):
    """Rows that are drawn one beneath the other; ``simultaneous`` intervals hold for all labels at once."""

    axis: Axis
    rows: Sequence[DrawnRow]
    simultaneous: bool = False
    rest: Phrase = ""
    """What is said of those that are left out."""

    @classmethod
    def of(cls, chart: Chart) -> RowsOnAxis:
        """The rows of a page's chart."""
        return cls(chart.axis, chart.rows, chart.simultaneous, chart.rest)

    def in_language(self, say: Say) -> ChartTexts:
        """The rows and the axis with their words in a language."""
        rows = [RowTexts(say(row.label), say(row.words), row.dot, row.bands, say(row.value)) for row in self.rows]
        ticks = tuple((say(label), place) for label, place in self.axis.ticks)
        return ChartTexts(replace(self.axis, ticks=ticks), rows, self.simultaneous, say(self.rest))


class ChartTexts(NamedTuple):
    """``RowsOnAxis`` with their words in a language."""

    axis: Axis
    rows: Sequence[RowTexts]
    simultaneous: bool
    rest: str


def chart_picture(head: PictureHead, drawn: RowsOnAxis, is_open: bool = False, say: Say = english) -> Picture:
    """The chart with what was found, its axis, and a text that says the numbers to whoever cannot see it.

    ``say`` says sentences in another language than English.
    """
    words, rows = head.in_language(say), drawn.in_language(say)
    texts, title = words.texts(), clean(words.finding)
    top = texts[-1].y + TOP
    bottom = top + LINE * (len(rows.rows) + bool(rows.rest))
    shapes: list[Shape] = [*texts, *grid(rows.axis, x_of, (top - 6, top + LINE * len(rows.rows)), top - 12, SMALL)]
    for number, row in enumerate(rows.rows):
        shapes += _row(row, top + LINE * (number + 0.5), is_open)
    if rows.rest:
        shapes.append(Text(SIDE, bottom - LINE / 2 + 5, rows.rest, SMALL, QUIET))
    shapes += (foot := words.foot(say(legend(rows)), bottom + BOTTOM - 16))
    description = "; ".join(f"{row.label}: {row.words}" for row in rows.rows)
    return Picture(WIDTH, foot[-1].y + 16, title, description, shapes, FINE)


def legend(drawn: RowsOnAxis | ChartTexts) -> Statement:
    """What dot, line and bands mean."""
    if drawn.simultaneous:
        return Statement("read_all_at_once_in_95_of_100")
    return Statement("dot_best_estimate_in_95_of_100")


def x_of(place: float) -> float:
    """Where a place on the axis, in per cent, is across the picture."""
    return NAMES + place / 100 * (WIDTH - NAMES - WORDS - 20)


def grid(
    axis: Axis, x: Callable[[float], float], ends: tuple[float, float], base: float, size: float
) -> Iterator[Shape]:
    """A line from top to bottom for each number of the axis, which stands at ``base``, and the line a reader drew."""
    top, bottom = ends
    if axis.mark is not None:
        yield from dashes(x(axis.mark), top, bottom)
    for label, place in axis.ticks:
        yield Rectangle(x(place) - 0.5, top, 1, bottom - top, ZERO if label == "0" else GRID)
        yield Text(x(place), base, label, size, QUIET, anchor="middle")


def _row(row: RowTexts, middle: float, is_open: bool) -> Iterator[Shape]:
    """Label, bands, the dot, and the words."""
    yield Text(SIDE, middle + 5, cut(row.label, SMALL, NAMES - SIDE - 8), SMALL)
    yield from bars(row.bands, x_of, middle, BAND)
    if row.dot is not None:
        yield Circle(x_of(row.dot), middle, RADIUS, is_open)
        yield value_beside(row, x_of, middle, SMALL)
    yield Text(WIDTH - WORDS, middle + 5, cut(row.words, SMALL, WORDS - SIDE), SMALL)


def dashes(x: float, top: float, bottom: float) -> list[Rectangle]:
    """A dashed line from top to bottom."""
    return [Rectangle(x - 0.75, y, 1.5, DASH, INK) for y in np.arange(top, bottom, 10.0).tolist()]


def value_beside(row: RowTexts, x: Callable[[float], float], middle: float, size: float) -> Text:
    """The value beside its line, at the left of it where there is no room at the right."""
    start, end = row.bands[0].start, row.bands[0].start + row.bands[0].width
    if end < RIGHTMOST:
        return Text(x(end) + size / 2, middle + size * 0.35, row.value, size)
    return Text(x(start) - size / 2, middle + size * 0.35, row.value, size, anchor="end")


def bars(bands: Sequence[Span], x: Callable[[float], float], middle: float, high: float) -> Iterator[Rectangle]:
    """Bands, and over them the line of the widest with its end marks; a single one is both."""
    for span, colour in zip(bands[1:] or bands, BLUES, strict=False):
        start, end = x(span.start), x(span.start + span.width)
        yield Rectangle(start, middle - high / 2, max(end - start, 1), high, colour)
    for span in bands[:1]:
        start, end = x(span.start), x(span.start + span.width)
        yield Rectangle(start, middle - END / 2, max(end - start, 1), END, MARK)
        for mark in (start, end):
            yield Rectangle(mark - END / 2, middle - high / 2, END, high, MARK)

"""An answer over time as a picture of its own: dots with lines, and as broad bands the spans that are compared."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from deniable.estimation.words import in_a_row, joined
from deniable.pages.drawing import BOTTOM, FINE, RADIUS, SIDE, SMALL, WIDTH, PictureHead
from deniable.pages.lettering import clean, cut
from deniable.pages.results.timeline import AnswerLine, PeriodColumn, Timeline
from deniable.pages.shapes import BLUES, DOT, END, GRID, MARK, QUIET, ZERO, Box, Circle, Picture, Rectangle, Shape, Text
from deniable.protocol.say import Phrase, Say, Statement

ASIDE, ABOVE, BELOW = 4.3, 3.6, 3.3
"""How much room letters take at the left of the plot, above and below it, in relation to how high they are."""
ALL: Final = Statement("all_answers_word")
"""What the only period of a survey is called."""
HIGH: Final = 320
"""How high the plot is."""
LEGEND: Final = Statement("dot_and_line_where_the_truth")
BANDS: Final = Statement("broad_bands_periods_taken")


class TimelineTexts(NamedTuple):
    """An answer over time with its words in a language."""

    line: AnswerLine
    columns: tuple[PeriodColumn, ...]
    name: str
    """What is drawn, and what became of it."""
    unit: str
    levels: list[tuple[str, float]]
    """What the axis names, with its place in per cent from below."""
    dates: list[tuple[float, str, str]]
    """Where, in per cent from the left, a day on which a period begins is named; the day, and how many reported."""
    description: str

    @classmethod
    def of(cls, line: Timeline, each_one: Statement, say: Say) -> TimelineTexts | None:
        """The answer that is drawn large, where there is one."""
        if line.chosen is None or line.axis is None:
            return None
        name = f"{say(line.chosen.label)}: {say(line.chosen.words)}" if line.chosen.words else say(line.chosen.label)
        both = zip(line.columns, line.chosen.points, strict=True)
        dates = [
            (column.x, say(date), say(Statement("count_alone", count=column.n)) if column.n else "")
            for column, date in line.dated
        ]
        return cls(
            line.chosen, line.columns, clean(name), say(in_a_row([line.unit, each_one]) if line.unit else each_one),
            [(say(label), place) for label, place in line.axis.ticks], dates,
            "; ".join(f"{say(column.words or ALL)}: {say(point.measured.words)}" for column, point in both),
        )  # fmt: skip

    @property
    def legend(self) -> Phrase:
        """What dots, lines and bands mean."""
        return joined([LEGEND, BANDS]) if self.line.bands else LEGEND

    def shapes(self, box: Box, size: float) -> Iterator[Shape]:
        """The answer over time within a box, from its name down to how many people reported."""
        left, top, right, bottom = box
        plot = (left + ASIDE * size, top + ABOVE * size, right, bottom - BELOW * size)
        yield Text(left, top + size, cut(self.name, size, right - left, bold=True), size, bold=True)
        yield Text(left, top + 2.4 * size, self.unit, size, QUIET)
        yield from self._levels(plot, size)
        yield from self._spans(plot)
        yield from self._dots(plot, size)
        yield from self._dates(plot, size)

    def _levels(self, plot: Box, size: float) -> Iterator[Shape]:
        for label, place in self.levels:
            y = _down(100 - place, plot)
            yield Rectangle(plot[0], y - 0.5, plot[2] - plot[0], 1, ZERO if label == "0" else GRID)
            yield Text(plot[0] - 8, y + size * 0.35, label, size, QUIET, anchor="end")

    def _spans(self, plot: Box) -> Iterator[Shape]:
        """The spans that are compared, as broad bands."""
        for band in self.line.bands:
            left, top = _across(band.x, plot), _down(band.top, plot)
            wide, high = _across(band.x + band.width, plot) - left, _down(band.top + band.height, plot) - top
            yield Rectangle(left, top, wide, max(high, 1), BLUES[0])
            yield Rectangle(left, _down(band.middle, plot) - END / 2, wide, END, DOT)

    def _dots(self, plot: Box, size: float) -> Iterator[Shape]:
        for column, point in zip(self.columns, self.line.points, strict=True):
            if point.dot is not None and point.top is not None and point.bottom is not None:
                x, top = _across(column.x, plot), _down(point.top, plot)
                yield Rectangle(x - END / 2, top, END, _down(point.bottom, plot) - top, MARK)
                yield Circle(x, _down(point.dot, plot), max(RADIUS, size / 3), column.is_open)

    def _dates(self, plot: Box, size: float) -> Iterator[Shape]:
        under = plot[3] + 1.7 * size
        yield Text(plot[0] - 8, under + 1.6 * size, "n", size, QUIET, anchor="end")
        for place, date, people in self.dates:
            yield Text(_across(place, plot), under, date, size, QUIET, anchor="middle")
            if people:
                yield Text(_across(place, plot), under + 1.6 * size, people, size, QUIET, anchor="middle")


def time_picture(head: PictureHead, drawn: TimelineTexts | None, say: Say) -> Picture:
    """The answer that is drawn large, with what was found; only that where there is nothing to draw."""
    words = head.in_language(say)
    texts, title = words.texts(), clean(words.finding)
    if drawn is None:
        foot = words.foot("", texts[-1].y + 24)
        return Picture(WIDTH, texts[-1].y + BOTTOM, title, "", [*texts, *foot], FINE)
    top = texts[-1].y + 18
    bottom = top + HIGH + (ABOVE + BELOW) * SMALL
    legend = words.foot(say(drawn.legend), bottom + 34)
    shapes = [*texts, *drawn.shapes((SIDE, top, WIDTH - SIDE, bottom), SMALL), *legend]
    return Picture(WIDTH, legend[-1].y + 20, title, drawn.description, shapes, FINE)


def _across(place: float, plot: Box) -> float:
    return plot[0] + place / 100 * (plot[2] - plot[0])


def _down(place: float, plot: Box) -> float:
    return plot[1] + place / 100 * (plot[3] - plot[1])

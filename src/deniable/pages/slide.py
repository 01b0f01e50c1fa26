"""A result as a slide to show to others: what was found, the chart, who was asked, and what protects them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol

from deniable.pages.drawing import ChartTexts, RowTexts, bars, grid, value_beside
from deniable.pages.lettering import clean, cut, finding_lines, width_of
from deniable.pages.shapes import QUIET, Box, Circle, Picture, Rectangle, Shape, Text
from deniable.protocol.say import Statement

WIDTH, HEIGHT = 1600, 900
SIDE: Final = 80
"""The margin at the left and at the right."""
FINDING, SMALLER, LINE = 44, 34, 1.18
"""How high the letters of the finding are, or of a long one, and its lines in relation to them."""
MOST_LINES: Final = 3
BOTTOM: Final = 714
"""Where the chart ends."""
ROW: Final = 64
"""How high a row is at most."""
NAMES, WORDS = (150, 470), (240, 420)
"""The least and the most room for labels, at the left, and for what is said of them, at the right."""
RULE: Final = "#d8dbdf"


class Drawing(Protocol):
    """A picture that fits itself into a box, in letters of a size."""

    @property
    def description(self) -> str:
        """The numbers in words, for whoever cannot see it."""

    def shapes(self, box: Box, size: float) -> Iterator[Shape]:
        """All that is drawn."""


@dataclass(frozen=True)
class Slide:
    """What stands on a slide."""

    question: str
    finding: str
    chart: ChartTexts | None
    """None of a number."""
    unit: str
    """What the axis counts."""
    reported: str
    """How many reported on the question, which is set in bold."""
    source: str
    """Who asked and when, how it stands, and where it is."""
    protection: str
    legend: str
    """What the line and the bands mean."""
    caution: str = ""
    """How far made-up answers could move it; empty where that need not be said."""
    is_open: bool = False
    drawing: Drawing | None = None
    """What is drawn where these are no rows; of a number none where nothing but a mean was asked for."""

    @property
    def picture(self) -> Picture:
        """The slide as it is drawn, with a text that says the numbers to whoever cannot see them."""
        rows = self.chart.rows if self.chart else ()
        description = (
            self.drawing.description if self.drawing else "; ".join(f"{row.label}: {row.words}" for row in rows)
        )
        return Picture(WIDTH, HEIGHT, clean(self.finding), description, tuple(self.shapes()))

    def shapes(self) -> Iterator[Shape]:
        """All that is drawn, from the ground up."""
        yield Text(SIDE, 88, cut(clean(self.question), 24, WIDTH - 2 * SIDE), 24, QUIET)
        size, finding = finding_lines(self.finding, FINDING, SMALLER, WIDTH - 2 * SIDE, MOST_LINES)
        base = 96 + size
        for line in finding:
            yield Text(SIDE, base, line, size, bold=True)
            base += size * LINE
        if self.chart is not None:
            yield from self._chart(self.chart, base - size * LINE + 56)
        if self.drawing is not None:
            yield from self.drawing.shapes((SIDE, base - size * LINE + 28, WIDTH - SIDE, BOTTOM), 20)
        yield from self._foot()

    # --- the chart --------------------------------------------------------------------------------------------------

    def _chart(self, drawn: ChartTexts, top: float) -> Iterator[Shape]:
        """The axis, and a row for each answer as high as there is room for."""
        rows = len(drawn.rows) + bool(drawn.rest)
        first = top + 32
        high = min(ROW, (BOTTOM - first) / max(rows, 1))
        size = max(min(24, high * 0.55), 12)
        plot = _Plot.of(drawn.rows, size)
        bottom = first + high * len(drawn.rows)
        yield Text(plot.left, top - 8, self.unit, 20, QUIET)
        yield from grid(drawn.axis, plot.x, (first, bottom), top + 20, 20)
        yield Rectangle(SIDE, first, WIDTH - 2 * SIDE, 1, RULE)
        for number, row in enumerate(drawn.rows):
            middle = first + high * (number + 0.5)
            yield from self._row(row, plot, middle, size)
            yield Rectangle(SIDE, middle + high / 2, WIDTH - 2 * SIDE, 1, RULE)
        if drawn.rest:
            yield Text(SIDE, bottom + high * 0.5 + size * 0.35, drawn.rest, size, QUIET)

    def _row(self, row: RowTexts, plot: _Plot, middle: float, size: float) -> Iterator[Shape]:
        """Label, bands, the line of 95% with its end marks, the dot, and the words."""
        base, high = middle + size * 0.35, min(20, size)
        yield Text(SIDE, base, cut(row.label, size, plot.left - SIDE - 16), size)
        yield from bars(row.bands, plot.x, middle, high)
        if row.dot is not None:
            yield Circle(plot.x(row.dot), middle, min(8, size / 3), self.is_open)
            yield value_beside(row, plot.x, middle, size)
        yield Text(plot.right + 40, base, cut(row.words, size, WIDTH - SIDE - plot.right - 40), size)

    # --- beneath it -------------------------------------------------------------------------------------------------

    def _foot(self) -> Iterator[Shape]:
        """How many; what to beware of; what the line means; the protection; who asked, when, and the address."""
        room = WIDTH - 2 * SIDE
        yield Rectangle(SIDE, 736, room, 1, RULE)
        reported = clean(self.reported)
        size = 20 if width_of(reported, 20, bold=True) <= room else 17
        yield Text(SIDE, 770, cut(reported, size, room, bold=True), size, bold=True)
        lines = [each for each in (self.caution, self.legend, self.protection, self.source) if each]
        for number, line in enumerate(lines):
            wide = room if number < len(lines) - 2 else room - 200  # the mark stands beside the last ones
            yield Text(SIDE, 796 + 88 / (len(lines) - 1) * number, cut(clean(line), 18, wide), 18, QUIET)
        yield Circle(WIDTH - SIDE - 142, 863, 6, hollow=False)
        yield Circle(WIDTH - SIDE - 124, 863, 6, hollow=True)
        yield Text(WIDTH - SIDE, 870, "deniable", 20, bold=True, anchor="end")


def legend_of(has_chart: bool, is_simultaneous: bool, has_columns: bool = False) -> Statement:
    """What the line and the bands of a chart mean; without one, what the bounds in the finding do."""
    if has_columns:
        return Statement("column_best_estimate")
    if not has_chart:
        return Statement("between_these_bounds_lies")
    if is_simultaneous:
        return Statement("line_read_all_at_once_in_95")
    return Statement("line_the_truth_in_95_of_100")


class _Plot(NamedTuple):
    """Where the axis begins and ends across a slide."""

    left: float
    right: float

    @classmethod
    def of(cls, rows: Sequence[RowTexts], size: float) -> _Plot:
        """With as much room for labels and words as the longest need."""
        names, words = (
            min(max(least, *(width_of(text, size) + 24 for text in texts)), most)
            for texts, (least, most) in (
                ([row.label for row in rows], NAMES),
                ([row.words for row in rows], WORDS),
            )
        )
        return cls(SIDE + names, WIDTH - SIDE - words - 40)

    def x(self, place: float) -> float:
        """Where a place in per cent of the axis is."""
        return self.left + place / 100 * (self.right - self.left)

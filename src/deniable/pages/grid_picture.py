"""A grid as shapes: of each row every answer small, on one axis for all, and how many reported on the row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from deniable.pages.drawing import (
    FINE,
    LINE,
    RADIUS,
    SIDE,
    SMALL,
    WIDTH,
    ChartTexts,
    PictureHead,
    RowsOnAxis,
    bars,
    grid,
    value_beside,
)  # fmt: skip
from deniable.pages.lettering import clean, cut, in_lines, width_of
from deniable.pages.results.grids import GridView
from deniable.pages.shapes import GRID, QUIET, Box, Circle, Picture, Rectangle, Shape, Text
from deniable.protocol.say import Say, Statement

ABOVE: Final = 4.2
"""How much room unit, answers and the ends of the axis take, in relation to letters."""
NAMES, BESIDE = 0.26, 2.4
"""How much of the width names and numbers of rows take; how much room a value beside its line takes, by letters."""


class Column(NamedTuple):
    """The column of one answer: where its axis begins and ends across the picture."""

    left: float
    right: float

    def x(self, place: float) -> float:
        """Where a place in per cent of the axis is."""
        return self.left + place / 100 * (self.right - self.left)


class GridRowTexts(NamedTuple):
    """A row in a language, with how many reported (``n``); of one without a result ``missing`` says why."""

    name: str
    n: str
    answers: ChartTexts
    missing: str


class GridTexts(NamedTuple):
    """A grid with its words in a language; ``unit`` is what its axis counts."""

    unit: str
    labels: tuple[str, ...]
    rows: list[GridRowTexts]
    rest: str
    """What is said of rows that are left out."""
    is_open: bool

    @classmethod
    def of(cls, grid: GridView, say: Say, is_open: bool, most: int | None = None) -> GridTexts:
        """A grid with all its rows, or the first ones."""
        rows = [
            GridRowTexts(
                clean(row.wording), say(Statement("count_alone", count=row.n)),
                RowsOnAxis(grid.axis, row.answers).in_language(say), row.missing,
            )
            for row in grid.rows[:most]
        ]  # fmt: skip
        left = len(grid.rows) - len(rows)
        rest = say(Statement("more_rows_are_on_the_page", count=left)) if left else ""
        return cls(say(Statement("people_in_100")), grid.labels, rows, rest, is_open)

    @property
    def description(self) -> str:
        """Each row with its answers in words."""
        answers = (", ".join(f"{each.label} {each.words}" for each in row.answers.rows) for row in self.rows)
        return "; ".join(f"{row.name}: {words}" for row, words in zip(self.rows, answers, strict=True))

    def shapes(self, box: Box, size: float) -> Iterator[Shape]:
        """The grid within a box: what the columns are, and a line for each row as high as there is room for."""
        left, top, right, bottom = box
        first, lines = top + ABOVE * size, len(self.rows) + bool(self.rest)
        high = min(3.2 * size, (bottom - first) / lines)
        letters, last = min(size, 0.8 * high), first + high * len(self.rows)
        start, room = left + NAMES * (right - left), (1 - NAMES) * (right - left) / len(self.labels)
        columns = [Column(start + room * k, start + room * (k + 1) - BESIDE * size) for k in range(len(self.labels))]
        yield Text(start, top + size, self.unit, size, QUIET)
        yield Text(start - 1.6 * size, top + 2.4 * size, "n", size, QUIET, anchor="end")
        for label, column in zip(self.labels, columns, strict=True):
            yield Text(column.left, top + 2.4 * size, cut(label, size, room - size), size)
            yield from grid(self.rows[0].answers.axis, column.x, (first, last), top + 3.8 * size, 0.8 * size)
        for number, row in enumerate(self.rows):
            yield Rectangle(left, first + high * (number + 1), right - left, 1, GRID)
            middle = first + high * (number + 0.5)
            yield from _name(row.name, left, middle, start - left - 6 * size, letters)
            yield from self._row(row, columns, middle, letters)
        if self.rest:
            yield Text(left, last + high * 0.5 + letters * 0.35, self.rest, letters, QUIET)

    def _row(self, row: GridRowTexts, columns: Sequence[Column], middle: float, size: float) -> Iterator[Shape]:
        """The number of people of a row, and each of its answers; or why there are none."""
        start, base = columns[0].left, middle + size * 0.35
        if row.missing:
            yield Text(start, base, row.missing, size, QUIET)
            return
        yield Text(start - 1.6 * size, base, row.n, size, QUIET, anchor="end")
        for each, column in zip(row.answers.rows, columns, strict=True):
            yield from bars(each.bands, column.x, middle, min(13, size))
            if each.dot is not None:
                yield Circle(column.x(each.dot), middle, max(RADIUS, size / 4), self.is_open)
                yield value_beside(each, column.x, middle, 0.9 * size)


def _name(name: str, left: float, middle: float, room: float, size: float) -> Iterator[Text]:
    """What a row is called, if need be in two lines of smaller letters."""
    if width_of(name, size) <= room:
        yield Text(left, middle + size * 0.35, name, size)
        return
    small = 0.75 * size
    first, *rest = in_lines(name, small, room)
    for number, line in enumerate((first, cut(" ".join(rest), small, room))):
        yield Text(left, middle + small * (1.2 * number - 0.25), line, small)


def grid_picture(head: PictureHead, drawn: GridTexts, say: Say) -> Picture:
    """All rows with what was found."""
    words = head.in_language(say)
    texts, title = words.texts(), clean(words.finding)
    top = texts[-1].y + 18
    bottom = top + ABOVE * SMALL + LINE * len(drawn.rows)
    foot = words.foot(say(Statement("dot_best_estimate_in_95_of_100")), bottom + 34)
    shapes = [*texts, *drawn.shapes((SIDE, top, WIDTH - SIDE, bottom), SMALL), *foot]
    return Picture(WIDTH, foot[-1].y + 20, title, drawn.description, shapes, FINE)

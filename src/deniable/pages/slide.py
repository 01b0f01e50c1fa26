"""A result as a slide to show to others: what was found, the chart, who was asked, and what protects them.

One list of shapes is written as SVG and as PNG, so that both have everything at the same places.
"""

from __future__ import annotations

import io
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from deniable.estimation.table import printable
from deniable.pages.drawing import BAND, DOT, END, GRID, INK, LOOKS, MARK, PAPER, QUIET, ZERO, Part
from deniable.pages.results.rows import Chart, Row

if TYPE_CHECKING:
    from matplotlib.axes import Axes

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
NARROW: Final = frozenset("ijlIftr.,;:'|!()[]-· ")
LONGEST: Final = 400
RULE: Final = "#d8dbdf"
HUNDRED: Final = 100
"""Units of the drawing in an inch: a unit is a pixel of the PNG."""


class Text(NamedTuple):
    """A line of text from its baseline; ``anchor`` is start, middle or end."""

    x: float
    y: float
    text: str
    size: float
    colour: str = INK
    bold: bool = False
    anchor: str = "start"


class Circle(NamedTuple):
    """A dot, hollow while a result is provisional."""

    x: float
    y: float
    radius: float
    hollow: bool


Shape: TypeAlias = Part | Text | Circle


@dataclass(frozen=True)
class Slide:
    """What stands on a slide."""

    question: str
    finding: str
    chart: Chart | None
    """None where nothing but a mean was asked for."""
    unit: str
    reported: str
    """How many told of this question, and when, which is set in bold."""
    source: str
    """Who asked."""
    protection: str
    address: str
    is_open: bool = False

    def svg(self) -> str:
        """The slide as SVG, with a text that says the numbers to whoever cannot see them."""
        said = "; ".join(f"{row.label}: {row.words}" for row in self.chart.rows) if self.chart else ""
        frame = f'viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" role="img" aria-labelledby="t d"'
        head = f'<title id="t">{escape(_clean(self.finding))}</title><desc id="d">{escape(said)}</desc>'
        body = "".join(_written(shape) for shape in self.shapes())
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" {frame} font-family="system-ui, sans-serif">{head}'
            f'<rect width="100%" height="100%" fill="{PAPER}"/>{body}</svg>\n'
        )

    def png(self) -> bytes:
        """The slide as 1600 by 900 pixels."""
        from matplotlib.figure import Figure

        figure = Figure((WIDTH / HUNDRED, HEIGHT / HUNDRED), facecolor=PAPER)
        axes = figure.add_axes((0, 0, 1, 1), xlim=(0, WIDTH), ylim=(HEIGHT, 0))
        axes.set_axis_off()
        for shape in self.shapes():
            _painted(axes, shape)
        written = io.BytesIO()
        figure.savefig(written, format="png", dpi=HUNDRED)
        return written.getvalue()

    def shapes(self) -> Iterator[Shape]:
        """All that is drawn, from the ground up."""
        yield Text(SIDE, 88, _cut(_clean(self.question), 24, WIDTH - 2 * SIDE), 24, QUIET)
        size, lines = self._finding
        base: float = 96 + size
        for line in lines:
            yield Text(SIDE, base, line, size, bold=True)
            base += size * LINE
        if self.chart is not None:
            yield from self._chart(self.chart, base - size * LINE + 56)
        yield from self._foot()

    @property
    def _finding(self) -> tuple[int, list[str]]:
        """Its lines, smaller where there would be too many of them."""
        finding, room = _clean(self.finding), WIDTH - 2 * SIDE
        lines = _lines(finding, FINDING, room, bold=True)
        if len(lines) < MOST_LINES:
            return FINDING, lines
        lines = _lines(finding, SMALLER, room, bold=True)
        last = [_cut(" ".join(lines[MOST_LINES - 1 :]), SMALLER, room, bold=True)] if len(lines) > MOST_LINES else []
        return SMALLER, [*lines[: MOST_LINES - 1], *last] if last else lines

    # --- the chart --------------------------------------------------------------------------------------------------

    def _chart(self, drawn: Chart, top: float) -> Iterator[Shape]:
        """The axis, and a row for each answer as high as there is room for."""
        rows = len(drawn.rows) + bool(drawn.rest)
        first = top + 32
        high = min(ROW, (BOTTOM - first) / max(rows, 1))
        size = max(min(24, high * 0.55), 12)
        plot = _Plot.of(drawn.rows, size)
        bottom = first + high * len(drawn.rows)
        yield Text(plot.left, top - 8, self.unit, 20, QUIET)
        for label, place in drawn.axis.ticks:
            yield Text(plot.x(place), top + 20, label, 20, QUIET, anchor="middle")
            yield Part(plot.x(place) - 0.5, first, 1, bottom - first, ZERO if label == "0" else GRID)
        yield Part(SIDE, first, WIDTH - 2 * SIDE, 1, RULE)
        for number, row in enumerate(drawn.rows):
            middle = first + high * (number + 0.5)
            yield from self._row(row, plot, middle, size)
            yield Part(SIDE, middle + high / 2, WIDTH - 2 * SIDE, 1, RULE)
        if drawn.rest:
            yield Text(SIDE, bottom + high * 0.5 + size * 0.35, drawn.rest, size, QUIET)

    def _row(self, row: Row, plot: _Plot, middle: float, size: float) -> Iterator[Shape]:
        """Label, bands, the line of 95% with its end marks, the dot, and the words."""
        base, high = middle + size * 0.35, min(BAND * 1.5, size)
        yield Text(SIDE, base, _cut(row.label, size, plot.left - SIDE - 16), size)
        for span, colour in zip(row.bands[1:] or row.bands, LOOKS, strict=False):
            start, end = plot.x(span.start), plot.x(span.start + span.width)
            yield Part(start, middle - high / 2, max(end - start, 1), high, colour)
        for span in row.bands[:1]:
            start, end = plot.x(span.start), plot.x(span.start + span.width)
            yield Part(start, middle - END / 2, max(end - start, 1), END, MARK)
            for mark in (start, end):
                yield Part(mark - END / 2, middle - high / 2, END, high, MARK)
        if row.dot is not None:
            yield Circle(plot.x(row.dot), middle, min(8, size / 3), self.is_open)
        yield Text(plot.right + 40, base, _cut(row.words, size, WIDTH - SIDE - plot.right - 40), size)

    # --- beneath it -------------------------------------------------------------------------------------------------

    def _foot(self) -> Iterator[Shape]:
        """How many, who asked and when; what the line means; the protection; the address; and the mark."""
        room = WIDTH - 2 * SIDE
        yield Part(SIDE, 736, room, 1, RULE)
        yield Text(SIDE, 770, _cut(_clean(self.reported), 20, room, bold=True), 20, bold=True)
        lines = (self.source, self._legend, self.protection, self.address)
        for number, line in enumerate(lines):
            yield Text(SIDE, 798 + 24 * number, _cut(_clean(line), 18, room - 200), 18, QUIET)
        yield Circle(WIDTH - SIDE - 142, 863, 6, hollow=False)
        yield Circle(WIDTH - SIDE - 124, 863, 6, hollow=True)
        yield Text(WIDTH - SIDE, 870, "deniable", 20, bold=True, anchor="end")

    @property
    def _legend(self) -> str:
        if self.chart is None:
            return "Between these bounds lies the truth in 95 of 100 such surveys."
        if self.chart.simultaneous:
            return "Line: read all at once, in 95 of 100 such surveys every truth lies between its end marks."
        return "Line: the truth in 95 of 100 such surveys. Pale band: in 80. Darker band: in 50."


class _Plot(NamedTuple):
    """Where the axis begins and ends."""

    left: float
    right: float

    @classmethod
    def of(cls, rows: Sequence[Row], size: float) -> _Plot:
        """With as much room for labels and words as the longest need."""
        names, words = (
            min(max(least, *(_width(text, size) + 24 for text in texts)), most)
            for texts, (least, most) in (
                ([row.label for row in rows], NAMES),
                ([row.words for row in rows], WORDS),
            )
        )
        return cls(SIDE + names, WIDTH - SIDE - words - 40)

    def x(self, place: float) -> float:
        """Where a place in per cent of the axis is."""
        return self.left + place / 100 * (self.right - self.left)


# --- texts: nobody knows which font shows them, so they are measured with room to spare -------------------------------


def _clean(text: str) -> str:
    """A text on one line, without characters that are none."""
    return printable(text.replace("\N{NO-BREAK SPACE}", " "), LONGEST)


def _width(text: str, size: float, bold: bool = False) -> float:
    """About how wide a text is, rather more than less."""
    each = sum(_units(letter) for letter in text)
    return each * size * (1.15 if bold else 1.0)


def _units(letter: str) -> float:
    if unicodedata.east_asian_width(letter) in "WF":
        return 1.0
    if unicodedata.category(letter) in ("Mn", "Me", "Cf"):
        return 0.0
    if letter in NARROW:
        return 0.36
    return 0.92 if letter in "mMwWQ—%" else 0.7 if letter.isupper() else 0.62


def _cut(text: str, size: float, room: float, bold: bool = False) -> str:
    """As much of a text as there is room for.

    >>> _cut("How did you come?", 24, 400), _cut("How did you come?", 24, 120)
    ('How did you come?', 'How did…')
    """
    if _width(text, size, bold) <= room:
        return text
    while text and _width(f"{text}…", size, bold) > room:
        text = text[:-1]
    return f"{text.rstrip()}…"


def _lines(text: str, size: float, room: float, bold: bool = False) -> list[str]:
    """A text in lines, broken between words, or anywhere where there are none.

    >>> _lines("More come by car than by bus", 44, 400)
    ['More come by', 'car than by bus']
    """
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}".strip()
        if _width(longer, size, bold) <= room:
            lines[-1] = longer
            continue
        if lines[-1]:
            lines.append("")
        for letter in word:
            if _width(lines[-1] + letter, size, bold) > room:
                lines.append("")
            lines[-1] += letter
    return lines


# --- shapes as SVG and as pixels --------------------------------------------------------------------------------------


def _written(shape: Shape) -> str:
    if isinstance(shape, Part):
        place = f'x="{shape.x:.1f}" y="{shape.y:.1f}" width="{shape.width:.1f}" height="{shape.height:.1f}"'
        return f'<rect {place} fill="{shape.colour}"/>'
    if isinstance(shape, Circle):
        look = f'fill="{PAPER}" stroke="{DOT}" stroke-width="2"' if shape.hollow else f'fill="{DOT}"'
        return f'<circle cx="{shape.x:.1f}" cy="{shape.y:.1f}" r="{shape.radius:.1f}" {look}/>'
    weight = ' font-weight="600"' if shape.bold else ""
    anchor = "" if shape.anchor == "start" else f' text-anchor="{shape.anchor}"'
    place = f'x="{shape.x:.1f}" y="{shape.y:.1f}" font-size="{shape.size:.1f}"'
    return f'<text {place} fill="{shape.colour}"{weight}{anchor}>{escape(shape.text)}</text>'


def _painted(axes: Axes, shape: Shape) -> None:
    if isinstance(shape, Part):
        axes.bar(shape.x, shape.height, shape.width, shape.y, align="edge", color=shape.colour)
    elif isinstance(shape, Circle):
        size = 2 * shape.radius * 72 / HUNDRED
        face = PAPER if shape.hollow else DOT
        axes.plot(shape.x, shape.y, "o", markersize=size, markerfacecolor=face, markeredgecolor=DOT)
    else:
        align = {"start": "left", "middle": "center", "end": "right"}[shape.anchor]
        axes.text(
            shape.x, shape.y, shape.text, color=shape.colour, fontsize=shape.size * 72 / HUNDRED, va="baseline",
            ha=align, parse_math=False, weight="semibold" if shape.bold else "normal", zorder=5,
        )  # fmt: skip

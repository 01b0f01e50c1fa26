"""A chart of dots and bands as a picture of its own, to download, as SVG and as PNG: the same places as on the page."""

from __future__ import annotations

import io
from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from deniable.estimation.table import printable
from deniable.pages.results.rows import Chart, Row, Span

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDTH, NAMES, WORDS = 960, 220, 250
LINE, TOP, BOTTOM = 36, 92, 48
BAND, END, MARK = 13, 2, "#3a72b3"
"""How high bands and end marks are, how thick the line of 95%, and its colour."""
LOOKS: Final = ("#b1cbe8", "#7aa5d8")
"""The colours of the bands beneath the line, the wider one first."""
INK, QUIET, GRID, ZERO, PAPER, DOT = "#181a1d", "#585e66", "#e9ebed", "#7d848c", "#fcfcfa", "#0f3560"
FONT: Final = 'font-family="system-ui, sans-serif" font-size="14"'
LONGEST: Final = 28
LONGEST_TITLE, WIDEST_TITLE = 1000, 90
"""The most characters of a title in SVG, and in PNG, where more have no room."""
SCALE: Final = 100
"""Units of the drawing in an inch."""
DOTS_PER_INCH: Final = 200
MOST_DOTS: Final = 6_000_000
"""The most dots of a PNG, of which several copies are in memory while it is drawn: a tall one is less fine."""


class Part(NamedTuple):
    """A rectangle of a row."""

    x: float
    y: float
    width: float
    height: float
    colour: str


def chart_svg(title: str, about: str, drawn: Chart) -> str:
    """The chart with its title, its axis, and a text that says the numbers to whoever cannot see it."""
    height = height_of(drawn)
    said = "; ".join(f"{row.label}: {row.words}" for row in drawn.rows)
    frame = f'viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" role="img" aria-labelledby="t d"'
    title, about = printable(title, LONGEST_TITLE), printable(about, LONGEST_TITLE)  # XML knows no control characters
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {frame}>',
        f'<title id="t">{escape(title)}</title><desc id="d">{escape(said)}</desc>',
        f'<rect width="100%" height="100%" fill="{PAPER}"/><g {FONT} fill="{INK}">',
        f'<text x="20" y="32" font-size="20" font-weight="600">{escape(title)}</text>',
        f'<text x="20" y="54" fill="{QUIET}">{escape(about)}</text>',
        *(_tick(label, place, height) for label, place in drawn.axis.ticks),
        *(_line(row, top_of(number)) for number, row in enumerate(drawn.rows)),
        *([_rest(drawn)] if drawn.rest else []),
        f'<text x="20" y="{height - 16}" fill="{QUIET}">{escape(legend(drawn))}</text>',
    ]
    return "".join([*parts, "</g></svg>\n"])


def legend(drawn: Chart) -> str:
    """What dot, line and bands mean."""
    if drawn.simultaneous:
        return "Read all at once: in 95 of 100 such surveys every true share lies between its end marks."
    return (
        "Dot: best estimate. In 95 of 100 such surveys the truth lies on the line, in 80 within the pale band, in 50 "
        "within the darker one."
    )


def height_of(drawn: Chart) -> int:
    """How high the picture is, with a line for what is left out."""
    return TOP + LINE * (len(drawn.rows) + bool(drawn.rest)) + BOTTOM


def top_of(number: int) -> int:
    """Where a row begins."""
    return TOP + LINE * number


def name_of(row: Row) -> str:
    """A label as long as there is room for."""
    return row.label if len(row.label) <= LONGEST else row.label[: LONGEST - 1] + "…"


def _rest(drawn: Chart) -> str:
    return f'<text x="20" y="{top_of(len(drawn.rows)) + LINE / 2 + 5}" fill="{QUIET}">{escape(drawn.rest)}</text>'


def x_of(place: float) -> float:
    """Where a place on the axis is."""
    return NAMES + place / 100 * (WIDTH - NAMES - WORDS - 20)


def _tick(label: str, place: float, height: int) -> str:
    colour = ZERO if label == "0" else GRID
    line = f'<path d="M{x_of(place):.1f} {TOP - 6}V{height - BOTTOM}" stroke="{colour}"/>'
    return f'{line}<text x="{x_of(place):.1f}" y="{TOP - 12}" text-anchor="middle" fill="{QUIET}">{label}</text>'


def _line(row: Row, top: float) -> str:
    middle = top + LINE / 2
    parts = [_rect(*each) for each in _parts(row, middle)]
    dot = "" if row.dot is None else f'<circle cx="{x_of(row.dot):.1f}" cy="{middle}" r="4.5" fill="{DOT}"/>'
    words = f'<text x="{WIDTH - WORDS}" y="{middle + 5}">{escape(row.words)}</text>'
    return f'<text x="20" y="{middle + 5}">{escape(name_of(row))}</text>{"".join(parts)}{dot}{words}'


def _parts(row: Row, middle: float) -> Iterator[Part]:
    """Bands, and over them the line of the widest with its end marks; a single one is both."""
    for span, colour in zip(row.bands[1:] or row.bands, LOOKS, strict=False):
        yield Part(x_of(span.start), middle - BAND / 2, _length(span), BAND, colour)
    for span in row.bands[:1]:
        first, last = x_of(span.start), x_of(span.start + span.width)
        yield Part(first, middle - END / 2, _length(span), END, MARK)
        for end in (first, last):
            yield Part(end - END / 2, middle - BAND / 2, END, BAND, MARK)


def _length(span: Span) -> float:
    return max(x_of(span.start + span.width) - x_of(span.start), 1)


def _rect(x: float, y: float, width: float, height: float, colour: str) -> str:
    return f'<rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="{height}" fill="{colour}"/>'


def chart_png(title: str, about: str, drawn: Chart) -> bytes:
    """The chart as pixels, for programs that show no SVG, with everything at the places that the SVG has."""
    from matplotlib.figure import Figure

    height = height_of(drawn)
    figure = Figure((WIDTH / SCALE, height / SCALE), facecolor=PAPER)
    axes = figure.add_axes((0, 0, 1, 1), xlim=(0, WIDTH), ylim=(height, 0))
    axes.set_axis_off()
    _write(axes, 20, 32, printable(title, LONGEST_TITLE)[:WIDEST_TITLE], INK, 20, weight="semibold")
    _write(axes, 20, 54, printable(about, LONGEST_TITLE), QUIET)
    for label, place in drawn.axis.ticks:
        axes.plot([x_of(place)] * 2, [TOP - 6, height - BOTTOM], color=ZERO if label == "0" else GRID, lw=0.7, zorder=0)
        _write(axes, x_of(place), TOP - 12, label, QUIET, ha="center")
    for number, row in enumerate(drawn.rows):
        _plot(axes, row, top_of(number) + LINE / 2)
    if drawn.rest:
        _write(axes, 20, top_of(len(drawn.rows)) + LINE / 2 + 5, drawn.rest, QUIET)
    _write(axes, 20, height - 16, legend(drawn), QUIET)
    written = io.BytesIO()
    inches = WIDTH * height / SCALE**2
    figure.savefig(written, format="png", dpi=min(DOTS_PER_INCH, int((MOST_DOTS / inches) ** 0.5)))
    return written.getvalue()


def _plot(axes: Axes, row: Row, middle: float) -> None:
    for part in _parts(row, middle):
        axes.barh(middle, part.width, part.height, part.x, color=part.colour)
    if row.dot is not None:
        axes.plot(x_of(row.dot), middle, "o", color=DOT, markersize=6.5)
    _write(axes, 20, middle + 5, name_of(row), INK)
    _write(axes, WIDTH - WORDS, middle + 5, row.words, INK)


def _write(axes: Axes, x: float, y: float, text: str, colour: str, pixels: int = 14, **more: Any) -> None:
    """A text as it stands: a dollar sign begins no formula."""
    axes.text(x, y, text, color=colour, fontsize=72 * pixels / SCALE, va="baseline", parse_math=False, **more)

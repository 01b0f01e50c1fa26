"""A chart of dots and bands as a picture of its own, to download, as SVG and as PNG: the same places as on the page."""

from __future__ import annotations

import io
from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING, Any, Final

from deniable.estimation.table import printable
from deniable.pages.results.rows import Chart, Row, Span

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDTH, NAMES, WORDS = 960, 220, 250
LINE, TOP, BOTTOM = 36, 92, 48
LOOKS: Final = ((4, "#d9e5f3"), (9, "#b1cbe8"), (16, "#7aa5d8"))
"""How thick the bands are, and their colours, the widest first; a single one looks like the middle one."""
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
        *(_line(row, top_of(drawn, number)) for number, row in enumerate(drawn.rows)),
        *([_left_out(drawn)] if drawn.cut else []),
        f'<text x="20" y="{height - 16}" fill="{QUIET}">{escape(legend(drawn))}</text>',
    ]
    return "".join([*parts, "</g></svg>\n"])


def legend(drawn: Chart) -> str:
    """What dot and bands mean."""
    if drawn.simultaneous:
        return "Read all at once: in 95 of 100 such surveys every true share lies within its band."
    return (
        "Dot: best estimate. The true share lies in the thick band in 50 of 100 such surveys, in the middle one in 80, "
        "in the thin one in 95."
    )


def height_of(drawn: Chart) -> int:
    """How high the picture is, with a line for what is left out."""
    return TOP + LINE * (len(drawn.rows) + bool(drawn.cut)) + BOTTOM


def top_of(drawn: Chart, number: int) -> int:
    """Where a row begins: below those that are left out if it comes after them."""
    return TOP + LINE * (number + bool(drawn.cut and number >= drawn.cut))


def left_out(drawn: Chart) -> str:
    """How many answers the picture leaves out."""
    return f"{drawn.total - len(drawn.rows):,} answers in between are not shown here."


def name_of(row: Row) -> str:
    """A label as long as there is room for."""
    return row.label if len(row.label) <= LONGEST else row.label[: LONGEST - 1] + "…"


def _left_out(drawn: Chart) -> str:
    middle = top_of(drawn, drawn.cut) - LINE / 2
    return f'<text x="20" y="{middle + 5}" fill="{QUIET}">{left_out(drawn)}</text>'


def x_of(place: float) -> float:
    """Where a place on the axis is."""
    return NAMES + place / 100 * (WIDTH - NAMES - WORDS - 20)


def _tick(label: str, place: float, height: int) -> str:
    colour = ZERO if label == "0" else GRID
    line = f'<path d="M{x_of(place):.1f} {TOP - 6}V{height - BOTTOM}" stroke="{colour}"/>'
    return f'{line}<text x="{x_of(place):.1f}" y="{TOP - 12}" text-anchor="middle" fill="{QUIET}">{label}</text>'


def _line(row: Row, top: float) -> str:
    middle = top + LINE / 2
    bands = [_band(span, middle, look) for span, look in _looks(row)]
    dot = "" if row.dot is None else f'<circle cx="{x_of(row.dot):.1f}" cy="{middle}" r="4" fill="{DOT}"/>'
    words = f'<text x="{WIDTH - WORDS}" y="{middle + 5}">{escape(row.words)}</text>'
    return f'<text x="20" y="{middle + 5}">{escape(name_of(row))}</text>{"".join(bands)}{dot}{words}'


def _looks(row: Row) -> Iterator[tuple[Span, tuple[int, str]]]:
    """The bands of a row, each with its look."""
    return zip(row.bands, LOOKS if len(row.bands) == len(LOOKS) else LOOKS[1:2], strict=False)


def _band(span: Span, middle: float, look: tuple[int, str]) -> str:
    height, colour = look
    place = f'x="{x_of(span.start):.1f}" y="{middle - height / 2}"'
    width = max(x_of(span.start + span.width) - x_of(span.start), 1)
    return f'<rect {place} width="{width:.1f}" height="{height}" fill="{colour}"/>'


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
        _plot(axes, row, top_of(drawn, number) + LINE / 2)
    if drawn.cut:
        _write(axes, 20, top_of(drawn, drawn.cut) - LINE / 2 + 5, left_out(drawn), QUIET)
    _write(axes, 20, height - 16, legend(drawn), QUIET)
    written = io.BytesIO()
    inches = WIDTH * height / SCALE**2
    figure.savefig(written, format="png", dpi=min(DOTS_PER_INCH, int((MOST_DOTS / inches) ** 0.5)))
    return written.getvalue()


def _plot(axes: Axes, row: Row, middle: float) -> None:
    for span, (thick, colour) in _looks(row):
        axes.barh(middle, x_of(span.start + span.width) - x_of(span.start), thick, x_of(span.start), color=colour)
    if row.dot is not None:
        axes.plot(x_of(row.dot), middle, "o", color=DOT, markersize=5.5)
    _write(axes, 20, middle + 5, name_of(row), INK)
    _write(axes, WIDTH - WORDS, middle + 5, row.words, INK)


def _write(axes: Axes, x: float, y: float, text: str, colour: str, pixels: int = 14, **more: Any) -> None:
    """A text as it stands: a dollar sign begins no formula."""
    axes.text(x, y, text, color=colour, fontsize=72 * pixels / SCALE, va="baseline", parse_math=False, **more)

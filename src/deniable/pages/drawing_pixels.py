"""The same chart as pixels, for programs that show no SVG."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any, Final

from deniable.estimation.table import printable
from deniable.pages.drawing import (
    BOTTOM,
    LINE,
    LONGEST_TITLE,
    LOOKS,
    TOP,
    WIDTH,
    WORDS,
    height_of,
    left_out,
    legend,
    name_of,
    top_of,
    x_of,
)
from deniable.pages.results.rows import Chart, Row

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SCALE: Final = 100
"""Units of the drawing in an inch."""
DOTS_PER_INCH: Final = 200
MOST_DOTS: Final = 6_000_000
"""The most dots of a picture, of which several copies are in memory while it is drawn: a tall one is less fine."""
INK, QUIET, GRID, ZERO, PAPER, DOT = "#181a1d", "#585e66", "#e9ebed", "#7d848c", "#fcfcfa", "#0f3560"
WIDEST: Final = 90
"""The most characters of a title, in which there is room for them."""


def chart_png(title: str, about: str, drawn: Chart) -> bytes:
    """The chart with its title and axis, at the places that the SVG has."""
    from matplotlib.figure import Figure

    height = height_of(drawn)
    figure = Figure((WIDTH / SCALE, height / SCALE), facecolor=PAPER)
    axes = figure.add_axes((0, 0, 1, 1), xlim=(0, WIDTH), ylim=(height, 0))
    axes.set_axis_off()
    _write(axes, 20, 32, printable(title, LONGEST_TITLE)[:WIDEST], INK, 20, weight="semibold")
    _write(axes, 20, 54, printable(about, LONGEST_TITLE), QUIET)
    for label, place in drawn.axis.ticks:
        axes.plot([x_of(place)] * 2, [TOP - 6, height - BOTTOM], color=ZERO if label == "0" else GRID, lw=0.7, zorder=0)
        _write(axes, x_of(place), TOP - 12, label, QUIET, ha="center")
    for number, row in enumerate(drawn.rows):
        _line(axes, row, top_of(drawn, number) + LINE / 2)
    if drawn.cut:
        _write(axes, 20, top_of(drawn, drawn.cut) - LINE / 2 + 5, left_out(drawn), QUIET)
    _write(axes, 20, height - 16, legend(drawn), QUIET)
    written = io.BytesIO()
    inches = WIDTH * height / SCALE**2
    figure.savefig(written, format="png", dpi=min(DOTS_PER_INCH, int((MOST_DOTS / inches) ** 0.5)))
    return written.getvalue()


def _line(axes: Axes, row: Row, middle: float) -> None:
    looks = LOOKS if len(row.bands) == len(LOOKS) else LOOKS[1:2]
    for span, (thick, colour) in zip(row.bands, looks, strict=False):
        axes.barh(middle, x_of(span.start + span.width) - x_of(span.start), thick, x_of(span.start), color=colour)
    if row.dot is not None:
        axes.plot(x_of(row.dot), middle, "o", color=DOT, markersize=5.5)
    _write(axes, 20, middle + 5, name_of(row), INK)
    _write(axes, WIDTH - WORDS, middle + 5, row.words, INK)


def _write(axes: Axes, x: float, y: float, text: str, colour: str, pixels: int = 14, **more: Any) -> None:
    """A text as it stands: a dollar sign begins no formula."""
    axes.text(x, y, text, color=colour, fontsize=72 * pixels / SCALE, va="baseline", parse_math=False, **more)

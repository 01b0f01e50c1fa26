"""Pictures as lists of shapes, each written as SVG and as PNG, so that both have everything at the same places."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MARK: Final = "#3a72b3"
"""The colour of the line of 95%."""
LOOKS: Final = ("#b1cbe8", "#7aa5d8")
"""The colours of the bands beneath the line, the wider one first."""
INK, QUIET, GRID, ZERO, PAPER, DOT = "#181a1d", "#585e66", "#e9ebed", "#7d848c", "#fcfcfa", "#0f3560"
END: Final = 2
"""How thick the line of 95% is, and its end marks."""
HUNDRED: Final = 100
"""Units of a drawing in an inch: in a PNG of so many dots to the inch a unit is a pixel."""
MOST_DOTS: Final = 6_000_000
"""The most dots of a PNG, of which several copies are in memory while it is drawn: a tall one is less fine."""


class Part(NamedTuple):
    """A rectangle."""

    x: float
    y: float
    width: float
    height: float
    colour: str


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
    hollow: bool = False


Shape: TypeAlias = Part | Text | Circle


@dataclass(frozen=True)
class Picture:
    """Shapes on paper, from the ground up."""

    width: float
    height: float
    title: str
    said: str
    """The numbers in words, for whoever cannot see them."""
    shapes: Sequence[Shape]
    fineness: int = HUNDRED
    """Dots of the PNG to an inch."""

    def svg(self) -> str:
        """The picture, which scales."""
        size = f'viewBox="0 0 {self.width:g} {self.height:g}" width="{self.width:g}" height="{self.height:g}"'
        frame = f'{size} role="img" aria-labelledby="t d" font-family="system-ui, sans-serif"'
        head = f'<title id="t">{escape(self.title)}</title><desc id="d">{escape(self.said)}</desc>'
        body = "".join(map(_written, self.shapes))
        paper = f'<rect width="100%" height="100%" fill="{PAPER}"/>'
        return f'<svg xmlns="http://www.w3.org/2000/svg" {frame}>{head}{paper}{body}</svg>\n'

    def png(self) -> bytes:
        """The picture as pixels, for programs that show no SVG."""
        from matplotlib.figure import Figure

        inches = self.width / HUNDRED, self.height / HUNDRED
        figure = Figure(inches, facecolor=PAPER)
        axes = figure.add_axes((0, 0, 1, 1), xlim=(0, self.width), ylim=(self.height, 0))
        axes.set_axis_off()
        for shape in self.shapes:
            _painted(axes, shape)
        written = io.BytesIO()
        finest = int((MOST_DOTS / (inches[0] * inches[1])) ** 0.5)
        figure.savefig(written, format="png", dpi=min(self.fineness, finest))
        return written.getvalue()


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
    else:  # a dollar sign begins no formula
        align = {"start": "left", "middle": "center", "end": "right"}[shape.anchor]
        axes.text(
            shape.x, shape.y, shape.text, color=shape.colour, fontsize=shape.size * 72 / HUNDRED, va="baseline",
            ha=align, parse_math=False, weight="bold" if shape.bold else "normal", zorder=5,
        )  # fmt: skip

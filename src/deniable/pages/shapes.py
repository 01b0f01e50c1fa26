"""Pictures as lists of shapes, each written as SVG and as PNG, so that both have everything at the same places."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from PIL.Image import Image as PixelImage
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont

MARK: Final = "#3a72b3"
"""The colour of the line of 95%."""
BLUES: Final = ("#b1cbe8", "#7aa5d8")
"""The colours of the bands beneath the line, the wider one first."""
INK, QUIET, GRID, ZERO, PAPER, DOT = "#181a1d", "#585e66", "#e9ebed", "#7d848c", "#fcfcfa", "#0f3560"
END: Final = 2
"""How thick the line of 95% is, and its end marks."""
HUNDRED: Final = 100
"""Units of a drawing in an inch: in a PNG of so many dots to the inch a unit is a pixel."""
MOST_DOTS: Final = 6_000_000
"""The most dots of a PNG, which are in memory while it is drawn: a tall one is less fine."""
SMOOTH: Final = 8
"""So many times larger are circles drawn at first."""


class Rectangle(NamedTuple):
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


Shape: TypeAlias = Rectangle | Text | Circle
Box: TypeAlias = tuple[float, float, float, float]
"""Left, top, right and bottom of what shapes stand in."""


@dataclass(frozen=True)
class Picture:
    """Shapes on paper, from the ground up."""

    width: float
    height: float
    title: str
    description: str
    """The numbers in words, for whoever cannot see them."""
    shapes: Sequence[Shape]
    fineness: int = HUNDRED
    """Dots of the PNG to an inch."""

    def svg(self) -> str:
        """The picture, which scales."""
        size = f'viewBox="0 0 {self.width:g} {self.height:g}" width="{self.width:g}" height="{self.height:g}"'
        frame = f'{size} role="img" aria-labelledby="t d" font-family="system-ui, sans-serif"'
        head = f'<title id="t">{escape(self.title)}</title><desc id="d">{escape(self.description)}</desc>'
        body = "".join(map(_svg, self.shapes))
        paper = f'<rect width="100%" height="100%" fill="{PAPER}"/>'
        return f'<svg xmlns="http://www.w3.org/2000/svg" {frame}>{head}{paper}{body}</svg>\n'

    def png(self) -> bytes:
        """The picture as pixels, for programs that show no SVG."""
        from PIL import Image, ImageDraw

        finest = (MOST_DOTS / (self.width * self.height)) ** 0.5
        scale = min(self.fineness / HUNDRED, finest)
        paper = Image.new("RGB", (round(self.width * scale), round(self.height * scale)), PAPER)
        draw = ImageDraw.Draw(paper)
        for shape in self.shapes:
            if isinstance(shape, Circle):
                _paint_circle(paper, shape, scale)
            else:
                _paint(draw, shape, scale)
        stream = io.BytesIO()
        paper.save(stream, format="png")
        return stream.getvalue()


def _svg(shape: Shape) -> str:
    """A shape as an element of SVG."""
    if isinstance(shape, Rectangle):
        place = f'x="{shape.x:.1f}" y="{shape.y:.1f}" width="{shape.width:.1f}" height="{shape.height:.1f}"'
        return f'<rect {place} fill="{shape.colour}"/>'
    if isinstance(shape, Circle):
        look = f'fill="{PAPER}" stroke="{DOT}" stroke-width="2"' if shape.hollow else f'fill="{DOT}"'
        return f'<circle cx="{shape.x:.1f}" cy="{shape.y:.1f}" r="{shape.radius:.1f}" {look}/>'
    weight = ' font-weight="600"' if shape.bold else ""
    anchor = "" if shape.anchor == "start" else f' text-anchor="{shape.anchor}"'
    place = f'x="{shape.x:.1f}" y="{shape.y:.1f}" font-size="{shape.size:.1f}"'
    return f'<text {place} fill="{shape.colour}"{weight}{anchor}>{escape(shape.text)}</text>'


def _paint(draw: ImageDraw, shape: Rectangle | Text, scale: float) -> None:
    """Draw a rectangle or a text at so many pixels to a unit."""
    x, y = shape.x * scale, shape.y * scale
    if isinstance(shape, Rectangle):
        left, top = round(x), round(y)
        right, bottom = round(x + shape.width * scale) - 1, round(y + shape.height * scale) - 1
        draw.rectangle((left, top, max(right, left), max(bottom, top)), shape.colour)
    else:
        anchor = {"start": "ls", "middle": "ms", "end": "rs"}[shape.anchor]
        draw.text((x, y), shape.text, shape.colour, _font(shape.size * scale, shape.bold), anchor)


def _paint_circle(paper: PixelImage, circle: Circle, scale: float) -> None:
    """Draw a circle whose edge is smooth: drawn larger, then made smaller."""
    from PIL import Image, ImageDraw

    left, top = (int((place - circle.radius) * scale) - 2 for place in (circle.x, circle.y))
    side = int(2 * circle.radius * scale) + 5
    centre = [(place * scale - start) * SMOOTH for place, start in ((circle.x, left), (circle.y, top))]
    for radius, colour in [(circle.radius + 0.5, DOT), *([(circle.radius - 1, PAPER)] if circle.hollow else [])]:
        mask = Image.new("L", (side * SMOOTH, side * SMOOTH))
        ImageDraw.Draw(mask).circle(centre, radius * scale * SMOOTH, 255)
        paper.paste(colour, (left, top), mask.reduce(SMOOTH))


@lru_cache(maxsize=64)
def _font(size: float, bold: bool) -> FreeTypeFont:
    """The font of PNGs, which Matplotlib brings, in so many pixels."""
    from PIL.ImageFont import truetype

    matplotlib = find_spec("matplotlib")
    assert matplotlib is not None
    assert matplotlib.origin is not None
    return truetype(Path(matplotlib.origin).parent / f"mpl-data/fonts/ttf/DejaVuSans{'-Bold' * bold}.ttf", size)

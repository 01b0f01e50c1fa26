"""A chart of dots and bands as a picture of its own, to download: the same places as on the page."""

from __future__ import annotations

from html import escape
from typing import Final

from deniable.estimation.table import printable
from deniable.pages.results.rows import Chart, Row, Span

WIDTH, NAMES, WORDS = 960, 220, 250
LINE, TOP, BOTTOM = 36, 92, 48
LOOKS: Final = ((4, "#d9e5f3"), (9, "#b1cbe8"), (16, "#7aa5d8"))
"""How thick the bands are, and their colours, the widest first; a single one looks like the middle one."""
FONT: Final = 'font-family="system-ui, sans-serif" font-size="14"'
LONGEST: Final = 28
LONGEST_TITLE: Final = 1000


def chart_svg(title: str, about: str, drawn: Chart) -> str:
    """The chart with its title, its axis, and a text that says the numbers to whoever cannot see it."""
    height = height_of(drawn)
    said = "; ".join(f"{row.label}: {row.words}" for row in drawn.rows)
    frame = f'viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" role="img" aria-labelledby="t d"'
    title, about = printable(title, LONGEST_TITLE), printable(about, LONGEST_TITLE)  # XML knows no control characters
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {frame}>',
        f'<title id="t">{escape(title)}</title><desc id="d">{escape(said)}</desc>',
        f'<rect width="100%" height="100%" fill="#fcfcfa"/><g {FONT} fill="#181a1d">',
        f'<text x="20" y="32" font-size="20" font-weight="600">{escape(title)}</text>',
        f'<text x="20" y="54" fill="#585e66">{escape(about)}</text>',
        *(_tick(label, place, height) for label, place in drawn.axis.ticks),
        *(_line(row, top_of(drawn, number)) for number, row in enumerate(drawn.rows)),
        *([_left_out(drawn)] if drawn.cut else []),
        f'<text x="20" y="{height - 16}" fill="#585e66">{escape(legend(drawn))}</text>',
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
    return f'<text x="20" y="{middle + 5}" fill="#585e66">{left_out(drawn)}</text>'


def x_of(place: float) -> float:
    """Where a place on the axis is."""
    return NAMES + place / 100 * (WIDTH - NAMES - WORDS - 20)


def _tick(label: str, place: float, height: int) -> str:
    colour = "#7d848c" if label == "0" else "#e9ebed"
    line = f'<path d="M{x_of(place):.1f} {TOP - 6}V{height - BOTTOM}" stroke="{colour}"/>'
    return f'{line}<text x="{x_of(place):.1f}" y="{TOP - 12}" text-anchor="middle" fill="#585e66">{label}</text>'


def _line(row: Row, top: float) -> str:
    middle = top + LINE / 2
    looks = LOOKS if len(row.bands) == len(LOOKS) else LOOKS[1:2]
    bands = [_band(span, middle, look) for span, look in zip(row.bands, looks, strict=False)]
    dot = "" if row.dot is None else f'<circle cx="{x_of(row.dot):.1f}" cy="{middle}" r="4" fill="#0f3560"/>'
    words = f'<text x="{WIDTH - WORDS}" y="{middle + 5}">{escape(row.words)}</text>'
    return f'<text x="20" y="{middle + 5}">{escape(name_of(row))}</text>{"".join(bands)}{dot}{words}'


def _band(span: Span, middle: float, look: tuple[int, str]) -> str:
    height, colour = look
    place = f'x="{x_of(span.start):.1f}" y="{middle - height / 2}"'
    width = max(x_of(span.start + span.width) - x_of(span.start), 1)
    return f'<rect {place} width="{width:.1f}" height="{height}" fill="{colour}"/>'

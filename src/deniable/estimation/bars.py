"""One share as a drawing that fits into a table's row: inline SVG in the text's own colour, light or dark."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

Span: TypeAlias = tuple[float, float]
"""The least and the most share that a column of bars has room for."""

WIDTH, HEIGHT = 120, 14
MARGIN = 6
"""Pixels at either end, so that a mark on the edge is drawn whole."""
SIZE = 4
"""Half the width of a dot and of a diamond."""


class Bar(NamedTuple):
    """The bar is the interval, the dot the share, the diamond the truth; ``hollow`` is a share outside its interval."""

    share: float
    low: float
    high: float
    hollow: bool = False
    truth: float | None = None


def span_of(bars: list[Bar]) -> Span:
    """From 0, or from the least share if that is negative, to the largest number that is drawn.

    >>> span_of([Bar(0.25, 0.1, 0.5, truth=0.6), Bar(0.0, 0.0, 0.1)])
    (0.0, 0.6)
    """
    drawn = [bar.truth for bar in bars if bar.truth is not None]
    drawn += [number for bar in bars for number in (bar.share, bar.low, bar.high)]
    return min(0.0, *drawn), max(0.0, *drawn)


def svg(bar: Bar, span: Span) -> str:
    """The drawing. Screen readers pass over it: the row says the same in numbers."""
    low, high, share = (_place(number, span) for number in (bar.low, bar.high, bar.share))
    middle = HEIGHT / 2
    look = 'fill="none" stroke="currentColor"' if bar.hollow else 'fill="currentColor"'
    marks = [
        f'<rect x="{low:.1f}" y="{middle - 2:.1f}" width="{max(high - low, 1):.1f}" height="4" opacity="0.35"/>',
        f'<circle cx="{share:.1f}" cy="{middle:.1f}" r="{SIZE - 1}" {look}/>',
    ]
    if bar.truth is not None:
        at = _place(bar.truth, span)
        half = SIZE + 1
        corners = f"M{at - half:.1f} {middle:.1f}l{half} -{half} {half} {half} -{half} {half}z"
        marks.append(f'<path d="{corners}" fill="none" stroke="currentColor"/>')
    frame = f'viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" fill="currentColor" aria-hidden="true"'
    return f"<svg {frame}>{''.join(marks)}</svg>"


def _place(share: float, span: Span) -> float:
    """Where a share is, in pixels from the left."""
    least, most = span
    part = (share - least) / (most - least) if most > least else 0.0
    return MARGIN + part * (WIDTH - 2 * MARGIN)

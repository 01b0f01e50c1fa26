"""Pictures of 100 people or guesses as dots, full and hollow, as SVG that needs no style of its own, and in words."""

from __future__ import annotations

from html import escape
from typing import NamedTuple

from markupsafe import Markup

from deniable.protocol.say import Statement

ACROSS, STEP = 25, 16


class DotFigure(NamedTuple):
    """100 people or guesses as dots, with what they are."""

    caption: str
    picture: Markup


def dots(full: int, description: str, half: int = 0) -> Markup:
    """100 dots, of which so many are full, then so many half full; the description is for who cannot see them."""
    ends = (full, full + half, 100)
    drawn = zip(("full", "half", "hollow"), (0, *ends), ends, strict=False)
    paths = "".join(_marks(kind, first, last) for kind, first, last in drawn if last > first)
    size = f"0 0 {ACROSS * STEP} {100 // ACROSS * STEP}"
    return Markup(f'<svg class="dots" viewBox="{size}" role="img" aria-label="{escape(description)}">{paths}</svg>')


def _marks(kind: str, first: int, last: int) -> str:
    """Points without a length, which round ends of their lines make dots."""
    places = "".join(f"M{x} {y}h0" for x, y in map(_place, range(first, last)))
    hole = "" if kind == "full" else f'<path class="hole {kind}" d="{places}"/>'
    return f'<path class="dot" d="{places}"/>{hole}'


def _place(number: int) -> tuple[int, int]:
    return number % ACROSS * STEP + STEP // 2, number // ACROSS * STEP + STEP // 2


def of_hundred(share: float) -> Statement | int:
    """How many of 100 people a share is: never none and never all of them unless it is so."""
    count = round(100 * share)
    if share > 0 and count == 0:
        return Statement("fewer_than_one_of_100")
    return Statement("more_than_99_of_100") if share < 1 and count == 100 else count


def full_dots(share: float) -> int:
    """How many dots of 100 are drawn full: one at least, and one at most left hollow, unless all are alike."""
    return round(100 * share) if share in (0, 1) else min(max(round(100 * share), 1), 99)

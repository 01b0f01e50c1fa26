"""Lines of text for pictures: nobody knows which font shows them, so they are measured with room to spare."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Final

from deniable.estimation.table import printable

NARROW: Final = frozenset("ijlIftr.,;:'|!()[]-· ")
LONGEST: Final = 400


def clean(text: str) -> str:
    """A text on one line, without characters that are none."""
    return printable(text.replace("\N{NO-BREAK SPACE}", " "), LONGEST)


def width_of(text: str, size: float, bold: bool = False) -> float:
    """About how wide a text is, rather more than less."""
    each = sum(_units(letter) for letter in text)
    return each * size * (1.15 if bold else 1.0)


@lru_cache(maxsize=4096)
def _units(letter: str) -> float:
    """About how wide a letter is, in parts of its size."""
    if unicodedata.east_asian_width(letter) in "WF":
        return 1.0
    if unicodedata.category(letter) in ("Mn", "Me", "Cf"):
        return 0.0
    if letter in NARROW:
        return 0.36
    return 0.92 if letter in "mMwWQ—%" else 0.7 if letter.isupper() else 0.62


def cut(text: str, size: float, room: float, bold: bool = False) -> str:
    """As much of a text as there is room for.

    >>> cut("How did you come?", 24, 400), cut("How did you come?", 24, 120)
    ('How did you come?', 'How did…')
    """
    if width_of(text, size, bold) <= room:
        return text
    while text and width_of(f"{text}…", size, bold) > room:
        text = text[:-1]
    return f"{text.rstrip()}…"


def in_lines(text: str, size: float, room: float, bold: bool = False) -> list[str]:
    """A text in lines, broken between words, or anywhere where there are none.

    >>> in_lines("More come by car than by bus", 44, 400)
    ['More come by', 'car than by bus']
    """
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}".strip()
        if width_of(longer, size, bold) <= room:
            lines[-1] = longer
            continue
        if lines[-1]:
            lines.append("")
        for letter in word:
            if width_of(lines[-1] + letter, size, bold) > room:
                lines.append("")
            lines[-1] += letter
    return lines


def finding_lines(finding: str, size: float, smaller: float, room: float, most: int) -> tuple[float, list[str]]:
    """A bold sentence in lines, smaller where there would be too many of them, and cut off where there still are."""
    text = clean(finding)
    lines = in_lines(text, size, room, bold=True)
    if len(lines) < most:
        return size, lines
    lines = in_lines(text, smaller, room, bold=True)
    if len(lines) <= most:
        return smaller, lines
    return smaller, [*lines[: most - 1], cut(" ".join(lines[most - 1 :]), smaller, room, bold=True)]

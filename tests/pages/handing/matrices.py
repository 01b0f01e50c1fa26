"""Which modules of a QR code a picture has dark, read from the lines that it is drawn of."""

from __future__ import annotations

import re


def modules(svg: str) -> set[tuple[int, int]]:
    """The places of the dark modules: a path goes right, drawing or not, and from row to row."""
    found = re.search(r'class="qrline"[^>]* d="([^"]+)"', svg)
    assert found
    dark: set[tuple[int, int]] = set()
    x, y = 0, 0.0
    for command, first, second in re.findall(r"([Mmh])(-?[\d.]+)(?: (-?[\d.]+))?", found[1]):
        if command == "h":
            dark |= {(x + step, int(y)) for step in range(int(first))}
            x += int(first)
        elif command == "M":
            x, y = int(first), float(second)
        else:
            x, y = x + int(first), y + float(second)
    return dark

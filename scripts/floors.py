"""A picture of the rooms, made from the imports: each stands on the floor above the highest of those that it uses.

A hook of MkDocs; mkdocs.yml names it. A fence of ``floors`` becomes the picture, in the colours of the page's text. An
arrow that follows from others is left out.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[1] / "src" / "deniable"
FENCE = "```floors\n```"
WIDTH, HEIGHT = 128, 34
"""Of a room, in pixels."""
BESIDE, ABOVE = 24, 40
"""Between rooms of a floor, and between floors."""
MARGIN = 8
Uses = Mapping[str, set[str]]
"""The rooms that each room imports."""


def on_page_markdown(markdown: str, **_page: object) -> str:
    """The page with the picture."""
    return markdown.replace(FENCE, picture(uses())) if FENCE in markdown else markdown


def uses() -> dict[str, set[str]]:
    """The rooms, and which others each imports."""
    rooms = {package.parent.name for package in SOURCE.glob("*/__init__.py")}
    return {room: _imported(room) & rooms - {room} for room in sorted(rooms)}


def _imported(room: str) -> set[str]:
    trees = (ast.parse(file.read_text(encoding="utf-8")) for file in (SOURCE / room).rglob("*.py"))
    nodes = (node for tree in trees for node in ast.walk(tree))
    modules = (node.module or "" for node in nodes if isinstance(node, ast.ImportFrom) and not node.level)
    return {module.split(".")[1] for module in modules if module.startswith("deniable.")}


def floors(rooms: Uses) -> dict[str, int]:
    """The floor of each room; 0 is the ground.

    >>> floors({"a": set(), "b": {"a"}, "c": {"a", "b"}, "d": {"a"}})
    {'a': 0, 'b': 1, 'c': 2, 'd': 1}
    """

    def floor(room: str) -> int:
        return 1 + max(map(floor, rooms[room]), default=-1)

    return {room: floor(room) for room in rooms}


def arrows(rooms: Uses) -> list[tuple[str, str]]:
    """Who imports whom, but for what a room also reaches through others.

    >>> arrows({"a": set(), "b": {"a"}, "c": {"a", "b"}})
    [('b', 'a'), ('c', 'b')]
    """

    def reached(room: str) -> set[str]:
        return rooms[room].union(*map(reached, rooms[room]))

    return [
        (room, other)
        for room, used in rooms.items()
        for other in sorted(used)
        if not any(other in reached(between) for between in used)
    ]


def picture(rooms: Uses) -> str:
    """The rooms by floors, the ground at the bottom, as SVG on one line."""
    by_floor = defaultdict[int, list[str]](list)
    for room, floor in floors(rooms).items():
        by_floor[floor].append(room)
    widest, top = max(map(len, by_floor.values())), max(by_floor)
    width = widest * (WIDTH + BESIDE) - BESIDE + 2 * MARGIN
    places = {
        room: (width / 2 + (at - (len(beside) - 1) / 2) * (WIDTH + BESIDE), MARGIN + (top - floor) * (HEIGHT + ABOVE))
        for floor, beside in by_floor.items()
        for at, room in enumerate(beside)
    }
    lines = "".join(_line(*places[room], *places[other]) for room, other in arrows(rooms))
    boxes = "".join(_box(room, *place) for room, place in places.items())
    height = top * (HEIGHT + ABOVE) + HEIGHT + 2 * MARGIN
    return (
        f'<svg viewBox="0 0 {width} {height}" width="{width}" style="max-width: 100%; height: auto" role="img" '
        'aria-label="The rooms by floors; lines lead from a room down to those that it imports" fill="none" '
        f'stroke="currentColor" font-size="13" text-anchor="middle">{lines}{boxes}</svg>'
    )


def _line(x: float, y: float, other_x: float, other_y: float) -> str:
    """A curve from the foot of a room to the head of another."""
    foot, bend = y + HEIGHT, ABOVE * 0.75
    return (
        f'<path opacity=".45" d="M{x:g} {foot:g}C{x:g} {foot + bend:g} {other_x:g} {other_y - bend:g} '
        f'{other_x:g} {other_y:g}"/>'
    )


def _box(room: str, x: float, y: float) -> str:
    return (
        f'<rect x="{x - WIDTH / 2:g}" y="{y:g}" width="{WIDTH}" height="{HEIGHT}" rx="4" '
        'style="fill: var(--md-default-bg-color, Canvas)"/>'
        f'<text x="{x:g}" y="{y + HEIGHT / 2 + 4.5:g}" fill="currentColor" stroke="none">{room}</text>'
    )

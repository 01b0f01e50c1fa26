"""Writes the vectors: `python -m vectors.make`. The same library writes the same bytes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

from vectors.draws import draws
from vectors.hashes import hashes
from vectors.odds import odds
from vectors.reports import reports
from vectors.specs import specs
from vectors.tallies import tallies

FOLDER = Path(__file__).resolve().parent
Sections: TypeAlias = dict[str, list[dict[str, Any]]]
FILES: dict[str, Callable[[], Sections]] = {
    "specs.json": specs,
    "reports.json": reports,
    "tallies.json": tallies,
    "odds.json": odds,
    "draws.json": draws,
    "hashes.json": hashes,
}


def page(sections: Sections) -> str:
    """JSON with one vector a line, so that a change shows as the lines that it changes; ASCII, so that it travels."""
    parts = [f'"{name}": [\n' + ",\n".join(map(json.dumps, vectors)) + "\n]" for name, vectors in sections.items()]
    return "{\n" + ",\n".join(parts) + "\n}\n"


def main() -> None:
    """Write every file."""
    for name, made in FILES.items():
        (FOLDER / name).write_text(page(made()), encoding="ascii")
        print(f"{name}: {(FOLDER / name).stat().st_size} bytes")


if __name__ == "__main__":
    main()

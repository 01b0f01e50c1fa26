"""Writes the vectors, good and bad, that every language must agree on: `python -m tests.wire.make`.

The same library writes the same bytes.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

from tests.wire.generate.crowds import crowds
from tests.wire.generate.documents import documents
from tests.wire.generate.draws import draws
from tests.wire.generate.fields import fields
from tests.wire.generate.footers import footers
from tests.wire.generate.guarantees import guarantees
from tests.wire.generate.hashes import hashes
from tests.wire.generate.labels import drawn, labels
from tests.wire.generate.ledgers import ledgers
from tests.wire.generate.lists import draws_of_lists
from tests.wire.generate.odds import odds
from tests.wire.generate.reports import reports
from tests.wire.generate.sentences import sentences
from tests.wire.generate.specs import specs
from tests.wire.generate.tallies import tallies
from tests.wire.generate.uploads import uploads

FOLDER = Path(__file__).resolve().parents[2] / "wire" / "vectors"
Sections: TypeAlias = dict[str, list[dict[str, Any]]]
FILES: dict[str, Callable[[], Sections]] = {
    "specs.json": specs,
    "reports.json": reports,
    "tallies.json": tallies,
    "odds.json": odds,
    "draws.json": lambda: {"good": [*draws()["good"], *draws_of_lists()]},
    "hashes.json": hashes,
    "guarantees.json": guarantees,
    "ledgers.json": ledgers,
    "footers.json": footers,
    "surveys.json": lambda: {**documents(), "labels": labels(), "draws": drawn()},
    "uploads.json": uploads,
    "fields.json": fields,
    "crowd.json": crowds,
    "sentences.json": sentences,
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

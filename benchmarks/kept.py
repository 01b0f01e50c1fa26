"""Results kept as JSON with one item per line, so that a diff of two runs shows the numbers that differ."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

FOLDER = Path(__file__).parent
DIGITS = 5


def read(path: Path) -> dict[str, Any]:
    """The results in a kept file."""
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def write(path: Path, found: Mapping[str, Any]) -> None:
    """Write results: numbers with five digits, lists with one line per item."""
    parts = [f" {json.dumps(name)}: {_part(_rounded(value))}" for name, value in found.items()]
    path.write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="utf-8")


def _part(value: Any) -> str:
    if not isinstance(value, list) or not value:
        return json.dumps(value)
    return "[\n" + ",\n".join(f"  {json.dumps(item)}" for item in value) + "\n ]"


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}")
    if isinstance(value, dict):
        return {name: _rounded(item) for name, item in value.items()}
    return [_rounded(item) for item in value] if isinstance(value, list) else value

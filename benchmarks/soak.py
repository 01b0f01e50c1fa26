"""What the long tests of faults found, for the documentation; the tests keep it themselves under ``make soak``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchmarks.pages import markdown_table

MIB = 1 << 20
HEADINGS = ("after", "answers", "memory, MiB", "files, MiB")
SHOWN = slice(2, None, 3)
"""The rows of the table, one per quarter of an hour: they grow alike."""


def killed(found: Mapping[str, Any]) -> str:
    """What became of the answers that were sent while something was killed."""
    n = {name: f"{value:,}" for name, value in found.items() if isinstance(value, int)}
    return (
        f"{n['kills']} kills: {n['sent']} answers sent, {n['acknowledged']} acknowledged, {n['counted']} counted; "
        f"{n['lost']} lost, {n['doubled']} counted twice."
    )


def steady(found: Mapping[str, Any]) -> str:
    """Memory and disk under a steady load, and what became of its answers."""
    rows = [
        [
            f"{row['seconds'] / 60:.1f} min",
            f"{row['answers']:,}",
            f"{row['memory'] / MIB:.0f}",
            f"{row['disk'] / MIB:.1f}",
        ]
        for row in found["rows"][SHOWN]
    ]
    rate = found["sent"] / found["seconds"]
    said = (
        f"{found['seconds'] / 60:.0f} minutes of {rate:.0f} answers a second: {found['acknowledged']:,} acknowledged, "
        f"{found['counted']:,} counted; {found['lost']} lost, {found['doubled']} counted twice."
    )
    return f"{said}\n\n{markdown_table(HEADINGS, rows)}"

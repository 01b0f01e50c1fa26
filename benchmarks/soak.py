"""What the long tests of faults found, for the documentation; the tests keep it themselves under ``make soak``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

MIB = 1 << 20
SHOWN = slice(2, None, 3)
"""The rows that are told of, one per quarter of an hour: they grow alike."""


def killed(found: Mapping[str, Any]) -> str:
    """What became of the answers that were sent while something was killed."""
    n = {name: f"{value:,}" for name, value in found.items() if isinstance(value, int)}
    return (
        f"{n['kills']} kills: {n['sent']} answers sent, {n['acknowledged']} acknowledged, {n['counted']} counted; "
        f"{n['lost']} lost, {n['doubled']} counted twice."
    )


def steady(found: Mapping[str, Any]) -> str:
    """Memory and disk under a steady load, and what became of its answers."""
    early, *_, late = found["rows"][SHOWN]
    rate = found["sent"] / found["seconds"]
    return (
        f"{found['seconds'] / 60:.0f} minutes of {rate:.0f} answers a second: {found['acknowledged']:,} acknowledged, "
        f"{found['counted']:,} counted; {found['lost']} lost, {found['doubled']} counted twice. "
        f"From minute {early['seconds'] / 60:.0f} on memory grew from "
        f"{early['memory'] / MIB:.0f} to {late['memory'] / MIB:.0f} MiB, files from {early['disk'] / MIB:.1f} to "
        f"{late['disk'] / MIB:.1f} MiB."
    )

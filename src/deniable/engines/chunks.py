"""How long work is cut up: how many reports are held at a time, and who is told how many are done."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from deniable.mechanisms.mechanism import Mechanism

Progress: TypeAlias = Callable[[int], None]
"""Told how many more people or reports were done."""

CHUNK_BYTES = 1 << 26


def reports_per_chunk(mechanism: Mechanism) -> int:
    """How many reports fit into a chunk; of those of a few bits no more than of those of 64."""
    return max(1, CHUNK_BYTES * 8 // max(64, mechanism.report_bits))

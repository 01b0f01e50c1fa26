"""What a long run found, kept for the documentation; a short one finds too little to be worth keeping."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from benchmarks import kept, machine
from tests.lengths import SOAK


def keep(name: str, **figures: Any) -> None:
    """Keep figures of `make soak` where ``benchmarks.docs`` finds them."""
    if SOAK:
        kept.write(kept.FOLDER / f"soak_{name}.json", {"machine": machine.brief(), **figures})


def balance(sent: Collection[bytes], acknowledged: Collection[bytes], counted: int) -> dict[str, int]:
    """Answers, one an upload: how many were lost after they were acknowledged, and how many counted twice."""
    return {
        "sent": len(sent),
        "acknowledged": len(acknowledged),
        "counted": counted,
        "lost": max(0, len(acknowledged) - counted),
        "doubled": max(0, counted - len(sent)),
    }

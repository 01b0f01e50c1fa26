"""What so many people reach at best: said where somebody wants a smaller error than that."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from deniable.protocol.checks import LARGEST_EPSILON

MIDDLING: Final = 2.0
"""The level of middling protection, of which errors tell beside the best."""


def reach(users: int, error_at: Callable[[float], float], shown: Callable[[float], str], level: float = 0.0) -> str:
    """The least error that there is, and that under middling protection if ``level`` is stronger.

    ``error_at`` tells the error of a level.

    >>> reach(120, lambda level: 30 / level, lambda error: f"give or take {error:.2g}")
    '120 people reach give or take 0.94 at best, even unprotected; with epsilon 2 it is 15'
    """
    best = f"{users:,} people reach {shown(error_at(LARGEST_EPSILON))} at best, even unprotected"
    if level >= MIDDLING:
        return best
    middling = shown(error_at(MIDDLING)).rpartition(" ")[2]
    return f"{best}; with epsilon {MIDDLING:g} it is {middling}"

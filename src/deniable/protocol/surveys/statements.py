"""How far a report can move a belief about an answer; a guarantee itself says what it promises and leaves open."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

from ..say import READABLE, Statement, outwards

BELIEFS = (0.01, 0.1, 0.5)
"""What somebody may have believed of an answer before, for which the label says what they may believe after."""
RISES = frozenset({"belief_protected", "belief_item_held"})
"""Beliefs of which nothing is promised of how far they fall."""


class Belief(NamedTuple):
    """How far one answer can move a probability: from ``before`` to somewhere between ``least`` and ``most``."""

    before: float
    least: float
    most: float


def beliefs(level: float, falls: bool = True) -> tuple[Belief, ...]:
    """By Bayes: the odds of a belief are multiplied by e^level at most, and divided by it at most.

    Where nothing is promised of how far it ``falls``, it may fall to 0. None of an infinite level.

    >>> beliefs(0.0)[1], beliefs(0.0, falls=False)[1].least
    (Belief(before=0.1, least=0.1, most=0.1), 0.0)
    """
    if level == math.inf:
        return ()
    odds = math.exp(min(level, 700.0))
    return tuple(Belief(b, b / (b + (1 - b) * odds) if falls else 0.0, b * odds / (b * odds + 1 - b)) for b in BELIEFS)


def belief_statements(key: str, level: float, **more: Any) -> Iterator[Statement]:
    """A statement on each belief, rounded outwards; of a huge factor that it is of no use."""
    if READABLE < level < math.inf:
        yield Statement("huge")
        return
    for before, least, most in beliefs(level, key not in RISES):
        shares = {"least": outwards(least, up=False), "most": outwards(most, up=True)}
        yield Statement(key, before=before, **shares, **more)

"""`odds.json`: the certified integers A and B of an epsilon, and the questions that have none."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from deniable.protocol.errors import CapacityError
from deniable.protocol.odds import Odds, dyadic_odds, weighted_odds

EPSILONS = (
    1e-06, 0.0001, 0.001, 0.0078125, 0.1, 0.3, 0.5, 0.6931471805599453, 1.0, 1.0986122886681098, 1.5, 2.0, 2.5,
    3.3, 4.0, 5.0, 6.931471805599453, 8.0, 10.0, 12.5, 16.0, 20.0, 24.0, 27.7, 31.0, 31.999999999999996, 32.0,
)  # fmt: skip
WEIGHTS = ((1, 1), (1, 15), (4, 12), (85, 256), (1, 65535), (4096, 1 << 20), (1, (1 << 24) - 1), (1, 0))
TOO_MANY = ((1 << 20, 1 << 24), (1, 1 << 45), (1 << 44, 1 << 44))
"""Weights that leave no room in 64 bits at one end of epsilon or the other."""
HASHES = (2, 3, 7, 64)


def _epsilon(epsilon: float) -> dict[str, Any]:
    return {"epsilon": epsilon, "text": repr(epsilon), "ieee754": struct.pack(">d", epsilon).hex()}


def _written(odds: Odds) -> dict[str, str]:
    """As text: the integers need up to 64 bits."""
    return {"above": str(odds.above), "below": str(odds.below)}


def _weighted() -> Iterator[tuple[dict[str, Any], Odds | None]]:
    for epsilon in EPSILONS:
        for aboves, belows in WEIGHTS + TOO_MANY:
            question = {**_epsilon(epsilon), "aboves": aboves, "belows": belows}
            try:
                yield question, weighted_odds(epsilon, aboves, belows)
            except CapacityError:
                yield question, None


def _of_hashes(epsilon: float, hashes: int) -> dict[str, Any]:
    """Of the exact quotient, which no float may hold."""
    return {**_epsilon(epsilon), "hashes": hashes, **_written(dyadic_odds(Fraction(epsilon) / (2 * hashes)))}


def odds() -> dict[str, list[dict[str, Any]]]:
    """The sections of the file; Rappor asks for dyadic odds of half its epsilon, so the halves are listed too."""
    answers = list(_weighted())
    halves = sorted({*EPSILONS, *(epsilon / 2 for epsilon in EPSILONS)})
    return {
        "weighted": [{**question, **_written(found)} for question, found in answers if found is not None],
        "dyadic": [{**_epsilon(epsilon), **_written(dyadic_odds(epsilon))} for epsilon in halves],
        "hashes": [_of_hashes(epsilon, hashes) for epsilon in (1.0, 3.3, 32.0) for hashes in HASHES],
        "bad": [question for question, found in answers if found is None],
    }

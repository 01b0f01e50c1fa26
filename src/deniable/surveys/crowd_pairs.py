"""What hides a whole answer in a crowd: the blankets of a survey's arms, from those of its parts."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from typing import Any, TypeAlias

from deniable.mechanisms.blankets import blankets_of
from deniable.mechanisms.mechanism import Mechanism
from deniable.protocol.errors import ParameterError
from deniable.surveys.arms import Arm
from deniable.surveys.document import Document
from deniable.theory.crowd.blanket import Blanket, by_lot, by_odds, together

MOST_PAIRS = 256
"""The most pairs of answers that are looked at; beyond, an arm counts by its odds alone."""


def pairs_of(subject: Any) -> tuple[Blanket, ...]:
    """The blankets of a mechanism's or a survey's reports, of which the worst counts.

    Parts are taken to differ all, each as is worst for it, whether or not two answers do so. Which arm a device drew is
    in its report, so that arms mix by their weights.
    """
    if isinstance(subject, Mechanism):
        return blankets_of(subject)
    if not isinstance(subject, Document):
        raise ParameterError(f"m must be a mechanism or a survey, got {type(subject).__name__}")
    return pairs_of_arms(subject.arms)


BlanketsOf: TypeAlias = Callable[[Mechanism, str], tuple[Blanket, ...]]
"""The blankets of a mechanism's reports, which errors call by a name."""


def pairs_of_arms(arms: Sequence[Arm], blankets: BlanketsOf = blankets_of) -> tuple[Blanket, ...]:
    """The blankets of a survey's answers: of every combination of its arms' blankets, mixed by the arms' weights."""
    weights = sum(arm.weight for arm in arms)
    chances = [Fraction(arm.weight, weights) for arm in arms]
    by_arm = _few([_pairs_of_arm(arm, blankets) for arm in arms])
    return tuple(by_lot(list(zip(chances, pairs, strict=True))) for pairs in product(*by_arm))


def _pairs_of_arm(arm: Arm, blankets: BlanketsOf) -> tuple[Blanket, ...]:
    """The blankets of the answers to an arm; that of its odds where these are too many or cannot be put together."""
    parts = [blankets(part.mechanism, f"the part about {' and '.join(part.names)}") for part in arm.parts]
    alone = any(each.is_alone for pairs in parts for each in pairs)
    if (alone and len(parts) > 1) or math.prod(map(len, parts)) > MOST_PAIRS:
        return (by_odds(max(each.odds for each in pairs) for pairs in parts),)
    return tuple(together(pair) for pair in product(*parts))


def _few(arms: list[tuple[Blanket, ...]]) -> list[tuple[Blanket, ...]]:
    """The arms, of which those with the most pairs count by their odds if there are too many in all."""
    while math.prod(map(len, arms)) > MOST_PAIRS:
        most = max(range(len(arms)), key=lambda number: len(arms[number]))
        arms[most] = (by_odds([max(each.odds for each in arms[most])]),)
    return arms

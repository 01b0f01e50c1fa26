"""Implication and composition: which guarantee implies which, and what several reports on one value promise together.

Levels are read as the decimals that people write, so that ten times 0.1 is 1. E-LDP adds pair by pair, however the
second report depends on the first (acharya2019). LIP does not: a first report may move the prior of a value by e^eps1,
and the second bound is relative to the moved prior. Given the first, a second eps2-LIP report is within e^(2 eps2)
of its probability from any value that the prior allows, because it is 2 eps2-LDP between those; so two reports cost
eps1 + eps2 and once more the smaller (tests/privacy shows a pair that costs more than eps1 + eps2). Averages, and
bounds on what a crowd tells, do not add.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..errors import ParameterError
from ..values import Domain
from .context import Pairwise
from .guarantees import LDP, MOST_COMPARED, Guarantee, common_domain
from .levels import added, provable


def as_pairwise(guarantee: Guarantee, domain: Domain) -> Pairwise:
    """The guarantee as a level for every pair of labels; for LIP the levels that it implies, twice its own.

    Levels beyond the largest that can be proven become infinite.
    """
    return Pairwise(domain, provable(guarantee.pairs(len(domain))))


def implies(stronger: Any, weaker: Any) -> bool:
    """Whether every channel that keeps the first is proven to keep the second.

    >>> from .context import HighLow
    >>> implies(LDP(1.0), HighLow(3, [0], 1.0)), implies(HighLow(3, [0], 1.0), LDP(1.0))
    (True, False)
    """
    return _checked("weaker", weaker).follows_from(_checked("stronger", stronger))


def composed(guarantees: Any) -> Guarantee:
    """The guarantee that several reports on one value, each with its own guarantee, keep together.

    >>> from .context import HighLow
    >>> str(composed([LDP(0.1)] * 10)), str(composed([LDP(0.5), HighLow(3, [0], 1.0)]))
    ('1-LDP', 'pairwise LDP over 3 labels, levels 1.5 to inf')
    """
    if not isinstance(guarantees, Iterable):
        raise ParameterError(f"guarantees must be a list of them, got {type(guarantees).__name__}")
    parts = [_checked("each of guarantees", part) for part in guarantees]
    if not parts:
        raise ParameterError("guarantees must be a list of at least one, got none")
    return parts[0] if len(parts) == 1 else _sum(parts)


def _checked(name: str, guarantee: Any) -> Guarantee:
    if not isinstance(guarantee, Guarantee):
        raise ParameterError(f"{name} must be a guarantee such as LDP(1.0), got {type(guarantee).__name__}")
    return guarantee


def _sum(parts: list[Guarantee]) -> Guarantee:
    """The sum of several guarantees by the rule of one of them, or else pair by pair."""
    if not all(part.adds for part in parts):  # a second report may be designed from what the first one said
        raise ParameterError(
            "guarantees must bound every report of a person to be added, got one of MIP or CIP; "
            "what keeps it by LDP or LIP is added as that"
        )
    for part in parts:
        if (found := part.summed(parts)) is not None:
            return found
    domain = common_domain(parts)
    if len(domain) > MOST_COMPARED and any(part.by_distance for part in parts):
        return LDP(1.0).at(added(*(part.plain for part in parts)))
    each = range(len(domain))
    levels = [as_pairwise(part, domain).matrix for part in parts]
    return Pairwise(domain, provable([added(*(level[x][z] for level in levels)) for z in each] for x in each))

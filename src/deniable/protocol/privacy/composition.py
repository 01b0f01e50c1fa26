"""Implication and composition: which guarantee implies which, and what several reports on one value promise together.

Levels are read as the decimals that people write, so that ten times 0.1 is 1. E-LDP adds pair by pair, however the
second report depends on the first (acharya2019). LIP does not: a first report may move the prior of a value by e^eps1,
and the second bound is relative to the moved prior. Given the first, a second eps2-LIP report is within e^(2 eps2)
of its probability from any value that the prior allows, because it is 2 eps2-LDP between those; so two reports cost
eps1 + eps2 and once more the smaller (tests/privacy shows a pair that costs more than eps1 + eps2). Averages, and
bounds on what a crowd tells, do not add.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, TypeAlias

from ..errors import ParameterError
from ..odds import LARGEST
from ..values import Domain
from .context import Blocks, HighLow, Pairwise
from .distance import Distance
from .each_item import EachItem
from .guarantees import LDP, Guarantee, OneLevel
from .informed import OneSidedInformationPrivacy, UnderPrior
from .levels import added, closed

Levels: TypeAlias = list[list[float]]
MOST_COMPARED = 512
"""Up to so many labels guarantees of different kinds are compared and added pair by pair."""


def protects(given: Guarantee, wanted: Guarantee) -> bool:
    """Whether every pair of labels with a finite level under ``wanted`` has one under ``given``.

    >>> protects(HighLow(3, [0], 1.0), HighLow(3, [0, 1], 1.0)), protects(LDP(9.0), HighLow(3, [0], 1.0))
    (False, True)
    """
    if isinstance(given, LDP | Distance):
        return True
    if isinstance(given, HighLow) and isinstance(wanted, HighLow):
        return set(wanted.places) <= set(given.places)
    if isinstance(given, Blocks) and isinstance(wanted, Blocks):
        return all(any(set(block) <= set(held) for held in given.places) for block in wanted.places)
    domain = given.order
    if domain is None or len(domain) > MOST_COMPARED:
        return type(given) is type(wanted)
    each = range(len(domain))
    pairs = ((x, z) for x in each for z in each if x != z)
    return all(given.pair_level(*pair) < math.inf or wanted.pair_level(*pair) == math.inf for pair in pairs)


def as_pairwise(guarantee: Guarantee, domain: Domain) -> Pairwise:
    """The guarantee as a level for every pair of labels; for LIP the levels that it implies, twice its own.

    Levels beyond the largest that can be proven become infinite.
    """
    return _pairwise(domain, _levels(guarantee, domain))


def implies(stronger: Any, weaker: Any) -> bool:
    """Whether every channel that keeps the first is proven to keep the second.

    >>> implies(LDP(1.0), HighLow(3, [0], 1.0)), implies(HighLow(3, [0], 1.0), LDP(1.0))
    (True, False)
    """
    if not isinstance(stronger, Guarantee) or not isinstance(weaker, Guarantee):
        raise ParameterError("stronger and weaker must be guarantees such as LDP(1.0), got something else")
    if isinstance(stronger, OneLevel) and _same_kind(stronger, weaker):
        return stronger.claimed <= weaker.claimed
    if isinstance(weaker, UnderPrior):
        return implied_level(stronger, weaker) <= weaker.epsilon
    if isinstance(stronger, LDP) and isinstance(weaker, LDP | EachItem | Distance):
        return stronger.epsilon <= weaker.epsilon
    if isinstance(stronger, EachItem | Distance) and isinstance(weaker, LDP):
        return stronger.plain <= weaker.epsilon
    if isinstance(stronger, EachItem) and isinstance(weaker, EachItem):
        return stronger.covers(weaker) and stronger.epsilon <= weaker.epsilon
    domain = stronger.order or weaker.order
    if domain is None or (weaker.order or domain) != domain:
        return False
    have, want = as_pairwise(stronger, domain), _levels(weaker, domain)
    wanted = [[min(level, LARGEST) if level < math.inf else level for level in row] for row in want]
    return _at_most(have.matrix, wanted) or (isinstance(stronger, Pairwise) and _at_most(closed(have.matrix), wanted))


def implied_level(stronger: Guarantee, weaker: UnderPrior) -> float:
    """The least level of a guarantee with a prior that another guarantee is proven to imply; infinity if none."""
    if isinstance(stronger, LDP):
        return weaker.implied_by(None, stronger.epsilon)
    if isinstance(stronger, UnderPrior) and stronger.same_prior(weaker):
        return weaker.implied_by(stronger, added(*stronger.between))
    return weaker.implied_by(None, _allowed_level(stronger, weaker))


def composed(guarantees: Any) -> Guarantee:
    """The guarantee that several reports on one value, each with its own guarantee, keep together.

    >>> str(composed([LDP(0.1)] * 10)), str(composed([LDP(0.5), HighLow(3, [0], 1.0)]))
    ('1-LDP', 'pairwise LDP over 3 labels, levels 1.5 to inf')
    """
    given: list[Any] = list(guarantees) if isinstance(guarantees, Iterable) else []
    parts = [part for part in given if isinstance(part, Guarantee)]
    if not parts or len(parts) < len(given):
        raise ParameterError("guarantees must be a list of at least one guarantee, got something else")
    return parts[0] if len(parts) == 1 else _sum(parts)


def _sum(parts: list[Guarantee]) -> Guarantee:
    """The sum of several guarantees: of one kind its levels, of lists by labels, else pair by pair."""
    if not all(part.adds for part in parts):  # a second report may be designed from what the first one said
        raise ParameterError(
            "guarantees must bound every report of a person to be added, got one of MIP or CIP; "
            "what keeps it by LDP or LIP is added as that"
        )
    first = parts[0]
    if any(isinstance(part, UnderPrior) for part in parts):
        return _informed_sum(parts)
    if isinstance(first, OneLevel) and all(_same_kind(first, part) for part in parts):
        return first.at(added(*(part.claimed for part in parts)))
    items = [part for part in parts if isinstance(part, EachItem)]
    if len(items) == len(parts) and all(part.labels == items[0].labels for part in items):
        narrow = next(part for part in items if part.one_sided)
        return narrow.at(added(*(part.epsilon for part in items)))
    domain = _common_domain(parts)
    if len(domain) > MOST_COMPARED and any(isinstance(part, Distance) for part in parts):
        return LDP(1.0).at(added(*(part.plain for part in parts)))
    each = range(len(domain))
    levels = [as_pairwise(part, domain).matrix for part in parts]
    return _pairwise(domain, [[added(*(level[x][z] for level in levels)) for z in each] for x in each])


def _informed_sum(parts: list[Guarantee]) -> UnderPrior:
    """The LIP level of several reports: each but one counts by its level between pairs, LDP reports by their own level.

    Either the earlier reports move the prior and the last is bounded by its pairs, or the other way round. If one part
    is one-sided, so is the sum.
    """
    informed = [part for part in parts if isinstance(part, UnderPrior)]
    first = informed[0]
    if not all(first.same_prior(part) for part in informed):
        raise ParameterError("guarantees of information privacy must be of one prior to be added, got others")
    _common_domain(parts)
    plain = [part.plain for part in parts if not isinstance(part, UnderPrior)]
    savings = [added(*part.between) - part.epsilon if part.epsilon < math.inf else 0 for part in informed]
    at = savings.index(max(savings))  # by its place: one guarantee may be there several times
    once, others = informed[at], [*informed[:at], *informed[at + 1 :]]
    pairs = [level for part in others for level in part.between]
    result = next((part for part in informed if isinstance(part, OneSidedInformationPrivacy)), first)
    return result.at(added(once.epsilon, *pairs, *plain))


def _allowed_level(guarantee: Guarantee, prior: UnderPrior) -> float:
    """The largest level of a guarantee between two values that a prior allows; infinite over other labels."""
    if guarantee.order is None or guarantee.order != prior.domain:
        return math.inf
    if isinstance(guarantee, Distance):
        return guarantee.pair_level(prior.support[0], prior.support[-1])
    levels = closed(as_pairwise(guarantee, prior.domain).matrix)
    return max(levels[x][z] for x in prior.support for z in prior.support)


def _same_kind(first: OneLevel, other: Guarantee) -> bool:
    """Whether two guarantees differ in their level alone."""
    return isinstance(other, OneLevel) and first.at(0.0) == other.at(0.0)


def _levels(guarantee: Guarantee, domain: Domain) -> Levels:
    each = range(len(domain))
    return [[0.0 if x == z else guarantee.pair_level(x, z) for z in each] for x in each]


def _pairwise(domain: Domain, levels: Levels) -> Pairwise:
    """A pairwise guarantee; summed levels beyond the largest that can be proven become infinite."""
    return Pairwise(domain, [[math.inf if level > LARGEST else level for level in row] for row in levels])


def _at_most(have: Iterable[Iterable[float]], want: Levels) -> bool:
    return all(a <= b for row, wanted in zip(have, want, strict=True) for a, b in zip(row, wanted, strict=True))


def _common_domain(parts: list[Guarantee]) -> Domain:
    domains = [order for part in parts if (order := part.order) is not None]
    if any(domain != domains[0] for domain in domains):
        raise ParameterError("guarantees must be of one domain to be added, got others")
    return domains[0]

"""Which guarantee implies which, and what several reports about one value promise together."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from ..errors import ParameterError
from ..odds import LARGEST
from ..values import Domain
from .guarantees import LDP, Blocks, Distance, EachItem, Guarantee, HighLow, OneLevel, Pairwise
from .informed import (
    InformationPrivacy,
    OneSidedInformationPrivacy,
    UnderPrior,
    raised,
)
from .levels import UP, added, closed

MOST_COMPARED = 512
"""Up to so many labels guarantees of different kinds are compared pair by pair."""
Levels = list[list[float]]


def protects(given: Guarantee, wanted: Guarantee) -> bool:
    """Whether every pair of labels with a finite level under ``wanted`` has one under ``given``."""
    if isinstance(given, (LDP, Distance)):
        return True
    if isinstance(given, HighLow) and isinstance(wanted, HighLow):
        return set(wanted.places) <= set(given.places)
    if isinstance(given, Blocks) and isinstance(wanted, Blocks):
        return all(any(set(block) <= set(held) for held in given.places) for block in wanted.places)
    domain = given.domain
    if domain is None or len(domain) > MOST_COMPARED:
        return type(given) is type(wanted)
    each = range(len(domain))
    pairs = ((x, z) for x in each for z in each if x != z)
    return all(given.pair_level(*pair) < math.inf or wanted.pair_level(*pair) == math.inf for pair in pairs)


def composed(parts: Sequence[Guarantee]) -> Guarantee:
    """The guarantee that several reports on one value, each with its own guarantee, keep together."""
    first = parts[0]
    if len(parts) == 1:
        return first
    if any(isinstance(part, UnderPrior) for part in parts):
        return _informed_sum(parts)
    if isinstance(first, OneLevel) and all(_same_kind(first, part) for part in parts):
        return first.at(added(*(part.claimed for part in parts)))
    domain = _common_domain(parts)
    if domain is None:
        raise ParameterError("guarantees must be about labels to be added, got others")
    if len(domain) > MOST_COMPARED and any(isinstance(part, Distance) for part in parts):
        return LDP(added(*(part.plain for part in parts)))
    each = range(len(domain))
    levels = [_levels(part, domain) for part in parts]
    sums = [[added(*(level[x][z] for level in levels)) for z in each] for x in each]
    return Pairwise(domain, tuple(tuple(math.inf if s > LARGEST else s for s in row) for row in sums))


def implies(stronger: Guarantee, weaker: Guarantee) -> bool:
    """Whether every channel that keeps the first is proven to keep the second."""
    if isinstance(stronger, OneLevel) and _same_kind(stronger, weaker):
        return stronger.claimed <= weaker.claimed
    if isinstance(weaker, UnderPrior):
        return _implied(stronger, weaker) <= weaker.epsilon
    if isinstance(stronger, LDP) and isinstance(weaker, (LDP, EachItem, Distance)):
        return stronger.epsilon <= weaker.epsilon
    if isinstance(stronger, Distance) and isinstance(weaker, LDP):
        return stronger.plain <= weaker.epsilon
    if isinstance(stronger, EachItem):
        return _implied_by_items(stronger, weaker)
    domain = stronger.domain or weaker.domain
    if domain is None or isinstance(weaker, EachItem) or (weaker.domain or domain) != domain:
        return False
    have, want = _levels(stronger, domain), _pair_levels(weaker, domain)
    wanted = [[min(level, LARGEST) if level < math.inf else level for level in row] for row in want]
    return _at_most(have, wanted) or (isinstance(stronger, Pairwise) and _at_most(closed(have), wanted))


def _same_kind(first: OneLevel, other: Guarantee) -> bool:
    """Whether two guarantees differ in their level alone."""
    return isinstance(other, OneLevel) and first.at(0.0) == other.at(0.0)


def _implied_by_items(stronger: EachItem, weaker: Guarantee) -> bool:
    if isinstance(weaker, EachItem):
        same = stronger.labels == weaker.labels and stronger.epsilon <= weaker.epsilon
        return same and (weaker.one_sided or not stronger.one_sided)
    return isinstance(weaker, LDP) and stronger.plain <= weaker.epsilon


def _levels(guarantee: Guarantee, domain: Domain) -> Levels:
    """The level of each pair; beyond the largest that can be proven it is infinite."""
    return [[math.inf if level > LARGEST else level for level in row] for row in _pair_levels(guarantee, domain)]


def _pair_levels(guarantee: Guarantee, domain: Domain) -> Levels:
    each = range(len(domain))
    return [[0.0 if x == z else guarantee.pair_level(x, z) for z in each] for x in each]


def _at_most(have: Levels, want: Levels) -> bool:
    return all(a <= b for row, wanted in zip(have, want, strict=True) for a, b in zip(row, wanted, strict=True))


def _common_domain(parts: Sequence[Guarantee]) -> Domain | None:
    domains = [part.domain for part in parts if part.domain is not None]
    if any(domain != domains[0] for domain in domains):
        raise ParameterError("guarantees must be of one domain to be added, got others")
    return domains[0] if domains else None


def _informed_sum(parts: Sequence[Guarantee]) -> UnderPrior:
    """The level of several reports under one prior: each but one counts by its level between pairs."""
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
    return replace(result, epsilon=added(once.epsilon, *pairs, *plain))


def _implied(stronger: Guarantee, weaker: UnderPrior) -> float:
    """The least level of a guarantee with a prior that another guarantee is proven to imply."""
    if isinstance(stronger, LDP):
        return stronger.epsilon
    if isinstance(stronger, UnderPrior) and stronger.same_prior(weaker):
        both = min(added(*stronger.between), _two_sided(stronger))
        one = isinstance(stronger, OneSidedInformationPrivacy) and isinstance(weaker, OneSidedInformationPrivacy)
        return min(both, stronger.epsilon) if one else both
    if stronger.domain is None or stronger.domain != weaker.domain:
        return math.inf
    if isinstance(stronger, Distance):
        return stronger.pair_level(weaker.support[0], weaker.support[-1])
    levels, support = closed(_levels(stronger, weaker.domain)), weaker.support
    return max(levels[x][z] for x in support for z in support)


def _two_sided(own: UnderPrior) -> float:
    """The level of two-sided information privacy that a guarantee with the same prior implies."""
    if isinstance(own, InformationPrivacy) or own.epsilon == math.inf:
        return own.epsilon
    rarest = min(own.share(place) for place in own.support)
    return max(own.epsilon, (raised(own.epsilon, rarest) - own.epsilon) * UP)

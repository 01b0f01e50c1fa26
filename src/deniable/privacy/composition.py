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
from typing import Any

import numpy as np

from deniable.privacy.averaged import MutualInformationPrivacy, check_alone
from deniable.privacy.beliefs import implied_level, learnt
from deniable.privacy.context import Levels, Pairwise
from deniable.privacy.decimals import added
from deniable.privacy.distance import Distance
from deniable.privacy.each_item import EachItem
from deniable.privacy.guarantees import LDP, Guarantee, OneLevel
from deniable.privacy.informed import UP, OneSidedInformationPrivacy, UnderPrior
from deniable.protocol.errors import ParameterError
from deniable.protocol.odds import LARGEST
from deniable.theory.levels import closed as shortest_paths
from deniable.values.domain import Domain

MOST_PAIRS = 512
"""Beyond so many labels the sum of a distance and another kind is not written pair by pair, but as its largest."""


def local_domain(guarantee: Guarantee) -> Domain | None:
    """The domain that a guarantee is about; None if it is for any domain, as LDP is."""
    return getattr(guarantee, "domain", None)


def as_pairwise(guarantee: Guarantee, domain: Domain) -> Pairwise:
    """The guarantee as a level for every pair of labels; for LIP the levels that it implies, twice its own."""
    return _pairwise(domain, _levels(guarantee, domain))


def _levels(guarantee: Guarantee, domain: Domain) -> Levels:
    each = range(len(domain))
    return np.array([[0.0 if x == z else guarantee.pair_level(x, z) for z in each] for x in each])


def _pairwise(domain: Domain, levels: Levels) -> Pairwise:
    """A pairwise guarantee; summed levels beyond the largest that can be proven become infinite."""
    return Pairwise(domain, np.where(levels > LARGEST, math.inf, levels))


def closed(levels: Levels) -> Levels:
    """The levels that follow by way of third values: shortest paths, raised a little to allow for rounding.

    >>> closed(np.array([[0, 1, 5], [9, 0, 2], [9, 9, 0]], float))[0].round(6).tolist()
    [0.0, 1.0, 3.0]
    """
    paths = shortest_paths(levels)
    return np.where(paths < levels, paths * UP, levels)


def implies(stronger: Any, weaker: Any) -> bool:
    """Whether every channel that keeps the first is proven to keep the second.

    >>> import deniable as dn
    >>> implies(dn.LDP(1.0), dn.HighLow(3, [0], 1.0)), implies(dn.HighLow(3, [0], 1.0), dn.LDP(1.0))
    (True, False)
    """
    if not isinstance(stronger, Guarantee) or not isinstance(weaker, Guarantee):
        raise ParameterError("stronger and weaker must be guarantees such as LDP(1.0), got something else")
    if isinstance(stronger, OneLevel) and isinstance(weaker, OneLevel) and stronger.at(0) == weaker.at(0):
        return stronger.epsilon <= weaker.epsilon
    if isinstance(weaker, UnderPrior):
        return _implied(stronger, weaker) <= weaker.epsilon
    if isinstance(stronger, LDP) and isinstance(weaker, LDP | EachItem):
        return stronger.epsilon <= weaker.epsilon
    if isinstance(stronger, LDP) and isinstance(weaker, Distance):
        return stronger.epsilon <= weaker.epsilon
    if isinstance(stronger, EachItem | Distance) and isinstance(weaker, LDP):
        return stronger.whole <= weaker.epsilon
    if isinstance(stronger, EachItem) and isinstance(weaker, EachItem):
        return stronger.covers(weaker) and stronger.epsilon <= weaker.epsilon
    domain = local_domain(stronger) or local_domain(weaker)
    if domain is None or (local_domain(weaker) or domain) != domain:
        return False
    have, want = as_pairwise(stronger, domain).levels, _wanted(weaker, domain)
    return bool((have <= want).all() or (closed(have) <= want).all())


def _wanted(guarantee: Guarantee, domain: Domain) -> Levels:
    """The level to keep for each pair; one beyond the largest provable level is replaced by that."""
    levels = _levels(guarantee, domain)
    return np.where(np.isfinite(levels), np.minimum(levels, LARGEST), levels)


def _implied(stronger: Guarantee, weaker: UnderPrior) -> float:
    """The least level of a prior-based guarantee that another guarantee is proven to imply."""
    if isinstance(stronger, LDP):
        return implied_level(stronger, weaker, stronger.epsilon)
    if isinstance(stronger, UnderPrior) and stronger.same_prior(weaker):
        return implied_level(stronger, weaker, added(*stronger.between))
    if local_domain(stronger) != weaker.domain:
        return implied_level(stronger, weaker, math.inf)
    if isinstance(stronger, Distance):
        return implied_level(stronger, weaker, stronger.pair_level(int(weaker.support[0]), int(weaker.support[-1])))
    levels = closed(as_pairwise(stronger, weaker.domain).levels)
    return implied_level(stronger, weaker, float(levels[np.ix_(weaker.support, weaker.support)].max()))


def local_level(guarantee: Guarantee) -> float:
    """The least epsilon for which a guarantee is proven to imply plain LDP; infinity if there is none.

    >>> import deniable as dn
    >>> local_level(dn.InformationPrivacy(2, [0.3, 0.7], 1.0)), local_level(dn.HighLow(2, [0], 1.0))
    (2.0, inf)
    """
    if isinstance(guarantee, EachItem | Distance):
        return guarantee.whole
    domain = local_domain(guarantee)
    if domain is None:
        return guarantee.claimed
    levels = as_pairwise(guarantee, domain).levels
    return float(min(levels.max(), closed(levels).max()))


def information_level(guarantee: Guarantee) -> float:
    """An upper bound on the mutual information in nats, under the guarantee's own prior, or any prior if it has none.

    >>> import deniable as dn
    >>> round(information_level(dn.LDP(1.0)), 6), information_level(dn.HighLow(2, [0], 1.0))
    (0.462117, inf)
    """
    if not isinstance(guarantee, UnderPrior):
        return learnt(local_level(guarantee))
    return _implied(guarantee, MutualInformationPrivacy(guarantee.domain, guarantee.prior, 1.0))


def composed(guarantees: Any) -> Guarantee:
    """The guarantee that several reports on one value, each with its own guarantee, keep together.

    >>> import deniable as dn
    >>> str(composed([dn.LDP(0.1)] * 10)), str(composed([dn.LDP(0.5), dn.HighLow(3, [0], 1.0)]))
    ('1-LDP', 'pairwise LDP over 3 labels, levels 1.5 to inf')
    """
    given: list[Any] = list(guarantees) if isinstance(guarantees, Iterable) else []
    parts = [part for part in given if isinstance(part, Guarantee)]
    if not parts or len(parts) < len(given):
        raise ParameterError("guarantees must be a list of at least one guarantee, got something else")
    if len(parts) == 1:
        return parts[0]
    check_alone(parts)
    if any(isinstance(part, UnderPrior) for part in parts):
        return _informed_sum(parts)
    first = parts[0]
    if isinstance(first, OneLevel) and all(isinstance(part, OneLevel) and part.at(0) == first.at(0) for part in parts):
        return first.at(added(*(part.claimed for part in parts)))
    items = [part for part in parts if isinstance(part, EachItem)]
    if len(items) == len(parts) and all(part.labels == items[0].labels for part in items):
        narrow = next(part for part in items if part.one_sided)
        return narrow.at(added(*(part.epsilon for part in items)))
    domain = _common_domain(parts)
    if len(domain) > MOST_PAIRS and any(isinstance(part, Distance) for part in parts):
        return LDP(1.0).at(added(*map(local_level, parts)))
    levels = [as_pairwise(part, domain).matrix for part in parts]
    each = range(len(domain))
    return _pairwise(domain, np.array([[added(*(level[x][z] for level in levels)) for z in each] for x in each]))


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
    plain = [local_level(part) for part in parts if not isinstance(part, UnderPrior)]
    savings = [added(*part.between) - part.epsilon if part.epsilon < math.inf else 0 for part in informed]
    at = savings.index(max(savings))  # by its place: one guarantee may be there several times
    once, others = informed[at], [*informed[:at], *informed[at + 1 :]]
    pairs = [level for part in others for level in part.between]
    result = next((part for part in informed if isinstance(part, OneSidedInformationPrivacy)), first)
    return result.at(added(once.epsilon, *pairs, *plain))


def _common_domain(parts: list[Guarantee]) -> Domain:
    domains = [domain for part in parts if (domain := local_domain(part)) is not None]
    if any(domain != domains[0] for domain in domains):
        raise ParameterError("guarantees must be of one domain to be added, got others")
    return domains[0]

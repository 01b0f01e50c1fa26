"""Whether a mechanism protects what a question says is to be protected."""

from __future__ import annotations

import math

from deniable.privacy.composition import local_domain
from deniable.privacy.context import Blocks, HighLow
from deniable.privacy.distance import Distance
from deniable.privacy.guarantees import LDP, Guarantee

MOST_COMPARED = 512
"""Up to so many labels guarantees of different kinds are compared pair by pair."""


def protects(given: Guarantee, wanted: Guarantee) -> bool:
    """Whether every pair of labels with a finite level under ``wanted`` has one under ``given``.

    >>> protects(HighLow(3, [0], 1.0), HighLow(3, [0, 1], 1.0)), protects(LDP(9.0), HighLow(3, [0], 1.0))
    (False, True)
    """
    if isinstance(given, LDP | Distance):
        return True
    if isinstance(given, HighLow) and isinstance(wanted, HighLow):
        return set(wanted.sensitive) <= set(given.sensitive)
    if isinstance(given, Blocks) and isinstance(wanted, Blocks):
        return all(any(set(block) <= set(held) for held in given.blocks) for block in wanted.blocks)
    domain = local_domain(given)
    if domain is None or len(domain) > MOST_COMPARED:
        return type(given) is type(wanted)
    pairs = ((x, z) for x in range(len(domain)) for z in range(len(domain)) if x != z)
    return all(given.pair_level(*pair) < math.inf or wanted.pair_level(*pair) == math.inf for pair in pairs)

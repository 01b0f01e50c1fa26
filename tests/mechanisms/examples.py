"""Examples of every family, weaker promises than theirs, and values that people may hold."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

import deniable as dn
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.registry import FAMILIES
from deniable.protocol.privacy.guarantees import Guarantee, OneLevel

SIZES = (2, 3, 5, 8)


def values_of(m: Mechanism, source: random.Random) -> Any:
    """A random label, a random list or a random text."""
    if isinstance(m.domain, dn.Domain):
        return source.choice(list(m.domain))
    labels = list(m.domain.labels)
    return source.sample(labels, source.randrange(min(len(labels), 9) + 1))


def make(name: str, domain: Any, epsilon: float) -> Mechanism:
    """A mechanism by name, of as many of the labels as it can have."""
    return FAMILIES[name].example(dn.Domain.of(domain), epsilon)


def weaker(guarantee: Guarantee, share: float) -> Guarantee:
    """The same promise at a share of its level."""
    if isinstance(guarantee, dn.Pairwise):
        return dn.Pairwise(guarantee.domain, np.array(guarantee.matrix) * share)
    assert isinstance(guarantee, OneLevel)
    return guarantee.at(guarantee.epsilon * share)

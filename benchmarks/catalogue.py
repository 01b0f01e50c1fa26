"""Which mechanisms are measured, how each is made, and the numbers of labels that suit it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

import deniable as dn
from benchmarks.measure import EPSILON
from deniable.mechanisms.registry import FAMILIES as ROWS

if TYPE_CHECKING:
    from collections.abc import Callable

    from deniable.mechanisms.mechanism import Mechanism

SIZES = (16, 256, 1024, 16384, 131072, 1048576)
SOME = (16, 1024, 16384, 1048576)
TABLED = (16, 1024, 16384, 131072)
"""Where decoding goes through a table of labels times cohorts, which sets the end."""
COHORTS = 64
RESPONSE_SYMBOLS = 16
RAPPOR_SYMBOLS = 32
HASHES = 2
USUAL = 1024


@dataclass(frozen=True, slots=True)
class Family:
    """One mechanism: how it is made of d labels at epsilon 1, and the d that suit it."""

    make: Callable[[int], Mechanism]
    sizes: tuple[int, ...]

    @property
    def usual(self) -> int:
        """1,024 labels, or as many as it has below."""
        return max(d for d in self.sizes if d <= USUAL)


def _high_low(family: Callable[..., Mechanism], d: int) -> Mechanism:
    """Every fourth label is sensitive."""
    return family(d, range(0, d, 4), EPSILON)


def _blocks(family: Callable[..., Mechanism], d: int) -> Mechanism:
    """Two halves."""
    return family([range(d // 2), range(d // 2, d)], EPSILON)


def _binary(_: int) -> Mechanism:
    return dn.BinaryResponse(2, EPSILON, EPSILON / 2)


def _geometric(d: int) -> Mechanism:
    """The level is that of the first and the last number."""
    return dn.Geometric(0, d - 1, EPSILON / (d - 1))


def _informed(d: int) -> Mechanism:
    """Zipf's law is the prior."""
    weights = 1 / np.arange(1, d + 1)
    return dn.InformedResponse(d, weights / weights.sum(), EPSILON)


def _channel(d: int) -> Mechanism:
    """k-ary randomized response, written out."""
    return dn.Channel(d, dn.RandomizedResponse(d, EPSILON).channel().rows)


def _hashed_response(d: int) -> Mechanism:
    return dn.HashedResponse(EPSILON, RESPONSE_SYMBOLS, COHORTS, domain=d)


def _hashed_rappor(d: int) -> Mechanism:
    return dn.HashedRappor(EPSILON, RAPPOR_SYMBOLS, COHORTS, hashes=HASHES, domain=d)


def _plain(name: str, d: int) -> Mechanism:
    return ROWS[name].example(dn.Domain.of(d), EPSILON)


FAMILIES: dict[str, Family] = {
    **{name: Family(partial(_plain, name), SIZES) for name, row in ROWS.items() if row.plain},
    "BinaryResponse": Family(_binary, (2,)),
    "HighLowHadamard": Family(partial(_high_low, dn.HighLowHadamard), SOME),
    "HighLowResponse": Family(partial(_high_low, dn.HighLowResponse), SOME),
    "HighLowRappor": Family(partial(_high_low, dn.HighLowRappor), SOME),
    "HighLowSubset": Family(partial(_high_low, dn.HighLowSubset), SOME[:-1]),  # reports name 65,536 others
    "HighLowCyclic": Family(partial(_high_low, dn.HighLowCyclic), SOME),
    "BlockHadamard": Family(partial(_blocks, dn.BlockHadamard), SOME),
    "BlockSubset": Family(partial(_blocks, dn.BlockSubset), SOME),
    "BlockCyclic": Family(partial(_blocks, dn.BlockCyclic), SOME),
    "Geometric": Family(_geometric, (16, 1024)),  # a word for each label
    "HashedResponse": Family(_hashed_response, TABLED),
    "HashedRappor": Family(_hashed_rappor, TABLED[:-1]),  # more symbols than a closed domain may have
    "InformedResponse": Family(_informed, (2, 16)),
    "Channel": Family(_channel, (16, 256)),
}
"""Every mechanism of the registry that does not hold another one."""

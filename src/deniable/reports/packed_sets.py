"""Sets of symbols as packed bits: their number, a list of all in a fixed order, and the index of each.

Sets of one size are in lexicographic order. Of the others the first symbols, up to ``single_from``, are the bits of an
integer; where at most one symbol from there on may be set, sets without one come first, then those with each.
"""

from __future__ import annotations

import itertools
import math

import numpy as np

from deniable.arrays import Column, Indices, Packed
from deniable.protocol.errors import CapacityError
from deniable.reports.layout import UNCOUNTED

MOST_BITS = 20
"""The most sets that are listed."""


def how_many(symbols: int, weight: int | None, single_from: int | None) -> int:
    """How many sets of ``weight`` symbols there are or, if None, of those that ``single_from`` allows; 2^63 if more.

    >>> how_many(4, 2, None), how_many(4, None, None), how_many(4, None, 1)
    (6, 16, 8)
    """
    if weight is not None:
        log_count = math.lgamma(symbols + 1) - math.lgamma(weight + 1) - math.lgamma(symbols - weight + 1)
        return math.comb(symbols, weight) if log_count < math.log(UNCOUNTED) - 1 else UNCOUNTED
    unlimited = symbols if single_from is None else single_from
    return min((1 << min(unlimited, 63)) * (symbols - unlimited + 1), UNCOUNTED)


def every(symbols: int, weight: int | None, single_from: int | None) -> Column:
    """All sets in order; refused if there are more than 2^20.

    >>> every(3, 2, None).ravel().tolist(), every(3, None, 1).ravel().tolist()
    ([3, 5, 6], [0, 1, 2, 3, 4, 5])
    """
    if how_many(symbols, weight, single_from) > 1 << MOST_BITS:
        raise CapacityError(f"reports must be at most 2^{MOST_BITS} to be listed, got more")
    if weight is not None:
        return _of_one_size(symbols, weight)
    unlimited = symbols if single_from is None else single_from
    sets = np.arange(1 << unlimited)
    bits = np.zeros((symbols - unlimited + 1, len(sets), symbols), np.uint8)
    bits[:, :, :unlimited] = sets[:, None] >> np.arange(unlimited) & 1
    for other in range(symbols - unlimited):
        bits[other + 1, :, unlimited + other] = 1
    return np.packbits(bits.reshape(-1, symbols), axis=1, bitorder="little")


def places(reports: Column, symbols: int, weight: int | None, single_from: int | None) -> Indices:
    """The index of each report among all sets."""
    if weight is not None:
        rank = {row.tobytes(): y for y, row in enumerate(_of_one_size(symbols, weight))}
        return np.array([rank[row.tobytes()] for row in reports], np.int64)
    unlimited = symbols if single_from is None else single_from
    bits = bits_of(reports, symbols)
    sets = bits[:, :unlimited].astype(np.int64) @ (1 << np.arange(unlimited))
    return np.asarray((single(bits, unlimited) << unlimited) + sets)


def bits_of(reports: Column, symbols: int) -> Packed:
    """One row per report, one column per symbol."""
    return np.unpackbits(reports, axis=1, count=symbols, bitorder="little")


def single(bits: Packed, unlimited: int) -> Indices:
    """The number, from 1, of the one symbol from ``unlimited`` on that each row has; 0 for none."""
    return np.asarray(bits[:, unlimited:] @ np.arange(1, bits.shape[1] - unlimited + 1))


def _of_one_size(symbols: int, weight: int) -> Column:
    """All sets of so many symbols, in lexicographic order."""
    bits = np.zeros((math.comb(symbols, weight), symbols), np.uint8)
    for y, members in enumerate(itertools.combinations(range(symbols), weight)):
        bits[y, list(members)] = 1
    return np.packbits(bits, axis=1, bitorder="little")

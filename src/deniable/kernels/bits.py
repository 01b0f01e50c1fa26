"""Draws of packed bits: Bernoulli words, unary reports and subsets of exact size.

Bits are little-endian: symbol j is bit j & 7 of byte j >> 3, so on a little-endian machine also bit j & 63 of
word j >> 6. The tape convention is that of kernels/draws.py.

Limit: words of randomness. A Bernoulli word costs about 9 (256 coins are settled together, each halving the
unsettled ones: 8 rounds and 1.3 more), a subset about 9 for 64 symbols and some dozen for its exact size.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from numba import njit

from deniable.kernels.draws import Values
from deniable.kernels.words import Words

Packed: TypeAlias = npt.NDArray[np.uint8]
GROUP = 4
ONE = np.uint64(1)
ALL = np.uint64(0xFFFFFFFFFFFFFFFF)


@njit(cache=True, nogil=True)
def draw_bernoulli(tape: Words, done: int, below: np.uint64, out: Words) -> tuple[int, int]:
    """Words whose bits are 1 with probability ``below`` / 2^64 exactly; ``len(out)`` is a multiple of GROUP.

    Each lane compares its own 64-bit uniform with ``below``, most significant bit first, until all are settled.
    """
    used = 0
    for first in range(done, len(out), GROUP):
        a0, a1, a2, a3 = ALL, ALL, ALL, ALL  # lanes still equal to the bound's leading bits
        b0 = b1 = b2 = b3 = np.uint64(0)  # lanes already below it
        at, bit = used, 63
        while (a0 | a1 | a2 | a3) != 0 and bit >= 0:
            if at + GROUP > len(tape):
                return first, used
            one = ALL if (below >> np.uint64(bit)) & ONE else np.uint64(0)
            r0, r1, r2, r3 = tape[at], tape[at + 1], tape[at + 2], tape[at + 3]
            b0, b1, b2, b3 = (
                b0 | (a0 & ~r0 & one),
                b1 | (a1 & ~r1 & one),
                b2 | (a2 & ~r2 & one),
                b3 | (a3 & ~r3 & one),
            )
            a0, a1, a2, a3 = a0 & ~(r0 ^ one), a1 & ~(r1 ^ one), a2 & ~(r2 ^ one), a3 & ~(r3 ^ one)
            at, bit = at + GROUP, bit - 1
        out[first], out[first + 1], out[first + 2], out[first + 3] = b0, b1, b2, b3
        used = at
    return len(out), used


@njit(cache=True, nogil=True)
def flip_own(reports: Packed, values: Values, last: np.uint8) -> None:
    """Turn noise into Rappor reports: the own bit is inverted, pad bits (outside ``last``) are cleared."""
    for i in range(len(values)):
        reports[i, -1] &= last
        reports[i, values[i] >> 3] ^= np.uint8(1 << (values[i] & 7))


@njit(cache=True, nogil=True)
def toss_own(reports: Packed, values: Values, last: np.uint8, coins: Words) -> None:
    """Turn noise into OptimizedUnary reports: the own bit becomes a fair coin, bit i & 63 of word i >> 6."""
    for i in range(len(values)):
        reports[i, -1] &= last
        byte, bit = values[i] >> 3, np.uint8(values[i] & 7)
        coin = np.uint8((coins[i >> 6] >> np.uint64(i & 63)) & ONE)
        reports[i, byte] = (reports[i, byte] & ~np.uint8(1 << bit)) | np.uint8(coin << bit)


@njit(cache=True, nogil=True)
def ones(word: np.uint64) -> np.int64:
    """The number of set bits."""
    word = word - ((word >> ONE) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((word * np.uint64(0x0101010101010101)) >> np.uint64(56))

"""Draws of subsets of exact size, as packed bits.

Random words (or none, for a small size) are turned into a uniform subset of the *other* symbols by adding or removing
uniform symbols until the size is right: the distribution of the words does not change when symbols are renamed, so
neither does that of the result. Then a coin decides whether one member is replaced by the value. All that is drawn
before the coin is independent of it, and so is how long that takes. The exchange takes the same steps whatever the
coin, the member and the value are: its time reveals nothing about the truth, even to somebody who has the report.
Memory addresses do depend on them, so this does not protect against somebody who can observe the processor's cache.

Limit: random words; see kernels/draw/bits.py.
"""

from __future__ import annotations

import numpy as np

from deniable.arrays import Indices, Words
from deniable.kernels.compiled import compiled
from deniable.kernels.draw.draws import ALL, ONE, rejected_below, uniform
from deniable.kernels.early import SMALL, SPARSE
from deniable.kernels.words import ones, opaque

SIX = np.uint64(6)
IN_WORD = np.uint64(63)


@compiled(early=SMALL)
def _resize(tape: Words, used: int, row: Words, value: np.uint64, domain: np.uint64, size: int) -> int:
    """Add or remove uniform symbols other than ``value`` until ``row`` holds ``size``; -1 if the tape ran out."""
    missing, floor = np.int64(size), rejected_below(domain)
    for word in row:
        missing -= ones(word)
    adding = np.uint64(missing > 0)
    step = np.int64(1) if missing > 0 else np.int64(-1)
    while missing != 0:
        symbol, used = uniform(tape, used, domain, floor)
        if used < 0:
            return -1
        place, bit = symbol >> SIX, symbol & IN_WORD
        wanted = ((row[place] >> bit) & ONE) ^ adding  # no branch: it would be mispredicted half of the time
        taken = wanted & np.uint64(symbol != value)
        row[place] ^= taken << bit
        missing -= step * np.int64(taken)
    return used


@compiled(early=SMALL)
def _lowest(word: np.uint64, rank: np.int64) -> np.uint64:
    """A word with only the set bit of that rank, found by bisection: the same six steps whichever it is."""
    place, half = np.uint64(0), np.uint64(32)
    while half:
        below = ones((word >> place) & ((ONE << half) - ONE))
        above = np.uint64(rank >= below)
        rank -= below * np.int64(above)
        place += half * above
        half >>= ONE
    return ONE << place


@compiled(early=SMALL)
def _exchange(row: Words, rank: np.int64, value: np.uint64, truthful: np.uint64) -> None:
    """Replace the member of that rank by ``value`` if ``truthful`` is 1; the same steps if it is 0.

    The steps do not depend on the rank either: the member that left and the report would together reveal the truth.
    """
    mask = opaque(np.uint64(0) - truthful)
    place, before, members = np.int64(0), np.int64(0), np.int64(0)
    for word in row:
        members += ones(word)
        passed = np.int64(members <= rank)
        place += passed
        before += (members - before) * passed
    row[place] ^= _lowest(row[place], rank - before) & mask
    row[value >> SIX] |= (ONE << (value & IN_WORD)) & mask


@compiled(early=SMALL)
def _copy(source: Words, target: Words) -> None:
    """The same as ``target[:] = source``, which takes three seconds to compile, for the text of its error."""
    for place in range(len(source)):
        target[place] = source[place]


@compiled(early=SPARSE)
def settle_subsets(
    tape: Words,
    done: int,
    values: Indices,
    domain: np.uint64,
    size: int,
    inside: np.uint64,
    total: np.uint64,
    rows: Words,
) -> tuple[int, int]:
    """Make each row of noise a subset of ``size`` that holds its value with probability ``inside`` / ``total``."""
    last = ALL >> ((np.uint64(0) - domain) & IN_WORD)
    rank_floor, coin_floor = rejected_below(np.uint64(size)), rejected_below(total)
    used = 0
    row = np.empty_like(rows[0])
    for i in range(done, len(values)):
        _copy(rows[i], row)
        value = np.uint64(values[i])
        row[-1] &= last
        row[value >> SIX] &= ~(ONE << (value & IN_WORD))
        after = _resize(tape, used, row, value, domain, size)
        if after < 0:
            return i, used
        rank, after = uniform(tape, after, np.uint64(size), rank_floor)
        if after < 0:
            return i, used
        coin, after = uniform(tape, after, total, coin_floor)
        if after < 0:
            return i, used
        _exchange(row, np.int64(rank), value, np.uint64(coin < inside))
        _copy(row, rows[i])
        used = after
    return len(values), used

"""Counts of many reports, drawn without the reports: their exact distributions, from binomial draws alone.

NumPy's generators draw here, not certified coins: this is for simulation, where there are no secrets. A binomial of
10^9 people costs as much as one of 100, so the cost depends on the number of counts, not on the number of people.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import pairwise

import numpy as np

from deniable.arrays import Counts, Flags, Indices, Vector

DRAWN_AT_ONCE = 1 << 21
"""Counts that are held in memory at a time."""


def blocks(rows: int, width: int) -> Iterator[slice]:
    """Slices that divide so many rows of ``width`` counts into blocks of about ``DRAWN_AT_ONCE`` counts."""
    step = max(1, DRAWN_AT_ONCE // width)
    return (slice(start, start + step) for start in range(0, rows, step))


def scatter(people: Counts | int, weights: Vector, generator: np.random.Generator) -> Counts:
    """Distribute each crowd over cells in proportion to weights: multinomial draws, by repeated halving of the cells.

    ``people`` [...] and ``weights`` [..., cells] make counts [..., cells]. Each probability is one quotient of two
    sums, so rounding errors do not add up over many cells, and a cell without weight gets nobody.

    >>> int(scatter(10**12, np.array([1.0, 0.0, 3.0]), np.random.default_rng(1)).sum())
    1000000000000
    """
    cells = weights.shape[-1]
    sums = [np.zeros((*weights.shape[:-1], 1 << (cells - 1).bit_length()))]
    sums[0][..., :cells] = weights
    while sums[0].shape[-1] > 1:
        sums.insert(0, sums[0][..., ::2] + sums[0][..., 1::2])
    counts = np.asarray(people, np.int64)[..., None]
    for whole, halves in pairwise(sums):
        chance = np.divide(halves[..., ::2], whole, out=np.zeros(whole.shape), where=whole > 0)
        first = generator.binomial(counts, chance)
        both = np.empty((*first.shape, 2), np.int64)
        both[..., 0], both[..., 1] = first, counts - first
        counts = both.reshape(*first.shape[:-1], -1)
    return counts[..., :cells]


def by_rows(people: Counts, chances: Vector, generator: np.random.Generator) -> Counts:
    """How often each output is reported by ``people`` of each label: a multinomial per label, over its channel row."""
    counts = np.zeros(chances.shape[1], np.int64)
    for block in blocks(*chances.shape):
        counts += scatter(people[block], chances[block], generator).sum(axis=0)
    return counts


def over_places(
    people: Counts, width: int, places: Callable[[slice], Indices], cells: int, generator: np.random.Generator
) -> Counts:
    """Counts of cells when each label's people are spread evenly at random over its ``width`` places.

    ``places`` gives the places [labels, width] of a block of labels.
    """
    counts = np.zeros(cells, np.int64)
    for block in blocks(len(people), width):
        np.add.at(counts, places(block), scatter(people[block], np.ones(width), generator))
    return counts


def drifted(people: Counts, ratio: float, generator: np.random.Generator) -> Counts:
    """Where people end who each take a geometric number of steps up, but none beyond the last place.

    Of such a number, which reaches H with probability ``ratio``^H, the binary digits are independent: that of 2^j is 1
    with probability r/(1 + r), r = ratio^(2^j). So people move by each power of two at once, and to the end if the
    number has more digits than places.

    >>> int(drifted(np.array([10**12, 0, 0]), 0.5, np.random.default_rng(1)).sum())
    1000000000000
    """
    places, log_ratio = len(people), math.log(ratio)
    digits = (places - 1).bit_length()
    beyond = generator.binomial(people, math.exp(log_ratio * 2**digits))
    counts = people - beyond
    for digit in range(digits):
        step, odds = 1 << digit, math.exp(log_ratio * 2**digit)
        movers = generator.binomial(counts, odds / (1 + odds))
        counts -= movers
        counts[step:] += movers[:-step]
        counts[-1] += movers[-step:].sum()
    counts[-1] += beyond.sum()
    return counts


def over_half_rows(people: Counts, generator: np.random.Generator) -> Counts:
    """Spread the people of each row of a Hadamard matrix, along the last axis, uniformly over the + half of their row.

    Row r has a + at output y where ``popcount(y & r)`` is even. The bits of y are drawn one after another, the highest
    first, like a Walsh-Hadamard transform of people: people with the same bits so far, the same parity still to reach
    and the same rest of their row form one group. A bit is a fair coin unless the rest of the row has no 1 after it:
    then it must make the parity even. This takes ``2 size log2 size`` draws instead of size^2 / 2.

    >>> over_half_rows(np.array([0, 0, 0, 100]), np.random.default_rng(1))[[1, 2]].tolist()  # row 3 is + - - +
    [0, 0]
    """
    size = people.shape[-1]
    rows = people.reshape(-1, size)
    people_by_state = np.stack((rows, np.zeros_like(rows)), axis=1)  # bits so far, parity, rest of the row
    while size > 1:
        size //= 2
        by_bit = people_by_state.reshape(-1, 2, 2, size)  # the third is the row's own bit
        zeros = generator.binomial(by_bit, 0.5)
        zeros[:, 0, 1, 0], zeros[:, 1, 1, 0] = by_bit[:, 0, 1, 0], 0
        ones = by_bit - zeros
        by_parity = np.stack((zeros[:, :, 0] + zeros[:, :, 1], ones[:, :, 0] + ones[:, ::-1, 1]), axis=1)
        people_by_state = by_parity.reshape(-1, 2, size)
    return people_by_state[:, 0, 0].reshape(people.shape)


def without_replacement(groups: Counts, size: int, generator: np.random.Generator) -> Counts:
    """How many of ``size`` people drawn without replacement belong to each group; groups of any size.

    Everyone is taken with the same probability, and the number taken is then corrected: if there are too many, the
    surplus is drawn from them in the same way; if too few, the rest is drawn from the others. Given their number, those
    taken are a uniform choice, so the law is exact, and the number still to draw falls to its square root each time.

    >>> without_replacement(np.array([3, 0, 2]), 5, np.random.default_rng(1)).tolist()
    [3, 0, 2]
    """
    drawn, pool, wanted, sign = np.zeros_like(groups), groups, size, 1
    while wanted:
        taken = generator.binomial(pool, min(1.0, wanted / int(pool.sum())))
        drawn += sign * taken
        wanted -= int(taken.sum())
        if wanted < 0:
            pool, wanted, sign = taken, -wanted, -sign
        else:
            pool = pool - taken
    return drawn


def subsets(anyone: int, holders: Counts, size: int, generator: np.random.Generator) -> Counts:
    """How many hold each label: ``anyone`` draws ``size`` labels, a holder the own label and ``size`` - 1 others.

    A walk along the labels. People are grouped by how many places they have left; those with m places left take a label
    with probability m over the number of labels left to them. Holders do not take their own label; which of the holders
    still waiting for theirs have come to it is a draw without replacement, since all who wait are alike.
    """
    counts, everyone = holders.copy(), np.zeros((2, size + 1), np.int64)  # people by number of places left
    everyone[0, size - 1], everyone[1, size] = holders.sum(), anyone
    low, high, wanted, labels = max(size - 2, 0), size + 1, np.arange(size + 1), len(holders)
    for label in range(labels):
        low, high = _occupied(everyone, low, high)
        people = everyone[:, low:high]  # those who wait for their own label, and the others
        arrived = without_replacement(people[0], int(holders[label]), generator)
        people[0] -= arrived
        others = np.array([[max(labels - label - 1, 1)], [labels - label]])
        taking = generator.binomial(people, np.minimum(wanted[low:high] / others, 1))
        people[:, 1:] -= taking[:, 1:]  # nobody without a place left takes anything
        people[:, :-1] += taking[:, 1:]
        counts[label] += taking.sum()
        people[1] += arrived
    return counts


def _occupied(everyone: Counts, low: int, high: int) -> tuple[int, int]:
    """The range of places where anybody is, and one place below for those who take a label next."""
    held = np.flatnonzero(everyone[:, low:high].any(axis=0))
    return (max(low + int(held[0]) - 1, 0), low + int(held[-1]) + 1) if len(held) else (0, 1)


def subsets_within(members: Flags, drawn: Counts, generator: np.random.Generator) -> Counts:
    """How often each place is taken, if people draw uniform subsets of their group's places.

    ``members`` [groups, places] are the places of each group, ``drawn`` [groups, sizes] how many of its people draw
    none, one, two ... of them. A walk along the places: with m left to take of r that are still to come, a place is
    taken with probability m / r.

    >>> places = np.array([[True, False, True]])
    >>> subsets_within(places, np.array([[0, 0, 7]]), np.random.default_rng(1)).tolist()
    [7, 0, 7]
    """
    people, places_left = drawn.copy(), members.sum(axis=1)
    counts, wanted = np.zeros(members.shape[1], np.int64), np.arange(drawn.shape[1])
    for place in range(members.shape[1]):
        groups = np.flatnonzero(members[:, place])
        taking = generator.binomial(people[groups], np.minimum(wanted / places_left[groups, None], 1))
        counts[place] = taking.sum()
        people[groups] -= taking
        people[groups, :-1] += taking[:, 1:]
        places_left[groups] -= 1
    return counts

"""Exact tails of a sum of two binomials: x people support a label with probability g, the n - x others with h.

Each binomial is laid out around its mode by the ratio of neighbouring probabilities, until they are 1e-18 of the
largest, and divided by its sum: without logarithms and gamma functions nothing cancels at n = 1e9. Binomials are
log-concave, so the mass cut off is below a geometric series with the ratio of the last two; it is added to the tail,
which can then only be too large. An interval from such tails can only be too wide.
"""

from __future__ import annotations

import math
from typing import TypeAlias

import numpy as np

from deniable.arrays import Counts, Vector
from deniable.kernels.compiled import compiled

Window: TypeAlias = tuple[Vector, int, float]

CUT = 1e-18
ROUNDING = 1e-11  # of the tail: two windows of some thousand products each


@compiled()
def _window(trials: int, chance: float, rest: float) -> Window:
    """Probabilities of Binomial(trials, chance) around the mode, the first one's index, and the mass cut off."""
    if trials == 0 or chance <= 0.0 or rest <= 0.0:
        return np.ones(1), trials if rest <= 0.0 else 0, 0.0
    odds = chance / rest
    mode = min(trials, int((trials + 1) * chance))
    reach = int(10 * math.sqrt(trials * chance * rest)) + 40
    first, last = max(0, mode - reach), min(trials, mode + reach)
    weights = np.zeros(last - first + 1)
    weights[mode - first] = 1.0
    cut = 0.0
    for i in range(mode, last):
        weights[i + 1 - first] = weights[i - first] * odds * (trials - i) / (i + 1)
        if weights[i + 1 - first] < CUT:
            last = i + 1
            break
    if last < trials:
        ratio = odds * (trials - last) / (last + 1)
        cut += weights[last - first] * ratio / (1 - ratio)
    start = first
    for i in range(mode, first, -1):
        weights[i - 1 - first] = weights[i - first] * i / (odds * (trials - i + 1))
        if weights[i - 1 - first] < CUT:
            start = i - 1
            break
    if start > 0:
        ratio = start / (odds * (trials - start + 1))
        cut += weights[start - first] * ratio / (1 - ratio)
    kept = weights[start - first : last + 1 - first]
    total = kept.sum()
    return kept / total, start, cut / total


@compiled()
def upper_tail(least: int, x: int, g: float, not_g: float, others: int, h: float, not_h: float) -> float:
    """Pr[Binomial(x, g) + Binomial(others, h) >= least], never too small; not_g = 1 - g and not_h = 1 - h."""
    if least <= 0:
        return 1.0
    if least > x + others:
        return 0.0
    own, own_first, own_cut = _window(x, g, not_g)
    rest, rest_first, rest_cut = _window(others, h, not_h)
    at = rest_first + len(rest)  # rest_above = Pr[the others give at least ``at``]
    rest_above, tail = 0.0, 0.0
    for i in range(len(own)):
        needed = least - (own_first + i)
        while at > needed and at > rest_first:
            at -= 1
            rest_above += rest[at - rest_first]
        tail += own[i] * rest_above
    return min(1.0, tail * (1 + ROUNDING) + own_cut + rest_cut)


@compiled()
def least_holders(
    counts: Counts, people: Counts, g: float, not_g: float, h: float, not_h: float, error: float, guesses: Counts
) -> Counts:
    """For each count the smallest x, at most ``people``, whose upper tail exceeds ``error``; searched from a guess.

    The tail grows with x, so a search that doubles its stride brackets x, and halving finds it.
    """
    found = np.empty(len(counts), np.int64)
    for k in range(len(counts)):
        n, f = people[k], counts[k]
        low, high = np.int64(-1), n  # low fails, high holds or is the cap
        x, stride = min(max(guesses[k], 0), n), np.int64(1)
        while high - low > 1:
            if upper_tail(f, x, g, not_g, n - x, h, not_h) > error:
                high, after = x, x - stride
            else:
                low, after = x, x + stride
            stride *= 2
            x = after if low < after < high else low + (high - low) // 2
        found[k] = high
    return found

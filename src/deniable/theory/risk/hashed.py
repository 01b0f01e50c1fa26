"""Risks of hashed reports with many cohorts (kairouz2016, sect. 5): support counting with random collisions.

With so many cohorts that collisions average out, a report supports its holder's string with probability g, and any
other with h = g0 beta + h0 (1 - beta), where g0 and h0 are those of one symbol and beta is the probability that
two strings share a symbol: 1/r for hashes, less for permutations. Then (f/n - h)/(g - h) is unbiased, and

    sum_j Var_j = [g(1-g) + (S-1) h(1-h)]/(n (g-h)^2)          against the people's own shares.

C cohorts give C(r-1) equations. Fewer than S of them cannot tell all S strings apart, and a little more tell them apart
badly (see ``stretched``). With several hashes a string has as many symbols in each cohort and this is an upper bound.
"""

from __future__ import annotations

import math

import numpy as np

from deniable.protocol.checks import check_epsilon, check_int
from deniable.theory.risk.support import Support

MOST_SYMBOLS = 1 << 16


def shared(symbols: int, hashes: int = 1, labels: int | None = None) -> float:
    """Beta, the probability that another string has a given symbol: by hashes, or with ``labels`` dealt out evenly.

    >>> shared(16), round(shared(16, labels=256), 6)
    (0.0625, 0.058824)
    """
    if labels is None:
        return -math.expm1(hashes * math.log1p(-1 / symbols))
    full, rest = divmod(labels, symbols)
    mates = rest * (full + 1) * full + (symbols - rest) * full * (full - 1)
    return mates / (labels * (labels - 1))


def alike(symbols: int, hashes: int = 1) -> float:
    """The probability that two strings have exactly the same symbols in a cohort: 1/r for one hash.

    >>> alike(16), round(alike(2, hashes=2), 6)
    (0.0625, 0.375)
    """
    distinct = np.zeros(hashes + 1)  # the probabilities of so many different symbols
    distinct[0] = 1
    for _ in range(hashes):
        repeat = np.arange(hashes + 1) / symbols
        distinct = distinct * repeat + np.append(0, (distinct * np.maximum(1 - repeat, 0))[:-1])
    return sum(float(chance**2) / math.comb(symbols, k) for k, chance in enumerate(distinct) if chance > 0)


def collided(symbol: Support, beta: float) -> Support:
    """The g and h of a string, from those of a symbol, when another string shares it with probability ``beta``.

    >>> s = collided(Support(0.75, 0.25, 0.5), 0.5)
    >>> s.g, s.h
    (0.75, 0.5)
    """
    gap = symbol.gap * (1 - beta)
    return Support(symbol.g, symbol.g - gap, gap, symbol.miss)


def best_symbols(epsilon: float, candidates: int, most: int = MOST_SYMBOLS) -> int:
    """The number of symbols, a power of two, with the least error for O-RR with many cohorts.

    >>> best_symbols(1.0, 1000), best_symbols(5.0, 1000)
    (4, 128)
    """
    level, s = check_epsilon(epsilon), check_int("candidates", candidates, 1)
    choices = [1 << i for i in range(1, most.bit_length())]
    return min(choices, key=lambda r: noise(collided(Support.response(r, level), shared(r)), s))


def noise(s: Support, candidates: int) -> float:
    """The total variance of the candidates against the people's own shares, times n."""
    return (s.g * s.miss + (candidates - 1) * s.h * (s.miss + s.gap)) / s.gap**2


def stretched(strings: int, equations: int) -> float:
    """How many times larger variances are with so many equations than with many cohorts; infinite if not told apart.

    Least squares of S strings by N equations with random entries has the inverse of a Wishart matrix, whose mean is
    N/(N - S - 1) times that of many equations (Muirhead 1982, sect. 3.2.3); labels that are dealt out, of which all but
    one are free, are N/(N - S) times. Simulated: right within a tenth from two equations for each string on, and at
    most a quarter too large with fewer.

    >>> stretched(100, 192), stretched(100, 90)
    (2.0869565217391304, inf)
    """
    return equations / (equations - strings) if equations > strings else math.inf


def cohorts_for(candidates: int, symbols: int) -> int:
    """The least power of two of cohorts that gives at least two equations per candidate, to tell them apart.

    >>> cohorts_for(1000, 64)
    32
    """
    return 1 << max(0, math.ceil(2 * candidates / (symbols - 1)) - 1).bit_length()

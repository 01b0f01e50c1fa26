"""Certified odds: two integers A:B, proven to satisfy A/B <= e^epsilon, that decide every coin; see wire/odds.md."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from deniable_client.errors import CapacityError
from deniable_client.words import WORD

_BITS = 320
_HALVINGS = 16
LARGEST = 64
"""The largest exponent for which ``exp_lower`` is proven."""
_PRECISION = 1 << 40
_TINY = Fraction(1, 1 << 50)
_DOUBLINGS = 30


class Odds(NamedTuple):
    """Weights A and B: a truthful outcome is A/B times likelier than another one."""

    above: int
    below: int

    @property
    def ratio(self) -> Fraction:
        """A/B, proven to be at most e^epsilon."""
        return Fraction(self.above, self.below)


@lru_cache(maxsize=256)
def exp_lower(x: Fraction | float) -> Fraction:
    """A rational number at most e^x and within 2^-200 of it, relatively, for 0 <= x <= 64.

    Every step rounds down: the Taylor series of exp(x / 2^16) has only positive terms, and squaring keeps a lower
    bound a lower bound.

    >>> float(exp_lower(1.0))
    2.718281828459045
    """
    exact = Fraction(x)
    if not 0 <= exact <= LARGEST:
        raise ArithmeticError("exp_lower is proven for 0 <= x <= 64")
    one = 1 << _BITS
    step = (exact.numerator << _BITS) // (exact.denominator << _HALVINGS)
    total, term, k = one, one, 1
    while term:
        term = (term * step >> _BITS) // k
        total, k = total + term, k + 1
    for _ in range(_HALVINGS):
        total = total * total >> _BITS
    return Fraction(total, one)


def weighted_odds(epsilon: float, aboves: int, belows: int) -> Odds:
    """Odds whose total weight ``aboves * A + belows * B`` fits 64 bits; B is a power of two."""
    bound, odds = exp_lower(epsilon), Odds(0, 0)
    for shift in range(64):
        wider = Odds(int(bound * (1 << shift)), 1 << shift)
        if aboves * wider.above + belows * wider.below >= WORD:
            break
        odds = wider
        if odds.above * Fraction(epsilon) >= _PRECISION:
            break
    if odds.above <= odds.below:
        raise CapacityError(
            f"epsilon must leave room for odds above 1 in 64 bits, got epsilon={epsilon} over {aboves + belows} weights"
        )
    return odds


def dyadic_odds(epsilon: Fraction | float) -> Odds:
    """Odds with A + B = 2^64, so that a coin is the comparison of a 64-bit word with B."""
    below = math.ceil(WORD / (1 + exp_lower(epsilon)))  # rounded up: A/B only falls
    return Odds(WORD - below, below)


def one_sided_odds(epsilon: float) -> Odds:
    """Odds with A = 2^64: B of so many words tell of what is not held what is always told of what is."""
    return Odds(WORD, math.ceil(WORD / exp_lower(epsilon)))


def log_upper(ratio: Fraction) -> float:
    """The least float that is proven to be at least ln(ratio); infinity where that is beyond proof.

    >>> log_upper(Fraction(3)) >= math.log(3)
    True
    """
    if ratio < 1:
        raise ArithmeticError("log_upper is meant for ratios of at least 1")
    if ratio - 1 < _TINY:
        return math.nextafter(float(ratio - 1), math.inf)  # ln(1 + x) <= x, and a float may have been rounded down
    level = _log(ratio)
    for doubling in range(_DOUBLINGS):
        if level > LARGEST:
            break
        if exp_lower(level) >= ratio:
            return _lowered(level, ratio)
        level += math.ulp(level) * 2**doubling
    return math.inf


def _lowered(level: float, ratio: Fraction) -> float:
    """A proven level, lowered by units in the last place as long as it stays proven."""
    while True:
        lower = math.nextafter(level, 0)
        if exp_lower(lower) < ratio:
            return level
        level = lower


def _log(ratio: Fraction) -> float:
    """A logarithm, right up to a few units in the last place."""
    if ratio - 1 < Fraction(1, 2):
        return math.log1p(float(ratio - 1))
    try:
        return math.log(float(ratio))
    except OverflowError:
        return math.inf

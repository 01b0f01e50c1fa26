"""Certified odds: two integers A:B, proven to satisfy A/B <= e^epsilon, that decide every coin; see wire/odds.md.

Rational bounds of exp and ln make a claim about e^epsilon a comparison of integers.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from .checks import is_int
from .errors import CapacityError, ParameterError
from .words import WORD

_PRECISION = 1 << 40
_BITS = 320
_HALVINGS = 16
LARGEST = 64
"""The largest argument for which ``exp_lower`` is proven."""
TINY = Fraction(1, 1 << 50)
DOUBLINGS = 30
"""The most increasing steps tried to prove a logarithm; then the result is infinity."""


@lru_cache(maxsize=256)
def exp_lower(epsilon: Fraction | float | int) -> Fraction:
    """A rational number at most e^epsilon and within 2^-200 of it, relatively, for 0 <= epsilon <= 64.

    Every step rounds down: the Taylor series of exp(epsilon / 2^16) has only positive terms, and squaring
    keeps a lower bound a lower bound.

    >>> float(exp_lower(1))
    2.718281828459045
    """
    x = Fraction(epsilon)
    if not 0 <= x <= LARGEST:
        raise ParameterError(f"epsilon must be from 0 to {LARGEST} to have a proven bound, got epsilon={float(x):g}")
    one = 1 << _BITS
    step = (x.numerator << _BITS) // (x.denominator << _HALVINGS)
    total, term, k = one, one, 1
    while term:
        term = (term * step >> _BITS) // k
        total, k = total + term, k + 1
    for _ in range(_HALVINGS):
        total = total * total >> _BITS
    return Fraction(total, one)


def log_upper(ratio: Fraction) -> float:
    """The least float we can prove to be at least ln(ratio); infinity when that is beyond proof.

    >>> log_upper(Fraction(3)) >= math.log(3)
    True
    """
    if ratio < 1:
        raise ArithmeticError("log_upper is meant for ratios of at least 1")
    excess = ratio - 1
    if excess < TINY:
        return math.nextafter(float(excess), math.inf)  # ln(1 + x) <= x, and a float may have been rounded down
    level = _log(ratio)
    for doubling in range(DOUBLINGS):
        if level > LARGEST:
            break
        if exp_lower(level) >= ratio:
            return _lowered(level, ratio)
        level += math.ulp(level) * 2**doubling
    return math.inf


def _lowered(level: float, ratio: Fraction) -> float:
    """A proven level, lowered by units in the last place as long as it stays proven."""
    while exp_lower(lower := math.nextafter(level, 0)) >= ratio:
        level = lower
    return level


def _log(ratio: Fraction) -> float:
    """An approximate logarithm, right up to a few units in the last place."""
    excess = ratio - 1
    if excess < Fraction(1, 2):
        return math.log1p(float(excess))
    try:
        return math.log(float(ratio))
    except OverflowError:
        return math.inf


@dataclass(frozen=True, slots=True)
class Odds:
    """Weights A (``above``) and B (``below``): a truthful outcome is ``above / below`` times likelier than another one.

    >>> weighted_odds(1.0, 1, 15).ratio <= exp_lower(1.0)
    True
    """

    above: int
    below: int

    def __post_init__(self) -> None:
        """Refuse weights that are no whole numbers: no float stands between a value and its report."""
        for name, weight in (("above", self.above), ("below", self.below)):
            if not is_int(weight) or weight < 1:
                raise ParameterError(f"{name} must be an int of at least 1, got {name}={weight}")

    def __iter__(self) -> Iterator[int]:
        return iter((self.above, self.below))

    def weight(self, truthful: bool) -> int:
        """That of a truthful outcome, or of another one."""
        return self.above if truthful else self.below

    @property
    def ratio(self) -> Fraction:
        """A/B as an exact fraction, proven to be at most e^epsilon."""
        return Fraction(self.above, self.below)


@lru_cache(maxsize=1024)
def weighted_odds(epsilon: float, aboves: int, belows: int) -> Odds:
    """Odds whose total weight ``aboves * A + belows * B`` fits 64 bits; B is a power of two.

    Rounding A down costs less than 1/A. B is the least power of two that makes this at most 2^-40 of epsilon,
    or the largest that fits: a small total makes a rejected draw rare.
    """
    bound, odds = exp_lower(epsilon), None
    for shift in range(64):
        wider = Odds(int(bound * (1 << shift)), 1 << shift)
        if aboves * wider.above + belows * wider.below >= WORD:
            break
        odds = wider
        if odds.above * Fraction(epsilon) >= _PRECISION:
            break
    if odds is None or odds.above <= odds.below:
        raise CapacityError(
            f"epsilon must leave room for odds above 1 in 64 bits, got epsilon={epsilon} over {aboves + belows} weights"
        )
    return odds


def dyadic_odds(epsilon: float | Fraction) -> Odds:
    """Odds with A + B = 2^64, so that a coin is the comparison of a 64-bit word with B."""
    below = -(-WORD // (1 + exp_lower(epsilon)))  # rounded up: A/B only falls
    return Odds(WORD - below, below)


def one_sided_odds(epsilon: float) -> Odds:
    """Odds with A = 2^64: the bit of an item that is held is always set, that of another one in B of 2^64 cases."""
    return Odds(WORD, math.ceil(WORD / exp_lower(epsilon)))

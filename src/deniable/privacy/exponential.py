"""Rational bounds of exp and ln, so that a claim about e^epsilon is a comparison of integers."""

import math
from fractions import Fraction

from deniable.errors import ParameterError

_BITS = 320
_HALVINGS = 16
LARGEST = 64
"""The largest argument for which ``exp_lower`` is proven."""
TINY = Fraction(1, 1 << 50)
DOUBLINGS = 30
"""The most increasing steps tried to prove a logarithm; then the result is infinity."""


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

"""Rational bounds of exp and ln, so that a claim about e^epsilon is a comparison of integers."""

import math
from fractions import Fraction

_BITS = 320
_HALVINGS = 16


def exp_lower(epsilon: Fraction | float | int) -> Fraction:
    """A rational number at most e^epsilon and within 2^-200 of it, relatively, for 0 <= epsilon <= 64.

    Every step rounds down: the Taylor series of exp(epsilon / 2^16) has only positive terms, and squaring
    keeps a lower bound a lower bound.

    >>> float(exp_lower(1))
    2.718281828459045
    """
    x = Fraction(epsilon)
    if not 0 <= x <= 64:
        raise ArithmeticError("exp_lower is proven for 0 <= epsilon <= 64")
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
    level = _log(ratio)
    while level <= 64 and exp_lower(level) < ratio:
        level = math.nextafter(level, math.inf)
    return level if level <= 64 else math.inf


def _log(ratio: Fraction) -> float:
    excess = ratio - 1
    if excess < Fraction(1, 2):
        return math.log1p(float(excess))
    return math.log(ratio.numerator) - math.log(ratio.denominator)

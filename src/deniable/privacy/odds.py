"""Certified odds: two integers A:B, proven to satisfy A/B <= e^epsilon, that decide every coin."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from deniable.checks import is_int
from deniable.errors import CapacityError, ParameterError
from deniable.privacy.exponential import exp_lower

WORD = 1 << 64
_PRECISION = 1 << 40


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

    @property
    def ratio(self) -> Fraction:
        """A/B as an exact fraction, proven to be at most e^epsilon."""
        return Fraction(self.above, self.below)


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

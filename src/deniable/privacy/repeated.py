"""Several reports about one answer, all made from one permanent report: the coin that keeps it, and exact odds.

The permanent report has odds A:B. Each round sends it with probability u/m, else a uniform report; of independent bits
each is kept with probability u/m, else inverted. One such report has the odds of a weaker mechanism of the same family,
and several of them together tell more, up to A:B, because the permanent report behind them is the same. The idea is
RAPPOR's (Erlingsson et al. 2014); the odds are derived for all families alike, by summing over the permanent report.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

import numpy as np

from deniable.protocol.odds import Odds, exp_lower

PARTS = 1 << 40
"""m: a report is kept in u cases of so many."""
SETTLED = 4096
"""Bits by which linked odds may fall short of their limit: from there on the limit stands for them."""


class Resent(Protocol):
    """The odds of a family whose permanent reports are sent again; each round does so in ``keep`` of 2^40 cases."""

    def keep(self, each: float) -> int:
        """The largest u with which one report is proven to cost at most ``each``."""
        ...

    def fresh(self, keep: int) -> Odds:
        """The odds of one report, in lowest terms."""
        ...

    def linked(self, keep: int, rounds: int) -> Fraction:
        """The largest ratio of so many reports together, made from one permanent report."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class WholeReports:
    """Reports that are kept or replaced whole.

    Reports fall into so many ``places``, of one report or equally many each. A label owns ``own`` places, each with
    weight A, and the others have weight B. ``outputs`` counts the reports, which may be very many, when it is called.
    """

    odds: Odds
    places: int
    own: int
    outputs: Callable[[], int]

    @property
    def total(self) -> int:
        """W, the weight of all places."""
        return self.own * self.odds.above + (self.places - self.own) * self.odds.below

    def keep(self, each: float) -> int:
        """Of m cases u = floor(m W (L - 1) / (N (A - L B) + W (L - 1))), L <= e^each, N the places; m if A <= L B."""
        level = exp_lower(each)
        excess = self.places * (self.odds.above - level * self.odds.below)
        gain = self.total * (level - 1)
        return PARTS if excess <= 0 else int(PARTS * gain / (excess + gain))

    def fresh(self, keep: int) -> Odds:
        """The odds of one report, (u A N + (m - u) W) : (u B N + (m - u) W)."""
        permanent, noise = keep * self.places, (PARTS - keep) * self.total
        ratio = Fraction(permanent * self.odds.above + noise, permanent * self.odds.below + noise)
        return Odds(ratio.numerator, ratio.denominator)

    def linked(self, keep: int, rounds: int) -> Fraction:
        """The ratio of T = ``rounds`` reports together, (W + A X) : (W + B X) with X = rho^T - 1, W over all outputs.

        It is its limit A:B once no number shows the difference.
        """
        if rounds == 1:
            return self.fresh(keep).ratio
        if keep == PARTS:
            return self.odds.ratio
        outputs = self.outputs()
        growth = Fraction(PARTS - keep + keep * outputs, PARTS - keep)  # rho = 1 + cN/(1 - c)
        if rounds * _log(growth) / math.log(2) - outputs.bit_length() > SETTLED:
            return self.odds.ratio
        x, total = growth**rounds - 1, Fraction(self.total * outputs, self.places)
        return (total + self.odds.above * x) / (total + self.odds.below * x)

    def changed(self, keep: int, before: int, after: int) -> float:
        """The log of (1 + aX)(1 + aY)/(1 + aX + bY), X = rho^before - 1, Y = rho^after - 1, a = A/W, b = B/W.

        So much likelier are so many equal reports ``before`` and other equal ones ``after`` from a changed answer than
        from one that stayed; rho and W as in ``linked``. In logs, for it has no limit.
        """
        if keep == PARTS:
            return math.inf
        outputs = self.outputs()
        growth = _log(Fraction(PARTS - keep + keep * outputs, PARTS - keep))
        total = Fraction(self.total * outputs, self.places)
        own, other = (_log(Fraction(weight) / total) for weight in (self.odds.above, self.odds.below))
        first, second = own + before * growth, own + after * growth
        without_own = math.log1p(-math.exp(own))
        changed = np.logaddexp(without_own, first) + np.logaddexp(without_own, second)
        without_both = 1 - math.exp(own) - math.exp(other)
        stayed = np.logaddexp(first, other + after * growth)
        return float(changed - (np.logaddexp(math.log(without_both), stayed) if without_both > 0 else stayed))


@dataclass(frozen=True, slots=True)
class SingleBits:
    """Reports of independent bits, each inverted or not; two values differ in so many bits at the full odds."""

    odds: Odds
    differing: int

    def keep(self, each: float) -> int:
        """All of m but m (E - L)/((L + 1)(E - 1)), rounded up, for the odds E = A/B of one bit and its level L."""
        ratio, level = self.odds.ratio, exp_lower(Fraction(each) / self.differing)
        return PARTS if ratio <= level else PARTS - math.ceil(PARTS * (ratio - level) / ((level + 1) * (ratio - 1)))

    def fresh(self, keep: int) -> Odds:
        """The odds of one report in a bit, (A u + B (m - u)) : (B u + A (m - u))."""
        ratio = self._ratio(keep, 1)
        return Odds(ratio.numerator, ratio.denominator)

    def linked(self, keep: int, rounds: int) -> Fraction:
        """The ratio of T reports, (A u^T + B (m - u)^T) : (B u^T + A (m - u)^T) for each bit in which values differ."""
        return self._ratio(keep, rounds) ** self.differing

    def _ratio(self, keep: int, rounds: int) -> Fraction:
        kept, flipped = keep**rounds, (PARTS - keep) ** rounds
        above, below = self.odds.above, self.odds.below
        return Fraction(above * kept + below * flipped, below * kept + above * flipped)


def _log(ratio: Fraction) -> float:
    """The natural logarithm, of ratios of huge integers too."""
    return math.log(ratio.numerator) - math.log(ratio.denominator)

"""The curve of a crowd: which of the bounds fits what is known of its reports."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from deniable.theory.crowd.blanket import Blanket
from deniable.theory.crowd.curves import BlanketCurve, Curve
from deniable.theory.crowd.periods import PeriodsCurve
from deniable.theory.crowd.yes_no import MOST_PEOPLE, YesNoCurve


def curve_of(pairs: Sequence[Blanket], people: int, periods: int = 1, wanted: float = 1e-6) -> Curve:
    """The curve of ``people`` whose reports have these blankets, in as many ``periods``, told for about this delta.

    >>> from deniable.theory.crowd.solving import least_level
    >>> sixteen = Blanket.two_level(Fraction(50), Fraction(1, 16), Fraction(0))
    >>> round(least_level(curve_of([sixteen], 10_000), 1e-6), 4)
    0.3403
    """
    one = _of_one(pairs, people)
    return one if periods == 1 else PeriodsCurve(one, periods, wanted)


def _of_one(pairs: Sequence[Blanket], people: int) -> Curve:
    """Of one coin each fall is counted, unless the crowd is so large that its blanket is no looser."""
    if len(pairs) == 1 and pairs[0].one_coin and people <= 2 * MOST_PEOPLE:
        return YesNoCurve(Fraction(pairs[0].odds), people)
    return BlanketCurve(pairs, people)

"""Several periods: goldens of the sheet, and never below what two enumerated periods tell."""

import itertools
import math
from fractions import Fraction

import pytest
from tests.cases import each
from tests.crowd_enumeration import Told, crowds, delta, response

from deniable.theory.crowd.blanket import Blanket
from deniable.theory.crowd.crowds import curve_of
from deniable.theory.crowd.solving import belief, least_level

SIXTEEN = Blanket.two_level(Fraction(math.exp(4)), Fraction(1, 16), Fraction(0))


@each(("periods", "golden"), [(4, 0.756815), (12, 1.36657), (52, 3.04999)])
def test_levels_are_those_of_the_sheet(periods: int, golden: float) -> None:
    assert least_level(curve_of([SIXTEEN], 10**4, periods), 1e-6) == pytest.approx(golden, rel=1e-3)


def test_one_period_is_itself_and_more_cost_more() -> None:
    levels = [least_level(curve_of([SIXTEEN], 10**4, periods), 1e-6) for periods in (1, 2, 3, 365)]
    assert levels[0] == pytest.approx(0.361592, rel=1e-3)
    assert levels == sorted(levels)
    assert levels[-1] < 365 * levels[0] / 10


def test_beliefs_of_periods_are_above_levels() -> None:
    curve = curve_of([SIXTEEN], 10**4, 4)
    assert least_level(curve, 1e-6) < belief(curve, 1e-6) < 2 * least_level(curve, 1e-6)


@each(("labels", "odds", "people"), [(2, 3, 3), (3, 2, 3), (3, 9, 2)])
@each("wanted", [1e-2, 1e-4])
def test_two_periods_tell_no_more(labels: int, odds: int, people: int, wanted: float) -> None:
    """The worst two crowds, each enumerated, told together; whoever answers, in each period as is worst."""
    blanket = Blanket.two_level(Fraction(odds), Fraction(1, labels), Fraction(0))
    curve, rows = curve_of([blanket], people, 2, wanted), response(labels, odds)
    pairs = [pair for own in crowds(rows, people) for pair in itertools.permutations(own, 2)][:12]
    for t in (Fraction(1), Fraction(3, 2), Fraction(3)):
        truth = max(delta(_both(one[0], other[0]), _both(one[1], other[1]), t) for one in pairs for other in pairs)
        assert float(truth) <= curve.delta(math.log(t))


def _both(one: Told, other: Told) -> Told:
    return {(*x, *z): p * q for (x, p), (z, q) in itertools.product(one.items(), other.items())}


@each("people", [1, 2, 10**9])
@each("odds", [Fraction(1001, 1000), Fraction(10**6)])
def test_extreme_crowds_have_levels(people: int, odds: Fraction) -> None:
    curve = curve_of([Blanket.generic(odds)], people, 3)
    assert 0 <= least_level(curve, 1e-6) <= curve.most
    assert 0 <= belief(curve, 1e-6) <= curve.most

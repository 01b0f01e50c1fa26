"""One yes-or-no question: counted coins, never below enumeration, and as tight as the sheet says."""

import math
from fractions import Fraction

import pytest
from tests.cases import each
from tests.crowd_enumeration import enumerated, factors, response

from deniable.theory.crowd.blanket import Blanket
from deniable.theory.crowd.crowds import curve_of
from deniable.theory.crowd.curves import BlanketCurve
from deniable.theory.crowd.solving import least_level
from deniable.theory.crowd.yes_no import MOST_PEOPLE, YesNoCurve


def coin(epsilon: float) -> Blanket:
    odds = Fraction(math.exp(epsilon))
    return Blanket.supports(odds, odds / (odds + 1), 1 / (odds + 1), labels=2)


@each(("epsilon", "people", "golden"), [(1, 10**3, 0.126927), (2, 10**4, 0.0872631), (4, 10**4, 0.315568)])
def test_levels_are_those_of_the_sheet(epsilon: int, people: int, golden: float) -> None:
    curve = YesNoCurve(Fraction(math.exp(epsilon)), people)
    assert least_level(curve, 1e-6) == pytest.approx(golden, rel=1e-3)


@each(("epsilon", "people"), [(1, 10**3), (2, 10**4), (4, 10**4)])
def test_the_blanket_is_looser_by_what_the_sheet_says(epsilon: int, people: int) -> None:
    own = least_level(curve_of([coin(epsilon)], people), 1e-6)
    loose = least_level(BlanketCurve([coin(epsilon)], people), 1e-6)
    assert 1.1 < loose / own < math.sqrt(2)


@each("people", [2, 3, 4, 5, 9])
@each("odds", [2, 3, 9])
def test_it_is_the_enumerated_truth(people: int, odds: int) -> None:
    """Of few people every crowd is a corner."""
    curve = YesNoCurve(Fraction(odds), people)
    for t in factors(odds):
        truth = float(enumerated(response(2, odds), people, t))
        assert truth <= curve.delta(math.log(t)) <= truth * (1 + 1e-9) + 1e-11
        assert curve.rough(math.log(t)) <= curve.delta(math.log(t))


@each("people", [202, 403])
def test_corners_are_no_better_hidden_than_any_crowd(people: int) -> None:
    """Beside the exact binomial laws of all crowds."""
    odds, level = Fraction(3), 0.2
    curve, p, t = YesNoCurve(odds, people), 0.75, math.exp(0.2)
    a, b = p - t * (1 - p), t * p - (1 - p)
    truth = max(
        sum(max(a * f - b * g, 0.0) for f, g in zip([0.0, *made], [*made, 0.0], strict=True))
        for k in range(0, people, 7)
        for made in [_convolved(_binomial(k, p), _binomial(people - 1 - k, 1 - p))]
    )
    assert truth <= curve.delta(level) < truth * 1.2  # a two-hundredth of the people fewer at each corner


def _binomial(n: int, p: float) -> list[float]:
    return [math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]


def _convolved(one: list[float], other: list[float]) -> list[float]:
    found = [0.0] * (len(one) + len(other) - 1)
    for i, x in enumerate(one):
        for j, y in enumerate(other):
            found[i + j] += x * y
    return found


def test_a_crowd_too_large_to_be_counted_is_no_worse_than_the_largest() -> None:
    levels = [least_level(curve_of([coin(1)], n), 1e-6) for n in (MOST_PEOPLE, 3 * MOST_PEOPLE // 2, 4 * MOST_PEOPLE)]
    assert levels[1] == pytest.approx(levels[0], rel=1e-5)
    assert levels[2] < levels[1]


def test_work_stays_small() -> None:
    """Counted, so that a busy machine changes nothing: numbers that all corners hold together."""
    sizes = [YesNoCurve(Fraction(math.exp(1)), n)._all_corners.chances.size for n in (10**4, 10**6)]
    assert sizes[0] < 1 << 20
    assert sizes[1] < 1 << 23

"""What is solved is itself certified, and hardly beyond the best that could be."""

import math
from fractions import Fraction

import pytest
from tests.cases import each

from deniable.theory.crowd.blanket import Blanket, exact_odds
from deniable.theory.crowd.crowds import curve_of
from deniable.theory.crowd.curves import BlanketCurve, Curve
from deniable.theory.crowd.solving import belief, least_level, least_people

SIXTEEN = Blanket.two_level(Fraction(math.exp(4)), Fraction(1, 16), Fraction(0))


def crowd(people: int) -> Curve:
    return curve_of([SIXTEEN], people)


@each("people", [2, 100, 10**4, 10**9])
@each("delta", [1e-4, 1e-6, 1e-12])
def test_the_least_level_is_certified_and_none_much_lower_is(people: int, delta: float) -> None:
    curve = crowd(people)
    level = least_level(curve, delta)
    assert curve.delta_within(level, delta)
    assert level == 0 or not curve.delta_within(level - 1e-5 * max(level, 5 * curve.guess), delta)


def test_a_crowd_of_nobody_else_keeps_what_each_report_promises() -> None:
    assert least_level(crowd(1), 1e-6) == pytest.approx(4.0, rel=1e-6)
    assert least_level(crowd(1), 1e-6) >= 4.0 * (1 - 1e-6)


def test_a_level_takes_few_steps() -> None:
    """Counted, so that a busy machine changes nothing: a long sum takes two milliseconds."""
    asked: list[tuple[float, str]] = []

    class Counting(BlanketCurve):
        def delta(self, level: float) -> float:
            asked.append((level, "fine"))
            return super().delta(level)

        def rough(self, level: float) -> float:
            asked.append((level, "rough"))
            return super().rough(level)

    for people in (10**2, 10**4, 10**6):
        asked.clear()
        least_level(Counting([SIXTEEN], people), 1e-6)
        kinds = [kind for _, kind in asked]
        assert kinds.count("fine") <= 6
        assert kinds.count("rough") <= 10


@each(("level", "golden"), [(1.0, 1665), (0.5, 5543), (0.25, 19775), (0.1, 108978)])
def test_crowds_are_those_of_the_sheet(level: float, golden: int) -> None:
    found = least_people(crowd, level, 1e-6, 1 << 40)
    assert found == pytest.approx(golden, rel=1e-3)
    assert found is not None
    assert crowd(found).delta_within(level, 1e-6)
    assert not crowd(found - 1).delta_within(level, 1e-6)


def test_crowds_have_ends() -> None:
    assert least_people(crowd, 4.1, 1e-6, 10**6) == 1
    assert least_people(crowd, 0.01, 1e-6, 1000) is None


def test_yes_or_no_crowds_are_found() -> None:
    odds = Fraction(math.e)
    coin = Blanket.supports(odds, odds / (odds + 1), 1 / (odds + 1), labels=2)
    found = least_people(lambda people: curve_of([coin], people), 0.1, 1e-6, 10**6)
    assert found is not None
    assert curve_of([coin], found).delta_within(0.1, 1e-6)


def test_the_level_of_single_reports_is_that_of_the_sheet() -> None:
    """crowd.md 5: 16 labels, a crowd of 1,000 at level 1."""

    def of(own: float) -> Curve:
        return curve_of([Blanket.two_level(exact_odds(own), Fraction(1, 16), Fraction(0))], 1000)

    assert of(3.625).delta_within(1.0, 1e-6)
    assert not of(3.635).delta_within(1.0, 1e-6)


@each(
    ("people", "chance", "golden"),
    [(10**4, 1e-6, 0.459594), (10**6, 1e-6, 0.0450099), (10**4, 5e-7, 0.472249), (10**6, 5e-7, 0.0462233)],
)
def test_beliefs_are_those_of_the_sheet(people: int, chance: float, golden: float) -> None:
    assert belief(crowd(people), chance) == pytest.approx(golden, rel=1e-3)


@each("people", [1, 5, 50])
def test_a_belief_is_at_most_what_each_report_promises(people: int) -> None:
    curve = crowd(people)
    assert least_level(curve, 1e-6) <= belief(curve, 1e-6) <= curve.most


def test_made_up_answers_cost_what_the_sheet_says() -> None:
    """crowd.md 3: 16 labels, 10^4 people of whom 3,000 make their answers up."""
    assert least_level(crowd(7000), 1e-6) == pytest.approx(0.439483, rel=1e-3)

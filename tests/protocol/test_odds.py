"""Certified odds: never above e^epsilon, close below it, and integers that the coins can use."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deniable.protocol.errors import CapacityError, ParameterError
from deniable.protocol.odds import Odds, dyadic_odds, exp_lower, log_upper, weighted_odds
from deniable.protocol.words import WORD

EPSILONS = st.floats(1e-6, 32, allow_nan=False)


def exp_upper(x: Fraction) -> Fraction:
    """Independent of the code under test: 1/(Taylor of e^-x cut after a negative term) bounds e^x from above."""
    halvings = 12
    y, total, term = x / 2**halvings, Fraction(0), Fraction(1)
    for k in range(1, 41):
        total += term
        term *= -y / k
    assert term > 0  # so the sum, which ends before it, is below e^-y
    result = Fraction(1)
    inverse = Fraction(math.ceil(2**400 / total), 2**400)
    result = inverse
    for _ in range(halvings):
        result = Fraction(math.ceil(result * result * 2**400), 2**400)
    return result


@given(EPSILONS)
def test_exp_lower_is_a_tight_lower_bound(epsilon: float) -> None:
    lower, upper = exp_lower(epsilon), exp_upper(Fraction(epsilon))
    assert lower < upper
    assert upper - lower < upper / 2**100


def test_exp_lower_of_one() -> None:
    digits = Fraction("2.718281828459045235360287471352662497757247093699959574966967627724076630353")
    assert abs(exp_lower(1) - digits) < Fraction(1, 10**70)
    assert exp_lower(0) == 1
    for outside in (-1e-9, 64.5):
        with pytest.raises(ParameterError, match="epsilon must be from 0 to 64 to have a proven bound, got epsilon="):
            exp_lower(outside)


@pytest.mark.parametrize(("above", "below"), [(1.5, 1), (2, 0), (-1, 1), (True, 1)])
def test_odds_are_of_whole_numbers(above: Any, below: Any) -> None:
    with pytest.raises(ParameterError, match=r"(above|below) must be an int of at least 1, got (above|below)="):
        Odds(above, below)


@given(EPSILONS, st.integers(1, 1 << 19), st.integers(1, 1 << 20))
def test_weighted_odds(epsilon: float, aboves: int, belows: int) -> None:
    try:
        odds = weighted_odds(epsilon, aboves, belows)
    except CapacityError:
        assert aboves * exp_lower(epsilon) + belows > WORD / 4 or (aboves + belows) / epsilon > WORD / 8
        return
    total = aboves * odds.above + belows * odds.below
    assert total < WORD
    assert odds.below.bit_count() == 1
    assert 1 < odds.ratio <= exp_lower(epsilon)
    finest = total * 2 + aboves * 2 >= WORD  # twice the weights would not have fitted
    assert finest or log_upper(odds.ratio) >= epsilon * (1 - 1e-6)


@pytest.mark.parametrize("epsilon", [1e-6, 1e-3, 0.5, 1.0, math.log(3), 5, 17, 32])
@pytest.mark.parametrize("d", [2, 16, 1024, 1_000_000])
def test_precision_of_response_odds(epsilon: float, d: int) -> None:
    """Within 1e-6 of epsilon for k-RR up to a million labels, and never above."""
    ratio = weighted_odds(epsilon, 1, d - 1).ratio
    assert ratio <= exp_lower(epsilon)
    assert epsilon * (1 - 1e-6) <= log_upper(ratio) <= epsilon


@given(EPSILONS)
def test_dyadic_odds(epsilon: float) -> None:
    odds = dyadic_odds(epsilon)
    assert odds.above + odds.below == WORD
    assert odds.ratio <= exp_lower(epsilon)
    assert Fraction(odds.above + 1, odds.below - 1) > exp_lower(epsilon)
    halves = dyadic_odds(Fraction(epsilon) / 2)
    assert halves.ratio**2 <= exp_lower(epsilon)
    assert log_upper(halves.ratio**2) >= epsilon * (1 - 1e-6)


@given(st.fractions(min_value=1, max_value=10**13))
def test_log_upper_is_proven(ratio: Fraction) -> None:
    level = log_upper(ratio)
    assert exp_lower(level) >= ratio or level == 0
    assert level <= math.log(ratio) * (1 + 1e-14) + 1e-15


def test_log_upper_near_one_and_far() -> None:
    assert log_upper(1 + Fraction(1, 10**15)) == pytest.approx(1e-15, rel=1e-9)
    assert log_upper(Fraction(10) ** 40) == math.inf
    with pytest.raises(ArithmeticError):
        log_upper(Fraction(1, 2))


def test_no_room_for_odds() -> None:
    with pytest.raises(CapacityError, match="epsilon must leave room"):
        weighted_odds(32.0, 1 << 20, 1)

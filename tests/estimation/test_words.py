"""Words never say more than the numbers: intervals are rounded outward."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deniable.estimation.words import points, share_in_words, signed
from deniable.protocol.say import english

NOTHING_KNOWN = "anything from 0 to 100"

SHARES = st.floats(-0.5, 1.5)
SAID = re.compile(r"(?:between )?(at most |at least )?([\d,]+)(?: and ([\d,]+))? in ([\d,]+)")


def bounds_of(words: str) -> tuple[Fraction, Fraction]:
    """The bounds that words say."""
    if words == NOTHING_KNOWN:
        return Fraction(0), Fraction(1)
    found = SAID.fullmatch(words)
    assert found, words
    kind, first, second, base = found.groups()
    one, two = (Fraction(int((each or first).replace(",", "")), int(base.replace(",", ""))) for each in (first, second))
    return (Fraction(0), one) if kind == "at most " else (one, Fraction(1)) if kind == "at least " else (one, two)


@given(SHARES, SHARES)
def test_words_hold_the_interval_within_what_is_possible(one: float, other: float) -> None:
    low, high = sorted((one, other))
    if high < 0 or low > 1:
        return
    said_low, said_high = bounds_of(english(share_in_words(low, high)))
    assert said_low <= max(low, 0) + 1e-9
    assert said_high >= min(high, 1) - 1e-9
    assert 0 <= said_low <= said_high <= 1


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [
        (0.07, 0.29, "between 7 and 29 in 100"),
        (0.0701, 0.2899, "between 7 and 29 in 100"),
        (-0.03, 0.0099, "at most 10 in 1,000"),
        (0.0, 0.0, "at most 1 in 100"),
        (-0.2, -0.1, "at most 1 in 100"),
        (0.99, 1.0, "at least 99 in 100"),
        (0.0, 1.0, NOTHING_KNOWN),
        (0.5, 0.5, "50 in 100"),
        (0.000012, 0.000019, "between 12 and 19 in 1,000,000"),
    ],
)
def test_both_sides_of_every_boundary(low: float, high: float, words: str) -> None:
    assert english(share_in_words(low, high)) == words


def test_numbers_have_a_true_minus_and_no_negative_zero() -> None:
    assert points(-0.031) == "\N{MINUS SIGN}3.1"
    assert points(-0.0002) == "0.0"
    assert signed(0.031) == "+3.1"
    assert signed(-0.031) == "\N{MINUS SIGN}3.1"
    assert signed(0.0004) == "0.0"

"""Plain LDP on plain matrices: both sides of the boundary, and failing closed."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

import deniable as dn
from deniable.privacy.guarantees import worst_ratio

THREE_TO_ONE = [[Fraction(3, 4), Fraction(1, 4)], [Fraction(1, 4), Fraction(3, 4)]]


def test_both_sides_of_the_boundary() -> None:
    least = dn.LDP(1.0).tightest(THREE_TO_ONE)
    assert least == pytest.approx(math.log(3), rel=1e-15)
    assert dn.LDP(least).holds(THREE_TO_ONE)
    assert not dn.LDP(least * (1 - 1e-12)).holds(THREE_TO_ONE)


def test_what_rules_a_label_out_is_infinite() -> None:
    matrix = [[Fraction(1), Fraction(0)], [Fraction(1, 2), Fraction(1, 2)]]
    assert worst_ratio(matrix) == math.inf
    assert dn.LDP(1.0).tightest(matrix) == math.inf
    assert not dn.LDP(32).holds(matrix)
    assert dn.Channel(2, matrix).guarantee.epsilon == math.inf


def test_negative_entries_fail_closed() -> None:
    assert worst_ratio([[Fraction(-1), 2], [Fraction(-1), 2]]) == math.inf


def test_reports_nobody_makes_do_not_matter() -> None:
    assert worst_ratio([[0, 1], [0, 1]]) == 1
    assert dn.Channel(2, [[1, 0], [1, 0]]).guarantee.epsilon == 0


def test_guarantees_are_values() -> None:
    assert dn.LDP(1) == dn.LDP(1.0)
    assert hash(dn.LDP(1)) == hash(dn.LDP(1.0))
    assert str(dn.LDP(0.5)) == "0.5-LDP"
    assert dn.RandomizedResponse(3, 1).guarantee == dn.LDP(1.0)

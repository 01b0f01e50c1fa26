"""Plain LDP on plain matrices: both sides of the boundary, and failing closed."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import deniable as dn
from deniable.privacy.matrix import Rows
from deniable.protocol.odds import exp_lower, log_upper
from deniable.protocol.privacy.rows import largest

THREE_TO_ONE = [[Fraction(3, 4), Fraction(1, 4)], [Fraction(1, 4), Fraction(3, 4)]]


def test_both_sides_of_the_boundary() -> None:
    least = dn.LDP(1.0).tightest(THREE_TO_ONE)
    assert least == pytest.approx(math.log(3), rel=1e-15)
    assert dn.LDP(least).holds(THREE_TO_ONE)
    assert not dn.LDP(least * (1 - 1e-12)).holds(THREE_TO_ONE)


def test_what_rules_a_label_out_is_infinite() -> None:
    matrix = [[Fraction(1), Fraction(0)], [Fraction(1, 2), Fraction(1, 2)]]
    assert Rows.read(matrix).worst_ratio() == math.inf
    assert dn.LDP(1.0).tightest(matrix) == math.inf
    assert not dn.LDP(32).holds(matrix)
    assert dn.Channel(2, matrix).guarantee == dn.LDP(1.0).at(math.inf)


def test_negative_entries_fail_closed() -> None:
    with pytest.raises(dn.ParameterError, match="at least 0"):
        dn.LDP(1).holds([[Fraction(-1), 2], [Fraction(-1), 2]])
    assert largest([(-1, -1), (2, 0)]) == math.inf


def test_reports_nobody_makes_do_not_matter() -> None:
    assert dn.LDP(1).tightest([[0, 1], [0, 1]]) == 0
    assert dn.Channel(2, [[1, 0], [1, 0]]).guarantee == dn.LDP(1).at(0)


def test_reports_nobody_makes_are_refused() -> None:
    m = dn.Channel(2, [[Fraction(1, 4), Fraction(3, 4), 0], [Fraction(3, 4), Fraction(1, 4), 0]])
    assert m.tally([0, 1, 1]).n == 3
    with pytest.raises(dn.ReportError, match="got 2 that none does"):
        m.tally([0, 2, 2])
    with pytest.raises(dn.TallyError, match="some label sends"):
        m.estimate(dn.Tally(1, [0, 0, 1], m.spec()))


def test_guarantees_are_values() -> None:
    assert dn.LDP(1) == dn.LDP(1.0)
    assert hash(dn.LDP(1)) == hash(dn.LDP(1.0))
    assert str(dn.LDP(0.5)) == "0.5-LDP"
    assert dn.RandomizedResponse(3, 1).guarantee == dn.LDP(1.0)


@pytest.mark.parametrize(
    "matrix",
    [
        [[math.nan, 0.5], [0.5, 0.5]],
        [[0.5, 0.5], [math.nan, 0.5]],
        [[math.inf, 0.5], [0.5, 0.5]],
        [[-0.5, 1.5], [0.5, 0.5]],
        [[0.1, 0.1], [0.1, 0.1]],
        [[Fraction(1, 3), Fraction(1, 3)], [0, 1]],
        [[0.5, 0.5], [1.0]],
        [],
        [[], []],
        [0.5, 0.5],
        [["a", "b"], ["c", "d"]],
        [[True, False], [False, True]],
        None,
        np.ones((2, 2, 2)) / 2,
    ],
)
def test_what_is_no_channel_keeps_no_promise(matrix: Any) -> None:
    """Never True, never 0: refused."""
    for question in (dn.LDP(1).holds, dn.LDP(1).tightest, lambda m: dn.Channel(2, m)):
        with pytest.raises(dn.ParameterError, match="matrix must"):
            question(matrix)


def test_arrays_of_any_number_are_read() -> None:
    assert dn.LDP(1.0).holds(np.array([[0.6, 0.4], [0.4, 0.6]], np.float32))
    assert not dn.LDP(1.0).holds(np.array([[1, 0], [0, 1]]))
    halves = dn.Channel(2, np.array([[0.6, 0.4], [0.4, 0.6]], np.float16)).guarantee
    assert isinstance(halves, dn.LDP)
    assert halves.epsilon < 0.41


def test_ratios_beyond_proof_end_soon() -> None:
    hair = Fraction(1, 10**120)
    close = [[Fraction(1, 2), Fraction(1, 2)], [Fraction(1, 2) + hair, Fraction(1, 2) - hair]]
    assert 0 < dn.LDP(1).tightest(close) < 1e-100
    wide = [[Fraction(10**100, 2 * 10**100 + 1), Fraction(10**100 + 1, 2 * 10**100 + 1)], [Fraction(1, 2)] * 2]
    assert 0 < dn.LDP(1).tightest(wide) < 1e-99
    far = Fraction(1, 10**40)
    assert dn.LDP(1).tightest([[1 - far, far], [far, 1 - far]]) == math.inf


def test_guarantees_are_ordered() -> None:
    assert dn.LDP(1) < dn.LDP(2)
    assert max(dn.LDP(3), dn.LDP(0.5)) == dn.LDP(3)


def test_a_channel_cannot_be_changed() -> None:
    channel = dn.RandomizedResponse(3, 1.0).channel()
    changed: Any = channel
    with pytest.raises(ValueError, match="read-only"):
        channel.exact[0, 0] = Fraction(1, 2)
    with pytest.raises(ValueError, match="read-only"):
        channel.probabilities[0, 0] = 0.5
    with pytest.raises(AttributeError, match="cannot assign to field"):
        changed.rows = Rows.of([[1]])
    mechanism: Any = dn.Channel(3, channel.rows)
    with pytest.raises(AttributeError, match="cannot be changed"):
        mechanism.guarantee = dn.LDP(2.0)


def test_draws_of_a_channel_are_rejected_alike_from_every_value() -> None:
    """One total for all rows, so that time tells nothing of the value."""
    channel = dn.Channel(3, [[0.1, 0.2, 0.7], [1 / 3, 1 / 3, 1 / 3], [Fraction(1, 7), 0.5, 1 - 0.5 - 1 / 7]])
    rows = channel.channel().rows
    assert {sum(row) for row in rows.weights.tolist()} == {rows.total}


def test_a_weak_channel_is_inverted_all_the_same() -> None:
    m = dn.RandomizedResponse(16, 1e-6)
    assert dn.Channel(16, m.channel().rows).law.leverage == pytest.approx(m.law.leverage, rel=1e-4)


def test_proven_levels_are_the_least() -> None:
    """An audit must not report one unit in the last place more than was asked for and kept."""
    for ratio in (
        Fraction(3),
        Fraction(5, 3),
        exp_lower(0.7),
        exp_lower(1.4),
        exp_lower(32),
        Fraction(10**6 + 1, 10**6),
    ):
        level = log_upper(ratio)
        assert exp_lower(level) >= ratio
        assert exp_lower(math.nextafter(level, 0)) < ratio
    assert log_upper(exp_lower(0.7)) <= 0.7


def test_levels_beyond_proof_are_the_largest_that_is_proven() -> None:
    assert dn.LDP(1.0).at(96.0).holds(THREE_TO_ONE)
    assert not dn.LDP(1.0).at(96.0).holds([[1, 0], [0, 1]])
    far = Fraction(1, 10**30)  # a ratio of e^69
    assert not dn.LDP(1.0).at(96.0).holds([[1 - far, far], [far, 1 - far]])

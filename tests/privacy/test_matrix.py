"""Rows of weights: what does not add up is refused and plain matrices are judged as they are given."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import deniable as dn
from deniable.mechanisms.channels.table import Table
from deniable.privacy.exact_channel import ExactChannel
from deniable.privacy.matrix import SLACK, FloatRows, Rows, row_sums
from deniable.protocol.privacy.rows import within

D = 3
PRIOR = [0.5, 0.25, 0.25]
WRAPPING = 1 << 63
"""Three times this is this again in 64 bits."""


@given(st.lists(st.lists(st.integers(0, 2**64 - 1), min_size=5, max_size=5), min_size=1, max_size=4))
def test_sums_do_not_wrap(weights: list[list[int]]) -> None:
    for dtype in (np.uint64, object):
        assert row_sums(np.array(weights, dtype)) == [sum(row) for row in weights]


@pytest.mark.parametrize(
    ("weights", "total"),
    [
        ([[WRAPPING, WRAPPING, WRAPPING], [WRAPPING, 0, 0]], WRAPPING),
        ([[1, 2], [2, 2]], 3),
        ([[1, 2], [2, 1]], 4),
        ([[0, 0], [0, 0]], 0),
        ([[2**70, 1], [1, 2**70 + 1]], 2**70 + 1),
        ([[-1, 4], [1, 2]], 3),
        ([1, 2], 3),
        ([[], []], 1),
    ],
)
def test_rows_that_do_not_add_up_are_refused(weights: Any, total: int) -> None:
    flat = [w for row in weights for w in (row if isinstance(row, list) else [row])]
    wide = any(not 0 <= w < 2**64 for w in flat)
    with pytest.raises(dn.ParameterError, match=r"^(each row of weights must add up|weights must be rows)"):
        Rows(np.array(weights, object if wide else np.uint64), total)


def test_only_whole_numbers_are_weights() -> None:
    with pytest.raises(dn.ParameterError, match="weights must be rows of whole numbers"):
        Rows(np.array([[0.5, 0.5]]), 1)
    with pytest.raises(dn.ParameterError, match="weights must be rows of whole numbers"):
        Rows.of([[-1, 2], [1, 0]])


def test_what_was_checked_does_not_change() -> None:
    weights = np.array([[1, 2], [2, 1]], np.uint64)
    rows = Rows(weights, 3)
    weights[0, 0] = 3
    assert rows.weights.tolist() == [[1, 2], [2, 1]]
    with pytest.raises(ValueError, match="read-only"):
        rows.weights[0, 0] = 3


def broken() -> Rows:
    """Two rows of three times the total, as if nothing had looked when they were made."""
    made = object.__new__(Rows)
    object.__setattr__(made, "weights", np.array([[WRAPPING] * 3, [WRAPPING, 0, 0], [WRAPPING] * 3], np.uint64))
    object.__setattr__(made, "total", WRAPPING)
    return made


class Unchecked(dn.Channel):
    """A channel whose rows are put in behind the constructor's back."""

    def __init__(self, rows: Rows, claim: Any) -> None:
        channel = ExactChannel(dn.Domain.of(D), rows)
        parts = Table(channel, claim)
        vars(self).update(domain=channel.domain, guarantee=claim, _claim=claim, _channel=channel, _parts=parts)


@pytest.mark.parametrize(
    "claim", [dn.LDP(32.0).at(math.inf), dn.InformationPrivacy(D, PRIOR, 20.0), dn.HighLow(D, [0], 1.0).at(math.inf)]
)
def test_audits_and_guarantees_refuse_broken_rows(claim: Any) -> None:
    """Levels that anything would keep which is a channel."""
    planted = Unchecked(broken(), claim)
    found = dn.audit(planted)
    assert not found.holds
    assert found.epsilon == math.inf
    for question in (claim.holds, claim.tightest):
        with pytest.raises(dn.ParameterError, match="each row of weights must add up"):
            question(planted)
    with pytest.raises(dn.ParameterError, match="each row of weights must add up"):
        dn.Channel(D, broken())


def test_an_audit_wants_a_row_for_each_label() -> None:
    short = Rows.of([[1, 2], [2, 1]])
    assert not dn.audit(Unchecked(short, dn.LDP(1.0))).holds


# --- plain matrices ------------------------------------------------------------------------------------------------


def test_a_plain_matrix_is_not_rounded() -> None:
    """ln(1e10) = 23.03: both entries are far below the grain of a channel that is made of floats."""
    matrix = [[1e-30, 1.0], [1e-20, 1.0]]
    assert not dn.LDP(1e-6).holds(matrix)
    assert dn.LDP(1.0).tightest(matrix) == pytest.approx(10 * math.log(10), rel=1e-12)
    assert dn.Pairwise(2, [[0, 1.0], [24.0, 0]]).holds(matrix)
    assert not dn.Pairwise(2, [[0, 1.0], [23.0, 0]]).holds(matrix)
    assert not dn.HighLow(2, [1], 23.0).holds(matrix)
    assert not dn.InformationPrivacy(2, [0.5, 0.5], 20.0).holds(matrix)
    assert dn.LDP(1.0).tightest([[5e-324, 1.0], [0.0, 1.0]]) == math.inf


def test_a_channel_is_judged_by_what_it_draws_with() -> None:
    """The channel of those floats draws either label's first report once in 2^60."""
    m = dn.Channel(2, [[1e-30, 1.0], [1e-20, 1.0]])
    assert set(m.exact[:, 0]) == {Fraction(1, 2**60)}
    assert dn.LDP(1e-6).holds(m)
    assert m.guarantee.claimed == 0


entries = st.builds(lambda m, e: math.ldexp(m, -e), st.floats(0.5, 1), st.integers(0, 1074))


@st.composite
def float_matrices(draw: st.DrawFn) -> list[list[float]]:
    """Rows that add up to 1 as floats do, with entries down to the smallest there are."""
    small = [[draw(entries) / 8 for _ in range(3)] for _ in range(D)]
    return [[*row, 1 - sum(row)] for row in small]


@given(float_matrices(), st.sampled_from([1e-6, 0.1, 1.0, 5.0, 20.0, 32.0]))
def test_floats_are_judged_exactly_as_they_are(matrix: list[list[float]], epsilon: float) -> None:
    exact = [[Fraction(entry) for entry in row] for row in matrix]
    assume(all(entry for row in exact for entry in row))
    ratios = [[max(a / b for a, b in zip(x, z, strict=True)) for z in exact] for x in exact]
    assert dn.LDP(epsilon).holds(matrix) == within(max(map(max, ratios)), epsilon)
    assert dn.HighLow(D, [1], epsilon).holds(matrix) == within(max(ratios[1]), epsilon)
    levels = [[0.0, 1.0, epsilon], [epsilon, 0.0, 2.0], [math.inf, epsilon, 0.0]]
    kept = all(within(ratios[x][z], levels[x][z]) for x in range(D) for z in range(D) if x != z)
    assert dn.Pairwise(D, levels).holds(matrix) == kept
    marginal = [sum(Fraction(p) * row[y] for p, row in zip(PRIOR, exact, strict=True)) for y in range(4)]
    lifts = [row[y] / marginal[y] for row in exact for y in range(4)]
    informed = within(max(*lifts, *(1 / lift for lift in lifts)), epsilon)
    assert dn.InformationPrivacy(D, PRIOR, epsilon).holds(matrix) == informed


@pytest.mark.parametrize("short", [2e-6, -2e-6, 0.5])
def test_rows_of_floats_add_up_but_for_rounding(short: float) -> None:
    matrix = [[0.5, 0.5 - short], [0.5, 0.5]]
    for judge in (dn.LDP(1.0).holds, dn.LDP(1.0).tightest, dn.InformationPrivacy(2, [0.5, 0.5], 1.0).holds):
        with pytest.raises(dn.ParameterError, match="each row of matrix must add up to 1"):
            judge(matrix)
    assert dn.LDP(1.0).tightest([[0.5, 0.5 - float(SLACK) / 2], [0.5, 0.5]]) > 0


def test_what_is_only_to_be_judged_is_not_drawn_from() -> None:
    with pytest.raises(dn.ParameterError, match="rows to draw from"):
        dn.Channel(2, FloatRows.read([[0.1, 0.9], [0.2, 0.8]]))
    assert type(FloatRows.read([[1, 0], [Fraction(1, 2), Fraction(1, 2)]])) is Rows


def test_sums_that_no_float_holds() -> None:
    with pytest.raises(dn.ParameterError, match="each row of matrix must add up to 1, got far more"):
        dn.LDP(1.0).holds([[10**400, 1], [1, 1]])

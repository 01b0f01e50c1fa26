"""From floats to weights that provably keep a guarantee, or a refusal."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import deniable as dn
from deniable.privacy.certified import WITHHELD, certified, integer_weights
from deniable.protocol.privacy.guarantees import Guarantee

Array = npt.NDArray[np.float64]


def mixed(seed: int, d: int, width: int, epsilon: float) -> Array:
    """Random extreme columns, each entry 1 or e^eps times a scale: rows are made to add up by one more column each.

    Between staircase columns and their complements, so that every ratio is at its level, as of a linear program.
    """
    high = np.random.default_rng(seed).random((d, width)) < 0.5
    columns = np.where(high, math.exp(epsilon), 1.0)
    pairs = np.hstack([columns, np.where(high, 1.0, math.exp(epsilon))])
    weights = np.tile(np.random.default_rng(seed + 1).random(width) + 0.01, 2)
    return np.asarray(pairs * weights / (pairs * weights).sum(axis=1, keepdims=True).mean())


@settings(max_examples=60)
@given(st.integers(0, 10**6), st.integers(2, 12), st.integers(1, 12), st.sampled_from([0.01, 0.5, 1.0, 3.0, 10.0]))
def test_certified_weights_keep_the_guarantee(seed: int, d: int, width: int, epsilon: float) -> None:
    promise = dn.LDP(epsilon)
    rows = certified(lambda share: mixed(seed, d, width, epsilon * share), promise)
    assert promise.judge(rows).holds
    assert {sum(row) for row in rows.weights.tolist()} == {rows.total}
    wanted, got = mixed(seed, d, width, epsilon), rows.floats()[:, :-1]
    assert got.shape == wanted.shape
    assert np.abs(got / wanted - 1).max() < 1e-6
    assert rows.floats()[:, -1].max() < 1e-6


@given(st.integers(0, 10**6), st.integers(2, 12))
def test_whole_weights_are_the_channel_but_for_a_hair(seed: int, d: int) -> None:
    rng = np.random.default_rng(seed)
    matrix = rng.dirichlet(np.full(5, 0.5), d) * (rng.random(5) < 0.8)
    matrix = np.hstack([matrix, 1 - matrix.sum(axis=1, keepdims=True)])
    rows = integer_weights(matrix)
    kept = matrix[:, matrix.max(axis=0) > 1e-13]
    assert {sum(row) for row in rows.weights.tolist()} == {rows.total}
    assert math.gcd(*rows.weights.ravel().tolist(), rows.total) == 1
    assert np.array_equal(rows.weights[:, :-1] == 0, kept == 0)
    assert (rows.floats()[:, :-1] >= kept * (1 - WITHHELD) * (1 - 1e-15)).all()
    assert np.abs(rows.floats()[:, :-1] - kept).max() <= 2 * WITHHELD


def test_nothing_becomes_a_little() -> None:
    """Zeros stay zeros, for under HighLow an entry above 0 must not meet one; entries above 0 never become 0."""
    rows = integer_weights(np.array([[1e-12, 1 - 1e-12, 0.0], [1e-12, 0.5, 0.5 - 1e-12]]))
    assert (rows.weights[0] == 0).tolist() == [False, False, True, False]
    assert (rows.weights[1] > 0).all()


def test_reports_that_are_rounding_go() -> None:
    assert integer_weights(np.array([[0.5, 0.5, 1e-14], [0.25, 0.75, 1e-15]])).weights.shape == (2, 3)


def warner(epsilon: float) -> Array:
    keep = 1 / (1 + math.exp(-epsilon))
    return np.array([[keep, 1 - keep], [1 - keep, keep]])


@pytest.mark.parametrize(
    ("promise", "factor"),
    [
        (dn.LDP(1.0), 1 + 1e-5),
        (dn.LDP(1.0), 2.0),
        (dn.Pairwise(2, [[0, 1.0], [0.9, 0]]), 1.0),
        (dn.InformationPrivacy(2, [0.9, 0.1], 0.5), 2.0),
    ],
    ids=str,
)
def test_a_channel_that_asks_for_more_is_refused(promise: Guarantee, factor: float) -> None:
    with pytest.raises(dn.CapacityError, match=r"^a channel must have weights in 64 bits that keep"):
        certified(lambda share: warner(factor * share), promise)


@pytest.mark.parametrize("factor", [1 + 2 * WITHHELD, 1.5, 3.0, math.nan])
def test_rows_above_one_are_refused(factor: float) -> None:
    """What is left for the last report must not wrap below 0: three rows of 3 look like rows of 1 to 64 bits."""
    with pytest.raises(dn.ParameterError, match="each row of matrix must be probabilities that add up to 1"):
        integer_weights(np.array([[1.0, 0.0], [0.5, 0.5]]) * factor)
    with pytest.raises(dn.ParameterError, match="each row of matrix must be probabilities that add up to 1"):
        integer_weights(np.array([[1.5, -0.5], [0.5, 0.5]]))


def test_rows_above_one_are_scaled_before_they_are_weighed() -> None:
    rows = certified(lambda share: warner(0.9 * share) * [[3.0], [1.0 + 1e-7]], dn.LDP(1.0))
    assert np.abs(rows.floats()[:, :2] - warner(0.9)).max() < 1e-6


def test_a_later_share_may_succeed() -> None:
    """An optimizer right to 2e-8 only is sent farther below."""
    asked: list[float] = []

    def careless(share: float) -> Array:
        asked.append(share)
        return warner(share * (1 + 2e-8))

    rows = certified(careless, dn.LDP(1.0))
    assert dn.LDP(1.0).judge(rows).holds
    assert [round(1 - share, 10) for share in asked] == [1e-9, 1e-8, 1e-7]


def test_a_wrong_shape_is_refused() -> None:
    def short(share: float) -> Any:
        return warner(share)

    with pytest.raises(dn.ParameterError, match="matrix must have 3 rows"):
        certified(short, dn.HighLow(3, [0], 1.0))

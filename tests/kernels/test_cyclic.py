"""Decoding on a circle: exact against a brute-force twin, whatever the skew, and loud when anything is off."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deniable.kernels.cyclic import ROUNDING_LIMIT, CyclicTransform, support_counts
from deniable.protocol.designs import Design
from deniable.protocol.errors import CapacityError
from deniable.theory.singer import choose, positions

Counts = npt.NDArray[np.int64]


def brute_force(counts: Counts, points: npt.NDArray[np.int32], size: int) -> list[int]:
    """The definition, in Python's integers."""
    return [sum(int(counts[(x + delta) % len(counts)]) for delta in points.tolist()) for x in range(size)]


def spot_check(counts: Counts, design: Design, size: int, rng: np.random.Generator) -> None:
    """Compare a few of many decoded symbols with their direct sums, which stay below 2^63."""
    points = positions(design)
    decoded = support_counts(counts, points, size)
    for x in (0, size - 1, *rng.integers(0, size, 30).tolist()):
        assert decoded[x] == counts[(x + points) % design.length].sum()


@settings(deadline=None)
@given(st.data())
def test_decoding_equals_the_brute_force_twin(data: st.DataObject) -> None:
    """Any circle, any set, any part of the circle, any counts up to a sum near 2^62."""
    length = data.draw(st.integers(1, 40))
    size = data.draw(st.integers(1, length))
    points = np.array(sorted(data.draw(st.sets(st.integers(0, length - 1), min_size=1))), np.int32)
    bins = st.integers(0, 2 ** data.draw(st.integers(0, 56)))
    counts = np.array(data.draw(st.lists(bins, min_size=length, max_size=length)), np.int64)
    assert support_counts(counts, points, size).tolist() == brute_force(counts, points, size)


@pytest.mark.parametrize("size", [1, 2, 300, 364])
def test_parts_and_the_whole_of_a_design_decode_alike(size: int) -> None:
    """The whole circle, where nothing is cut off, down to one symbol; and no reports at all."""
    points = positions(Design.singer(3, 6))
    counts = np.random.default_rng(5).integers(0, 1000, 364)
    assert support_counts(counts, points, size).tolist() == brute_force(counts, points, size)
    assert not support_counts(np.zeros(364, np.int64), points, size).any()


@pytest.mark.parametrize("design", [Design.singer(2, 12), Design.singer(9, 4), Design.singer(4, 10)])
@pytest.mark.parametrize("users", [10**12, 2**62, 2**63 - 1])
def test_all_reports_in_one_bin_stay_exact(design: Design, users: int) -> None:
    """The worst skew: every supported symbol has all the reports, every other one none."""
    counts = np.zeros(design.length, np.int64)
    counts[design.length // 3] = users
    decoded = support_counts(counts, positions(design), design.length)
    supported = np.zeros(design.length, bool)
    supported[(design.length // 3 - positions(design)) % design.length] = True
    assert (decoded[supported] == users).all()
    assert not decoded[~supported].any()


@pytest.mark.parametrize("users", [10**6, 10**12, 2**62, 2**63 - 1])
@pytest.mark.parametrize("skew", ["even", "uniform", "heavy"])
def test_many_reports_stay_exact(users: int, skew: str) -> None:
    """Sums far beyond 2^53, evenly and unevenly spread over 349,525 messages."""
    design, rng = Design.singer(4, 10), np.random.default_rng(11)
    weights = {
        "even": np.ones(design.length),
        "uniform": rng.random(design.length),
        "heavy": 1 / (1.0 + rng.permutation(design.length)) ** 2,
    }[skew]
    counts = np.floor(weights / weights.sum() * users * (1 - 1e-12)).astype(np.int64)
    counts[0] += users - int(counts.sum())
    spot_check(counts, design, 300_000, rng)


def test_many_reports_need_several_pieces_and_few_need_one() -> None:
    """The error bound, not luck, decides: 10^7 reports fit one transform, 2^62 do not."""
    around = CyclicTransform.of(349_525, positions(Design.singer(4, 10)), 349_525)
    counts = np.full(349_525, 28, np.int64)
    assert [shift for shift, _ in around._digits(counts)] == [0]
    pieces = list(around._digits(counts << 39))
    assert len(pieces) > 1
    assert sum(int(digit[0]) << shift for shift, digit in pieces) == 28 << 39


def test_the_error_bound_holds_with_room() -> None:
    """Counts just small enough for one piece leave residues far below the limit that the bound allows."""
    around = CyclicTransform.of(349_525, positions(Design.singer(4, 10)), 349_525)
    counts = np.random.default_rng(2).integers(0, 2**24, 349_525)
    assert len(list(around._digits(counts))) == 1
    values = around.gather(counts.astype(np.float64))
    assert 0 < np.abs(values - np.rint(values)).max() < ROUNDING_LIMIT / 10


def test_spread_and_gather_are_transposes_of_each_other() -> None:
    """Both equal the dense matrix, so the likelihood's two maps belong together."""
    design, size = Design.singer(5, 4), 130
    points = positions(design)
    around, rng = CyclicTransform.of(design.length, points, size), np.random.default_rng(3)
    inside = np.zeros((design.length, size))
    for x in range(size):
        inside[(x + points) % design.length, x] = 1.0
    symbols, messages = rng.random(size), rng.random(design.length)
    np.testing.assert_allclose(around.spread(symbols), inside @ symbols, rtol=1e-12)
    np.testing.assert_allclose(around.gather(messages), inside.T @ messages, rtol=1e-12)


def test_a_broken_transform_is_refused() -> None:
    """Planted faults: a spectrum off by a thousandth, one of NaN, and one of another set that rounds perfectly."""
    design = Design.singer(7, 4)
    points = positions(design)
    around = CyclicTransform.of(design.length, points, 350)
    counts = np.random.default_rng(4).integers(0, 100, design.length)
    for spectrum in (around.spectrum * 1.001, around.spectrum * np.nan):
        with pytest.raises(CapacityError, match=r"within 0\.25 of integers"):
            replace(around, spectrum=spectrum).support_counts(counts)
    moved = points.copy()
    moved[-1] = np.setdiff1d(np.arange(design.length), points)[0]
    with pytest.raises(CapacityError, match="checksum"):
        replace(around, spectrum=CyclicTransform.of(design.length, moved, 350).spectrum).support_counts(counts)


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 2.0, 3.0])
def test_a_million_symbols_decode_within_two_seconds_of_cpu(epsilon: float) -> None:
    """The promise for a tally at d = 1,000,000; measured 0.3 to 0.6 s."""
    design = choose(1_000_000, epsilon)
    points, rng = positions(design), np.random.default_rng(6)
    counts = np.bincount(rng.integers(0, design.length, 1_000_000), minlength=design.length)
    start = time.process_time()
    decoded = support_counts(counts, points, 1_000_000)
    assert time.process_time() - start < 2.0
    assert decoded[17] == counts[(17 + points) % design.length].sum()

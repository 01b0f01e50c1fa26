"""Inversions, projections and recursions against twins in fractions."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import numpy.typing as npt
from tests.cases import each
from tests.kernels import twins

from deniable.kernels.arithmetic import affine, affine_projected, common_zeros, decayed, project_simplex

Vector = npt.NDArray[np.float64]
SIZES = [0, 1, 2, 7, 8, 9, 16, 33, 257]
ROUNDING = Fraction(1, 1 << 53)
"""The most that one rounding changes a number, relative to it: half an ulp."""
HUGE = 1e17
"""Beyond it 1 is lost in rounding."""


def distance(found: Vector, exact: list[Fraction]) -> Fraction:
    """The largest difference of two numbers."""
    return max((abs(Fraction(a) - b) for a, b in zip(found.tolist(), exact, strict=True)), default=Fraction())


@each("size", SIZES)
def test_the_inversion_is_rounded_as_it_is_written(size: int) -> None:
    """To the bit: a count becomes a double, then comes the product, then the difference."""
    source = np.random.default_rng(size)
    counts = source.integers(-(1 << 63), 1 << 63, size) >> source.integers(0, 63, size)
    scale, offset = source.random(2).tolist()
    assert affine(counts, scale, offset).tolist() == [scale * count - offset for count in counts.tolist()]
    found, point = affine_projected(counts, scale, offset)
    assert (found.tolist(), point.tolist()) == (affine(counts, scale, offset).tolist(), project_simplex(found).tolist())


@each("size", SIZES)
@each("spread", [0.0, 0.01, 1.0, 30.0])
def test_projections_equal_their_twin(size: int, spread: float) -> None:
    """Within 4 ulps of the largest number: the level is rounded at its size, then come a difference and a product."""
    v = np.random.default_rng(size).normal(1 / (size + 1), spread, size)
    limit = 8 * ROUNDING * Fraction(max(1.0, *abs(v), 0.0))
    assert distance(project_simplex(v), twins.project_simplex(v.tolist())) <= limit
    v[:1] = -HUGE
    assert distance(project_simplex(v), twins.project_simplex(v.tolist())) <= limit
    v[: size // 2] = v.max(initial=0.0)  # ties at the top
    assert distance(project_simplex(v), twins.project_simplex(v.tolist())) <= limit


@each(
    "v",
    [[HUGE], [HUGE, -HUGE], [HUGE] * 3, [-HUGE] * 11, [-HUGE, 0.0], [-1e308, 0.0, 0.0], [0.0, *[HUGE] * 9, HUGE - 16]],
)
def test_the_largest_share_all_where_one_is_lost_in_rounding(v: list[float]) -> None:
    """Equally, and a share is rounded once."""
    assert distance(project_simplex(np.array(v)), twins.project_simplex(v)) <= ROUNDING


@each("size", SIZES[:-1])
@each("ratio", [0.0, 0.5, 0.9, 1.0])
def test_sums_that_decay_equal_their_twin(size: int, ratio: float) -> None:
    """No value goes through more than two roundings for each label, a product and a sum."""
    values = np.random.default_rng(size).normal(size=size)
    largest = max(twins.decayed(abs(values).tolist(), ratio), default=Fraction())
    assert distance(decayed(values, ratio), twins.decayed(values.tolist(), ratio)) <= 2 * size * ROUNDING * largest


@each(("prime", "terms"), [(2, 1), (2, 3), (3, 2), (5, 4), (251, 3), (32749, 4)])
@each(("length", "rows"), [(0, 2), (1, 1), (1, 9), (7, 0), (64, 1), (65, 2), (300, 1), (33, 3)])
def test_zeros_of_a_recurrence_equal_their_twin(prime: int, terms: int, length: int, rows: int) -> None:
    source = np.random.default_rng((prime, terms, length, rows))
    taps, lags = source.integers(1, prime, terms).astype(np.uint32), source.integers(1, 64, terms).astype(np.uint32)
    lags[0] = 63 if rows % 2 else 1
    found = common_zeros(prime, taps, lags, length, rows)
    assert found.tolist() == twins.common_zeros(prime, taps.tolist(), lags.tolist(), length, rows)

"""Tails of sums over random hashes, against every outcome written out."""

from __future__ import annotations

import itertools
import math

import numpy as np
import numpy.typing as npt
import pytest

from deniable.estimation.chances import STEEPEST, occupancy
from deniable.kernels._kernels import cumulants
from deniable.kernels.tails import log_tail

Vector = npt.NDArray[np.float64]
Matrix = npt.NDArray[np.float64]


def outcomes(field: Matrix, hashes: int) -> Vector:
    """The sum of each way to hash, all of them equally likely; a symbol that comes twice counts once."""
    sums = np.zeros(1)
    for row in field:
        own = [row[sorted(set(symbols))].sum() for symbols in itertools.product(range(len(row)), repeat=hashes)]
        sums = np.add.outer(sums, np.array(own)).ravel()
    return sums


def fields(cohorts: int, r: int) -> list[Matrix]:
    """Noise, one high cell a cohort, the same over noise, and cohorts that differ."""
    rng = np.random.default_rng(5)
    noise, peaks = rng.standard_normal((cohorts, r)), np.zeros((cohorts, r))
    peaks[np.arange(cohorts), rng.integers(0, r, cohorts)] = 1.0
    return [noise, peaks, peaks + 0.2 * noise, noise * np.arange(1, cohorts + 1)[:, None] ** 2, peaks - peaks.mean()]


SHAPES = [(1, 4, 1), (4, 5, 1), (8, 4, 1), (3, 4, 2), (2, 6, 3), (1, 3, 5)]


@pytest.mark.parametrize(("cohorts", "r", "hashes"), SHAPES)
def test_no_tail_is_too_small(cohorts: int, r: int, hashes: int) -> None:
    """At each sum that can be; and it is not just 1: at most twenty times the tail, eight on average."""
    occupied = occupancy(r, hashes)
    for drawn in fields(cohorts, r):
        field = drawn / np.abs(drawn).max()
        sums = outcomes(field, hashes)
        ratios = []
        for s in np.unique(sums.round(12))[-200:]:
            exact = float(np.mean(sums >= s - 1e-9))
            bound = math.exp(log_tail(field, occupied, s - 1e-9, STEEPEST / hashes))
            assert bound >= exact * (1 - 1e-9)
            ratios.append(bound / exact)
        assert max(ratios) < 20
        assert np.exp(np.mean(np.log(ratios))) < 8


@pytest.mark.parametrize(("cohorts", "r", "hashes"), SHAPES)
@pytest.mark.parametrize("t", [0.0, 0.7, 5.0])
def test_cumulants_are_those_of_the_weighted_law(cohorts: int, r: int, hashes: int, t: float) -> None:
    for field in fields(cohorts, r):
        sums = outcomes(field, hashes)
        weights = np.exp(t * sums)
        mean = float(weights @ sums / weights.sum())
        variance = float(weights @ (sums - mean) ** 2 / weights.sum())
        k0, k1, k2, third = cumulants(field, t, occupancy(r, hashes))
        assert (k0, k1, k2) == pytest.approx((math.log(weights.mean()), mean, variance), abs=1e-9)
        if cohorts == 1:
            assert third >= weights @ np.abs(sums - mean) ** 3 / weights.sum() - 1e-9


def test_many_cohorts_cost_little_power() -> None:
    """256 cohorts of noise, where the normal law is all but right: at most four times its tail up to 5 deviations."""
    field = np.random.default_rng(6).standard_normal((256, 16))
    field /= np.abs(field).max()
    occupied = occupancy(16, 1)
    _, mean, variance, _ = cumulants(field, 0.0, occupied)
    for z, normal in ((2.0, 0.02275), (4.0, 3.167e-5), (5.0, 2.867e-7)):
        bound = math.exp(log_tail(field, occupied, mean + z * math.sqrt(variance), STEEPEST))
        assert normal < bound < 4 * normal

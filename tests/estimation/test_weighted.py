"""Rows with weights: errors by linearization hold as often as they say, and those that forget weights are found out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats
from tests.lengths import by_length

import deniable as dn
from deniable.arrays import Flags, Matrix
from deniable.estimation.numbers.mean import MeanEvidence, WeightedMean
from deniable.estimation.weighted import DrawnRows, WeightedEvidence, WeightedSource

MECHANISM = dn.RandomizedResponse(3, 1.5)
ROUNDS, ROWS, HEAVY, PART = by_length(400, 4000), 300, 6.0, 0.15
LIGHT_SHARES, HEAVY_SHARES = np.array([0.1, 0.45, 0.45]), np.array([0.4, 0.3, 0.3])
TRUTH = ((1 - PART) * LIGHT_SHARES + PART * HEAVY * HEAVY_SHARES) / (1 - PART + PART * HEAVY)
ALARM = 1e-7
"""How often each of the tests below fails by chance; counts of misses are binomial."""


def survey(generator: np.random.Generator) -> WeightedEvidence:
    """Some people count for many more and answer otherwise: without weights every share is off by ten points."""
    heavy = generator.random(ROWS) < PART
    weights = np.where(heavy, HEAVY, 1.0) * generator.uniform(0.5, 1.5, ROWS)
    draws = generator.random(ROWS)[:, None]
    held = np.where(heavy[:, None], draws > HEAVY_SHARES.cumsum(), draws > LIGHT_SHARES.cumsum()).sum(axis=1)
    reports = MECHANISM.privatize_many(held, seed=int(generator.integers(1 << 31)))
    found = MECHANISM.estimate(reports, weights=weights).evidence
    assert isinstance(found, WeightedEvidence)
    return found


@pytest.fixture(scope="module")
def surveys() -> list[WeightedEvidence]:
    generator = np.random.default_rng(11)
    return [survey(generator) for _ in range(ROUNDS)]


def missed(bounds: Matrix) -> Flags:
    return np.asarray((bounds[:, 0] > TRUTH) | (bounds[:, 1] < TRUTH))


def test_intervals_hold_as_often_as_they_say(surveys: list[WeightedEvidence]) -> None:
    misses = np.sum([missed(each.interval(0.05)) for each in surveys], axis=0)
    assert (stats.binom.sf(misses - 1, ROUNDS, 0.05) > ALARM).all(), misses
    assert stats.binom.sf(misses.max() - 1, ROUNDS, 0.005) < ALARM  # and not by being endless


def test_errors_are_those_that_estimates_have(surveys: list[WeightedEvidence]) -> None:
    """The mean square of the errors is the variance of the estimates, within what chance may do (chi-square)."""
    spread = np.var([each.unbiased() for each in surveys], axis=0, ddof=1)
    said = np.mean([each.stderr() ** 2 for each in surveys], axis=0)
    low, high = (stats.chi2.ppf(tail, ROUNDS - 1) / (ROUNDS - 1) for tail in (ALARM / 2, 1 - ALARM / 2))
    assert (spread / said > low * 0.97).all()
    assert (spread / said < high * 1.03).all()


def test_estimates_are_unbiased_and_would_not_be_without_weights(surveys: list[WeightedEvidence]) -> None:
    means = np.mean([each.unbiased() for each in surveys], axis=0)
    errors = np.std([each.unbiased() for each in surveys], axis=0) / np.sqrt(ROUNDS)
    assert (np.abs(means - TRUTH) < 6 * errors + 0.005).all()  # a ratio is off by one over the rows
    assert abs((1 - PART) * LIGHT_SHARES[0] + PART * HEAVY_SHARES[0] - TRUTH[0]) > 0.08


def test_errors_that_take_weights_for_counts_are_found_out(surveys: list[WeightedEvidence]) -> None:
    """A planted fault: as if all rows counted alike, and the weights only moved the shares."""
    faulty = [replace(each, squares=each.weights * each.weights.sum() / each.n) for each in surveys]
    misses = np.sum([missed(each.interval(0.05)) for each in faulty], axis=0)
    assert stats.binom.sf(misses.max() - 1, ROUNDS, 0.05) < ALARM


def test_sums_and_draws_vary_as_shares_do(surveys: list[WeightedEvidence]) -> None:
    source = WeightedSource(surveys[0])
    weights = np.array([[1.0, -1.0, 0.0], [1.0, 1.0, 1.0], [1.0, 0.0, 0.0]])
    covariance = source.covary(np.eye(3), TRUTH[None])
    assert source.sums(weights).variances == pytest.approx(np.diag(weights @ covariance @ weights.T), abs=1e-12)
    assert surveys[0].contrast_variance(weights[0]) == pytest.approx(source.sums(weights).variances[0])
    drawn = source.draws(TRUTH, 20_000, np.random.default_rng(2))
    assert np.cov(drawn.T) == pytest.approx(covariance, abs=0.05 * float(np.diag(covariance).max()))
    reaches = source.sums(weights).reaches(0.05)
    assert reaches[1] == pytest.approx([0, 0], abs=1e-9)  # all shares together are 1, whatever was reported
    assert (reaches[[0, 2]] >= 1.959 * np.sqrt(source.sums(weights).variances[[0, 2], None])).all()


def test_a_label_that_nobody_supports_is_not_certain() -> None:
    many = dn.RandomizedResponse(50, 6.0)
    found = many.estimate(np.zeros(40, np.uint8), weights=np.ones(40))
    assert (found.stderr > 0).all()
    assert (found.interval()[1:, 1] > 0.05).all()


def test_a_weighted_mean_of_people_who_count_alike_is_nearly_the_plain_one() -> None:
    values, counts = np.array([-2.0, 2.0]), np.array([[40, 60]])
    plain = MeanEvidence(counts, values)
    places = np.repeat([0, 1], counts[0])
    found = WeightedMean(WeightedEvidence.of(values[None], places, DrawnRows(np.full(100, 3.0), None)))
    assert found.n == plain.n
    assert found.value == pytest.approx(plain.value)
    assert found.stderr == pytest.approx(plain.stderr, rel=0.02)
    assert found.interval(0.95) == pytest.approx(plain.interval(0.95), abs=0.02)
    assert found.largest_stderr == pytest.approx(plain.largest_stderr, rel=0.02)

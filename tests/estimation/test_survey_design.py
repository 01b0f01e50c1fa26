"""Strata and clusters: sums vary as survey statistics has it, by hand, by statsmodels and by simulation."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from importlib import import_module
from typing import Any

import numpy as np
import pytest
from scipy import stats
from tests.cases import each
from tests.lengths import by_length

import deniable as dn
from deniable.arrays import Indices
from deniable.estimation.survey_design import SurveyDesign
from deniable.estimation.weighted import WeightedEvidence
from deniable.protocol.errors import ParameterError

COIN = dn.RandomizedResponse(["no", "yes"], 3.0)
ALARM = 1e-7
"""How often each of the tests by simulation fails by chance; counts of misses are binomial."""


def evidence_of(estimate: Any) -> WeightedEvidence:
    assert isinstance(estimate.evidence, WeightedEvidence)
    return estimate.evidence


def test_two_strata_by_hand() -> None:
    """Reports that cannot lie; in fractions, cluster by cluster."""
    said, weights = ["yes", "no", "yes", "yes", "no", "no", "yes"], [1, 2, 1, 3, 1, 1, 1]
    clusters, strata = ["a", "a", "b", "c", "c", "d", "e"], ["north"] * 3 + ["south"] * 4
    certain = dn.Channel(["no", "yes"], [[1, 0], [0, 1]])
    reports = certain.privatize_many(said, seed=1)
    found = certain.estimate(reports, "unbiased", weights=weights, strata=strata, clusters=clusters)
    mean = Fraction(6, 10)
    moved = {"a": (1 - mean) - 2 * mean, "b": 1 - mean, "c": 3 * (1 - mean) - mean, "d": -mean, "e": 1 - mean}
    variance = Fraction(0)
    for own in ("ab", "cde"):
        middle = sum((moved[name] for name in own), Fraction(0)) / len(own)
        squares = sum(((moved[name] - middle) ** 2 for name in own), Fraction(0))
        variance += Fraction(len(own), len(own) - 1) * squares
    assert found.unbiased == pytest.approx([0.4, 0.6])
    assert found.stderr**2 == pytest.approx([float(variance / 100)] * 2, rel=1e-12)
    assert evidence_of(found).freedom == 3
    assert "(clusters: 5; strata: 2): 7 of them" in str(found)


def test_clusters_are_those_of_statsmodels() -> None:
    """A weighted mean is least squares on a constant, whose cluster errors have G/(G - 1) too."""
    models: Any = import_module("statsmodels.regression.linear_model")
    rng = np.random.default_rng(3)
    reports, weights = rng.integers(0, 2, 300).astype(np.uint8), rng.uniform(0.5, 3, 300)
    clusters = rng.integers(0, 25, 300)
    found = COIN.estimate(reports, "unbiased", weights=weights, clusters=clusters)
    worth = np.array([COIN.estimate([report], "unbiased").unbiased[1] for report in (0, 1)])[reports]
    fit = models.WLS(worth, np.ones(300), weights=weights).fit(cov_type="cluster", cov_kwds={"groups": clusters})
    assert found.unbiased[1] == pytest.approx(fit.params[0], rel=1e-12)
    assert found.stderr[1] == pytest.approx(fit.bse[0], rel=1e-9)


def test_rows_by_themselves_are_nearly_what_weights_alone_are() -> None:
    rng = np.random.default_rng(5)
    reports, weights = rng.integers(0, 2, 2000).astype(np.uint8), rng.uniform(0.5, 3, 2000)
    alone, apart = (
        COIN.estimate(reports, "unbiased", weights=weights, clusters=clusters) for clusters in (None, range(2000))
    )
    assert apart.stderr == pytest.approx(alone.stderr, rel=2e-3)
    assert apart.interval() == pytest.approx(alone.interval(), abs=2e-3)
    own, other = evidence_of(alone), evidence_of(apart)
    assert other.stderr("sample") == pytest.approx(own.stderr("sample"), rel=1e-12)


# --- by simulation ----------------------------------------------------------------------------------------------------

ROUNDS, CLUSTERS, SIZE, STRATA = by_length(400, 4000), 48, 16, 3
SHARES = np.array([0.1, 0.3, 0.6])
"""Of the strata; clusters of each vary around them."""


def survey(generator: np.random.Generator) -> WeightedEvidence:
    """As many clusters of each stratum, in which people answer alike more often than not."""
    strata = np.repeat(np.arange(STRATA), CLUSTERS // STRATA)
    chances = generator.beta(SHARES[strata], 1 - SHARES[strata])
    held = generator.random((CLUSTERS, SIZE)) < chances[:, None]
    labels = np.array(["no", "yes"])[held.astype(np.int64).ravel()].tolist()
    reports = COIN.privatize_many(labels, seed=int(generator.integers(1 << 31)))
    clusters = np.repeat(np.arange(CLUSTERS), SIZE)
    return evidence_of(COIN.estimate(reports, strata=strata[clusters], clusters=clusters))


@pytest.fixture(scope="module")
def surveys() -> list[WeightedEvidence]:
    generator = np.random.default_rng(12)
    return [survey(generator) for _ in range(ROUNDS)]


def misses(evidence: list[WeightedEvidence]) -> int:
    bounds = np.array([each.interval(0.05)[1] for each in evidence])
    return int(((bounds[:, 0] > SHARES.mean()) | (bounds[:, 1] < SHARES.mean())).sum())


def test_intervals_hold_as_often_as_they_say(surveys: list[WeightedEvidence]) -> None:
    missed = misses(surveys)
    assert stats.binom.sf(missed - 1, ROUNDS, 0.05) > ALARM, missed
    assert stats.binom.sf(missed - 1, ROUNDS, 0.005) < ALARM  # and not by being endless


def test_errors_are_those_that_estimates_have(surveys: list[WeightedEvidence]) -> None:
    spread = np.var([each.unbiased()[1] for each in surveys], ddof=1)
    said = np.mean([each.stderr()[1] ** 2 for each in surveys])
    low, high = (stats.chi2.ppf(tail, ROUNDS - 1) / (ROUNDS - 1) for tail in (ALARM / 2, 1 - ALARM / 2))
    assert low * 0.97 < spread / said < high * 1.03


def test_errors_that_forget_clusters_or_strata_are_found_out(surveys: list[WeightedEvidence]) -> None:
    """Planted faults: without clusters intervals are too narrow, without strata errors are too large."""
    assert stats.binom.sf(misses([replace(each, drawn=None) for each in surveys]) - 1, ROUNDS, 0.05) < ALARM
    drawn = [each.drawn for each in surveys if each.drawn is not None]
    bare = [replace(each, design=replace(each.design, strata=np.zeros(CLUSTERS, np.int64))) for each in drawn]
    faulty = [replace(own, drawn=other) for own, other in zip(surveys, bare, strict=True)]
    spread = np.var([each.unbiased()[1] for each in surveys], ddof=1)
    said = np.mean([each.stderr()[1] ** 2 for each in faulty])
    assert spread / said < stats.chi2.ppf(ALARM / 2, ROUNDS - 1) / (ROUNDS - 1)


# --- what is refused --------------------------------------------------------------------------------------------------

REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"strata": [0, 0, 0, 1]}, "two clusters or more, got 1 with a single one; put strata together"),
    ({"clusters": ["a"] * 4}, "two clusters or more, got 1 with a single one"),
    ({"strata": [0, 0, 1]}, "strata must be a column of 4 values, one for each row, got 3 values"),
    ({"clusters": "village"}, "clusters must be a column of 4 values, one for each row, got str"),
    ({"clusters": [1, None, 2, float("nan")]}, "clusters must be known of every row with a report, got 2 rows without"),
]


@each("given", REFUSED)
def test_bad_designs_get_one_error(given: tuple[dict[str, Any], str]) -> None:
    with pytest.raises(ParameterError, match=given[1]):
        COIN.estimate(np.array([0, 1, 1, 0], np.uint8), **given[0])


def test_clusters_of_one_name_in_two_strata_are_two() -> None:
    codes: Indices = np.array([0, 1, 0, 1])
    assert len(SurveyDesign.of(np.array([0, 0, 1, 1]), codes, 4).strata) == 4

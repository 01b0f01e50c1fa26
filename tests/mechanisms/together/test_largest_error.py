"""``risk(loss="linf")`` of every mechanism: against the normal limit of its channel, and against simulated surveys.

Each comparison fails by chance less than once in 10^8; there are fewer than 200.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats
from tests.cases import each
from tests.lengths import by_length
from tests.mechanisms.examples import SIZES, make

import deniable as dn
from deniable.arrays import Vector
from deniable.engines.repeat import surveys
from deniable.mechanisms.mechanism import Mechanism, evidence_of
from deniable.mechanisms.registry import FAMILIES
from deniable.theory.risk.variance import Target
from deniable.values.values import closed_domain

NAMES = [family.name for family in FAMILIES.values() if not family.hashed and not family.lists]
LOOSE = dn.Blocks | dn.Distance | dn.InformationPrivacy
FALSE_ALARM = 1e-8
REPEATS = by_length(300, 800)
ABOVE = 1.02
"""How far finite surveys may exceed the limit: supports of rare labels are not quite normal."""
BELOW = 0.9


def limit(m: Mechanism, truth: Vector, target: Target) -> tuple[float, float]:
    """The mean of the largest error in the normal limit, of one report, and how far off it may be."""
    rows, reports = m.channel().probabilities, m.layout.every_report()
    single = np.array([m.estimate(reports[y : y + 1], "unbiased").unbiased for y in range(m.layout.outputs)])
    if target == "population":
        covariance = (single.T * (truth @ rows)) @ single - np.outer(truth, truth)
    else:
        covariance = (single.T * (truth @ rows)) @ single - np.diag(truth)
    draws = np.random.default_rng(5).multivariate_normal(np.zeros(len(truth)), covariance, 40_000, method="eigh")
    tops = np.abs(draws).max(axis=1)
    return float(tops.mean()), float(stats.norm.isf(FALSE_ALARM) * tops.std() / np.sqrt(len(tops)))


@each("target", ["population", "sample"])
@each("d", SIZES)
@each("name", NAMES)
def test_the_limit_is_bounded_from_above(name: str, d: int, target: Target) -> None:
    """By at most 8%; by 30% where reports hardly tell labels apart, or errors of a block or neighbours cancel out."""
    m = make(name, d, 1.0)
    d = len(closed_domain(m.domain))
    truth, n = np.arange(1, d + 1) / (d * (d + 1) / 2), 10**9
    found, noise = limit(m, truth, target)
    risk = m.risk(n, "linf", truth, target) * n**0.5
    assert found - noise <= risk <= (found + noise) * (1.3 if isinstance(m.guarantee, LOOSE) else 1.08)


@each("name", NAMES)
def test_without_a_truth_it_is_a_worst_one(name: str) -> None:
    m, draws = make(name, 5, 1.0), np.random.default_rng(4)
    worst = m.risk(10**6, "linf")
    for shape in (0.1, 1, 5):
        for truth in draws.dirichlet(np.full(len(closed_domain(m.domain)), shape), size=20):
            assert m.risk(10**6, "linf", truth) <= worst * (1 + 1e-4)


def tops(m: Mechanism, truth: Vector, n: int, target: Target) -> Vector:
    """The largest errors of simulated surveys."""
    found = []
    for people, tally in surveys(m, truth, n, seed=8, repeats=REPEATS, target="population"):
        estimate = evidence_of(m, tally).unbiased()
        found.append(float(np.abs(estimate - (truth if target == "population" else people / n)).max()))
    return np.array(found)


def refuted(found: Vector, predicted: float) -> bool:
    """Student's t: the mean is more than 2% above what is predicted, or 10% below."""
    high = stats.ttest_1samp(found, predicted * ABOVE, alternative="greater").pvalue
    low = stats.ttest_1samp(found, predicted * BELOW, alternative="less").pvalue
    return bool(min(float(high), float(low)) < FALSE_ALARM)


@pytest.mark.soak
@each("target", ["population", "sample"])
@each("d", [2, 16])
@each("name", ["RandomizedResponse", "Subset", "Rappor", "Hadamard", "HighLowHadamard"])
def test_surveys_err_as_predicted(name: str, d: int, target: Target) -> None:
    """And 40% more or less would be seen: the planted fault."""
    m, n = make(name, d, 1.0), 10_000
    truth = np.linspace(2, 1, d) / np.linspace(2, 1, d).sum()
    found, predicted = tops(m, truth, n, target), m.risk(n, "linf", truth, target)
    assert not refuted(found, predicted)
    assert refuted(found * 1.4, predicted)
    assert refuted(found * 0.6 * BELOW, predicted)


def test_the_wrong_loss_is_refused() -> None:
    wrong: Any = "l3"
    with pytest.raises(dn.ParameterError, match=r'^loss must be "l2", "l1" or "linf", got loss=\'l3\'$'):
        dn.Subset(4, 1.0).risk(10, wrong)

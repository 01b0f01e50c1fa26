"""Coverage of 95% intervals over thousands of surveys: marginal and simultaneous, both targets, 50 people too.

Intervals promise at least 95% for any number of people, so the least share is 2.3 standard deviations away for one
label and more for their mean; the seeds are fixed. A planted fault (intervals one part in ten too narrow) must be
caught.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from tests.lengths import by_length

import deniable as dn
from deniable.arrays import Counts
from deniable.engines.simulate import simulate_tally
from deniable.estimation.evidence import LinearEvidence, SignedEvidence, SupportEvidence
from deniable.mechanisms.mechanism import Mechanism, evidence_of
from deniable.values.values import closed_domain

pytestmark = pytest.mark.soak
SURVEYS = by_length(1500, 10_000)
SPREAD = math.sqrt(0.95 * 0.05 / SURVEYS)
LEAST = 0.95 - 2.3 * SPREAD
MECHANISMS: list[Mechanism] = [
    dn.RandomizedResponse(5, 1.0),
    dn.RandomizedResponse(2, 0.5),
    dn.Rappor(5, 1.0),
    dn.OptimizedUnary(5, 3.0),
    dn.Subset(6, 1.0),
    dn.Hadamard(6, 1.0, parts=1),
    dn.Hadamard(8, 3.0, parts=4),
    dn.Cyclic(6, 1.0),
    dn.Channel(3, [[0.6, 0.3, 0.1], [0.2, 0.6, 0.2], [0.25, 0.25, 0.5]]),
]
Bools = npt.NDArray[np.bool_]


def make_truth(d: int) -> npt.NDArray[np.float64]:
    """Half of the people hold the first label, nobody the last."""
    weights = np.array([0.5, *np.linspace(0.4, 0.1, d - 2), 0.0]) if d > 2 else np.array([0.9, 0.1])
    return np.asarray(weights / weights.sum())


def histograms(index: Counts, length: int) -> Counts:
    """[surveys, length]: how often each number stands in each row."""
    rows = np.arange(len(index))[:, None] * length
    return np.bincount((rows + index).ravel(), minlength=len(index) * length).reshape(len(index), length)


@lru_cache(maxsize=1)
def drawn(m: Mechanism, n: int) -> tuple[Counts, Counts]:
    """[surveys, d] and [surveys, reports]: how many hold each label and send each report, drawn once for every use."""
    d, rng = len(closed_domain(m.domain)), np.random.default_rng(3)
    values = rng.choice(d, (SURVEYS, n), p=make_truth(d))
    index = m.layout.report_index(m.privatize_many(values.ravel(), seed=21)).reshape(SURVEYS, n)
    return histograms(values, d), histograms(index, m.layout.outputs)


def covered(m: Mechanism, n: int, level: float, target: Any, narrow: float = 1.0) -> Bools:
    """[surveys, d]: whether each survey's interval holds the share it is about."""
    held, seen = drawn(m, n)
    meant = held / n if target == "sample" else np.tile(make_truth(len(closed_domain(m.domain))), (SURVEYS, 1))
    bounds = _bounds(m, seen, n, 1 - level, target)
    middle = bounds.mean(axis=2, keepdims=True)
    bounds = middle + narrow * (bounds - middle)
    slack = 1e-12
    return np.asarray((bounds[:, :, 0] <= meant + slack) & (meant <= bounds[:, :, 1] + slack))


def _bounds(m: Mechanism, seen: Counts, n: int, alpha: float, target: Any) -> npt.NDArray[np.float64]:
    """Intervals of all surveys in one call: the evidence of one report, as often as it was seen."""
    d, reports = len(closed_domain(m.domain)), m.layout.every_report()
    single = [evidence_of(m, m.tally(reports[y : y + 1])) for y in range(m.layout.outputs)]
    first = single[0]
    if isinstance(first, SupportEvidence):
        counts = seen @ np.array([e.counts for e in single if isinstance(e, SupportEvidence)])
        return first._replace(n=n, counts=counts.ravel()).interval(alpha, target).reshape(-1, d, 2)
    if isinstance(first, SignedEvidence):
        plus = seen @ np.array([e.plus for e in single if isinstance(e, SignedEvidence)])
        minus = seen @ np.array([e.minus for e in single if isinstance(e, SignedEvidence)])
        return replace(first, n=n, plus=plus.ravel(), minus=minus.ravel()).interval(alpha, target).reshape(-1, d, 2)
    assert isinstance(first, LinearEvidence)
    distinct, where = np.unique(seen, axis=0, return_inverse=True)
    return np.stack([replace(first, n=n, counts=c).interval(alpha, target) for c in distinct])[where]


@pytest.mark.parametrize("target", ["population", "sample"])
@pytest.mark.parametrize("n", [50, 700])
@pytest.mark.parametrize("m", MECHANISMS, ids=repr)
def test_coverage(m: Mechanism, n: int, target: str) -> None:
    marginal = covered(m, n, 0.95, target)
    assert marginal.mean() >= LEAST
    assert marginal.mean(axis=0).min() >= LEAST - 1.9 * SPREAD
    simultaneous = covered(m, n, 1 - 0.05 / len(closed_domain(m.domain)), target)
    assert simultaneous.all(axis=1).mean() >= LEAST


def test_narrow_intervals_are_caught() -> None:
    """Declared power: at 700 people, intervals a tenth too narrow cover 92 to 93%."""
    for m in (dn.Subset(6, 1.0), dn.RandomizedResponse(5, 1.0)):
        assert covered(m, 700, 0.95, "population", narrow=0.9).mean() < LEAST


def test_the_public_intervals_are_these() -> None:
    """Estimate.interval clips the evidence's and tightens the simultaneous ones: still holding what they held."""
    m, truth = dn.Subset(6, 1.0), make_truth(6)
    for seed in range(200):
        e = dn.simulate(m, truth, 50, seed)
        marginal, both = e.interval(), e.interval(simultaneous=True)
        assert np.allclose(marginal, np.clip(evidence_of(m, simulate_tally(m, truth, 50, seed)).interval(0.05), 0, 1))
        raw = np.clip(evidence_of(m, simulate_tally(m, truth, 50, seed)).interval(0.05 / 6), 0, 1)
        if ((raw[:, 0] <= truth) & (truth <= raw[:, 1])).all():
            assert ((both[:, 0] <= truth + 1e-12) & (truth <= both[:, 1] + 1e-12)).all()
        assert (both[:, 0] >= raw[:, 0] - 1e-12).all()
        assert (both[:, 1] <= raw[:, 1] + 1e-12).all()

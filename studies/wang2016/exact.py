"""wang2016, results without surveys: information, Thms 2.1 and 3.2 against other channels, linear regression."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from deniable.arrays import Vector
from deniable.mechanisms.plain.subset import Subset
from deniable.theory import bounds
from deniable.theory.best_channel.optimal import optimal_matrix
from deniable.theory.risk.support import Support
from deniable.theory.sizes import best_l2_size
from studies.study import Row
from studies.wang2016.table1 import MECHANISMS

SIZES = (2, 4, 16, 64, 256)
LEVELS = tuple(round(float(level), 6) for level in np.geomspace(0.01, 10, 121))
LISTED = (2, 3, 4, 6, 8)
"""Domains whose extreme columns are all listed, for the linear program of Theorem 2.1."""
MIXED, HYBRIDS = (2, 4, 16, 64), 3000
SPARSITY = (0.02, 0.2, 2.0)
"""How evenly the sizes of a hybrid are drawn: nearly one size, a few, all."""
SMALL = ((4, 2), (6, 3), (8, 3))
"""Labels and sizes whose subsets are listed, for linear regression."""


def information(_seed: int, d: int) -> list[Row]:
    """The mutual information in nats of a report and a uniform value, against epsilon."""
    rows: list[Row] = []
    for epsilon in LEVELS:
        told = {name: make(d, epsilon).mutual_information() for name, make in MECHANISMS.items()}
        most = {"bound": bounds.information(d, epsilon), "any d": bounds.information_limit(epsilon)}
        rows.append({"d": d, "epsilon": epsilon, **told, **most})
    return rows


def linear_program(_seed: int, d: int) -> list[Row]:
    """Theorem 2.1 compared with the optimum over all extreme columns of epsilon-LDP channels."""
    rows: list[Row] = []
    for epsilon in (0.01, 0.1, 1.0, 3.0):
        best = optimal_matrix(np.full((d, d), epsilon))
        rows.append({"d": d, "epsilon": epsilon, "theorem": bounds.information(d, epsilon), "program": best.bound})
    return rows


def told_at_most(d: int, epsilon: float, information: float) -> float:
    """The right-hand side of the inequality that ends eq. 8, as it is printed, for ``information`` I_k*.

    >>> round(told_at_most(2, 1.0, 0.110944), 6)
    0.07528
    """
    half = epsilon / 2
    whole = d * (half + math.log1p(math.exp(-half)))  # of (e^half + 1)^d, which may be too large for a float
    return (1 - math.exp(half * (d - 1) - whole) - math.exp(-half - whole)) * information


def hybrids(seed: int, d: int, epsilon: float, count: int) -> list[Row]:
    """Thm 3.2: mechanisms that mix reports of all sizes, each with odds of its own, beside k#-SS.

    Ratios of the squared error of k#-SS over theirs: of drawn ones the largest, of BRR, and of mixes with a neighbour.
    """
    best, ratio = best_l2_size(d, epsilon), math.exp(epsilon)
    generator, sharp = np.random.default_rng(seed), squared(d, *rates(d, np.full(d + 1, ratio)))[best]
    drawn = [sharp / mixed(d, *_hybrid(generator, d, ratio)) for _ in range(count)]
    beside = [sharp / mixed(d, _pair(d, best, near, share), np.full(d + 1, ratio)) for near, share in _pairs(d, best)]
    unary = Support.rappor(epsilon)
    found = {"drawn": max(drawn), "beside": max(beside, default=0.0), "BRR": sharp / squared(d, unary.g, unary.h)}
    return [{"d": d, "epsilon": epsilon, "hybrids": count, **{name: float(value) for name, value in found.items()}}]


def rates(d: int, odds: Vector) -> tuple[Vector, Vector]:
    """The probability that a report of 0 to d labels holds the true one, and another one, at given odds.

    >>> [[round(float(rate), 6) for rate in each] for each in rates(3, np.full(4, 2.0))]
    [[0.0, 0.5, 0.8, 1.0], [0.0, 0.25, 0.6, 1.0]]
    """
    size = np.arange(d + 1)
    total = size * odds + d - size
    return size * odds / total, size * (odds * (size - 1) + d - size) / (total * (d - 1))


def mixed(d: int, shares: Vector, odds: Vector) -> float:
    """The squared error, times people, of a mechanism that reports k labels with the given probabilities."""
    g, h = rates(d, odds)
    return float(squared(d, shares @ g, shares @ h))


def squared(d: int, g: Any, h: Any) -> Any:
    """[g(1-g) + (d-1) h(1-h)] / (g-h)^2, sect. 3.3; infinite where reports tell nothing."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(g > h, (g * (1 - g) + (d - 1) * h * (1 - h)) / (g - h) ** 2, np.inf)


def _hybrid(generator: np.random.Generator, d: int, ratio: float) -> tuple[Vector, Vector]:
    """Probabilities of all sizes, 0 and d too; odds are the largest for half of the hybrids."""
    shares = generator.dirichlet(np.full(d + 1, generator.choice(SPARSITY)))
    odds = np.full(d + 1, ratio) if generator.random() < 0.5 else generator.uniform(1, ratio, d + 1)
    return shares, odds


def _pairs(d: int, best: int) -> list[tuple[int, float]]:
    return [(near, share) for near in (best - 1, best + 1) if 0 < near < d for share in (0.001, 0.01, 0.1, 0.5)]


def _pair(d: int, best: int, near: int, share: float) -> Vector:
    shares = np.zeros(d + 1)
    shares[best], shares[near] = 1 - share, share
    return shares


def regression(seed: int, d: int, size: int, people: int) -> list[Row]:
    """Sect. 3.2: linear regression on how often each subset was reported, beside Algorithm 2, in one survey."""
    m, generator = Subset(d, 1.0, size), np.random.default_rng(seed)
    held = generator.choice(d, people, p=generator.dirichlet(np.ones(d)))
    reports = m.privatize_many(held.tolist(), seed=int(generator.integers(2**53)))
    bits = 1 << np.arange(d)
    listed, sent = (m.law.supports(each) @ bits for each in (m.layout.every_report(), reports))
    frequencies = (sent[:, None] == listed).mean(axis=0)
    channel = m.channel().probabilities
    fitted = np.linalg.solve(channel @ channel.T, channel @ frequencies)
    apart = float(np.abs(fitted - m.estimate(m.tally(reports)).unbiased).max())
    return [{"d": d, "size": size, "people": people, "apart": apart}]

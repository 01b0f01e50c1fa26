"""Random mechanisms at random levels, sizes and truths: lower bounds lie below their risks, upper bounds above.

There are 10,000 of them under `make soak`, otherwise 2,000. Lower bounds are for the worst truth: the largest of the
risks looked at must not be below them. Every risk is a formula, so that nothing but the cases is random.
"""

from __future__ import annotations

import math
from typing import Any, TypeAlias

import numpy as np
import pytest
from tests.lengths import by_length

import deniable as dn
from deniable.mechanisms.mechanism import Mechanism
from deniable.values.values import closed_domain

Draws: TypeAlias = np.random.Generator
PLAIN = [dn.RandomizedResponse, dn.Subset, dn.Rappor, dn.OptimizedUnary, dn.Hadamard]
HIGH_LOW: list[type[Any]] = [dn.HighLowHadamard, dn.HighLowResponse, dn.HighLowRappor]
SLACK = 1 + 1e-9
pytestmark = pytest.mark.soak
PLAIN_ONES, OTHERS = by_length((280, 150), (1400, 750))
"""For each seed."""


def drawn_case(draws: Draws) -> tuple[int, float, int]:
    """A number of labels, a level and a number of people."""
    d = int(np.exp(draws.uniform(math.log(2), math.log(200))))
    return d, float(np.exp(draws.uniform(math.log(0.01), math.log(10)))), int(np.exp(draws.uniform(0, math.log(10**9))))


def risks(m: Mechanism, n: int, draws: Draws) -> tuple[float, float]:
    """The largest l2 and l1 at the uniform truth and at a random one, and l2 at its worst."""
    d = len(closed_domain(m.domain))
    truths = [np.full(d, 1 / d), draws.dirichlet(np.full(d, draws.choice([0.1, 1.0])))]
    l2 = [m.risk(n), *(m.risk(n, truth=p) for p in truths)]
    assert max(l2) <= l2[0] * SLACK
    return l2[0], max(m.risk(n, "l1", truth=p) for p in truths)


@pytest.mark.parametrize("seed", range(5))
def test_no_plain_mechanism_is_below_the_bounds(seed: int) -> None:
    draws = np.random.default_rng(seed)
    for _ in range(PLAIN_ONES):
        d, epsilon, n = drawn_case(draws)
        m: Mechanism = PLAIN[draws.integers(len(PLAIN))](d, epsilon)
        l2, l1 = risks(m, n, draws)
        assert dn.bounds.minimax_l2(d, epsilon, n) <= l2
        assert dn.bounds.minimax_l1(d, epsilon, n) <= l1
        assert dn.bounds.least_l2(d, epsilon, n) <= l2 * SLACK
        assert dn.bounds.effective_users(d, l2) <= dn.bounds.most_effective_users(d, epsilon, n)
        if draws.random() < 0.05:
            assert m.mutual_information() <= dn.bounds.information(d, epsilon) * SLACK


@pytest.mark.parametrize("seed", range(2))
def test_no_high_low_mechanism_is_below_the_bounds(seed: int) -> None:
    draws = np.random.default_rng(seed)
    for _ in range(OTHERS):
        d, epsilon, n = drawn_case(draws)
        s = int(draws.integers(1, d + 1))
        m: Mechanism = HIGH_LOW[draws.integers(len(HIGH_LOW))](d, list(range(s)), epsilon)
        l2, l1 = risks(m, n, draws)
        assert dn.bounds.high_low_minimax(d, s, epsilon, n) <= l1 / 2
        if isinstance(m, dn.HighLowHadamard):
            assert l2 <= dn.bounds.high_low_l2(d, s, epsilon * (1 - 1e-9), n)
            assert l1 <= dn.bounds.high_low_l1(d, s, epsilon * (1 - 1e-9), n)
            assert dn.bounds.high_low_sample_size(d, s, epsilon, 0.1) >= dn.bounds.high_low_order(d, s, epsilon, 0.1)


@pytest.mark.parametrize("seed", range(2))
def test_no_block_mechanism_is_below_the_bounds(seed: int) -> None:
    draws = np.random.default_rng(seed)
    for _ in range(OTHERS):
        d, epsilon, n = drawn_case(draws)
        cuts = np.sort(draws.choice(np.arange(1, d), size=min(d - 1, int(draws.integers(0, 6))), replace=False))
        blocks = [part.tolist() for part in np.split(np.arange(d), cuts)]
        sizes = [len(block) for block in blocks]
        l2, l1 = risks(dn.BlockHadamard(blocks, epsilon), n, draws)
        assert dn.bounds.block_minimax(sizes, epsilon, n) <= l1 / 2
        assert l2 <= dn.bounds.block_l2(sizes, epsilon * (1 - 1e-9), n)
        assert l1 <= dn.bounds.block_l1(sizes, epsilon * (1 - 1e-9), n)
        assert dn.bounds.block_sample_size(sizes, epsilon, 0.1) >= dn.bounds.block_order(sizes, epsilon, 0.1)


@pytest.mark.parametrize("seed", range(3))
def test_claim_1_holds_for_every_high_low_channel(seed: int) -> None:
    """And a channel's own bound is at least that of its guarantee."""
    draws = np.random.default_rng(seed)
    for _ in range(30):
        d, epsilon = int(draws.integers(3, 8)), float(draws.uniform(0.1, 3))
        s = int(draws.integers(1, d))
        kind = dn.HighLowHadamard if draws.random() < 0.5 else dn.HighLowResponse
        rows = kind(d, list(range(s)), epsilon).channel().probabilities
        told = dn.bounds.chi_square_contraction(rows, [(i, 0) for i in range(s, d)])
        assert 0 < told <= dn.bounds.high_low_contraction(d - s, epsilon)
        n = int(draws.integers(1, 10**6))
        assert dn.bounds.channel_minimax(rows, n) >= dn.bounds.high_low_minimax(d, 1, epsilon, n) * (1 - 1e-9)


@pytest.mark.parametrize(("d", "epsilon"), [(10, 0.1), (100, 1.0), (200, 4.0)])
def test_a_bound_that_is_too_high_would_be_seen(d: int, epsilon: float) -> None:
    """The planted fault: eight times the bound of l1, or 1.001 times that of l2, is above the risk of k#-subset."""
    n = 10**10
    l2, l1 = dn.Subset(d, epsilon).risk(n), dn.Subset(d, epsilon).risk(n, "l1")
    assert dn.bounds.minimax_l1(d, epsilon, n) < l1 < 8 * dn.bounds.minimax_l1(d, epsilon, n)
    assert dn.bounds.minimax_l2(d, epsilon, n) < l2 < 1.001 * dn.bounds.minimax_l2(d, epsilon, n)

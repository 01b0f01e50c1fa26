"""Effective sample sizes, hybrids of sizes and labels estimated below 0, against risks and enumeration."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from tests.cases import each
from tests.theory.references import EPSILONS

from deniable.protocol.errors import ParameterError
from deniable.theory import bounds
from deniable.theory.risk import information
from deniable.theory.risk.support import Support, l1_asymptotic, l2_sample, l2_worst
from deniable.theory.sizes import best_information_size, best_l2_size

DOMAINS = [2, 3, 9, 100, 10**6]


@each("epsilon", EPSILONS)
@each("d", DOMAINS)
def test_effective_sizes_are_those_of_the_risks(d: int, epsilon: float) -> None:
    """From the closed forms and from the risks of k-RR and k-RAPPOR; alike in l2 and in l1."""
    n = 10**6
    for s, found in [
        (Support.response(d, epsilon), bounds.response_effective_users(d, epsilon, n)),
        (Support.rappor(epsilon), bounds.rappor_effective_users(d, epsilon, n)),
    ]:
        assert found == pytest.approx(bounds.effective_users(d, l2_worst(s, n, d)), rel=1e-9)
        plain = d * math.sqrt(2 / math.pi * (1 / d) * (1 - 1 / d))
        noisy = d * l1_asymptotic(s, n, np.array([1 / d]))
        assert found == pytest.approx((plain / noisy) ** 2, rel=1e-9)
        assert found <= bounds.most_effective_users(d, epsilon, n) * (1 + 1e-12)


def test_effective_sizes_have_the_orders_of_the_paper() -> None:
    """Of k-RR n eps^2/d^2 and n/4, of k-RAPPOR n eps^2/(4 d) and n/sqrt(d) (kairouz2016, sect. 4.3)."""
    n, d = 10**6, 10**4
    assert bounds.response_effective_users(d, 0.001, n) == pytest.approx(n * 0.001**2 / d**2, rel=0.01)
    assert bounds.rappor_effective_users(d, 0.001, n) == pytest.approx(n * 0.001**2 / (4 * d), rel=0.01)
    assert bounds.response_effective_users(d, math.log(d), n) == pytest.approx(n / 4, rel=0.01)
    assert bounds.rappor_effective_users(d, math.log(d), n) == pytest.approx(n / math.sqrt(d), rel=0.03)
    assert bounds.most_effective_users(d, 0.1, 10**18) == pytest.approx(10**18 * 0.1**2 / (4 * d), rel=0.01)


def random_hybrid(draws: np.random.Generator, d: int) -> dict[int, float]:
    """Chances of some sizes, those from which nothing is learnt among them."""
    sizes = draws.choice(d + 1, size=draws.integers(1, min(d, 6) + 1), replace=False)
    return dict(zip(sizes.tolist(), draws.dirichlet(np.ones(len(sizes))).tolist(), strict=True))


def test_no_hybrid_of_sizes_beats_the_best_size() -> None:
    """wang2016, thm. 3.2: 4,000 random hybrids, with the people's own shares and the best size's own error."""
    draws = np.random.default_rng(32)
    for _ in range(4000):
        d, epsilon = int(draws.integers(2, 60)), float(draws.uniform(0.01, 6))
        shares = random_hybrid(draws, d)
        if set(shares) <= {0, d}:
            continue
        best = l2_sample(Support.subset(d, best_l2_size(d, epsilon), epsilon), 100, d)
        assert bounds.hybrid_l2(d, epsilon, shares, 100) >= best * (1 - 1e-12)
        weaker = bounds.hybrid_l2(d, epsilon * draws.uniform(0.1, 1), shares, 100)  # sizes of odds below E
        assert weaker >= best * (1 - 1e-12)


def test_a_hybrid_is_what_its_channel_says() -> None:
    """k-RAPPOR is a hybrid of all sizes, its chances those of how many bits are set; g and h by enumeration."""
    d, epsilon = 4, 1.3
    s = Support.rappor(epsilon)
    sizes = [sum(bits) for bits in itertools.product([0, 1], repeat=d)]
    chances = [
        math.prod((s.g if i == 0 else s.h) if bit else (s.miss if i == 0 else 1 - s.h) for i, bit in enumerate(bits))
        for bits in itertools.product([0, 1], repeat=d)
    ]
    shares = {k: sum(c for c, size in zip(chances, sizes, strict=True) if size == k) for k in range(d + 1)}
    assert bounds.hybrid_l2(d, epsilon, shares, 50) == pytest.approx(l2_sample(s, 50, d), rel=1e-12)


@each("epsilon", EPSILONS)
@each("d", DOMAINS)
def test_rappor_tells_no_more_than_the_end_of_eq_8(d: int, epsilon: float) -> None:
    """Our bound is below the one that is printed, with 1/S for S, and both are true."""
    told, bound = information.rappor(d, epsilon), bounds.rappor_information(d, epsilon)
    root = math.exp(epsilon / 2)
    nothing = math.exp((d - 1) * epsilon / 2 - d * math.log1p(root)) + math.exp(-epsilon / 2 - d * math.log1p(root))
    printed = (1 - nothing) * information.subset(d, best_information_size(d, epsilon), epsilon)
    assert told <= bound * (1 + 1e-12)
    assert bound <= printed * (1 + 1e-12)
    if d == 3 and epsilon == 1.0:
        assert bound < printed


@given(d=st.integers(2, 8), n=st.integers(1, 60), epsilon=st.floats(0.1, 4), seed=st.integers(0, 99))
def test_labels_below_0_are_counted_exactly(d: int, n: int, epsilon: float, seed: int) -> None:
    """Against the sum over all counts of supports, one label at a time."""
    p = np.random.default_rng(seed).dirichlet(np.ones(d))
    s = Support.subset(d, max(1, d // 3), epsilon)
    counts = np.arange(n + 1)
    by_hand = sum(stats.binom.pmf(counts, n, s.h + s.gap * x)[(counts - n * s.h) < 0].sum() for x in p)
    assert bounds.negative_labels(s.g, s.h, n, p) == pytest.approx(by_hand, rel=1e-9)


def test_estimates_leave_the_simplex_no_more_often_than_that() -> None:
    """20,000 surveys of 60 people: the share of surveys with a label below 0, one in a million by chance.

    ye2017's remark III.2 neglects them; at a truth with an empty label there are as many as not, however many people.
    """
    draws, s, n, surveys = np.random.default_rng(2), Support.response(3, 1.0), 60, 20_000
    for truth in ([0.4, 0.35, 0.25], [0.6, 0.4, 0.0]):
        p = np.array(truth)
        counts = draws.multinomial(n, s.h + s.gap * p, size=surveys)
        left = float((counts < n * s.h).any(axis=1).mean())
        expected = bounds.negative_labels(s.g, s.h, n, p)
        assert left <= expected + 5 / math.sqrt(surveys)
        assert left > expected / 2
    assert bounds.negative_labels(s.g, s.h, 10**9, [0.6, 0.4, 0.0]) == pytest.approx(0.5, abs=0.01)
    rare = [bounds.negative_labels(s.g, s.h, n, [0.4, 0.35, 0.25]) for n in (200, 400, 800)]
    assert rare[1] / rare[0] < 0.3
    assert rare[2] / rare[1] < rare[1] / rare[0]  # exponentially small


NUMBER: Any = 0.4
NUMBERS: Any = [1.0]
"""Where something else is asked for."""


@each(
    ("call", "message"),
    [
        (lambda: bounds.effective_users(1, 0.1), "d must be an int of at least 2, got d=1"),
        (lambda: bounds.effective_users(2, 0.0), "risk must be a finite number above 0, got risk=0.0"),
        (lambda: bounds.effective_users(2, math.nan), "risk must be a finite number above 0, got risk=nan"),
        (lambda: bounds.hybrid_l2(4, 1.0, {5: 1.0}, 9), "shares must be at most 4, got shares=5"),
        (lambda: bounds.hybrid_l2(4, 1.0, {1: 0.5}, 9), "shares must add up to 1, got 0.5"),
        (lambda: bounds.hybrid_l2(4, 1.0, {0: 0.5, 4: 0.5}, 9), "shares must give a chance to some size from 1 to"),
        (lambda: bounds.hybrid_l2(4, 1.0, NUMBERS, 9), "shares must be a dictionary of chances by size, got list"),
        (lambda: bounds.hybrid_l2(4, 1.0, {}, 9), "shares must"),
        (lambda: bounds.negative_labels(0.2, 0.5, 9, [1.0]), "g and h must be probabilities with h below g, got"),
        (lambda: bounds.negative_labels(0.5, 0.2, 9, [0.4]), "truth must add up to 1, got 0.4"),
        (lambda: bounds.negative_labels(0.5, 0.2, 9, NUMBER), "truth must be probabilities, one per label, got float"),
        (lambda: bounds.negative_labels(0.5, 0.2, 0, [1.0]), "users must be an int of at least 1, got users=0"),
    ],
)
def test_bad_arguments_are_refused(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(ParameterError) as refused:
        call()
    assert str(refused.value).startswith(message)

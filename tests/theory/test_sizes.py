"""Sizes of subsets: against every other size, exact arithmetic, and the papers' own tables."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from tests.cases import each
from tests.theory.references import EPSILONS, error, exponential

from deniable.theory import sizes
from deniable.theory.risk.information import by_share
from deniable.theory.risk.support import Support, l2_sample

DOMAINS = [2, 3, 4, 5, 6, 7, 8, 16, 17, 64, 255, 1000]

# wang2016, Table 1: epsilon, k*, k# for each d. All 41 rows.
TABLE = {
    2: [(0.1, 1, 1), (1.0, 1, 1)],
    4: [(0.01, 2, 2), (0.1, 2, 2), (0.5, 2, 2), (1.0, 1, 1)],
    6: [(0.01, 3, 3), (0.1, 3, 3), (0.5, 3, 2), (1.0, 2, 2)],
    8: [(0.01, 4, 4), (0.1, 4, 4), (0.5, 3, 3), (1.0, 3, 2), (2.0, 2, 1)],
    16: [(0.01, 8, 8), (0.1, 8, 8), (0.5, 7, 6), (1.0, 5, 4), (2.0, 3, 2), (3.0, 2, 1)],
    32: [(0.01, 16, 16), (0.1, 15, 15), (1.0, 11, 9), (1.5, 9, 6), (2.0, 7, 4), (3.0, 4, 2)],
    64: [(0.1, 31, 30), (0.5, 27, 24), (1.0, 22, 17), (1.5, 17, 12), (2.0, 13, 8), (3.0, 7, 3), (5.0, 2, 1)],
    128: [(0.1, 62, 61), (1.0, 43, 34), (3.0, 14, 6), (5.0, 4, 1)],
    256: [(1.0, 87, 69), (3.0, 29, 12), (5.0, 7, 2)],
}


def test_the_table_of_wang2016() -> None:
    assert sum(map(len, TABLE.values())) == 41
    for d, rows in TABLE.items():
        found = [(e, sizes.best_information_size(d, e), sizes.best_l2_size(d, e)) for e, _, _ in rows]
        assert found == rows


def test_the_golden_sizes_of_sixteen_labels() -> None:
    """Maths sheet closed.md, "Golden values (d=16, eps=1, n=1e4)": from channels listed cell by cell."""
    assert sizes.beta(16, 1.0) == pytest.approx(5.4191502, abs=5e-8)
    assert sizes.best_information_size(16, 1.0) == 5
    assert sizes.best_l2_size(16, 1.0) == 4
    assert sizes.convenient_size(16, 1.0) == 5


@each("epsilon", EPSILONS)
@each("d", DOMAINS)
def test_no_other_size_has_less_risk(d: int, epsilon: float) -> None:
    risks = [l2_sample(Support.subset(d, k, epsilon), 1, d) for k in range(1, d)]
    assert risks[sizes.best_l2_size(d, epsilon) - 1] <= min(risks) * (1 + 1e-14)
    assert risks[sizes.convenient_size(d, epsilon) - 1] >= min(risks)


@each("epsilon", EPSILONS)
@each("d", [*DOMAINS, 10**5, 10**6 - 1, 10**6])
def test_the_risk_rule_holds_in_exact_arithmetic(d: int, epsilon: float) -> None:
    squared, k = exponential(epsilon) ** 2, sizes.best_l2_size(d, epsilon)
    assert squared * k * (k + 1) >= (d - k) * (d - k - 1)
    assert k == 1 or squared * (k - 1) * k < (d - k + 1) * (d - k)
    middle = d / (1 + exponential(epsilon))
    assert k in {max(1, math.floor(middle)), math.ceil(middle)}
    assert sizes.convenient_size(d, epsilon) == math.ceil(middle)


@each("epsilon", EPSILONS)
@each("d", [*DOMAINS, 10**6])
def test_no_other_size_tells_more(d: int, epsilon: float) -> None:
    told = by_share(np.arange(1, d) / d, epsilon)
    assert told[sizes.best_information_size(d, epsilon) - 1] >= told.max() * (1 - 1e-14)


@each("epsilon", [*EPSILONS, 0.9999999, 1.0000001, 1.2564])
def test_no_digit_of_beta_is_lost(epsilon: float) -> None:
    odds = exponential(epsilon)
    exact = (Fraction(epsilon) * odds - odds + 1) / (odds - 1) ** 2
    assert error(sizes.best_share(epsilon), exact) < 4e-15
    assert sizes.beta(64, epsilon) == 64 * sizes.best_share(epsilon)


def test_little_privacy_loss_asks_for_half_of_the_labels() -> None:
    assert sizes.beta(10**6, 1e-6) == pytest.approx(10**6 * (1 / 2 - 1e-6 / 6), rel=1e-12)
    assert sizes.best_l2_size(10**6, 1e-6) == 500_000
    assert sizes.best_information_size(10**6, 1e-6) == 500_000


@each("size", [sizes.best_l2_size, sizes.convenient_size, sizes.best_information_size])
def test_two_labels_leave_no_choice(size: Callable[[int, float], int]) -> None:
    assert {size(2, epsilon) for epsilon in EPSILONS} == {1}
    assert {size(3, epsilon) for epsilon in EPSILONS} <= {1, 2}

"""Blocks and high-low surveys by sets: variances by enumeration, and the linear program's optimum as the measure."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from tests.cases import each
from tests.lengths import by_length

from deniable.theory import levels
from deniable.theory.best_channel.optimal import optimal_matrix
from deniable.theory.risk.designs import CERTAIN, Block, Hiding, high_low, within_blocks, worst_high_low
from deniable.theory.risk.support import Support
from deniable.theory.singer import choose_high_low
from deniable.theory.sizes import best_high_low_size, best_l2_size

EPSILONS = (0.1, 0.5, 1.0, 2.0, 4.0, 8.0)
SIZES = ([2, 2], [2, 3], [3, 1, 2], [1, 4], [5, 1], [2, 5], [5], [4])
BLOCKED = [(sizes, epsilon) for sizes in SIZES for epsilon in EPSILONS]
NUMBERS = ((1, 3), (2, 3), (2, 5), (3, 4), (3, 6), (4, 5), (4, 6), (5, 6))
HIDDEN = [(sensitive, d, epsilon) for sensitive, d in NUMBERS for epsilon in EPSILONS[:5]]
"""Outside `make soak` each fifth and each third: every design and every level."""


def block(size: int, epsilon: float) -> Block:
    """A block with subsets of its best size."""
    law = Support.subset(size, best_l2_size(size, epsilon), epsilon) if size > 1 else CERTAIN
    return Block(law, size)


@pytest.mark.soak
@each(("sizes", "epsilon"), by_length(BLOCKED[::5], BLOCKED))
def test_blocks_of_up_to_five_labels_meet_the_optimum(sizes: list[int], epsilon: float) -> None:
    """No channel under the levels has less error at its worst truth: the program's bound is met to 1e-5, not 2%."""
    law = within_blocks([block(size, epsilon) for size in sizes])
    reached = law.risk(1, "l2", law.worst_truth("l2"))
    bound = optimal_matrix(levels.blocks(sizes, epsilon), goal="minimax").bound
    assert bound * (1 - 1e-9) <= reached <= bound * (1 + 1e-5)


@each("epsilon", [0.1, 1.0, 8.0])
@each("sizes", [[2, 3], [5]])
def test_a_known_even_truth_allows_no_less(sizes: list[int], epsilon: float) -> None:
    d = sum(sizes)
    law = within_blocks([block(size, epsilon) for size in sizes])
    found = optimal_matrix(levels.blocks(sizes, epsilon), [1 / d] * d, "squared")
    assert law.risk(1, "l2", np.full(d, 1 / d)) == pytest.approx(found.bound, rel=1e-6)


@pytest.mark.soak
@each(("sensitive", "d", "epsilon"), by_length(HIDDEN[::3], HIDDEN))
def test_sets_of_sensitive_labels_are_near_the_optimum(sensitive: int, d: int, epsilon: float) -> None:
    """One size of set is within 4% of what any mixture of channels can reach at its worst truth."""
    size = best_high_low_size(sensitive, d, epsilon)
    reached = worst_high_low(Hiding(sensitive, size, Fraction(math.exp(epsilon))), sensitive, d)
    bound = optimal_matrix(levels.high_low(d, list(range(sensitive)), epsilon), goal="minimax").bound
    assert bound * (1 - 1e-6) <= reached <= 1.04 * bound


@each(("points", "size"), [(1, 1), (4, 2), (5, 1), (6, 3), (7, 3)])
def test_high_low_variances_by_enumeration(points: int, size: int) -> None:
    """All sets of the size, of ``points`` labels, and two labels that are not sensitive."""
    hiding, d = Hiding(points, size, Fraction(5, 2)), points + 2
    sets = np.array([[i in members for i in range(points)] for members in itertools.combinations(range(points), size)])
    inside = np.vstack([np.where(sets.T, 2.5, 1.0), np.ones((2, len(sets)))])
    inside[:points] /= inside[:points].sum(axis=1, keepdims=True)
    inside[points:] *= float(1 - hiding.own) / len(sets)
    assert inside[0].max() / inside[points].min() == pytest.approx(2.5)
    rows = np.hstack([inside, np.vstack([np.zeros((points, 2)), float(hiding.own) * np.eye(2)])])
    high, low, named = map(float, hiding.worth)
    worth = np.vstack([np.hstack([np.where(sets.T, high, low), np.full((points, 2), named)]),
                       np.hstack([np.zeros((2, len(sets))), np.eye(2) / float(hiding.own)])])  # fmt: skip
    assert np.allclose(rows @ worth.T, np.eye(d))
    p = np.arange(1, d + 1) / (d * (d + 1) / 2)
    assert np.allclose(high_low(hiding, points, d).variances(p), (p @ rows) @ worth.T**2 - p**2)
    assert worth.max() <= hiding.leverage(everyone=False) * (1 + 1e-12)


@each("epsilon", [1e-6, 0.3, 1.0, 3.0])
@each(("sensitive", "d"), [(1, 2), (2, 2), (7, 8), (40, 41), (40, 1000)])
def test_the_best_size_is_the_best_of_all(sensitive: int, d: int, epsilon: float) -> None:
    odds = Fraction(math.exp(epsilon))
    errors = [worst_high_low(Hiding(sensitive, k, odds), sensitive, d) for k in range(1, max(sensitive, 2))]
    assert errors[best_high_low_size(sensitive, d, epsilon) - 1] <= min(errors) * (1 + 1e-9)


def test_a_chosen_design_is_near_the_best_size() -> None:
    """A design has one point in q; over a hundred labels that costs at most a fifth at these levels."""
    for epsilon in (0.5, 1.0, 2.0, 3.0):
        design, odds = choose_high_low(100, 1000, epsilon), Fraction(math.exp(epsilon))
        best = worst_high_low(Hiding(100, best_high_low_size(100, 1000, epsilon), odds), 100, 1000)
        assert worst_high_low(Hiding(design.length, design.block, odds), 100, 1000) <= 1.2 * best

"""Optimal channels: against closed forms where there are, against other channels, and against the bounds they carry."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from tests.lengths import by_length
from tests.theory.references import random_levels

from deniable.arrays import Matrix, Vector
from deniable.protocol.errors import CapacityError, ParameterError
from deniable.theory.best_channel.binary import binary
from deniable.theory.best_channel.design import (
    designed,
    designed_for_roots,
    estimator,
    second_moments,
    spreads,
    variance,
)
from deniable.theory.best_channel.extreme_columns import extreme_columns
from deniable.theory.best_channel.generation import generated
from deniable.theory.best_channel.goals import GOALS
from deniable.theory.best_channel.minimax import worst_error
from deniable.theory.best_channel.optimal import Aim, Optimal, optimal_matrix
from deniable.theory.best_channel.weighting import weighted
from deniable.theory.levels import blocks, check_levels, excess, high_low, plain
from deniable.theory.risk import information
from deniable.theory.risk.support import Support, l1_asymptotic, l2_population
from deniable.theory.sizes import best_information_size, best_l2_size

LINEAR: list[Aim] = ["information", "success", "bayes"]
EPSILONS = [0.01, 0.5, 1.0, 2.0, 5.0]


def value_of(matrix: Matrix, prior: Vector, goal: Aim) -> float:
    """A goal by its definition, from joint probabilities."""
    joint = prior[:, None] * matrix
    seen = joint.sum(axis=0)
    if goal == "information":
        with np.errstate(divide="ignore", invalid="ignore"):
            return float(np.nansum(joint * np.log(joint / (prior[:, None] * seen))))
    if goal == "success":
        return float(joint.max(axis=0).sum())
    return float(1 - (joint[:, seen > 0] ** 2 / seen[seen > 0]).sum())


def check_channel(found: Optimal, levels: Matrix) -> None:
    """It is a channel, it keeps its levels, and its value is no better than its bound."""
    assert np.abs(found.matrix.sum(axis=1) - 1).max() < 1e-12
    assert found.matrix.min() >= 0
    assert excess(found.matrix, levels) < 1e-12
    assert found.method == "enumeration"
    assert found.value == pytest.approx(found.bound, rel=1e-8)


def subsets(d: int, size: int, epsilon: float) -> Matrix:
    """k-subset, written out."""
    columns = extreme_columns(plain(d, epsilon))
    kept: Matrix = columns[:, (columns == 1).sum(axis=0) == size]
    kept /= kept.sum(axis=1, keepdims=True)
    return kept


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("d", range(2, 9))
def test_subsets_are_the_best_for_a_uniform_prior(d: int, epsilon: float) -> None:
    told, error = optimal_matrix(plain(d, epsilon)), optimal_matrix(plain(d, epsilon), goal="squared")
    check_channel(told, plain(d, epsilon))
    check_channel(error, plain(d, epsilon))
    size, uniform = best_l2_size(d, epsilon), np.full(d, 1 / d)
    assert told.value == pytest.approx(information.subset(d, best_information_size(d, epsilon), epsilon), rel=1e-9)
    assert error.value == pytest.approx(l2_population(Support.subset(d, size, epsilon), 1, uniform), rel=1e-9)


def test_twelve_labels_are_no_trouble() -> None:
    told = optimal_matrix(plain(12, 1.0))
    assert told.value == pytest.approx(information.subset(12, best_information_size(12, 1.0), 1.0), rel=1e-9)
    assert told.method == "enumeration"


@pytest.mark.parametrize("goal", LINEAR)
@pytest.mark.parametrize("levels", [(1.0, 1.0), (0.7, 1.4), (2.0, 0.1), (math.inf, 0.8), (0.8, math.inf)])
def test_two_labels_get_the_binary_optimum(levels: tuple[float, float], goal: Aim) -> None:
    e12, e21 = levels
    for prior in ([0.5, 0.5], [0.2, 0.8], [0.95, 0.05]):
        found = optimal_matrix([[0, e12], [e21, 0]], prior, goal)
        check_channel(found, np.array([[0, e12], [e21, 0]]))
        assert found.value == pytest.approx(value_of(binary(e12, e21), np.array(prior), goal), rel=1e-9)


def test_two_labels_are_estimated_as_well_as_from_the_binary_optimum() -> None:
    found = optimal_matrix([[0, 0.7], [1.4, 0]], [0.2, 0.8], "squared")
    assert found.value == pytest.approx(2 * 1.337480, abs=1e-6)  # both shares err alike
    assert found.value == pytest.approx(variance(binary(0.7, 1.4), np.array([0.2, 0.8])), rel=1e-12)


def test_full_disclosure_where_nothing_is_asked_for() -> None:
    free = np.full((3, 3), math.inf)
    prior = np.array([0.5, 0.3, 0.2])
    assert optimal_matrix(free, prior).value == pytest.approx(-float(prior @ np.log(prior)))
    assert optimal_matrix(free, prior, "success").value == pytest.approx(1)
    assert optimal_matrix(free, prior, "bayes").value == pytest.approx(0, abs=1e-15)
    assert optimal_matrix(free, prior, "squared").value == pytest.approx(1 - float(prior @ prior))
    assert optimal_matrix(free, goal="minimax").value == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("goal", "margin"), [("information", 0.005), ("success", 0.01), ("bayes", 0.001), ("squared", 0.1)]
)
def test_a_skewed_prior_is_made_use_of(goal: Aim, margin: float) -> None:
    prior, levels = np.array([0.5, 0.25, 0.12, 0.08, 0.05]), plain(5, 1.0)
    found = optimal_matrix(levels, prior, goal)
    check_channel(found, levels)
    rivals = [subsets(5, size, 1.0) for size in range(1, 5)]
    if goal == "squared":
        assert found.value < min(variance(rival, prior) for rival in rivals) - margin
    elif goal == "bayes":
        assert found.value < min(value_of(rival, prior, goal) for rival in rivals) - margin
    else:
        assert found.value > max(value_of(rival, prior, goal) for rival in rivals) + margin


SHAPES = {
    "high-low": high_low(6, [0, 2, 3], 1.0),
    "blocks": blocks([3, 2, 1], 0.7),
    "one-sided": random_levels(5, 1, 0.3),
    "random": random_levels(5, 2),
}
SOUGHT = [(shape, goal) for shape in SHAPES for goal in LINEAR]
BRIEF = [(shape, LINEAR[place % 3]) for place, shape in enumerate(SHAPES)]
"""Every shape and every goal; columns that are generated take a second."""


@pytest.mark.soak
@pytest.mark.parametrize(("shape", "goal"), by_length(BRIEF, SOUGHT))
def test_listed_and_generated_columns_agree(shape: str, goal: Aim) -> None:
    levels = SHAPES[shape]
    prior = np.random.default_rng(7).dirichlet(np.ones(len(levels)))
    found = optimal_matrix(levels, prior, goal)
    check_channel(found, levels)
    assert found.value == pytest.approx(value_of(found.matrix, prior, goal), rel=1e-9, abs=1e-12)
    columns, again, bound = generated(lambda columns: weighted(GOALS[goal], columns, prior), levels, prior)
    total = float(GOALS[goal].gains(columns, prior) @ again.weights)
    assert GOALS[goal].value(total, prior) == pytest.approx(found.value, rel=1e-7)
    assert excess(columns * again.weights, levels) < 1e-12
    assert bound >= total * (1 - 1e-9)
    if goal == "success":  # its pricing is exact, and so is its bound
        assert bound == pytest.approx(total, rel=1e-9)


@pytest.mark.parametrize("shape", ["high-low", "random"])
def test_listed_and_generated_designs_agree(shape: str) -> None:
    levels = SHAPES[shape]
    prior = np.random.default_rng(7).dirichlet(np.ones(len(levels)))
    found = optimal_matrix(levels, prior, "squared")
    check_channel(found, levels)
    columns, again, bound = generated(lambda columns: designed(columns, prior), levels, prior)
    value = variance(columns * again.weights, prior)
    assert value == pytest.approx(found.value, rel=1e-7)
    assert value**2 / bound <= found.value * (1 + 1e-9)


def random_channel(levels: Matrix, rng: np.random.Generator) -> Matrix:
    """Some columns of the cone, as large as the rest of a channel allows, which must be in the cone too."""
    columns = extreme_columns(levels)
    drawn = columns @ rng.dirichlet(np.full(columns.shape[1], 0.1), 6).T
    share = 1 / drawn.sum(axis=1).max()
    while True:
        matrix = np.column_stack([drawn * share, 1 - (drawn * share).sum(axis=1)])
        if matrix.min() >= 0 and excess(matrix, levels) < 1e-12:
            return matrix
        share *= 0.9


@pytest.mark.parametrize("goal", [*LINEAR, "squared"])
def test_no_random_channel_beats_the_bound(goal: Aim) -> None:
    rng = np.random.default_rng(11)
    for seed in range(20):
        levels, prior = random_levels(4, seed, 0.2 * (seed % 3)), rng.dirichlet(np.ones(4))
        channel, found = random_channel(levels, rng), optimal_matrix(levels, prior, goal)
        check_channel(found, levels)
        if goal == "squared":
            assert variance(channel, prior) >= found.bound * (1 - 1e-9)
        elif goal == "bayes":
            assert value_of(channel, prior, goal) >= found.bound * (1 - 1e-9)
        else:
            assert value_of(channel, prior, goal) <= found.bound * (1 + 1e-9)


def test_the_estimator_is_unbiased_and_errs_as_is_said() -> None:
    levels, truth = random_levels(5, 5), np.array([0.4, 0.3, 0.15, 0.1, 0.05])
    found = optimal_matrix(levels, truth, "squared")
    estimate = estimator(found.matrix, truth)
    np.testing.assert_allclose(found.matrix @ estimate.T, np.eye(5), atol=1e-10)
    draws = np.random.default_rng(0).choice(found.matrix.shape[1], 200_000, p=truth @ found.matrix)
    assert ((estimate[:, draws].T - truth) ** 2).sum(axis=1).mean() == pytest.approx(found.value, rel=0.02)


@pytest.mark.parametrize("shape", SHAPES)
def test_the_minimax_channel_guarantees_its_value(shape: str) -> None:
    levels = SHAPES[shape]
    found = optimal_matrix(levels, goal="minimax")
    assert found.bound <= found.value * (1 + 1e-12)
    assert found.value == pytest.approx(found.bound, rel=2e-6)
    assert excess(found.matrix, levels) < 1e-12
    moments = second_moments(found.matrix, found.truth)
    truths = np.vstack([np.random.default_rng(1).dirichlet(np.ones(len(levels)), 2000), found.truth])
    errors = truths @ moments - (truths**2).sum(axis=1)
    assert errors.max() <= found.value * (1 + 1e-9)
    assert worst_error(moments) == pytest.approx(found.value, rel=1e-9)
    for truth in np.random.default_rng(2).dirichlet(np.ones(len(levels)), 5):  # known truths are no harder
        assert optimal_matrix(levels, truth, "squared").bound <= found.value * (1 + 1e-9)


def test_the_minimax_channel_of_plain_privacy_is_the_best_subset() -> None:
    found = optimal_matrix(plain(6, 1.0), goal="minimax")
    reference = l2_population(Support.subset(6, best_l2_size(6, 1.0), 1.0), 1, np.full(6, 1 / 6))
    assert found.value == pytest.approx(reference, rel=1e-9)
    assert found.truth == pytest.approx(np.full(6, 1 / 6), abs=1e-6)


@pytest.mark.parametrize("shape", SHAPES)
def test_the_minimax_channel_of_l1_guarantees_its_value(shape: str) -> None:
    """At its truth it errs by its value and nowhere by more, and no channel errs less at that truth."""
    levels = SHAPES[shape]
    found = optimal_matrix(levels, goal="minimax-l1")
    assert found.bound <= found.value
    assert found.value == pytest.approx(found.bound, rel=2e-6)
    assert excess(found.matrix, levels) < 1e-12
    moments = found.matrix @ (estimator(found.matrix, found.truth) ** 2).T
    truths = np.vstack([np.random.default_rng(1).dirichlet(np.ones(len(levels)), 2000), found.truth])
    errors = np.sqrt(2 / math.pi * np.maximum(truths @ moments - truths**2, 0)).sum(axis=1)
    assert errors.max() <= found.value * (1 + 1e-6)
    assert errors[-1] == pytest.approx(found.value, rel=1e-5)
    for rival in [optimal_matrix(levels, goal="minimax"), optimal_matrix(levels, found.truth, "squared")]:
        theirs = np.sqrt(2 / math.pi * spreads(rival.matrix, found.truth)).sum()
        assert theirs >= found.bound * (1 - 1e-9)


def test_the_minimax_channel_of_l1_under_plain_privacy_is_the_best_subset() -> None:
    for d, epsilon in [(2, 0.5), (4, 3.0), (7, 1.0)]:
        found = optimal_matrix(plain(d, epsilon), goal="minimax-l1")
        s = Support.subset(d, best_l2_size(d, epsilon), epsilon)
        assert found.value == pytest.approx(l1_asymptotic(s, 1, np.full(d, 1 / d)), rel=1e-6)
        assert found.truth == pytest.approx(np.full(d, 1 / d), abs=1e-6)


def test_blocks_have_another_worst_truth_in_l1() -> None:
    levels = blocks([3, 2], 0.5)
    squared, absolute = optimal_matrix(levels, goal="minimax"), optimal_matrix(levels, goal="minimax-l1")
    assert squared.truth[3:].sum() < 1e-3
    assert absolute.truth[3:].sum() == pytest.approx(0.22, abs=0.01)


@pytest.mark.parametrize("truth", [np.full(5, 0.2), np.array([0.6, 0.2, 0.1, 0.05, 0.05])])
def test_designs_for_roots_reach_their_bound(truth: Vector) -> None:
    """And random weights never go below it."""
    columns, draws = extreme_columns(plain(5, 1.0)), np.random.default_rng(9)
    weights, bound = designed_for_roots(columns, truth)
    reached = np.sqrt(spreads(columns * weights, truth)).sum()
    assert bound <= reached * (1 + 1e-12)
    assert reached == pytest.approx(bound, rel=1e-8)
    for _ in range(50):
        sizes = draws.dirichlet(np.ones(4)) / np.array([math.comb(4, k - 1) for k in range(1, 5)])
        rival = columns * sizes[(columns == 1).sum(axis=0) - 1]
        rival /= rival.sum(axis=1, keepdims=True)
        assert np.sqrt(spreads(rival, truth)).sum() >= bound * (1 - 1e-9)


@pytest.mark.parametrize("goal", LINEAR)
def test_labels_at_level_zero_have_equal_rows(goal: Aim) -> None:
    levels = random_levels(5, 3)
    levels[1, 4] = levels[4, 1] = 0
    prior = np.array([0.1, 0.2, 0.3, 0.1, 0.3])
    found = optimal_matrix(levels, prior, goal)
    check_channel(found, levels)
    assert (found.matrix[1] == found.matrix[4]).all()
    one_sided = check_levels([[0, 0, 1], [2, 0, 1], [2, 1, 0]])
    found = optimal_matrix(one_sided, None, goal)
    assert (found.matrix[0] == found.matrix[1]).all()


def test_merged_labels_are_one_for_information() -> None:
    levels = np.array([[0, 0, 1.0], [0, 0, 1.0], [1.5, 1.5, 0]])
    merged = optimal_matrix([[0, 1.0], [1.5, 0]], [0.7, 0.3]).value
    assert optimal_matrix(levels, [0.5, 0.2, 0.3]).value == pytest.approx(merged, rel=1e-12)


def test_labels_that_never_occur_are_given_a_row() -> None:
    levels = plain(4, 1.0)
    found = optimal_matrix(levels, [0.5, 0.5, 0, 0])
    check_channel(found, levels)
    assert found.value == pytest.approx(information.subset(2, 1, 1.0), rel=1e-9)


@pytest.mark.parametrize("epsilon", [1e-6, 1e-3, 10.0, 32.0])
def test_extreme_levels_lose_no_more_than_a_few_digits(epsilon: float) -> None:
    found = optimal_matrix(plain(6, epsilon))
    check_channel(found, plain(6, epsilon))
    exact = information.subset(6, best_information_size(6, epsilon), epsilon)
    assert found.value == pytest.approx(exact, rel=1e-8)


@pytest.mark.parametrize("goal", ["squared", "minimax"])
def test_estimators_at_the_least_level_are_no_worse_than_promised(goal: Aim) -> None:
    found = optimal_matrix(plain(8, 1e-6), goal=goal)
    reference = l2_population(Support.subset(8, best_l2_size(8, 1e-6), 1e-6), 1, np.full(8, 1 / 8))
    assert [found.value, found.bound] == pytest.approx([reference, reference], rel=1e-8)


@pytest.mark.parametrize("goal", LINEAR)
def test_rows_add_up_where_levels_differ_by_many_orders(goal: Aim) -> None:
    rng = np.random.default_rng(0)
    for size in (1e-5, 1e-2, 12.0, 31.0):
        for infinite in (0.0, 0.4):
            levels = rng.uniform(0.1, 1, (5, 5)) * size
            levels[rng.random((5, 5)) < infinite] = np.inf
            levels = check_levels(levels)
            found = optimal_matrix(levels, rng.dirichlet(np.ones(5)), goal)
            assert np.abs(found.matrix.sum(axis=1) - 1).max() < 1e-12
            assert excess(found.matrix, levels) < 1e-12
            assert found.value == pytest.approx(found.bound, rel=1e-7, abs=1e-14)


def test_too_many_labels_to_list_are_searched_and_bounded() -> None:
    found = optimal_matrix(plain(14, 1.0))
    exact = information.subset(14, best_information_size(14, 1.0), 1.0)
    assert found.method == "generation"
    assert found.value == pytest.approx(exact, rel=1e-7)
    assert found.value <= found.bound <= information.by_share(np.linspace(0.2, 0.5, 10_000), 1.0).max() * (1 + 1e-6)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            (plain(3, 1.0), None, "speed"),
            "goal must be one of information, success, bayes, squared, minimax, minimax-l1, got goal='speed'",
        ),
        ((plain(3, 1.0), [0.5, 0.5]), r"prior must be 3 probabilities, got an array of shape \(2,\)"),
        ((plain(3, 1.0), [0.5, 0.6, 0]), "prior must add up to 1, got 1.1"),
        (
            (plain(3, 1.0), [0.5, 0.5, 0], "squared"),
            "prior must be at least 1e-09 for the goal 'squared', got 0",
        ),
        ((plain(3, 0.0), None, "squared"), "levels must be above 0 for the goal 'squared', got two labels that .*"),
        ((plain(3, 1.0), [0.5, 0.5, 0], "minimax"), "prior must be left out for the goal 'minimax', .*, got one"),
        ((plain(3, 1.0), [0.5, 0.5, 0], "minimax-l1"), "prior must be left out for the goal 'minimax-l1', .*, got one"),
        (([[0, -1], [1, 0]],), "levels must be numbers from 0 on, or inf, got -1"),
    ],
)
def test_what_cannot_be_optimised_is_refused(arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(ParameterError, match=f"^{message}$"):
        optimal_matrix(*arguments)


def test_what_is_too_large_is_refused() -> None:
    with pytest.raises(CapacityError, match="levels must be of at most 60 labels to be optimised, got 61"):
        optimal_matrix(plain(61, 1.0))
    with pytest.raises(CapacityError, match=r"got more; with a prior above 0 for every label they need not be"):
        optimal_matrix(plain(14, 1.0), [0.5, 0.5, *[0] * 12])
    with pytest.raises(CapacityError, match="at most 10000 extreme columns"):
        optimal_matrix(plain(14, 1.0), goal="minimax")

"""The best channel under any pairwise levels, and a bound on the value of all channels under them.

Every goal is convex in the columns of a channel, so that extreme columns suffice, and the goals differ in the program
for their weights: a linear one (information, success, bayes), an A-optimal design (squared), a saddle point (minimax,
minimax-l1). If the extreme columns can be listed, the bound equals the value up to rounding. If they cannot,
columns are generated; the value is then what the search found, and the bound, from a relaxation, may be far off.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from deniable.arrays import Matrix, Vector
from deniable.checks import check_distribution
from deniable.protocol.checks import SMALLEST_EPSILON, check_choice
from deniable.protocol.errors import CapacityError, ParameterError
from deniable.theory.best_channel.design import designed, variance
from deniable.theory.best_channel.extreme_columns import extreme_columns
from deniable.theory.best_channel.generation import generated
from deniable.theory.best_channel.goals import GOALS
from deniable.theory.best_channel.minimax import saddle
from deniable.theory.best_channel.minimax_l1 import saddle_l1
from deniable.theory.best_channel.pricing import check_width
from deniable.theory.best_channel.weighting import Weighted, weighted
from deniable.theory.bounds import information_limit
from deniable.theory.levels import check_levels, with_equal_rows

Aim: TypeAlias = Literal["information", "success", "bayes", "squared", "minimax", "minimax-l1"]
Method: TypeAlias = Literal["enumeration", "generation"]

RAREST = 1e-9
"""The least prior of a label for the goal "squared"."""
SADDLES = {"minimax": saddle, "minimax-l1": saddle_l1}
SLACK = 1e-12
"""How far the sum of a row may be from 1."""


@dataclass(frozen=True, slots=True)
class Optimal:
    """A channel, its ``value``, and the ``bound`` on the value of any channel under the same levels.

    ``truth`` is the distribution that the value is for: the prior, or for "minimax" and "minimax-l1" the one whose
    least-variance estimator (``design.estimator``) guarantees the value. ``method`` tells whether all extreme columns
    were listed.
    """

    matrix: Matrix
    value: float
    bound: float
    method: Method
    truth: Vector


def optimal_matrix(levels: Any, prior: Iterable[float] | None = None, goal: Aim = "information") -> Optimal:
    """The best channel under ``levels``, labels by reports, for values drawn from ``prior`` (uniform if left out).

    Maximized: "information" (nats that a report tells), "success" (the probability to guess the value from it).
    Minimized: "bayes" (the squared error of the posterior, summed over the labels), "squared" (the same, times the
    number of people, of the unbiased estimator of least variance at ``prior``), "minimax" (of any unbiased estimator at
    its worst truth) and "minimax-l1" (the same for the absolute error, times the root of the number of people, for many
    people).

    >>> plain = np.log([[1.0, 3.0, 3.0], [3.0, 1.0, 3.0], [3.0, 3.0, 1.0]])
    >>> found = optimal_matrix(plain, [0.6, 0.3, 0.1], "success")
    >>> round(found.value, 6), round(found.bound, 6)
    (0.675, 0.675)
    """
    check_choice("goal", goal, get_args(Aim))
    matrix = with_equal_rows(check_levels(levels))
    d = len(matrix)
    check_width(d)
    if goal in {"squared", *SADDLES}:
        _check_separable(matrix, goal)
    if goal in SADDLES:
        return _minimax(matrix, prior, goal)
    truth = np.full(d, 1 / d) if prior is None else check_distribution("prior", prior, d)
    return _squared(matrix, truth) if goal == "squared" else _linear(matrix, truth, goal)


def _check_separable(levels: Matrix, goal: Aim) -> None:
    """Refuse levels of 0 for goals of estimation: labels with equal rows cannot be told apart."""
    if levels[~np.eye(len(levels), dtype=bool)].min() == 0:
        raise ParameterError(f"levels must be above 0 for the goal {goal!r}, got two labels that cannot be told apart")


def _linear(levels: Matrix, prior: Vector, name: Aim) -> Optimal:
    """The best channel for a goal of ``GOALS``, whose total is linear in the weights of the columns."""
    goal = GOALS[name]
    columns, found, bound, method = _solved(partial(weighted, goal, prior=prior), levels, prior)
    matrix = _channel(columns, found.weights)
    total = float(goal.gains(matrix, prior).sum())
    if name == "information" and 0 < levels.max() < np.inf:  # no more than with the largest level for all pairs
        bound = min(bound, information_limit(max(float(levels.max()), SMALLEST_EPSILON)))
    return Optimal(matrix, goal.value(total, prior), goal.value(bound, prior), method, prior)


def _squared(levels: Matrix, prior: Vector) -> Optimal:
    """The channel of least squared error at a known prior, by an A-optimal design."""
    if prior.min() < RAREST:
        raise ParameterError(f"prior must be at least {RAREST:g} for the goal 'squared', got {prior.min():g}")
    columns, found, bound, method = _solved(partial(designed, truth=prior), levels, prior)
    matrix = _channel(columns, found.weights)
    value = variance(matrix, prior)
    return Optimal(matrix, value, value**2 / bound, method, prior)


def _minimax(levels: Matrix, prior: Iterable[float] | None, goal: Aim) -> Optimal:
    """The channel of least error at its worst truth, squared or absolute, from all extreme columns."""
    if prior is not None:
        raise ParameterError(f"prior must be left out for the goal {goal!r}, which is for every truth, got one")
    columns = extreme_columns(levels)
    found = SADDLES[goal](columns)
    return Optimal(_channel(columns, found.weights), found.value, found.bound, "enumeration", found.truth)


def _solved(
    program: Callable[[Matrix], Weighted], levels: Matrix, prior: Vector
) -> tuple[Matrix, Weighted, float, Method]:
    """Columns, their best weights by ``program``, a bound on the gain of any, and how the columns were found."""
    try:
        columns = extreme_columns(levels)
    except CapacityError as error:
        if prior.min() <= 0:
            raise CapacityError(f"{error}; with a prior above 0 for every label they need not be") from None
        return *generated(program, levels, prior), "generation"
    found = program(columns)
    return columns, found, found.bound, "enumeration"


def _channel(columns: Matrix, weights: Vector) -> Matrix:
    """The channel made of the columns in use, the likeliest report first."""
    used = np.flatnonzero(weights)
    used = used[np.argsort(-(weights * columns.sum(axis=0))[used], kind="stable")]
    matrix = columns[:, used] * weights[used]
    worst = float(np.abs(matrix.sum(axis=1) - 1).max())
    if worst > SLACK:
        raise CapacityError(f"levels must be less extreme for 64-bit floats, got rows that miss 1 by {worst:.1g}")
    return matrix

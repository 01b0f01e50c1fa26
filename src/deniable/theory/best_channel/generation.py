"""Column generation: the best weights if there are too many extreme columns to list.

Starting from a few columns, others are added that gain more than they cost at the current prices. U is convex, so the
best column for its slope at a column is at least as good: from many starts this climbs to local maxima. What better
columns could still gain is bounded separately, by a relaxation: the bound holds whatever the search missed.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
from numpy.random import Generator

from deniable.arrays import Matrix, Vector
from deniable.theory.best_channel.goals import Goal
from deniable.theory.best_channel.pricing import best_column, reach, solve
from deniable.theory.best_channel.weighting import Weighted
from deniable.theory.levels import closed

ROUNDS = 200
SLICES = 24
"""How many ranges of the largest entry the relaxation uses: the more, the tighter."""
_GAIN = 1e-8
"""A column is added if it gains this much more than it costs, relative to the total."""
_FAR_BELOW = 1e4
"""The penalty on entries that should be zero, relative to the random weights of the others."""


def generated(program: Callable[[Matrix], Weighted], levels: Matrix, prior: Vector) -> tuple[Matrix, Weighted, float]:
    """Columns, their best weights by ``program``, and a bound on any channel's gain; ``prior`` must be positive."""
    columns = _seeds(levels, prior)
    found, draws = program(columns), np.random.default_rng(0)
    for _ in range(ROUNDS):
        wider = _distinct(np.column_stack([columns, *_profitable(found, columns, levels, prior, draws)]))
        if wider.shape == columns.shape:
            break
        columns = wider
        found = program(columns)
    return columns, found, float(found.prices.sum()) + shortfall(found.goal, found.prices, levels, prior)


def _seeds(levels: Matrix, prior: Vector) -> Matrix:
    """The first columns: the constant one, which is a channel by itself, and the best for and against every label."""
    d = len(levels)
    aims = np.vstack([np.eye(d), -np.eye(d)])
    return _distinct(np.column_stack([np.ones(d), *(best_column(aim, levels, prior) for aim in aims)]))


def _distinct(columns: Matrix) -> Matrix:
    """The columns without repeated rays."""
    shape = columns / columns.max(axis=0)
    _, first = np.unique(shape.round(9), axis=1, return_index=True)
    return columns[:, np.sort(first)]


def _profitable(found: Weighted, columns: Matrix, levels: Matrix, prior: Vector, draws: Generator) -> list[Vector]:
    """The columns worth adding, by climbing from those in use, from single labels and from random starts."""
    goal, prices = found.goal, found.prices
    least = _GAIN * float(goal.gains(columns, prior) @ found.weights)
    slopes = [goal.slope(column, prior) - prices for column in columns[:, found.weights > 0].T]
    aims = [*slopes, *np.diag(prior), *-np.diag(prior), *_drawn(prices, closed(levels), prior, draws)]
    reached = [_climbed(best_column(aim, levels, prior), goal, prices, closed(levels), prior) for aim in aims]
    return [column for surplus, column in reached if surplus > least]


def _drawn(prices: Vector, levels: Matrix, prior: Vector, draws: Generator) -> Matrix:
    """Random linear goals; with infinite levels also versions that favour zeros where each label allows them."""
    size = prior * max(float(np.ptp(prices / prior)), 1e-12)
    aims, free = draws.normal(size=levels.shape) * size, np.isinf(levels)
    zeroed = np.where(free, -_FAR_BELOW * size, draws.normal(size=levels.shape) * size)
    return np.vstack([aims, zeroed[free.any(axis=1)]])


def _climbed(start: Vector, goal: Goal, prices: Vector, levels: Matrix, prior: Vector) -> tuple[float, Vector]:
    """The surplus U(v) - prices . v and the column at a local maximum, which no small move and no slope improves."""
    best, surplus = start, -np.inf
    while True:
        candidates = np.column_stack(
            [best, best_column(goal.slope(best, prior) - prices, levels, prior), neighbours(best, levels)]
        )
        candidates /= prior @ candidates
        scores = goal.gains(candidates, prior) - prices @ candidates
        best_place = int(np.argmax(scores))
        if scores[best_place] <= surplus + 1e-12 * abs(surplus):
            return surplus, best
        surplus, best = float(scores[best_place]), candidates[:, best_place]


def neighbours(column: Vector, levels: Matrix) -> Matrix:
    """The columns reached by moving one label to its end, or by raising one and lowering another; ``levels`` closed.

    >>> neighbours(np.array([3.0, 1.0, 1.0]), np.log([[1.0, 3.0, 3.0], [3.0, 1.0, 3.0], [3.0, 3.0, 1.0]])).shape
    (3, 15)
    """
    others = np.where(np.eye(len(levels), dtype=bool), np.inf, levels)
    with np.errstate(divide="ignore"):
        logs = np.log(column / column.max())
    raised = _each(logs, _highest(logs[None], others)[0])
    lowered = _each(logs, _lowest(logs[None], others)[0])
    exchanged = np.concatenate([_each(row, low) for row, low in zip(raised, _lowest(raised, others), strict=True)])
    found = np.concatenate([raised, lowered, exchanged])
    found = found[np.isfinite(found.max(axis=1))]
    return np.asarray(np.exp(found - found.max(axis=1, keepdims=True)).T, np.float64)


def _each(logs: Vector, ends: Vector) -> Matrix:
    """Copies of the logs as rows, each with one label moved to its end; unchanged if there is no end."""
    rows = np.repeat(logs[None], len(logs), axis=0)
    np.fill_diagonal(rows, np.where(ends < np.inf, ends, logs))
    return rows


def _highest(rows: Matrix, levels: Matrix) -> Matrix:
    """The largest log that each label may have while the others stay, for each row."""
    with np.errstate(invalid="ignore"):
        ceilings = rows[:, None] + levels
    return np.asarray(np.where(levels < np.inf, ceilings, np.inf).min(axis=2), np.float64)


def _lowest(rows: Matrix, levels: Matrix) -> Matrix:
    """The smallest log that each label may have while the others stay, for each row."""
    return np.asarray((rows[:, :, None] - levels).max(axis=1), np.float64)


def shortfall(goal: Goal, prices: Vector, levels: Matrix, prior: Vector) -> float:
    """A bound on U(v) - ``prices`` . v over all columns with ``prior`` . v = 1: by how much the prices are too low."""
    distances = closed(levels)
    if goal.terms is None:
        return _over_guesses(goal, prices, distances, prior)
    return max(_over_face(goal.terms, prices, distances, prior, top) for top in range(len(prior)))


def _over_face(
    terms: Callable[[Vector, Vector], Vector], prices: Vector, levels: Matrix, prior: Vector, top: int
) -> float:
    """The bound over columns in which the label ``top`` has the largest entry, by ranges of this entry."""
    low, high = reach(levels, prior)
    edges = np.geomspace(1, high[top] * (1 + 1e-12), SLICES + 1)
    least, most = np.exp(-levels[top]), np.minimum(np.exp(levels[:, top]), 1)
    slices = [(np.maximum(low, a * least), np.minimum(high, b * most)) for a, b in pairwise(edges)]
    return max(_over_chords(terms, prices, levels, prior, *slice_) for slice_ in slices)


def _over_guesses(goal: Goal, prices: Vector, levels: Matrix, prior: Vector) -> float:
    """The exact bound if U is a maximum of linear functions: a linear program for each of them."""
    low, high = reach(levels, prior)
    slopes = [goal.slope(column, prior) - prices for column in np.eye(len(prior))]
    return max(float(slope @ solve(slope, levels, prior, low, high)) for slope in slopes)


def _over_chords(
    terms: Callable[[Vector, Vector], Vector], prices: Vector, levels: Matrix, prior: Vector, low: Vector, high: Vector
) -> float:
    """The bound by chords: a convex term lies below its chord, so a linear program bounds the sum of the terms."""
    at_low, width = terms(low, prior), np.maximum(high - low, 1e-12)
    chords = (terms(np.maximum(high, low), prior) - at_low) / width
    column = solve(chords - prices, levels, prior, low, high) if (low <= high).all() else np.zeros(0)
    return float((at_low - chords * low).sum() + (chords - prices) @ column) if len(column) else -np.inf

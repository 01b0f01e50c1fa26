"""The channel of N grid points from which a mean is estimated with the least error, in whole numbers.

numbers.md 1. Outputs are intervals of grid points: one of weight w is E times likelier from a point within than from
one without, and it is worth a value f. Sought are weights and values that are unbiased at every point u and whose
largest variance V is least. In (w, f) this is a linear program with infinitely many columns, of which only those are
made that the prices of the last program ask for: for an interval the best value is a vertex of a parabola.

The odds are then taken as a fraction with a small denominator, and the weights as whole numbers, so that documents are
small and every probability exact; the values are found again for those, unbiased whatever was rounded.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np
import scipy

from deniable.arrays import Counts, Exact, Indices, Matrix, Vector
from deniable.protocol.errors import ParameterError
from deniable.theory.numbers.reports import PointReport
from deniable.theory.numbers.whole_flows import whole_flow

MOST_POINTS = 33
ROUNDS, CLOSE = 60, 2e-7
"""How many programs are solved at most, and by how much of V, or of 1, no other column could gain more."""
FLOW, SMALL, LEAST = 1 << 16, 1 << 13, 1 << 4
"""The weights of the intervals that a point lies in; how large the odds' numerator may be, or else the denominator."""
MOST_ODDS = Fraction(SMALL)
"""Beyond, nearly all of a mean's error is that of the grid, and the program is too badly scaled to be solved."""
THRESHOLDS = 16
NEARLY = 1e-3
"""How much the worst variance may exceed that with infinitely many levels."""


@dataclass(frozen=True, slots=True, eq=False)
class Points:
    """An exact channel: Fractions [N, J] whose rows add up to 1, and what the J outputs are worth."""

    rows: Exact
    values: Vector

    @property
    def chances(self) -> Matrix:
        """The probabilities as floats."""
        return self.rows.astype(np.float64)

    def report(self, levels: int) -> PointReport:
        """The report with so many levels of thresholds."""
        return PointReport(self.chances, self.values, levels)


def points_for(epsilon: float) -> int:
    """The fewest grid points whose error is near the least that any channel allows.

    >>> [points_for(epsilon) for epsilon in (1.0, 2.0, 3.0)]
    [2, 5, 9]
    """
    return 2 if epsilon <= 1.2 else 5 if epsilon <= 2 else 9


def levels_for(odds: Fraction, points: int) -> int:
    """16 thresholds, or with more points the fewest levels that cost at most a thousandth of the worst variance.

    >>> levels_for(Fraction(3), 2), levels_for(Fraction(7), 5)
    (16, 7)
    """
    if points == 2:
        return THRESHOLDS
    found, levels = best_points(odds, points), 1
    while (report := found.report(levels)).worst > (1 + NEARLY) * report.limit:
        levels += 1
    return levels


@lru_cache(maxsize=64)
def best_points(odds: Fraction, points: int) -> Points:
    """The channel of least worst variance whose rows differ by odds of at most ``odds``, as small whole numbers.

    >>> found = best_points(Fraction(7389, 1000), 3)
    >>> found.rows.sum(axis=1).tolist() == [1, 1, 1], round(float(found.report(16).limit), 4)
    (True, 0.9394)
    """
    if not 2 <= points <= MOST_POINTS or odds <= 1:
        raise ParameterError(f"there must be 2 to {MOST_POINTS} points and odds above 1, got {points} and {odds}")
    certified = _with_small_denominator(min(odds, MOST_ODDS))
    if points == 2:
        rows = np.array([[certified, Fraction(1)], [Fraction(1), certified]], object) / (certified + 1)
    else:
        rows = _rows_of_flow(whole_flow(_best_flow(float(certified), points), FLOW), certified)
    return Points(rows, worth_of(rows.astype(np.float64)))


def worth_of(rows: Matrix) -> Vector:
    """The values of a channel's outputs that are unbiased at every grid point, with the least worst variance.

    For weights of the points the best values are a weighted least squares solution; the worst weights are those at
    which it is largest, a smooth concave problem.
    """
    return _worth_of(np.ascontiguousarray(rows, np.float64).tobytes(), len(rows))


@lru_cache(maxsize=64)
def _worth_of(written: bytes, inputs: int) -> Vector:
    """``worth_of`` by the bytes of the rows, cached: a survey's few channels come again with each of its results."""
    rows = np.frombuffer(written).reshape(inputs, -1)
    values = _square_worth(rows) if rows.shape[0] == rows.shape[1] else _least_worth(rows)
    values.setflags(write=False)
    return values


def _square_worth(rows: Matrix) -> Vector:
    """The only unbiased values, where there are as many outputs as points."""
    return np.asarray(np.linalg.solve(rows, np.linspace(-1, 1, len(rows))), np.float64)


def _least_worth(rows: Matrix) -> Vector:
    """The unbiased values with the least worst variance, where there are more outputs than points."""
    points = np.linspace(-1, 1, len(rows))

    def least(weights: Vector) -> Vector:
        spread = rows / (weights @ rows)
        return np.asarray(spread.T @ np.linalg.lstsq(spread @ rows.T, points, rcond=None)[0], np.float64)

    def gains(weights: Vector) -> Vector:
        return np.asarray(rows @ least(weights) ** 2 - points**2, np.float64)

    def loss(weights: Vector) -> float:
        return -float(weights @ gains(weights))

    def slope(weights: Vector) -> Vector:  # the best values change too, but at first without effect
        return -gains(weights)

    start: Vector = np.full(len(rows), 1 / len(rows))
    found = scipy.optimize.minimize(
        loss,
        start,
        jac=slope,
        method="SLSQP",
        bounds=[(0, 1)] * len(rows),
        constraints=scipy.optimize.LinearConstraint(np.ones(len(rows)), 1, 1),
        tol=1e-12,
    )
    values = least(np.maximum(found.x, 0))
    return np.asarray(values - np.linalg.lstsq(rows, rows @ values - points, rcond=None)[0], np.float64)


def _with_small_denominator(odds: Fraction) -> Fraction:
    """The largest fraction of at most ``odds`` among those with small denominators."""
    most = max(int(SMALL / odds), LEAST)
    near = odds.limit_denominator(most)
    if near <= odds:
        return near
    return max(Fraction(int(odds * below), below) for below in range(1, most + 1))


def _rows_of_flow(flow: Counts, odds: Fraction) -> Exact:
    """The channel of odds A/B: an interval of weight w has the weights w A from its points and w B from others."""
    starts, ends = np.nonzero(flow)
    at = np.arange(len(flow))[:, None]
    inside = (at >= starts) & (at < ends)
    weights = np.where(inside, odds.numerator, odds.denominator).astype(object) * flow[starts, ends].astype(object)
    total = int(weights[0].sum())
    return np.array([[Fraction(int(weight), total) for weight in row] for row in weights], object)


def _best_flow(odds: float, points: int) -> Matrix:
    """The best weights of the intervals, as steps [N, N + 1] from the first point to the one after the last."""
    steps = [(start, end) for start in range(points) for end in range(start + 1, points + 1) if end - start < points]
    starts, ends = np.array(steps).T
    at = np.arange(points)
    inside = np.where((at >= starts[:, None]) & (at < ends[:, None]), 1.0, 1 / odds)
    weights = _best_weights(inside, (odds + 1) / (odds - 1))
    found = np.zeros((points, points + 1))
    found[starts, ends] = weights
    found[points - ends, points - starts] += weights
    return found


def _best_weights(inside: Matrix, largest_value: float) -> Vector:
    """The total weight of each interval in the best program, columns being added while any would gain."""
    count = len(inside)
    interval_of: Indices = np.repeat(np.arange(count), 9)
    values = np.tile(np.linspace(-2 * largest_value, 2 * largest_value, 9), count)
    weights = np.zeros(0)
    for _ in range(ROUNDS):
        weights, vertices, gains, best = _program(inside, interval_of, values)
        new = np.flatnonzero(gains > CLOSE * max(best, 1))
        if not len(new):
            break
        interval_of, values = np.append(interval_of, new), np.append(values, vertices[new])
        weights = np.append(weights, np.zeros(len(new)))
    return np.bincount(interval_of, weights, count).astype(np.float64)


def _program(inside: Matrix, interval_of: Indices, values: Vector) -> tuple[Vector, Vector, Vector, float]:
    """The weights of the columns, for each interval the value that would gain most, how much, and V."""
    points = np.linspace(-1, 1, inside.shape[1])
    columns, zeros = inside[interval_of].T, np.zeros((len(points), 1))
    found = scipy.optimize.linprog(
        np.append(np.zeros(len(interval_of)), 1),
        A_ub=np.hstack([columns * values**2, zeros - 1]),
        b_ub=points**2,
        A_eq=np.vstack([np.hstack([columns, zeros]), np.hstack([columns * values, zeros])]),
        b_eq=np.append(np.ones(len(points)), points),
        method="highs-ds",
    )
    if found.x is None:
        raise ParameterError(f"odds must be moderate for a channel of {len(points)} points, got higher ones")
    total, mean = np.split(np.asarray(found.eqlin.marginals), 2)
    curvatures = np.maximum(inside @ -np.asarray(found.ineqlin.marginals), 1e-300)
    slopes = inside @ mean
    vertices = slopes / (2 * curvatures)
    return found.x[:-1], vertices, inside @ total + slopes * vertices / 2, float(found.x[-1])

"""Column generation: the linear program over vertices, with only those vertices that dual prices ask for."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy

from deniable.arrays import Matrix, Vector
from deniable.theory.informed.cells import Release

_TIGHT = 1e-10


def vertices(mass: Vector, epsilon: float) -> Matrix:
    """Every vertex as a column of focuses. There are up to cells * 2^(cells-1).

    >>> vertices(np.array([0.5, 0.5]), 1.0).tolist()
    [[2.0, 0.0], [0.0, 2.0]]
    """
    room = 1 / (1 + math.exp(epsilon))
    full = (np.arange(2 ** len(mass))[:, None] >> np.arange(len(mass))) & 1
    full = full[full @ mass <= room]
    left = room - full @ mass
    found = []
    for partial, size in enumerate(mass):
        fits = (full[:, partial] == 0) & (left <= size)
        sets = full[fits].astype(np.float64)
        sets[:, partial] = left[fits] / size
        found.append(sets)
    return np.concatenate(found).T / room


def mix(focus: Matrix, utilities: Vector) -> tuple[Vector, Vector]:
    """The probabilities of columns that gain most with a mean focus of 1 on every cell, and a price for each cell.

    If the solver gives up, the first column, which should be the constant one, gets probability 1.

    >>> columns = np.array([[1.0, 2.0, 0.0], [1.0, 0.0, 2.0]])
    >>> mix(columns, (columns**2).sum(axis=0))[0].tolist()
    [0.0, 0.5, 0.5]
    """
    solved = scipy.optimize.linprog(
        -utilities,
        A_eq=focus,
        b_eq=np.ones(len(focus)),
        method="highs",
        options={"primal_feasibility_tolerance": _TIGHT, "dual_feasibility_tolerance": _TIGHT},
    )
    if solved.x is None:
        return np.eye(len(utilities))[0], np.zeros(len(focus))
    return np.maximum(solved.x, 0), -solved.eqlin.marginals


ROUNDS = 80
BATCH = 40
_NEAR, _NEAR_TARGET = 1e-10, 3e-4


@dataclass(frozen=True, slots=True, eq=False)
class Search:
    """A release near the best, the least upper bound found on the mean utility, and the prices that lowered it."""

    release: Release
    prices: list[Vector]
    ceiling: float


def generate(
    mass: Vector,
    start: Matrix,
    utility: Callable[[Matrix], Vector],
    price: Callable[[Vector], Matrix],
    target: float | None = None,
) -> Search:
    """The best mix found from ``start``, whose first column is constant, until it is near the upper bound.

    For prices mu no mix has a mean utility above sum mu + max_h (u(h) - mu.h): an upper bound if ``price`` is exact.
    New columns are then priced halfway between the prices of the least bound and the last ones, because prices swing
    from round to round. An inexact ``price`` needs a ``target``: an upper bound known in advance.
    """
    columns, worth = start, utility(start)
    chances, prices = mix(columns, worth)
    dual_prices, ceiling, tolerance = [prices], math.inf, _NEAR
    if target is not None:
        ceiling, tolerance = target, _NEAR_TARGET
    for _ in range(ROUNDS):
        tried_prices = (dual_prices[-1] + prices) / 2 if target is None else prices
        new_columns = price(tried_prices)
        gains = utility(new_columns)
        over = float((gains - tried_prices @ new_columns).max())
        if target is None and tried_prices.sum() + over < ceiling:
            dual_prices.append(tried_prices + over * mass)
            ceiling = float(tried_prices.sum()) + over
        if ceiling - worth @ chances <= tolerance * ceiling or (target is not None and over <= _NEAR * target):
            break
        new = np.unique(prices @ new_columns - gains, return_index=True)[1][:BATCH]  # equal gains: mostly equal columns
        columns, worth = np.hstack([columns, new_columns[:, new]]), np.concatenate([worth, gains[new]])
        chances, prices = mix(columns, worth)
    return Search(Release(chances, columns), dual_prices, ceiling)


def crossings(values: Vector, rates: Vector) -> Vector:
    """The slopes theta, ascending, at which two of the lines 2 theta v - rate cross; the values must be distinct."""
    first, second = np.triu_indices(len(values), 1)
    return np.unique((rates[first] - rates[second]) / (2 * (values[first] - values[second])))


def knapsacks(mass: Vector, values: Vector, rates: Vector, slopes: Vector, epsilon: float) -> Matrix:
    """For each slope theta the focus (a column) that makes mass.((2 theta v - rate) h) largest."""
    room = 1 / (1 + math.exp(epsilon))
    order = np.argsort(rates - 2 * slopes[:, None] * values, axis=1, kind="stable")
    sizes = mass[order]
    focus = np.empty_like(sizes)
    shares = np.clip(room - (np.cumsum(sizes, axis=1) - sizes), 0, sizes) / (sizes * room)
    np.put_along_axis(focus, order, shares, axis=1)
    return focus.T


def price_moments(mass: Vector, values: Vector, prices: Vector, epsilon: float) -> Matrix:
    """The columns that may gain most if the utility is g^2, g = (mass v).h, with centred values v.

    As g^2 is the largest 2 theta g - theta^2, each is a fractional knapsack for some slope, and between two crossings
    of its lines the knapsack does not change: so this is exact.
    """
    rates = prices / mass
    bends = crossings(values, rates)
    slopes = np.concatenate([[bends[0] - 1], (bends[1:] + bends[:-1]) / 2, [bends[-1] + 1]])
    return knapsacks(mass, values, rates, slopes, epsilon)


def moment_ceiling(mass: Vector, values: Vector, rates: Vector, epsilon: float, pieces: int = 400) -> float:
    """An upper bound on the mean g^2 of any release, from any prices ``rates`` per unit mass of each label.

    By the duality of linear programs it is sum mu + max_h (g^2 - mu.h) with mu = mass rate. The maximum is that of
    phi(theta) - theta^2 over the range of g, phi being the value of a knapsack: convex, so below its chords.
    """
    ends = (mass * values) @ knapsacks(mass, values, np.zeros_like(values), np.array([-1.0, 1.0]), epsilon)
    slopes = np.linspace(ends[0], ends[1], pieces + 1)
    focus = knapsacks(mass, values, rates, slopes, epsilon)
    phi = 2 * slopes * ((mass * values) @ focus) - (mass * rates) @ focus
    rise = np.diff(phi) / np.diff(slopes)
    peak = np.clip(rise / 2, slopes[:-1], slopes[1:])
    return float(mass @ rates + (phi[:-1] + rise * (peak - slopes[:-1]) - peak**2).max())


def price_squares(mass: Vector, weights: Vector, prices: Vector, epsilon: float) -> Matrix:
    """Columns that gain much if the utility is weights.h^2: a greedy set for every choice of partial and forced cell.

    A set is filled by net worth per mass, skipping cells that do not fit, until the partial cell can take the rest.
    """
    room, size = 1 / (1 + math.exp(epsilon)), len(mass)
    partial, forced = (side.ravel() for side in np.indices((size, size)))
    pairs = np.arange(len(partial))
    full = np.zeros((len(partial), size))
    fits = (forced != partial) & (mass[forced] <= room)
    full[pairs[fits], forced[fits]] = 1
    left = room - np.where(fits, mass[forced], 0)
    for cell in np.argsort((prices * room - weights) / mass):
        fits_cell = (mass[cell] <= left) & (left > mass[partial]) & (partial != cell) & (full[:, cell] == 0)
        full[fits_cell, cell] = 1
        left = left - fits_cell * mass[cell]
    full[pairs, partial] = left / mass[partial]
    return full[left <= mass[partial]].T / room

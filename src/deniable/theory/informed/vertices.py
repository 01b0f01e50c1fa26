"""Exact optimum of a few cells: a linear program over the vertices of the focus polytope.

The gain is the mean of a convex function of the focus, so some optimum lives on vertices of 0 <= h <= 1+t, mass.h = 1.
These fill cells with a total mass of 1/(1+t), at most one of them partly.
"""

from __future__ import annotations

import math

import numpy as np
import scipy

from deniable.arrays import Matrix, Vector

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

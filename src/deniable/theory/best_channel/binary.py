"""Two labels under any two levels: the one channel of which all others are coarser versions (acharya2019, thm. 2)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import scipy

from deniable.arrays import Matrix
from deniable.protocol.errors import ParameterError
from deniable.theory.best_channel.pricing import FINE
from deniable.theory.levels import check_levels


def binary(e12: float, e21: float) -> Matrix:
    """The 2 x 2 channel that is optimal for every goal: each report is as informative as the levels allow.

    Warner's design for equal levels, Mangat's if one is infinite; the limit at level 0, where no channel tells
    anything.

    >>> binary(0.7, 1.4).round(6).tolist()
    [[0.858536, 0.141464], [0.426337, 0.573663]]
    """
    missed, alarm = errors(e12, e21)
    return np.array([[_share(e21, e12), missed], [alarm, _share(e12, e21)]])


def errors(e12: float, e21: float) -> tuple[float, float]:
    """P_MD = (e^e12 - 1)/(e^(e12+e21) - 1) and P_FA, the same with the levels exchanged.

    >>> errors(math.inf, math.log(4)), errors(math.log(4), math.inf)
    ((0.25, 0.0), (0.0, 0.25))
    """
    check_levels([[0, e12], [e21, 0]])
    return math.exp(-e21) * _share(e12, e21), math.exp(-e12) * _share(e21, e12)


def error_region(e12: float, e21: float) -> Matrix:
    """The lower corners of the region of errors (P_FA, P_MD) of tests of label 2 against label 1, from (1, 0) on.

    >>> error_region(math.log(2), math.log(2)).round(6).tolist()
    [[1.0, 0.0], [0.333333, 0.333333], [0.0, 1.0]]
    """
    missed, alarm = errors(e12, e21)
    return np.array([[1.0, 0.0], [alarm, missed], [0.0, 1.0]])


def _share(own: float, other: float) -> float:
    """(1 - e^-own) / (1 - e^-(own + other)), without cancellation and with the right limit for infinite levels."""
    if own == other == 0:
        return 0.5
    return math.expm1(-own) / math.expm1(-(own + other))


def degradation(coarse: Any, fine: Any) -> float:
    """How far ``coarse`` is from a version of ``fine`` with reports randomized again: 0 if it is such a version.

    The minimum, over stochastic matrices W, of the largest absolute entry of fine W - coarse: a linear program.

    >>> degradation(np.full((2, 2), 0.5), binary(1.0, 1.0)) < 1e-9 < degradation(binary(2.0, 2.0), binary(1.0, 1.0))
    True
    """
    small, large = np.asarray(coarse, np.float64), np.asarray(fine, np.float64)
    if small.ndim != 2 or large.ndim != 2 or len(small) != len(large):
        raise ParameterError(f"channels must be matrices of as many rows, got shapes {small.shape} and {large.shape}")
    reports, merged = large.shape[1], small.shape[1]
    product = np.kron(large, np.eye(merged))  # maps W to fine W, entry by entry
    slack = np.ones((small.size, 1))
    solution = scipy.optimize.linprog(
        np.append(np.zeros(reports * merged), 1.0),
        A_ub=np.block([[product, -slack], [-product, -slack]]),
        b_ub=np.concatenate([small.ravel(), -small.ravel()]),
        A_eq=np.hstack([np.kron(np.eye(reports), np.ones((1, merged))), np.zeros((reports, 1))]),
        b_eq=np.ones(reports),
        method="highs-ds",
        options={"primal_feasibility_tolerance": FINE, "dual_feasibility_tolerance": FINE},
    )
    again = np.asarray(solution.x, np.float64)[:-1].reshape(reports, merged)
    return float(np.abs(large @ again - small).max())

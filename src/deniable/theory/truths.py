"""Distributions that stand for the truth in simulations, over labels 0 to d - 1.

Infinite distributions (geometric, Zipf) are truncated to d labels and rescaled.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from deniable.arrays import Vector
from deniable.protocol.checks import check_int
from deniable.protocol.errors import ParameterError
from deniable.theory.binomials import binomial_pmf


def uniform(d: int) -> Vector:
    """The uniform distribution: every label has the share 1/d.

    >>> uniform(4).tolist()
    [0.25, 0.25, 0.25, 0.25]
    """
    return _rescaled(np.ones(_check_labels(d)))


def geometric(d: int, ratio: float) -> Vector:
    """Shares that fall geometrically: each is ``ratio`` times the one before.

    >>> geometric(3, 0.5).round(3).tolist()
    [0.571, 0.286, 0.143]
    """
    within = _check_between("ratio", ratio, 0, 1)
    return _rescaled(within ** np.arange(_check_labels(d)))


def geometric_of_mean(d: int, mean: float, first: int = 0) -> Vector:
    """A geometric distribution with this mean before it is truncated, where the first label counts as ``first``.

    Counted from 0 the ratio is mean/(1 + mean), counted from 1 it is 1 - 1/mean: then the mean must exceed 1.

    >>> geometric_of_mean(3, 1.0).round(3).tolist(), geometric_of_mean(3, 2.0, first=1).round(3).tolist()
    ([0.571, 0.286, 0.143], [0.571, 0.286, 0.143])
    """
    beyond = _check_between("mean", mean, first, math.inf) - first
    return geometric(d, beyond / (1 + beyond))


def zipf(d: int, exponent: float = 1.0) -> Vector:
    """Zipf's law: the r-th label has a share in proportion to r^-exponent.

    >>> zipf(3).round(3).tolist()
    [0.545, 0.273, 0.182]
    """
    power = _check_between("exponent", exponent, 0, math.inf)
    return _rescaled(np.arange(1, _check_labels(d) + 1) ** -power)


def binomial(d: int, chance: float) -> Vector:
    """The binomial distribution: label k is the chance that k of d - 1 coins show heads.

    >>> binomial(3, 0.5).round(3).tolist()
    [0.25, 0.5, 0.25]
    """
    within = _check_between("chance", chance, 0, 1)
    return _rescaled(binomial_pmf(np.arange(_check_labels(d)), d - 1, within))


def dirichlet(d: int, generator: np.random.Generator, concentration: float = 1.0) -> Vector:
    """A random truth from the symmetric Dirichlet law; with concentration 1 all distributions are equally likely.

    >>> round(float(dirichlet(3, np.random.default_rng(1)).sum()), 12)
    1.0
    """
    each = _check_between("concentration", concentration, 0, math.inf)
    return _rescaled(generator.dirichlet(np.full(_check_labels(d), each)))


def _check_labels(d: Any) -> int:
    return check_int("d", d, 1)


def _check_between(name: str, value: float, low: float, high: float) -> float:
    if not low < value < high:
        within = f"above {low}" if high == math.inf else f"between {low} and {high}"
        raise ParameterError(f"{name} must be {within}, got {name}={value}")
    return float(value)


def _rescaled(weights: npt.NDArray[np.floating[Any]]) -> Vector:
    return np.asarray(weights / weights.sum(), np.float64)

"""Clopper-Pearson bounds on a binomial probability from one count, each of them checked.

The bounds are quantiles of beta distributions, and SciPy's inverse of the incomplete beta function is sometimes wrong:
at a parameter of exactly 1000, or of two hundred million and more, by any factor. The function itself is right, to 1e-7
of the tail up to 2^50 people and for any small count beyond. So each bound that the inverse proposes is inserted in the
function, and if the tail is not the one wanted, the bound is found by bisection.

Counts above half are handled from the other side: a probability near 1 is 1 minus a small one with all its digits.

Beyond 2^50 people a double hardly distinguishes neighbouring counts, and large counts get score bounds (Wilson 1927),
widened by the ``allowance`` for treating a tail as normal.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt
import scipy

from deniable.arrays import Counts, Matrix, Vector

Tail: TypeAlias = Callable[..., Any]
"""The probability that a beta variable with parameters a and b is below a bound, or above it."""

Number = TypeVar("Number", float, Vector)

NORMAL = statistics.NormalDist()
TOLERANCE = 1e-7
"""The relative error of a bound's tail from which on the bound is searched again."""
MANY, GREAT = 1 << 50, 10_000
"""Above so many people, counts above the second number use score bounds."""


def clopper_pearson(counts: Counts, n: int | Counts, alpha: float) -> Matrix:
    """Bounds [d, 2] on a binomial probability that cover at least as often as stated (Clopper and Pearson 1934).

    >>> clopper_pearson(np.array([0, 5]), 10, 0.05).round(4).tolist()
    [[0.0, 0.3085], [0.1871, 0.8129]]
    """
    f, trials, where = distinct(counts, n)
    other = trials - f
    fewer = f <= other
    bounds = _of_small(np.minimum(f, other), trials, alpha)
    # outwards, because 1 - x is rounded
    mirrored = np.stack([np.nextafter(1 - bounds[:, 1], 0), np.minimum(np.nextafter(1 - bounds[:, 0], 2), 1)], axis=1)
    return np.asarray(np.where(fewer[:, None], bounds, mirrored)[where])


def quantile(error: float) -> float:
    """The standard normal quantile that is exceeded with probability ``error``.

    By the standard library, to the last digits of a double: to load SciPy's own takes longer than most results.
    """
    return -NORMAL.inv_cdf(error) if 0 < error < 1 else math.copysign(math.inf, 0.5 - error)


def allowance(z: Number) -> Number:
    """By how many counts the normal tail of a sum of indicators may be wrong; see ``intervals``."""
    return abs(z * z - 1) / 6 + 0.5 + abs(z) ** 3 / 1000


def distinct(counts: Counts, n: int | Counts) -> tuple[Counts, Counts, npt.NDArray[np.intp]]:
    """The distinct pairs of a count and its number of people, and the index of each label's pair."""
    f, where = np.unique(counts, return_inverse=True)
    if not isinstance(n, np.ndarray):
        return f, np.full(len(f), n, np.int64), where
    people, group = np.unique(n, return_inverse=True)
    pairs, where = np.unique(where * len(people) + group, return_inverse=True)
    return f[pairs // len(people)], people[pairs % len(people)], where


def _of_small(f: Counts, trials: Counts, alpha: float) -> Matrix:
    """The bounds [d, 2] for counts of at most half of the people."""
    bounds = np.tile(np.array([0.0, 1.0]), (len(f), 1))
    normal = (trials > MANY) & (f > GREAT)
    some, any_one = (f > 0) & ~normal, (trials > 0) & ~normal
    bounds[some, 0] = _lower(f[some], trials[some], alpha / 2)
    bounds[any_one, 1] = _upper(f[any_one], trials[any_one], alpha / 2)
    bounds[normal] = _score(f[normal], trials[normal], quantile(alpha / 2))
    return bounds


def _lower(f: Counts, trials: Counts, tail: float) -> Vector:
    """The lower bound: the binomial probability at which a count of f or more has the probability ``tail``."""
    a, b = f.astype(np.float64), (trials - f).astype(np.float64) + 1
    return _checked(
        np.asarray(scipy.special.betaincinv(a, b, tail)), scipy.special.betainc, a, b, tail, f / trials, 0.0
    )


def _upper(f: Counts, trials: Counts, tail: float) -> Vector:
    """The upper bound: the binomial probability at which a count of f or fewer has the probability ``tail``."""
    a, b = f.astype(np.float64) + 1, (trials - f).astype(np.float64)
    return _checked(
        np.asarray(scipy.special.betainccinv(a, b, tail)), scipy.special.betaincc, a, b, tail, f / trials, 1.0
    )


def _checked(bounds: Vector, law: Tail, a: Vector, b: Vector, tail: float, share: Vector, end: float) -> Vector:
    """The bounds where ``law`` gives their tail as ``tail``, others by bisection between ``share`` and ``end``."""
    off = ~(np.abs(law(a, b, bounds) - tail) <= TOLERANCE * tail)
    if not off.any():
        return bounds
    a, b, inner, outer = a[off], b[off], share[off], np.full(int(off.sum()), end)
    while True:
        middle = (inner + outer) / 2
        if ((middle == inner) | (middle == outer)).all():
            bounds[off] = outer  # it may be too wide by a last digit, never too narrow
            return bounds
        beyond = law(a, b, middle) <= tail
        inner, outer = np.where(beyond, inner, middle), np.where(beyond, middle, outer)


def _score(f: Counts, trials: Counts, z: float) -> Matrix:
    """Score bounds: the roots of |f -+ allowance - n x| = z sqrt(n x (1 - x))."""
    n, slack = trials.astype(np.float64), allowance(z)
    ends = []
    for count, side in ((f - slack, -1), (f + slack, 1)):
        deviation = side * z * np.sqrt(count * (1 - count / n) + z * z / 4)
        ends.append((count + z * z / 2 + deviation) / (n + z * z))
    return np.stack(ends, axis=1)

"""The expected largest absolute error over the labels (wang2016's l_inf), from each label's variance.

With many people the errors are jointly normal with variances v_j and some correlations. By Sidak's inequality all of
them stay within t at least as often as independent ones would, so that

    E max_j |error_j| <= integral over t > 0 of 1 - prod_j erf(t/sqrt(2 v_j)),

with equality for independent errors: never below the limit, and close to it for more than a few labels, whose errors
are hardly correlated. If the estimates always add up to 1, positive and negative errors have the same sum: the largest
is at most half of l1, and exactly that for up to three labels.
"""

from __future__ import annotations

import math

import numpy as np
import scipy

from deniable.arrays import Counts, Vector

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(120)
_BEYOND = 8.0
"""How many standard deviations beyond sqrt(2 ln d) the largest of d errors lies with a probability below 10^-13."""
_SAME = 13
"""Variances that agree to so many digits, relative to the largest, are treated as equal."""
_EACH = 16
_CHUNK = 1 << 14
_SMALLEST = 1e-12
"""Variances, relative to the largest, at which the slope is computed; it is interpolated between them."""


def expected(variances: Vector, copies: Counts | None = None) -> float:
    """The expected largest of independent normal errors with these variances: an upper bound for dependent ones.

    With ``copies`` there are so many errors of each variance instead of one.

    >>> round(expected(np.ones(1)), 6), round(expected(np.ones(2)), 6)
    (0.797885, 1.128379)
    """
    largest = float(variances.max())
    if largest == 0:
        return 0.0
    ratios = variances / largest
    if copies is None:
        ratios, copies = np.unique(np.round(ratios, _SAME), return_counts=True)
    t, steps = _grid(int(copies.sum()))
    logs = np.zeros(len(t))
    for start in range(0, len(ratios), _CHUNK):
        part = slice(start, start + _CHUNK)
        logs += _log_within(t, np.sqrt(ratios[part])) @ copies[part]
    return math.sqrt(largest) * float(steps @ -np.expm1(logs))


def few(labels: int) -> list[int]:
    """How many labels share all people in the truths to try: every number up to 16, then in steps of a quarter.

    >>> few(20), len(few(10**6))
    ([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 20], 66)
    """
    counts = list(range(1, min(labels, _EACH) + 1))
    while counts[-1] < labels:
        counts.append(min(labels, counts[-1] * 5 // 4))
    return counts


def slope(variances: Vector) -> Vector:
    """The gradient of ``expected`` with respect to the variances."""
    largest = float(variances.max())
    if largest == 0:
        return np.zeros(len(variances))
    ratios, place, copies = np.unique(np.round(variances / largest, _SAME), return_inverse=True, return_counts=True)
    deviations = np.sqrt(np.maximum(ratios, _SMALLEST))
    t, steps = _grid(len(variances))
    logs = _log_within(t, deviations)
    scaled = t[:, None] / deviations
    with np.errstate(under="ignore"):
        density = scaled * np.exp(-(scaled**2) / 2 - logs + (logs @ copies)[:, None])
    by_ratio = steps @ density / (math.sqrt(2 * math.pi) * deviations**2)
    return np.asarray(by_ratio[place] / math.sqrt(largest), np.float64)


def _grid(labels: int) -> tuple[Vector, Vector]:
    """Nodes and weights of the integral over t, in standard deviations of the largest error."""
    top = math.sqrt(2 * math.log(labels)) + _BEYOND
    return (_NODES + 1) * (top / 2), _WEIGHTS * (top / 2)


def _log_within(t: Vector, deviations: Vector) -> Vector:
    """For each error, the log of the probability that it stays within each t; 0 for an error that is always 0."""
    with np.errstate(divide="ignore"):
        return np.asarray(np.log1p(-scipy.special.erfc(t[:, None] / (math.sqrt(2) * deviations))), np.float64)

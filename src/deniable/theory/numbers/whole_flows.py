"""Weights of intervals in whole numbers, so that every grid point lies in intervals of exactly the same total weight.

Intervals of 0..N-1 are the steps of paths from 0 to N: [i, j] leads from i to j + 1. Weights under which every point is
covered alike are a flow from 0 to N. A flow is a sum of paths, and rounding the paths leaves it one.
"""

from __future__ import annotations

import math

import numpy as np

from deniable.arrays import Counts, Matrix, Vector

NEGLIGIBLE = 1e-3
"""Paths that carry a smaller part of the flow are left out; less error than this part is caused by it."""


def whole_flow(weights: Matrix, total: int) -> Counts:
    """The weights [N, N + 1] of steps in whole numbers, a flow of ``total`` (even) that is its own mirror image.

    ``weights`` must be a flow, and its own mirror image up to rounding.

    >>> third = np.array([[0, 1/3, 2/3], [0, 0, 1/3]])
    >>> whole_flow(third, 10).tolist()
    [[0, 4, 6], [0, 0, 4]]
    """
    pairs, rest = [], weights.copy()
    negligible = NEGLIGIBLE * weights[0].sum()
    while True:
        path = _widest(rest)
        pair = path + _mirrored(path)
        amount = float((rest[pair > 0] / pair[pair > 0]).min())
        if amount < negligible / 2:
            break
        rest -= amount * pair
        pairs.append((pair, amount))
    shares = _whole(np.array([amount for _, amount in pairs]), total // 2)
    return np.asarray(sum(int(share) * pair for (pair, _), share in zip(pairs, shares, strict=True)), np.int64)


def _widest(flow: Matrix) -> Counts:
    """The path from 0 to N whose least step is largest, as a matrix of its steps."""
    points = len(flow)
    width, before = [math.inf, *[-math.inf] * points], [0] * (points + 1)
    for end in range(1, points + 1):
        through = [min(width[start], flow[start, end]) for start in range(end)]
        before[end] = int(np.argmax(through))
        width[end] = through[before[end]]
    path, at = np.zeros(flow.shape, np.int64), points
    while at:
        path[before[at], at] = 1
        at = before[at]
    return path


def _mirrored(path: Counts) -> Counts:
    """The steps of the path from the other end: from i to j becomes from N - j to N - i."""
    starts, ends = np.nonzero(path)
    found = np.zeros_like(path)
    found[len(path) - ends, len(path) - starts] = 1
    return found


def _whole(amounts: Vector, total: int) -> Counts:
    """Whole numbers in the proportions of the amounts that add up to the total: the largest remainders gain one."""
    exact = amounts / amounts.sum() * total
    found: Counts = np.floor(exact).astype(np.int64)
    found[np.argsort(found - exact, kind="stable")[: total - int(found.sum())]] += 1
    return found

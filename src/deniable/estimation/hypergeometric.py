"""Exact bounds on how many of N people hold a label, if some of them, drawn by lot, told of it by support counting.

Of n who told, X hold the label: hypergeometric, with K holders among N. The count of reports that support the label is
then Binomial(X, g) + Binomial(n - X, h), and its tails rise and fall with K. Up to ``MOST_TOLD`` people both laws are
added up. With more the score is used: the count has the law of a sum of independent indicators, for the polynomial of
its chances has real roots alone (Vatutin and Mikhailov 1982), so that the ``allowance`` of ``binomial`` covers what is
wrong with its normal tail.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
import scipy

from deniable.arrays import Counts, Flags, Matrix, Vector
from deniable.estimation.binomial import allowance, distinct, quantile
from deniable.estimation.intervals import holders, mean_root

MOST_TOLD = 1 << 10
"""Up to so many people who told, chances are added up."""
TABLED = 1 << 16
"""Factorials of fewer are looked up."""
SLACK = 1e-12
"""More than what rounding takes off a tail: bounds can only be too wide."""


def holders_among(counts: Counts, told: int | Counts, size: int, g: float, h: float, alpha: float) -> Matrix:
    """Bounds [d, 2] on holders among ``size`` people, if ``told`` reported: holders support with chance g, others h.

    >>> holders_among(np.array([6]), 10, 10, 1.0, 0.0, 0.05).tolist()
    [[6.0, 6.0]]
    >>> holders_among(np.array([6]), 10, 20, 1.0, 0.0, 0.05).tolist()
    [[7.0, 16.0]]
    """
    f, trials, where = distinct(counts, told)
    bounds = np.empty((len(f), 2))
    for n in np.unique(trials).tolist():
        alike = trials == n
        bounds[alike] = _holders(f[alike], n, size, (g, h), alpha)
    return np.asarray(bounds[where], np.float64)


def _holders(f: Counts, n: int, size: int, chances: tuple[float, float], alpha: float) -> Matrix:
    """The bounds where n people told of every label."""
    if n == size:
        return holders(f, n, *chances, alpha)
    if n > MOST_TOLD:
        return _scored(f, n, size, chances, alpha)
    above = _tails(n, *chances)
    low = _first(above[:, f].T, size, alpha / 2)
    high = size - _first((1 - above[:, f + 1]).T[:, ::-1], size, alpha / 2)  # the same from those who do not hold it
    return np.stack([low, high], axis=1).astype(np.float64)


@lru_cache(maxsize=8)
def _tails(n: int, g: float, h: float) -> Matrix:
    """The chance of at least f of n reports in support, 0 <= f <= n + 1, by how many of the n hold the label."""
    turns = np.exp(-2j * np.pi * np.arange((n + 1) // 2 + 1) / (n + 1))
    held, steps = np.arange(n + 1)[:, None], (1 - g + g * turns, 1 - h + h * turns)
    law = np.fft.irfft(steps[0] ** held * steps[1] ** (n - held), n + 1, axis=1)
    tails = np.zeros((n + 1, n + 2))
    tails[:, :-1] = np.cumsum(law[:, ::-1], axis=1)[:, ::-1]
    return tails


def _first(tails: Matrix, size: int, error: float) -> Counts:
    """The fewest holders among all with which each tail is likely; tails [d, n + 1] by the holders who told."""
    least, most = np.zeros(len(tails), np.int64), np.full(len(tails), size)
    while (least < most).any():
        middle = (least + most) // 2
        enough = (least == most) | _likely(tails, middle, size, error)
        least, most = np.where(enough, least, middle + 1), np.where(enough, middle, most)
    return least


def _likely(tails: Matrix, held: Counts, size: int, error: float) -> Flags:
    """Which tails are likelier than ``error`` if so many hold the label."""
    n = tails.shape[1] - 1
    x, k = np.arange(n + 1), held[:, None]
    possible = (x <= k) & (n - x <= size - k)
    chances = np.where(possible, _choices(k, x) + _choices(size - k, n - x), -math.inf)
    law = np.exp(chances - chances.max(axis=1, keepdims=True))
    return np.asarray((law * tails).sum(axis=1) / law.sum(axis=1) + SLACK > error, np.bool_)


def _choices(people: Counts, some: Counts) -> Matrix:
    """The logarithm of how many ways there are to choose ``some`` of the people; any number where these are fewer."""
    others = np.maximum(people - some, 0)
    return _log_factorials(people) - _log_factorials(some) - _log_factorials(others)


def _log_factorials(numbers: Counts) -> Matrix:
    """From a table, as long as that is short: many of the numbers are alike."""
    most = int(numbers.max(initial=0))
    logs = _table(most.bit_length())[numbers] if most < TABLED else scipy.special.gammaln(numbers + 1)
    return np.asarray(logs, np.float64)


@lru_cache(maxsize=32)
def _table(bits: int) -> Vector:
    """The logarithms of the factorials of all numbers of so many bits."""
    return np.asarray(scipy.special.gammaln(np.arange(1 << bits) + 1), np.float64)


def _scored(f: Counts, n: int, size: int, chances: tuple[float, float], alpha: float) -> Matrix:
    """Score bounds, where the variance at a share p is (fixed + drift p - left p^2)/n.

    ``left`` is about the share of people who did not tell, the rest of a sample's variance.
    """
    (g, h), z, left = chances, quantile(alpha / 2), (size - n) / (size - 1)
    gap = g - h
    fixed, drift = h * (1 - h) / gap**2, (g * (1 - g) - h * (1 - h)) / gap**2 + left
    shares: Vector = (f / n - h) / gap
    short = allowance(z) / (n * gap)
    low, high = (mean_root(shares + side * short, drift, fixed, side * z, n, left) for side in (-1, 1))
    return np.asarray(np.clip(np.stack([low, high], axis=1), 0, 1) * size, np.float64)

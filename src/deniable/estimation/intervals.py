"""Intervals from counts: exact ones by inverting tails, and for large counts the score with an allowance.

alpha is the probability of missing, half of it on each side. Nothing here is clipped to [0, 1].

Exact two-binomial tails take time in proportion to the count's standard deviation. Beyond a variance of 1e4 (a standard
deviation of s >= 100) the normal tail is used, widened by

    |z^2 - 1|/6 + 1/2 + |z|^3/1000 counts.

By Cornish and Fisher a quantile of a sum of indicators is s z + (z^2 - 1)/6 k3/k2 + O(z^3 / (10 s)), and k3/k2 lies
between -1 and 1; 1/2 is the continuity correction of counts. The allowance covers each term at its worst, so the
interval stays conservative; it is about 1% wider than the exact one at the border and less above (a test compares
them).

Beyond 2^53 people no double holds their number. There the people are bounded through the mean probability of support:
a sum of indicators with different probabilities deviates no more than the binomial with the same mean (Hoeffding 1956).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from deniable.arrays import Counts, Flags, Matrix, Vector
from deniable.estimation.binomial import allowance, clopper_pearson, distinct, quantile
from deniable.kernels.tails import least_holders

EXACT_VARIANCE = 1e4
COUNTABLE = 1 << 53
LANDING = 0.05
"""The share of the error that is spent on how many holders landed in their part, or reports inside."""
SAME = 1e-9
"""Sums of values this close, relatively, differ only by rounding."""
FEW_SPANS = 4.0
SPANS = 25.0
"""The variance, in squares of the span of what is added up, from which on a sum of three values has a normal tail."""


def two_binomials(counts: Counts, n: int, g: float, h: float, alpha: float) -> Matrix:
    """Bounds [d, 2] on the share of n fixed people who hold a label, supported by holders with probability g, others h.

    >>> two_binomials(np.array([60]), 100, 0.75, 0.25, 0.05).round(2).tolist()
    [[0.53, 0.88]]
    """
    return holders(counts, n, g, h, alpha) / n


def holders(counts: Counts, n: int | Counts, g: float, h: float, alpha: float) -> Matrix:
    """Bounds [d, 2] on x, in people, if a count is Binomial(x, g) + Binomial(n - x, h); n may differ by label."""
    f, trials, where = distinct(counts, n)
    bounds, many = np.empty((len(f), 2)), trials > COUNTABLE
    bounds[many] = _by_mean(f[many], trials[many], g, h, alpha)
    f, trials = f[~many], trials[~many]
    low = _least(f, trials, (g, 1 - g), (h, 1 - h), alpha / 2)
    # from those who do not support: n - x people with probability 1 - h, x with 1 - g
    high = trials - _least(trials - f, trials, (1 - h, h), (1 - g, g), alpha / 2)
    bounds[~many] = np.stack([low, high], axis=1)
    return bounds[where]


def _by_mean(f: Counts, trials: Counts, g: float, h: float, alpha: float) -> Matrix:
    """The bounds of ``holders`` through the mean probability of support."""
    share = (clopper_pearson(f, trials, alpha) - h) / (g - h)
    return np.asarray(np.clip(share, 0, 1) * trials[:, None])


def landed_holders(plus: Counts, within: Counts, n: int, gain: float, landing: float, alpha: float) -> Matrix:
    """Bounds [d, 2] on y, the people among n who hold a label, from reports that may land outside its part.

    A holder lands inside with probability ``landing`` and then counts + with probability 1/2 + ``gain``; others who
    land inside count + or - with equal probability. ``within`` landed inside, X of them holders, M not. Two
    constructions, both valid whatever the other people hold:

    - small counts: given X, plus is Binomial(X, 1/2 + gain) + Binomial(within - X, 1/2), which bounds X; and X is
      Binomial(y, landing), which bounds y. The error is split between the two.
    - large counts: given M, W = plus - within/2 is a sum of y independent terms plus M fair coins, its mean is
      y landing gain, and it varies more the larger M. M = within - X is at most within - y landing + D, except for the
      error spent on X falling D short; the score is evaluated there (Berger and Boos 1994).
    """
    if n > COUNTABLE:
        more, fewer = clopper_pearson(plus, n, alpha / 2), clopper_pearson(within - plus, n, alpha / 2)
        return np.asarray(np.clip((more - fewer[:, ::-1]) / (2 * gain * landing), 0, 1) * n)
    n_holders = np.clip((plus - within / 2) / (landing * gain), 0, n)
    great = within / 4 - n_holders * (landing * gain) ** 2 > EXACT_VARIANCE
    bounds = np.empty((len(plus), 2))
    bounds[~great] = _landed_exact(plus[~great], within[~great], n, gain, landing, alpha)
    bounds[great] = _landed_score(plus[great], within[great], n, gain, landing, alpha)
    return bounds


def _landed_exact(plus: Counts, within: Counts, n: int, gain: float, landing: float, alpha: float) -> Matrix:
    """The construction of ``landed_holders`` for small counts."""
    inside = holders(plus, within, 0.5 + gain, 0.5, alpha * (1 - LANDING))
    fewest, most = np.floor(inside[:, 0]).astype(np.int64), np.ceil(inside[:, 1]).astype(np.int64)
    low = holders(fewest, n, landing, 0.0, alpha * LANDING)[:, 0]
    high = holders(most, n, landing, 0.0, alpha * LANDING)[:, 1]
    return np.stack([low, high], axis=1)


def _landed_score(plus: Counts, within: Counts, n: int, gain: float, landing: float, alpha: float) -> Matrix:
    """The construction of ``landed_holders`` for large counts."""
    z, z_landing = quantile(alpha / 2 * (1 - LANDING)), quantile(alpha / 2 * LANDING)
    slope = landing * gain
    short = z_landing * math.sqrt(n * landing * (1 - landing)) + allowance(z_landing)
    # Var W = y landing/4 - y slope^2 + M/4 <= (within + D)/4 - y slope^2
    spread, drift = (within.astype(np.float64) + short) / 4, -slope * slope
    excess = plus - within / 2
    low = _score(excess - allowance(z), slope, spread, drift, z, n)
    high = n - _score(n * slope - excess - allowance(z), slope, spread + n * drift, -drift, z, n)
    return np.stack([low, high], axis=1)


class Worth(NamedTuple):
    """What a report adds to n times a label's estimate: ``own`` if it is for the label, ``other`` if it is against.

    Both are inside, such as in the label's part in ``SignedEvidence``; any other report adds ``outside``.
    """

    own: float
    other: float
    outside: float

    @property
    def span(self) -> float:
        """Between the largest and the smallest of the three."""
        return max(self) - min(self)


def mean_worths(worth: Worth, average: Vector, inside: Counts, n: int, alpha: float) -> tuple[Matrix, Flags]:
    """Bounds [d, 2] on the mean of a variable of three values, from the ``average`` of n, and where they are valid.

    ``inside`` of the n have one of the first two values. With p the mean and i the probability of these two, its
    variance is

        outside^2 - outside (own + other) + i (other - outside)(outside - own) + (own + other) p - p^2.

    The score is evaluated at a bound of i, for which a share of the error is spent (Berger and Boos 1994). Its tail is
    taken as normal, with the allowance of sums, where the standard deviation of the sum is five spans of the values or
    more; tests add up what it covers.
    """
    z, (own, other, outside) = quantile(alpha / 2 * (1 - LANDING)), worth
    sides = clopper_pearson(inside, n, alpha * LANDING)
    rise = (other - outside) * (outside - own)
    fixed = outside**2 - outside * (own + other) + rise * sides[:, int(rise > 0)]
    variance = fixed + (own + other) * average - average**2
    short = worth.span * (allowance(z) + abs(z) ** 3 / (10 * math.sqrt(SPANS))) / n
    low, high = (mean_root(average + side * short, own + other, fixed, side * z, n) for side in (-1, 1))
    return np.stack([low, high], axis=1), variance * n > SPANS * worth.span**2


def products(first: Matrix, second: Matrix | Vector) -> Matrix:
    """Bounds [d, 2] of the product of two numbers within bounds, the second not negative."""
    least, most = np.moveaxis(np.broadcast_to(second, first.shape), 1, 0)
    low = first[:, 0] * np.where(first[:, 0] < 0, most, least)
    high = first[:, 1] * np.where(first[:, 1] < 0, least, most)
    return np.stack([low, high], axis=1)


def bentkus(sums: Vector, n: int, alpha: float) -> Matrix:
    """Bounds [d, 2] on the mean of independent terms in 0..1 from their sums, whether they are alike or not.

    Bentkus (2004), theorem 1.2: Pr[S >= x] <= e Pr[Binomial(n, mean) >= x] at integers x; for a term is below its
    Bernoulli, and a sum of Bernoullis below the binomial (Hoeffding 1956), in the order of convex functions. So S,
    rounded outwards, goes through Clopper-Pearson at alpha/e.
    """
    slack = SAME * (1 + sums)
    down, up = _whole(np.floor(sums - slack), n), _whole(np.ceil(sums + slack), n)
    low = clopper_pearson(down, n, alpha / math.e)[:, 0]
    high = clopper_pearson(up, n, alpha / math.e)[:, 1]
    return np.stack([low, high], axis=1)


def mean_of_values(values: Matrix, counts: Counts | Vector, n: int, alpha: float) -> Matrix:
    """Bounds [d, 2] on the means of n terms, alike or not, that are one of each row's values in 0..1.

    The mean q and the mean square w of the distance from the middle leave n terms a variance of at most n (w - q^2).
    The score is evaluated at a bound on w, for which a share of the error is spent (Berger and Boos 1994), with the
    allowance of sums. Where the standard deviation of the sum is less than two of its largest steps, the bounds are
    those of Bentkus. Tests add up what both cover.
    """
    z = quantile(alpha / 2 * (1 - LANDING))
    away, sums = values - 0.5, values @ counts
    wide = bentkus(away**2 @ counts * 4, n, 2 * LANDING * alpha)[:, 1] / 4
    mean = sums / n - 0.5
    short = (allowance(z) + abs(z) ** 3 / (10 * math.sqrt(FEW_SPANS))) / n
    outward = (mean - short, mean + short)
    ends = [mean_root(each, 0.0, wide, side * z, n) for each, side in zip(outward, (-1, 1), strict=True)]
    low = np.where(outward[0] < -np.sqrt(wide), 0.0, 0.5 + ends[0])  # a mean so far out is none that could be ruled out
    high = np.where(outward[1] > np.sqrt(wide), 1.0, 0.5 + ends[1])
    normal = n * (wide - mean**2) > FEW_SPANS
    return np.where(normal[:, None], np.clip(np.stack([low, high], axis=1), 0, 1), bentkus(sums, n, alpha))


def _whole(values: Vector, most: int) -> Counts:
    """Whole numbers as int64 from 0 to ``most``, which as a double may be one too large for 64 bits."""
    return np.minimum(np.clip(values, 0, np.nextafter(2.0**63, 0)).astype(np.int64), most)


def mean_root(
    mean: Vector, drift: float | Vector, fixed: float | Vector, z: float, n: int, bend: float = 1.0
) -> Vector:
    """The p with mean = p - z sqrt((fixed + drift p - bend p^2)/n): a root of a quadratic."""
    scale, middle = 1 + bend * z * z / n, mean + z * z * drift / (2 * n)
    inner = middle**2 - scale * (mean**2 - z * z * fixed / n)
    return np.asarray((middle + math.copysign(1, z) * np.sqrt(np.maximum(inner, 0))) / scale)


def _least(
    f: Counts, trials: Counts, of_holders: tuple[float, float], of_others: tuple[float, float], error: float
) -> Vector:
    """The smallest number of holders that f supporters do not rule out.

    Holders support with the first of their chances (g, 1 - g), others with the first of theirs, (h, 1 - h).
    """
    (g, not_g), (h, not_h) = of_holders, of_others
    people, z = trials.astype(np.float64), quantile(error)
    excess, spread, drift = f - people * h, people * h * not_h, g * not_g - h * not_h
    low = _score(excess - allowance(z), g - h, spread, drift, z, trials)
    small = spread + drift * np.clip(excess / (g - h), 0, trials) <= EXACT_VARIANCE
    guesses = np.ceil(_score(excess[small] - 0.5, g - h, spread[small], drift, z, trials[small])).astype(np.int64)
    low[small] = least_holders(f[small], trials[small], g, not_g, h, not_h, error, guesses)
    return low


def _score(excess: Vector, slope: float, spread: Vector | float, drift: float, z: float, most: int | Counts) -> Vector:
    """The smallest x in 0..most with excess - slope x <= z sqrt(spread + drift x): the lower root of a quadratic."""
    # the variance, extended beyond ``most``, must not be negative where the excess is used up
    end = slope * spread / -drift if drift < 0 else np.inf
    used = np.clip(excess, 0, end)
    inner = z * z * drift * drift + 4 * slope * (used * drift + slope * spread)
    root = 2 * slope * used + z * z * drift - z * np.sqrt(np.maximum(inner, 0))
    return np.asarray(np.clip(root / (2 * slope * slope), 0, most))

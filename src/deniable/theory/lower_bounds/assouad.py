"""Lower bounds on the error of any estimate from private reports, with constants: Assouad's lemma on pairs of labels.

The papers give such bounds as orders (acharya2019, thms. 3 and 4; ye2017, thm. IV.1; kairouz2016, prop. 1), and prove
them by how poorly reports tell neighbouring truths apart. The constants are derived here, in the same way:

Pair up 2m labels, and let the truth give the two labels of pair i the shares (1 + z_i delta)/2m and (1 - z_i delta)/2m,
with unknown signs z. An estimator that cannot tell z_i from -z_i errs there: at the worst z

    E l1 >= delta (1 - T),    E dTV >= delta (1 - T)/2,    E l2 >= delta^2 (1 - T)/2m,

where T is the mean, over i and the other signs, of the total variation between the laws of all reports at z_i = +1 and
-1. Let D_i(y) = Q[x, y] - Q[x', y] for the labels of pair i. The two laws of one report are r (1 + u) and r (1 - u),
r >= (1 - delta) sum_x Q[x, y]/2m and u = delta D_i/(2m r), |u| <= delta. Their squared Hellinger distance is at most
2/(1 + sqrt(1 - delta^2)) times the mean of u^2, of n reports n times that, and by Cauchy and Schwarz over the pairs

    T <= delta sqrt(n A phi),    A = kappa/2m^2,    phi = 2/((1 + sqrt(1 - delta^2)) (1 - delta)),

    kappa = sum_i sum_y D_i(y)^2 / sum_x Q[x, y],    the contraction of the chi-square distance, as in Claim 1.

Every delta gives a bound, and the best of many is taken. ``_private``, ``_one_sided`` and ``_any_channel`` are the
most that kappa can be; people may have different channels. In blocks of m_j pairs, a truth of mass m_j^2/kappa_j in
block j, rescaled, has A = 1/(2 sum_j m_j^2/kappa_j).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from deniable.arrays import Matrix
from deniable.checks import check_accuracy, check_block_sizes, check_size, check_users
from deniable.protocol.checks import SLACK, check_epsilon, check_int
from deniable.protocol.errors import ParameterError
from deniable.theory.lower_bounds.van_trees import van_trees_l2

_DELTAS = np.concatenate([np.geomspace(1e-11, 0.01, 2000), np.linspace(0.01, 0.99, 1000)])
_PHI = 2 / ((1 + np.sqrt(1 - _DELTAS**2)) * (1 - _DELTAS))
_ROUNDED = 1 - 1e-9
"""Bounds are lowered by this factor, so that rounding cannot raise them above the true bound."""


def minimax_l1(d: int, epsilon: float, n: int) -> float:
    """A lower bound on the expected absolute error at the worst truth, summed over the labels, under epsilon-LDP.

    It holds for any mechanisms and any estimator; derived here, of the order in ye2017's thm. IV.1.

    >>> round(minimax_l1(100, 1.0, 10**6), 4)
    0.0263
    """
    d, level, n = check_size(d), check_epsilon(epsilon), check_users(n)
    return 2 * _least_variation(n, _spread(d // 2, _private(d // 2, level)))


def minimax_l2(d: int, epsilon: float, n: int) -> float:
    """A lower bound as ``minimax_l1``, on the squared error: the larger of ``van_trees_l2`` and of what pairs give.

    >>> round(minimax_l2(100, 1.0, 10**6), 7)
    0.0002794
    """
    d, level, n = check_size(d), check_epsilon(epsilon), check_users(n)
    return max(van_trees_l2(d, level, n), *(_least_squares(n, m, _private(m, level)) for m in _pairs(d)))


def high_low_minimax(d: int, sensitive: int, epsilon: float, n: int) -> float:
    """A lower bound on the mean total variation at the worst truth, under a high-low guarantee.

    It holds for any mechanisms and any estimator; derived here.

    >>> round(high_low_minimax(100, 30, 1.0, 10**6), 5)
    0.00402
    """
    spreads = _high_low_spreads(d, sensitive, check_epsilon(epsilon))
    return max(_least_variation(check_users(n), spread) for spread in spreads)


def high_low_minimax_l2(d: int, sensitive: int, epsilon: float, n: int) -> float:
    """A lower bound as ``high_low_minimax``, on the squared error: of the sensitive labels alone, or of pairs of all.

    >>> round(high_low_minimax_l2(100, 30, 1.0, 10**6), 7)
    0.0001001
    """
    labels, level, n = check_size(d), check_epsilon(epsilon), check_users(n)
    s = check_int("sensitive", sensitive, 1, labels)
    all_pairs = max(_least_squares(n, m, _one_sided(m, level)) for m in _pairs(labels))
    return max(all_pairs, minimax_l2(s, level, n) if s > 1 else 0.0)


def block_minimax_l2(sizes: Sequence[int], epsilon: float, n: int) -> float:
    """A lower bound on the squared error inside blocks: that of the largest alone (acharya2019, end of sect. 6.1).

    >>> block_minimax_l2([10, 5], 1.0, 10**6) == minimax_l2(10, 1.0, 10**6)
    True
    """
    most, labels, n = max(check_block_sizes(sizes)), sum(sizes), check_users(n)
    openly = max((_least_squares(n, m, _any_channel(m)) for m in _pairs(labels)), default=0.0)
    return max(openly, minimax_l2(most, check_epsilon(epsilon), n) if most > 1 else 0.0)


def block_minimax(sizes: Sequence[int], epsilon: float, n: int) -> float:
    """A lower bound on the mean total variation at the worst truth, under a guarantee inside blocks of these sizes.

    >>> round(block_minimax([10] * 10, 1.0, 10**6), 5)
    0.00424
    """
    spreads = _block_spreads(sizes, check_epsilon(epsilon))
    return max(_least_variation(check_users(n), spread) for spread in spreads)


def high_low_order(d: int, sensitive: int, epsilon: float, accuracy: float) -> int:
    """People needed at least for a mean total variation of ``accuracy`` at every truth, under a high-low guarantee.

    acharya2019's thm. 3 gives the order, s^2/(accuracy eps)^2 + d/(accuracy^2 eps); the constants are derived here.
    One sensitive label does not add the first term: with two labels Mangat's response needs the order of the second.
    ``high_low_sample_size`` says how many suffice.

    >>> high_low_order(100, 30, 1.0, 0.01)
    158008
    """
    return _people(_high_low_spreads(d, sensitive, check_epsilon(epsilon)), check_accuracy(accuracy))


def block_order(sizes: Sequence[int], epsilon: float, accuracy: float) -> int:
    """People needed at least as in ``high_low_order``, inside blocks; ``block_sample_size`` says how many suffice.

    acharya2019's thm. 4 gives the order, sum_j k_j^2/(accuracy eps)^2.

    >>> block_order([10] * 10, 1.0, 0.01)
    175564
    """
    return _people(_block_spreads(sizes, check_epsilon(epsilon)), check_accuracy(accuracy))


def channel_minimax(channel: Any, n: int) -> float:
    """A lower bound on the mean total variation at the worst truth from n reports of one channel, for any estimator.

    ``channel`` is a matrix of probabilities, labels by reports; neighbouring rows are the pairs.

    >>> channel_minimax([[0.75, 0.25], [0.25, 0.75]], 100) > channel_minimax([[1.0, 0.0], [0.0, 1.0]], 100)
    True
    """
    matrix, n = _check_channel(channel), check_users(n)
    m = len(matrix) // 2
    kappa = chi_square_contraction(matrix[: 2 * m], [(2 * i, 2 * i + 1) for i in range(m)])
    return _least_variation(n, _spread(m, kappa))


def chi_square_contraction(channel: Any, pairs: Iterable[tuple[int, int]]) -> float:
    """acharya2019's sum in Claim 1, over pairs (x, x') of labels: sum_y (Q[x, y] - Q[x', y])^2 / sum_j Q[j, y].

    The smaller it is, the less reports tell about a truth near the uniform one. In Claim 1 each label that is not
    sensitive is paired with one that is: 0-based, ``[(i, 0) for i in range(s, d)]``.

    >>> chi_square_contraction([[0.75, 0.25], [0.25, 0.75]], [(1, 0)])
    0.5
    """
    matrix, chosen = _check_channel(channel), list(pairs)
    for label in (label for pair in chosen for label in pair):
        check_int("pairs", label, 0, len(matrix) - 1)
    squares = sum(((matrix[x] - matrix[other]) ** 2 for x, other in chosen), np.zeros(matrix.shape[1]))
    total = matrix.sum(axis=0)
    return float((squares / np.where(total > 0, total, 1)).sum())


def high_low_contraction(others: int, epsilon: float) -> float:
    """An upper bound on ``chi_square_contraction`` in Claim 1, for ``others`` labels that are not sensitive.

    Claim 1 gives the order, eps d. Derived here, with m for ``others`` and c = 1 - 1/E: m c + m c^2/(1 + m/E). Where
    labels' entries are above the sensitive one's, q, the squares over a column's sum add up to at most the differences,
    c per label; where they are below, at least q/E, those of a column add up to at most m (c q)^2/(q + m q/E).

    >>> round(high_low_contraction(70, 1.0), 4)
    45.294
    """
    level = check_epsilon(epsilon)
    loss, m = -math.expm1(-level), check_int("others", others, 1)
    return m * loss * (1 + loss / (1 + m * math.exp(-level)))


def _pairs(d: int) -> set[int]:
    """Numbers of pairs of so many labels of which the best is taken."""
    return {min(2**i, d // 2) for i in range(d.bit_length())} - {0}


def _private(m: int, epsilon: float) -> float:
    """The largest possible kappa for m pairs under plain LDP.

    In a column of entries from a to E a, the pairs' differences D_i have the sum s of at most m M a, and their squares
    M a s, over a column sum of 2 m a + s: that is largest at s = 2 m a or, for M < 2, at the most. Also D_i^2 is at
    most |D_i| times the column's sum, and two rows differ by a total variation of tanh(eps/2) at most.
    """
    excess, tilt = math.expm1(epsilon), math.tanh(epsilon / 2)
    return min(2 * tilt**2 if excess < 2 else excess / 4, 2 * m * tilt)


def _one_sided(m: int, epsilon: float) -> float:
    """The same if every row is at least 1/E of one common row: rows differ by a total variation of at most 1 - 1/E."""
    return 2 * m * -math.expm1(-epsilon)


def _any_channel(m: int) -> float:
    """The largest possible kappa for m pairs of any channel, private or not."""
    return 2.0 * m


def _high_low_spreads(d: int, sensitive: int, epsilon: float) -> list[float]:
    """A for pairs of sensitive labels, and for pairs of all: each row is at least 1/E of a sensitive one."""
    labels = check_size(d)
    s = check_int("sensitive", sensitive, 1, labels)
    return [_spread(s // 2, _private(s // 2, epsilon)), _spread(labels // 2, _one_sided(labels // 2, epsilon))]


def _block_spreads(sizes: Sequence[int], epsilon: float) -> list[float]:
    """A for pairs inside blocks, and for pairs of any labels."""
    counts = check_block_sizes(sizes)
    pairs, everyone = [size // 2 for size in counts], sum(counts) // 2
    inside = sum(m**2 / _private(m, epsilon) for m in pairs if m)
    return [1 / (2 * inside) if inside else math.inf, _spread(everyone, _any_channel(everyone))]


def _spread(m: int, kappa: float) -> float:
    """A of m pairs; infinite without pairs, which gives the bound 0."""
    return kappa / (2 * m**2) if m else math.inf


def _least_variation(n: int, spread: float) -> float:
    """The lower bound on the mean total variation: delta (1 - T)/2 at the best delta."""
    if math.isinf(spread):
        return 0.0
    return _ROUNDED * float((_DELTAS * (1 - _DELTAS * np.sqrt(n * spread * _PHI))).max()) / 2


def _least_squares(n: int, m: int, kappa: float) -> float:
    """The lower bound on the squared error: delta^2 (1 - T)/2m at the best delta."""
    return _ROUNDED * float((_DELTAS**2 * (1 - _DELTAS * np.sqrt(n * _spread(m, kappa) * _PHI))).max()) / (2 * m)


def _people(spreads: Iterable[float], accuracy: float) -> int:
    """The least number of people for whom no delta (1 - T)/2 exceeds the accuracy."""
    enough = 2 * accuracy < _DELTAS
    deltas = _DELTAS[enough]
    scores = (1 - 2 * accuracy / deltas) ** 2 / (deltas**2 * _PHI[enough])
    return max(math.ceil(_ROUNDED * float(scores.max(initial=0.0)) / spread) for spread in spreads)


def _check_channel(channel: Any) -> Matrix:
    """The channel as a float matrix of at least two rows of probabilities."""
    try:
        matrix = np.array(channel, np.float64)
    except (TypeError, ValueError):
        raise ParameterError(f"channel must be a matrix of probabilities, got {type(channel).__name__}") from None
    if matrix.ndim != 2 or len(matrix) < 2:
        raise ParameterError(f"channel must be a matrix of at least 2 rows, got shape {matrix.shape}")
    added = matrix.sum(axis=1)
    if not (matrix >= 0).all() or np.abs(added - 1).max() > SLACK:
        given = f"entries of at least {matrix.min():g} and sums of {added.min():.9g} to {added.max():.9g}"
        raise ParameterError(f"channel must have rows of probabilities that add up to 1, got {given}")
    return matrix

"""Upper bounds on the error of context-aware Hadamard reports, and how many people suffice (acharya2019).

For n people drawn from any truth, r = (E+1)/(E-1). The printed bounds follow from bounds on the variances that are up
to three times too large; (17) and (20) are stated for the total variation but also hold for l1, which is twice as much.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from deniable.checks import check_accuracy, check_block_sizes, check_size, check_users
from deniable.protocol.checks import check_epsilon, check_int


def high_low_l2(d: int, sensitive: int, epsilon: float, n: int) -> float:
    """acharya2019, eq. 26: the squared error of high-low Hadamard reports is at most (3 s r^2 + r)/n.

    >>> round(high_low_l2(100, 30, 1.0, 10_000), 6)
    0.042361
    """
    _, s, r = _check(d, sensitive, epsilon)
    return (3 * s * r**2 + r) / check_users(n)


def high_low_l1(d: int, sensitive: int, epsilon: float, n: int) -> float:
    """acharya2019, eq. 17: the absolute error of high-low Hadamard reports is at most s r sqrt(3/n) + sqrt(r d/n).

    >>> round(high_low_l1(100, 30, 1.0, 10_000), 4)
    1.2715
    """
    labels, s, r = _check(d, sensitive, epsilon)
    return s * r * math.sqrt(3 / check_users(n)) + math.sqrt(r * labels / n)


def block_l2(sizes: Sequence[int], epsilon: float, n: int) -> float:
    """acharya2019, prop. 5: the squared error of block Hadamard reports is at most 12 max k_j r^2/n.

    >>> round(block_l2([10] * 10, 1.0, 10_000), 5)
    0.05619
    """
    counts, r = _check_blocks(sizes, epsilon)
    return 12 * max(counts) * r**2 / check_users(n)


def block_l1(sizes: Sequence[int], epsilon: float, n: int) -> float:
    """acharya2019, prop. 5 (20): the absolute error of block Hadamard reports is at most 2 r sqrt(3 sum k_j^2/n).

    >>> round(block_l1([10] * 10, 1.0, 10_000), 4)
    2.3705
    """
    counts, r = _check_blocks(sizes, epsilon)
    return 2 * r * math.sqrt(3 * sum(k**2 for k in counts) / check_users(n))


def high_low_sample_size(d: int, sensitive: int, epsilon: float, accuracy: float) -> int:
    """People who suffice for a mean total variation of ``accuracy`` with high-low Hadamard reports, at any truth.

    By Cauchy and Schwarz over the two kinds of labels E[dTV] <= (s r + sqrt((d-s) r)) / (2 sqrt(n)), derived here: of
    acharya2019's order s^2/(accuracy eps)^2 + d/(accuracy^2 eps), against d^2/(accuracy eps)^2 without context.

    >>> high_low_sample_size(100, 30, 1.0, 0.1), block_sample_size([100], 1.0, 0.1)
    (149098, 1170674)
    """
    labels, s, r = _check(d, sensitive, epsilon)
    return math.ceil(((s * r + math.sqrt((labels - s) * r)) / (2 * check_accuracy(accuracy))) ** 2)


def block_sample_size(sizes: Sequence[int], epsilon: float, accuracy: float) -> int:
    """People who suffice as in ``high_low_sample_size``, with block Hadamard: E[dTV] <= r sqrt(sum k_j^2 / n) / 2.

    >>> block_sample_size([10] * 10, 1.0, 0.1)
    117068
    """
    counts, r = _check_blocks(sizes, epsilon)
    return math.ceil(r * r * sum(k**2 for k in counts) / (2 * check_accuracy(accuracy)) ** 2)


def _check(d: int, sensitive: int, epsilon: float) -> tuple[int, int, float]:
    labels = check_size(d)
    return labels, check_int("sensitive", sensitive, 1, labels), _reach(epsilon)


def _check_blocks(sizes: Sequence[int], epsilon: float) -> tuple[list[int], float]:
    return check_block_sizes(sizes), _reach(epsilon)


def _reach(epsilon: float) -> float:
    return 1 / math.tanh(check_epsilon(epsilon) / 2)

"""The least error that any mechanism can have: its limit for many people, and for so many of them by van Trees.

Ye and Barg prove that no mechanism under epsilon-LDP has less error at the worst truth than subsets of the best size,
in the limit of many people: arXiv 1708.00059 for the squared error, 1810.07283 for the absolute one. So the constants
of ``limit_l2`` and ``limit_l1`` are exact. The bound for n people is derived here, and tends to the first of them:

Let the truth p over m labels be drawn from the Dirichlet distribution with all parameters alpha > 2, whose density is
0 where a share is. Gill and Levit's form of van Trees' inequality, for the m-1 directions in which p can move, says

    E |p^ - p|^2 >= (m-1)^2 / (n T + I),    I = (m-1) (m alpha - 1) (m alpha - 2) / (alpha - 2),

for any estimator p^. I is the trace of the prior's information, the mean of |P grad ln density|^2 with the projection P
to the sum 0, and T the most that one report's expected information can be; people may have different channels, chosen
before anybody reports. A column q of a channel adds F(q) = E |P q|^2 / (q p). F is convex and F(c q) =
c F(q), so that at columns whose means add up to 1 the sum of F is largest if all are extreme: k entries E a, the others
a. Then |P q|^2 = a^2 M^2 k (1 - k/m), and the share x of the k labels has the law Beta(alpha k, alpha (m-k)). Since

    E 1/(1 + M x) = E' x/(1 + M x) / E' x <= 1/(1 + M E' x),    E' x = (alpha k - 1)/(alpha m - 1),

E' for Beta(alpha k - 1, alpha (m-k)), by Jensen's inequality, as x/(1 + M x) is concave,

    T <= max over k of M^2 k (1 - k/m) / ((1 + M k/m) (1 + M E' x)).

Every m <= d and alpha give a bound. As alpha grows more slowly than n, T tends to what ``limit_l2`` has, I/n to 0.
"""

from __future__ import annotations

import math

import numpy as np

from deniable.arrays import Vector
from deniable.checks import check_size, check_users
from deniable.protocol.checks import check_epsilon
from deniable.theory.risk import support as risks
from deniable.theory.risk.support import Support
from deniable.theory.sizes import best_l2_size

_ALPHAS = np.concatenate([2 + np.geomspace(0.1, 10, 60), np.geomspace(12.1, 1e9, 400)])
_ROUNDED = 1 - 1e-9
"""The bound is lowered by this factor, so that rounding cannot raise it above the true one."""


def limit_l2(d: int, epsilon: float) -> float:
    """The limit of n times the least squared error at the worst truth of any mechanism under epsilon-LDP.

    Proven by Ye and Barg (arXiv 1708.00059); subsets of the best size reach it.

    >>> round(limit_l2(16, 1.0), 4), round(limit_l2(2, 1.0), 4)
    (51.9139, 2.3413)
    """
    labels, level = check_size(d), check_epsilon(epsilon)
    return risks.l2_worst(Support.subset(labels, best_l2_size(labels, level), level), 1, labels)


def limit_l1(d: int, epsilon: float) -> float:
    """The limit of sqrt(n) times the least absolute error at the worst truth, summed over the labels.

    Proven by Ye and Barg (arXiv 1810.07283); subsets of the best size reach it.

    >>> round(limit_l1(16, 1.0), 4)
    22.9954
    """
    labels = check_size(d)
    return math.sqrt(2 * labels * limit_l2(labels, epsilon) / math.pi)


def van_trees_l2(d: int, epsilon: float, n: int) -> float:
    """A lower bound on the squared error at the worst truth, of any mechanisms under epsilon-LDP and any estimator.

    Derived here; for many people it tends to ``limit_l2``/n.

    >>> round(10**8 * van_trees_l2(16, 1.0, 10**8), 2)
    51.84
    """
    labels, level, n = check_size(d), check_epsilon(epsilon), check_users(n)
    return max(_bound_of_labels(m, level, n) for m in {labels, *(2**i for i in range(1, labels.bit_length()))})


def _bound_of_labels(m: int, epsilon: float, n: int, alphas: Vector = _ALPHAS) -> float:
    """The bound of m labels at the best alpha."""
    prior = (m - 1) * (m * alphas - 1) * (m * alphas - 2) / (alphas - 2)
    return _ROUNDED * float(((m - 1) ** 2 / (n * _most_information(m, math.expm1(epsilon), alphas) + prior)).max())


def _most_information(m: int, excess: float, alphas: Vector) -> Vector:
    """T at each alpha: k(m-k)/((m + Mk)(c + Mk)) rises and falls in k, so that whole sizes beside its top suffice."""
    c = np.maximum(m - (excess + 1) / alphas, 0)  # where it is not above 0, less is told the larger the size
    root = c * np.sqrt(1 + excess * (excess * m + m + c) / np.where(c > 0, c, 1))
    top = m * (root - c) / (excess * (excess * m + m + c))
    sizes = np.clip(np.floor(top) + np.array([[0], [1]]), 1, m - 1)
    chosen = (alphas * sizes - 1) / (alphas * m - 1)
    information: Vector = excess**2 * sizes * (1 - sizes / m) / ((1 + excess * sizes / m) * (1 + excess * chosen))
    return np.asarray(information.max(axis=0))

"""How two labels are supported together, and so how their estimates vary together.

numbers.md 4: with constant support sizes, as in randomized response, subsets and difference sets, k = g + (D-1)h labels
are supported by every report, so the two probabilities below follow; bits are independent given the value.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from deniable.arrays import Matrix, Sparse, Vector
from deniable.theory.risk.support import Support, marginals

SAME = 1e-9
"""Sizes of reports and odds that differ by less are equal."""


@dataclass(frozen=True, slots=True)
class JointSupport:
    """Support counting with the probability that two labels are supported: ``one`` if one of them is held, or ``none``.

    >>> subset = JointSupport.of(Support.subset(5, 2, 0.9162907318741551), 5, closed=True)  # e^epsilon = 2.5
    >>> cov = subset.covariance(np.array([0.5, 0.2, 0.2, 0.1, 0.0]))
    >>> round(float(cov[0, 0]), 6), round(float(cov[0, 1]), 6)
    (3.157407, -0.82963)
    """

    support: Support
    one: float
    none: float

    @classmethod
    def of(cls, support: Support, labels: int, closed: bool) -> JointSupport:
        """The law of pairs of labels; ``closed`` says that every report supports the same number of labels."""
        g, h = support.g, support.h
        if not closed:
            return cls(support, g * h, h**2)
        size = g + (labels - 1) * h
        one = g * (size - 1) / (labels - 1)
        pairs = (size - 1) * (g * (size - 2) + (1 - g) * size)
        return cls(support, one, pairs / ((labels - 1) * (labels - 2)) if labels > 2 else 0.0)

    @property
    def is_independent(self) -> bool:
        """Whether labels are supported independently of each other, whatever is held."""
        return self.one == self.support.g * self.support.h and self.none == self.support.h**2

    def one_each(self, labels: int) -> bool:
        """Whether every report supports one label, so that any of the counts add up to a binomial one."""
        size = self.support.g + (labels - 1) * self.support.h
        return abs(size - 1) < SAME and self.one <= SAME * self.support.g

    def covariance(self, p: Vector) -> Matrix:
        """The covariance [labels, labels] of the estimates from one report, at the truth ``p``."""
        m = marginals(self.support, p)
        both = self.none + (self.one - self.none) * (p[:, None] + p)
        found = both - np.outer(m, m)
        np.fill_diagonal(found, m * (1 - m))
        return np.asarray(found / self.support.gap**2, np.float64)

    def normal(self, p: Vector, drawn: Matrix) -> Matrix:
        """Errors [surveys, labels] of the estimates from one report with their covariance, from standard normal ones.

        The covariance is S(1 + W)S, with a diagonal S and W = QBQ' of rank 3: that of 1, p and the marginals m. So its
        root is S(1 + Q((1 + B)^1/2 - 1)Q'), which thousands of labels need no matrix of their own for.
        """
        m, rise = marginals(self.support, p), self.one - self.none
        own = np.sqrt(np.maximum(m - self.none - 2 * rise * p, np.finfo(float).tiny))
        between = np.array([[self.none, rise, 0], [rise, 0, 0], [0, 0, -1]])
        q, r = np.linalg.qr(np.stack([np.ones_like(p), p, m], axis=1) / own[:, None])
        values, vectors = np.linalg.eigh(r @ between @ r.T)
        axes = q @ vectors
        correction = (drawn @ axes) * (np.sqrt(np.maximum(1 + values, 0)) - 1)
        return np.asarray((drawn + correction @ axes.T) * own / self.support.gap, np.float64)

    def variances(self, weights: Matrix | Sparse, p: Vector) -> Vector:
        """The variance of each weighted sum (row) of the estimates from one report, without the whole covariance."""
        expected = weights @ marginals(self.support, p)
        return np.asarray((self.mean_squares(weights, p) - expected**2) / self.support.gap**2, np.float64)

    def mean_squares(self, weights: Matrix | Sparse, p: Vector) -> Vector:
        """The mean square of each weighted sum (row) of the supports of one report, at the truth ``p``."""
        return self._mean_squares(weights, weights @ p, (weights * weights) @ p)

    def mean_squares_alike(self, weights: Matrix | Sparse, held: Matrix) -> Matrix:
        """``mean_squares`` where everybody holds one label; ``held`` [labels, sums] are the weights of some labels."""
        return self._mean_squares(weights, held, held**2)

    def _mean_squares(self, weights: Matrix | Sparse, mean: Matrix, squared: Matrix) -> Matrix:
        """The mean square of each sum (row), by the ``mean`` of the held label's weight and that of its square."""
        total, alone = weights.sum(axis=1), (weights * weights).sum(axis=1)
        fixed = self.support.h * alone + self.none * (total**2 - alone)
        rise = 2 * (self.one - self.none)
        return np.asarray(fixed + self.support.gap * squared + rise * (total * mean - squared), np.float64)

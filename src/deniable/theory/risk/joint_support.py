"""How two labels are supported together, and so how their estimates vary together.

numbers.md 4: with constant support sizes, as in randomized response, subsets and difference sets, k = g + (D-1)h labels
are supported by every report, so the two probabilities below follow; bits are independent given the value.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from deniable.arrays import Matrix, Vector
from deniable.theory.risk.support import Support, marginals


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
            return cls(support, g * h, h * h)
        size = g + (labels - 1) * h
        one = g * (size - 1) / (labels - 1)
        pairs = (size - 1) * (g * (size - 2) + (1 - g) * size)
        return cls(support, one, pairs / ((labels - 1) * (labels - 2)) if labels > 2 else 0.0)

    def covariance(self, p: Vector) -> Matrix:
        """The covariance [labels, labels] of the estimates from one report, at the truth ``p``."""
        m = marginals(self.support, p)
        both = self.none + (self.one - self.none) * (p[:, None] + p)
        found = both - np.outer(m, m)
        np.fill_diagonal(found, m * (1 - m))
        return np.asarray(found / self.support.gap**2, np.float64)

    def variances(self, weights: Matrix, p: Vector) -> Vector:
        """The variance of each weighted sum (row) of the estimates from one report, without the whole covariance."""
        m = marginals(self.support, p)
        sides = np.column_stack([np.ones_like(p), p, m])
        total, held, expected = (weights @ sides).T
        squares, own, alone = (np.square(weights) @ sides).T
        mean = alone + self.none * (total**2 - squares) + 2 * (self.one - self.none) * (total * held - own)
        return np.asarray((mean - expected**2) / self.support.gap**2, np.float64)

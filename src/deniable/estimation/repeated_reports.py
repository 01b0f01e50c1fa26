"""Shares over several periods in which the same people may have sent reports made from the same permanent ones.

Who stays with an answer errs alike in every period. How many stay is not known, so the errors of the periods are taken
to go together as closely as errors can: the error of a mean is then the mean of the errors. It is too large rather than
too small, by up to the square root of the number of periods, which is reached where nobody stays.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from deniable.arrays import Matrix, Vector
from deniable.estimation.evidence import Evidence, step_of
from deniable.theory.risk.variance import Target


@dataclass(frozen=True, slots=True, eq=False)
class RepeatedEvidence:
    """The mean of the shares of several periods, each weighed by how many people answered in it.

    >>> from deniable.estimation.evidence import SupportEvidence
    >>> from deniable.theory.risk.support import Support
    >>> week = SupportEvidence(100, np.array([60, 40]), Support(0.75, 0.25, 0.5))
    >>> month = RepeatedEvidence([week, week, week, week])
    >>> month.n, bool(np.allclose(month.stderr(), week.stderr()))
    (400, True)
    """

    periods: Sequence[Evidence]

    @property
    def n(self) -> int:
        """How many reports there are of all periods."""
        return sum(each.n for each in self.periods)

    @property
    def step(self) -> float:
        """The largest step of a period."""
        return max(map(step_of, self.periods))

    def unbiased(self) -> Vector:
        """The mean of the unbiased shares."""
        return self._mean([each.unbiased() for each in self.periods])

    def stderr(self, target: Target = "population") -> Vector:
        """The mean of the standard errors."""
        return self._mean([each.stderr(target) for each in self.periods])

    def interval(self, alpha: float, target: Target = "population") -> Matrix:
        """The means of the lower and of the upper bounds."""
        return self._mean([each.interval(alpha, target) for each in self.periods])

    def _mean(self, results: Sequence[Vector | Matrix]) -> Vector | Matrix:
        """The mean over periods, each weighed by its people."""
        people = [each.n for each in self.periods]
        return np.asarray(np.average(np.stack(results), axis=0, weights=people), np.float64)

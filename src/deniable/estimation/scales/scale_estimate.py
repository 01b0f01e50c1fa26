"""The estimate of a question with an ordered list of answers."""

from __future__ import annotations

import math
from dataclasses import dataclass

from deniable.estimation.census import FEW
from deniable.estimation.difference import Difference
from deniable.estimation.estimate import Estimate
from deniable.estimation.numbers.quantity import Quantity
from deniable.estimation.reading import Reading, Truth
from deniable.estimation.scales.scale_difference import ScaleDifference
from deniable.estimation.scales.scale_mean import mean_place
from deniable.estimation.scales.scale_reading import ScaleReading, mean_beside
from deniable.estimation.words import joined
from deniable.protocol.errors import ParameterError
from deniable.protocol.say import Statement
from deniable.theory.risk.variance import Target


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ScaleEstimate(Estimate):
    """Shares of the answers on a scale, in its order, and the mean of their places.

    >>> import deniable as dn
    >>> survey = dn.Survey.plan("pay", [dn.Scale("fair", ["no", "partly", "yes"])], epsilon=2.0, people=3000)
    >>> answers = survey.answer_many({"fair": ["no", "partly", "yes", "yes"] * 750}, seed=1)
    >>> survey.estimate(survey.tally(answers))["fair"].mean
    2.25031 (standard error 0.0225)
    """

    @classmethod
    def of(cls, shares: Estimate) -> ScaleEstimate:
        """The estimate of these shares, whose labels are in the order of the scale."""
        return cls(shares.labels, shares.decoded, shares.origin, shares.census)

    @property
    def mean(self) -> Quantity:
        """The mean of the places, counted from 1: of the unbiased shares, whatever the decoder."""
        return mean_place(self.evidence, len(self.labels))

    @property
    def _is_kept(self) -> bool:
        """Whether the mean has: shares may have exact bounds where it has none."""
        return self.size < math.inf and self.n < FEW

    def statement(self, is_open: bool = False) -> Statement:
        """What can be said of the shares and, where anything can, between which places the mean lies."""
        said = Estimate.statement(self, is_open)
        mean = mean_beside(self)
        return said if mean is None else joined([said, mean])

    def reading(
        self, level: float = 0.95, simultaneous: bool = False, target: Target = "population", truth: Truth | None = None
    ) -> Reading:
        """The shares of the answers, and the mean below them: to print or to export."""
        return ScaleReading(self, level, simultaneous, target, truth)

    def difference(self, other: Estimate, stayed: float | None = None) -> Difference:
        """The mean and the shares of other people, minus these; of people who stayed, the shares alone."""
        found = Estimate.difference(self, other, stayed)
        if stayed is not None:
            return found
        if not isinstance(other, ScaleEstimate):
            raise ParameterError(f"other must be of the same scale, got {type(other).__name__}")
        return ScaleDifference(self, other)

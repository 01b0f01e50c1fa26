"""Two labels of one estimate: whether their shares can be told apart, by an interval of their difference."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np

from deniable.checks import check_level
from deniable.estimation.evidence import JointlyKnown, bounds_to_add
from deniable.estimation.finding import Finding
from deniable.estimation.share import Estimated
from deniable.estimation.table import printable
from deniable.estimation.words import gap_in_words
from deniable.protocol.say import Statement
from deniable.theory.contrasts import correlation, difference_bounds


@dataclass(frozen=True, slots=True)
class LabelContrast(Finding):
    """The share of ``first`` less that of ``second``, with an interval for labels that were chosen before looking."""

    first: Hashable
    second: Hashable
    value: float
    """The difference of the unbiased shares."""
    low: float
    high: float
    level: float
    """How often the difference lies from ``low`` to ``high``, at least."""

    @property
    def statement(self) -> Statement:
        """The verdict, with the difference in points, rounded outward."""
        first, second = printable(self.first), printable(self.second)
        if self.low <= 0 <= self.high:
            return Statement("and_cannot_be_told_apart", first=first, second=second)
        more, less, low, high = first, second, self.low, self.high
        if high < 0:
            more, less, low, high = second, first, -high, -low
        return Statement(
            "more_people_answer_than_by_points",
            more=more, less=less, gap=gap_in_words(low, high),
        )  # fmt: skip


def contrast(estimate: Estimated, first: int, second: int, level: float) -> LabelContrast:
    """The labels at two places.

    Where it is not known how the errors of both go together, they count as adding up, so that the interval is too wide
    and never too short. So it is for checklists: whoever holds one label may hold the other too. They never count as
    cancelling out: where reports happen to be all alike, all of both errors would seem to.
    """
    places, evidence = [first, second], estimate.evidence
    weights = np.zeros(len(estimate.labels))
    weights[places] = 1, -1
    variance = None
    if isinstance(evidence, JointlyKnown) and estimate.adds_up:
        variance = evidence.contrast_variance(weights)
    values, bounds = np.asarray(estimate.unbiased)[places], bounds_to_add(evidence, 1 - check_level(level))[places]
    errors, known = np.asarray(estimate.stderr)[None, places], None if variance is None else np.array([variance])
    together = np.minimum(correlation(errors, known), 0.0)
    [ends] = difference_bounds(values[None], bounds[None], together)
    gap = float(values[0] - values[1])
    low, high = np.clip(ends, -1, 1).tolist() if np.isfinite(gap) else (-1.0, 1.0)
    return LabelContrast(estimate.labels[first], estimate.labels[second], gap, low, high, level)

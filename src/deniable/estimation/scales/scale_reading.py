"""An estimate on a scale as it is shown: the shares of the answers, and the mean of their places."""

from __future__ import annotations

from typing import Any, Protocol, cast

from deniable.arrays import Indices
from deniable.estimation.numbers.quantity import Quantity
from deniable.estimation.reading import Reading
from deniable.estimation.saying import LEVEL
from deniable.estimation.share import Estimated
from deniable.estimation.table import printable
from deniable.estimation.words import outward_by, precise


class OnScale(Estimated, Protocol):
    """What a reading needs of an estimate on a scale."""

    @property
    def mean(self) -> Quantity:
        """The mean of the places."""


class ScaleReading(Reading):
    """The reading of a scale; see ``Reading``."""

    __slots__ = ()

    @property
    def mean(self) -> Quantity:
        """The mean of the places."""
        return cast("OnScale", self.estimate).mean

    def _below(self, places: Indices) -> list[str]:
        mean = self.mean
        value, low, high = (precise(number, mean.error) for number in (mean.value, *mean.interval(self.level)))
        interval = f"{100 * self.level:.10g}% interval {low} to {high}"
        return [
            f"mean of the places 1 to {len(self.estimate.labels)}: {value}, {interval}",
            *Reading._below(self, places),
        ]

    @property
    def about(self) -> dict[str, Any]:
        """All that is not said label by label: the mean, too."""
        return {**super().about, "mean": self.mean.to_dict(self.level)}


def mean_sentence(found: OnScale) -> str:
    """Between which places the mean lies, rounded outward."""
    mean, most = found.mean, len(found.labels)
    (low, high), error = mean.interval(LEVEL), mean.error
    low, high = outward_by(low, high, error) if high > low else (low, high)
    ends = (precise(min(max(end, 1), most), error) for end in (low, high))
    first, last = printable(found.labels[0]), printable(found.labels[-1])
    return f"On the scale from 1 ({first}) to {most} ({last}) the mean is between {' and '.join(ends)}."

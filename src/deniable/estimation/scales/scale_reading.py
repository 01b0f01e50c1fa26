"""An estimate on a scale as it is shown: the shares of the answers, and the mean of their places."""

from __future__ import annotations

from typing import Any, Final, Protocol, cast

from deniable.arrays import Indices
from deniable.estimation.numbers.quantity import Quantity, quantities_first
from deniable.estimation.reading import Reading
from deniable.estimation.saying import LEVEL, says_nothing
from deniable.estimation.share import Estimated
from deniable.estimation.table import printable
from deniable.estimation.words import decimals, fixed, outward, precise
from deniable.protocol.say import Statement

USELESS: Final = 0.5
"""If the mean may lie anywhere in so much of the scale, nothing is said of it."""
FINEST: Final = 2
"""So many decimals of a mean place at most: a hundredth of a step is as fine as a share in 100 people."""


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

    @property
    def listed(self) -> dict[str, list[Any]]:
        """The mean in the first row, then the shares."""
        return quantities_first({"mean": self.mean}, self.columns, self.level)


def mean_beside(found: OnScale) -> Statement | None:
    """What is said of the mean beside what is said of the shares; nothing where nothing can be."""
    low, high = found.mean.interval(LEVEL)
    is_useless = says_nothing(found) or high - low > USELESS * (len(found.labels) - 1)
    return None if is_useless else mean_sentence(found)


def mean_sentence(found: OnScale) -> Statement:
    """Between which places the mean lies, rounded outward, and what the ends and the middle of the scale mean."""
    most, digits = len(found.labels), min(decimals(found.mean.error), FINEST)
    bounds = outward(*found.mean.interval(LEVEL), 10.0**digits)
    low, high = (fixed(min(max(end, 1), most), digits) for end in bounds)
    first, last = _place(found, 1), _place(found, most)
    if most > 2 and most % 2:
        return Statement(
            "on_the_scale_from_over_to_the_mean",
            first=first, middle=_place(found, (most + 1) // 2), last=last, low=low, high=high,
        )  # fmt: skip
    return Statement(
        "on_the_scale_from_to_the_mean",
        first=first, last=last, low=low, high=high,
    )  # fmt: skip


def _place(found: OnScale, place: int) -> str:
    """A place, and its answer unless that is the number itself."""
    label = printable(found.labels[place - 1])
    return str(place) if label == str(place) else f"{place} ({label})"

"""A contrast: how much larger one number is than another, with an interval and the sentence that tells it.

The interval of a difference is worked out by ``theory.contrasts.difference_bounds``: ``share_difference_bounds`` takes
it for shares, whatever they are of, and ``Quantity.minus`` for numbers. Only ``SamePeople``, who are asked twice, have
bounds of their own. One difference is said by ``Contrast.statement``, and many of them are drawn by
``ContrastTable.plot`` and said by its ``summary``; pages draw bands of their own from the same bounds.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Self

import numpy as np

from deniable.arrays import Indices, Matrix, Stack, Vector
from deniable.checks import check_level
from deniable.estimation.drawing import INTERVAL, canvas, legend, name_rows, percent
from deniable.estimation.evidence import JointlyKnown, bounds_to_add
from deniable.estimation.finding import Finding
from deniable.estimation.frame import TabledFrame
from deniable.estimation.share import Estimated
from deniable.estimation.table import answer_name, printable
from deniable.estimation.words import counted, gap_in_words, outward_by, precise
from deniable.protocol.say import Phrase, Statement
from deniable.theory.contrasts import correlation, difference_bounds

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST: Final = 40
"""Labels that can still be read side by side in a picture; of more those with the clearest differences."""
FIELDS: Final = (
    "names", "first", "second", "column", "value", "low", "high", "unit", "dated", "level", "sentence"
)  # fmt: skip
"""The fields of a contrast that its document may have, in this order."""


def share_difference_bounds(values: Matrix, bounds: Stack, correlations: Vector | None = None) -> Matrix:
    """Bounds [pairs, 2] of first shares less second ones, from both values [pairs, 2] and their bounds [pairs, 2, 2].

    Without correlations of their errors both shares are of different people. The bounds of both must not be cut. Those
    of a census have been narrowed (see ``census``), each by itself, before they are added in squares; what they add up
    to is cut here, last, at the largest difference that there can be.

    >>> share_difference_bounds(np.array([[0.9, 0.2]]), np.array([[[0.5, 1.3], [-0.1, 0.5]]])).round(6).tolist()
    [[0.2, 1.0]]
    """
    return np.asarray(np.clip(difference_bounds(values, bounds, correlations), -1, 1), np.float64)


@dataclass(frozen=True, slots=True)
class Contrast(Finding):
    """A number of ``first`` less that of ``second``; the interval is for two that were chosen before looking."""

    first: Hashable
    second: Hashable
    value: float
    low: float
    high: float
    level: float
    """How often the difference lies from ``low`` to ``high``, at least."""

    @property
    def least(self) -> float:
        """How large the difference is at least, either way; 0 or less if there may be none."""
        return max(self.low, -self.high)

    @property
    def reversed(self) -> Self:
        """The same the other way round."""
        return replace(self, first=self.second, second=self.first, value=-self.value, low=-self.high, high=-self.low)

    @property
    def statement(self) -> Statement:
        if self.high < 0:
            return self.reversed.statement
        first, second = answer_name(self.first), answer_name(self.second)
        return self._larger(first, second) if self.low > 0 else self._undecided(first, second)

    def to_dict(self) -> dict[str, Any]:
        fields = Finding.to_dict(self)
        return {name: fields[name] for name in FIELDS if name in fields}

    @abstractmethod
    def _larger(self, first: Phrase, second: Phrase) -> Statement:
        """That the first is larger, and by how much."""

    @abstractmethod
    def _undecided(self, first: Phrase, second: Phrase) -> Statement:
        """That it cannot be told which is larger."""


class ContrastTable(TabledFrame):
    """Differences by label, each with an interval of its own, or with one that holds for all labels at once."""

    @property
    @abstractmethod
    def labels(self) -> Sequence[Hashable]:
        """What each difference is of, in the order of all arrays."""

    @property
    @abstractmethod
    def values(self) -> Vector:
        """The differences; nan where nothing can be said."""

    @property
    @abstractmethod
    def people(self) -> str:
        """Who is compared, in words."""

    @abstractmethod
    def _bounds(self, alpha: float) -> Matrix:
        """Bounds [labels, 2] on each difference, which miss it with a probability of ``alpha`` each."""

    @property
    def looked_at(self) -> int:
        """How many differences could each be due to chance: one a label, but only one where two mirror each other."""
        labels = len(self.labels)
        mirrored = labels == 2 and bool(np.isclose(self.values.sum(), 0))
        return 1 if mirrored else labels

    def interval(self, level: float = 0.95, simultaneous: bool = False) -> Matrix:
        """Bounds [labels, 2] on each difference; simultaneous bounds hold for all labels at once (Bonferroni)."""
        return self._bounds((1 - check_level(level)) / (self.looked_at if simultaneous else 1))

    @property
    def _clearest(self) -> Indices:
        """The places of all labels, the clearest difference first."""
        low, high = self.interval().T
        return np.argsort(-np.maximum(low, -high), kind="stable")

    @abstractmethod
    def summary(self) -> str:
        """What is surely different, in sentences."""

    def plot(self, level: float = 0.95) -> Figure:
        """A dot and an interval for each label, beside the line of no difference; of many labels the clearest."""
        places = np.arange(len(self.labels))
        if len(places) > MOST:
            places = np.sort(self._clearest[:MOST])
        values, (low, high) = self.values[places], self.interval(level)[places].T
        figure, axes = canvas((7.5, max(2.4, 1.3 + 0.28 * len(places))))
        rows = np.arange(len(places))
        axes.hlines(rows, low, high, label=f"{100 * level:.10g}% interval", **INTERVAL)
        axes.plot(values, rows, "o", color="black", markersize=5, label="difference")
        axes.axvline(0, color="0.3", linewidth=0.8)
        name_rows(axes, [printable(self.labels[place], 32) for place in places.tolist()])
        percent(axes.xaxis, signed=True)
        axes.set_xlabel("difference in the share of people")
        left_out = len(self.labels) - len(places)
        note = f"; the {len(places)} clearest differences, {left_out:,} more labels not shown" if left_out else ""
        axes.set_title(f"{self.people}{note}", loc="left", fontsize=10, parse_math=False)
        legend(figure)
        return figure


@dataclass(frozen=True, slots=True)
class LabelContrast(Contrast):
    """The share of one label less that of another, of the same people."""

    def _larger(self, first: Phrase, second: Phrase) -> Statement:
        gap = gap_in_words(self.low, self.high)
        return Statement("more_people_answer_than_by_points", more=first, less=second, gap=gap)

    def _undecided(self, first: Phrase, second: Phrase) -> Statement:
        return Statement("and_cannot_be_told_apart", first=first, second=second)


@dataclass(frozen=True, slots=True)
class RowContrast(Contrast):
    """The share of the answer ``column`` in the row ``first`` of a crossed table less that in the row ``second``."""

    names: tuple[str, str]
    """The questions of the rows and of the columns."""
    column: Hashable

    def _larger(self, first: Phrase, second: Phrase) -> Statement:
        gap, column = gap_in_words(self.low, self.high), answer_name(self.column)
        return Statement("is_more_frequent_among", column=column, first=first, second=second, gap=gap)

    def _undecided(self, first: Phrase, second: Phrase) -> Statement:
        return Statement("whether_is_more_frequent", column=answer_name(self.column), first=first, second=second)


@dataclass(frozen=True, slots=True)
class MeanContrast(Contrast):
    """The mean of a number in the group ``first`` less that in the group ``second``, in its units."""

    names: tuple[Phrase, Phrase]
    """The question that tells the groups, and the number."""
    unit: str
    dated: bool
    """Whether the number is a date, which is later rather than larger."""

    def _larger(self, first: Phrase, second: Phrase) -> Statement:
        """That the mean is larger, or later, in the group ``first`` than in ``second``, and by how much."""
        error = (self.high - self.low) / 4
        least, most = (precise(end, error) for end in outward_by(self.low, self.high, error))
        span = counted(Statement("to_first_last", first=least, last=most), self.unit)
        key = "is_later_in_the_mean_among" if self.dated else "is_larger_in_the_mean"
        return Statement(key, number=self.names[1], first=first, second=second, span=span)

    def _undecided(self, first: Phrase, second: Phrase) -> Statement:
        key = "whether_is_later_in_the_mean" if self.dated else "whether_is_larger_in_the_mean"
        return Statement(key, number=self.names[1], first=first, second=second)


def label_contrast(estimate: Estimated, first: int, second: int, level: float) -> LabelContrast:
    """The share of the label at one place less that of the label at another.

    Where it is not known how the errors of both go together, they count as adding up, so that the interval is too wide
    and never too short. That is so for checklists: whoever holds one label may hold the other too. They never count as
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
    correlations = np.minimum(correlation(errors, known), 0.0)
    gap = float(values[0] - values[1])
    [[low, high]] = share_difference_bounds(values[None], bounds[None], correlations).tolist()
    if not np.isfinite(gap):
        low, high = -1.0, 1.0
    return LabelContrast(estimate.labels[first], estimate.labels[second], gap, low, high, level)

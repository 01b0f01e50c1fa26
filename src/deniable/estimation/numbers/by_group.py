"""The mean of a number in each group of people, from reports of group and number together (numbers.md 4).

A number is told as either end of its scale, drawn so that the mean is right: of the people of a group, the share who
tell the upper end is their mean place on the scale.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from deniable.arrays import Indices, Matrix, Vector
from deniable.checks import check_level, check_place
from deniable.estimation.contrast import MeanContrast
from deniable.estimation.frame import Rows, TabledFrame
from deniable.estimation.numbers.quantity import Quantity
from deniable.estimation.ratios import Ratios
from deniable.estimation.sources import Source
from deniable.estimation.sparse_rows import SparseRows, row_sums
from deniable.estimation.table import Table, printable
from deniable.estimation.words import decimals, people
from deniable.protocol.number_scale import NumberScale
from deniable.protocol.say import english


@dataclass(frozen=True, eq=False, repr=False)
class MeansByGroup(TabledFrame):
    """The mean of a number among the people of each group; nothing is known of a group too small to be seen."""

    names: tuple[str, str]
    """The question that tells the groups, and the number."""
    groups: Sequence[Hashable]
    scale: NumberScale
    unit: str
    source: Source
    """Shares of group and end of the scale, as pairs: of each group the lower end, then the upper one."""

    @property
    def n(self) -> int:
        """How many people were asked both."""
        return self.source.evidence.n

    @cached_property
    def _ratios(self) -> Ratios:
        """Of each group the share who tell the upper end, over its own share."""
        whole = SparseRows.all_of(row_sums(len(self.groups), 2))
        upper = SparseRows.all_of(whole.matrix.multiply(np.tile([0.0, 1.0], len(self.groups))).tocsr())
        return Ratios([self.source], [upper], [whole])

    def mean(self, group: Hashable) -> Quantity:
        """The mean of one group."""
        place = self._place(group)
        ratio = self._ratios.of(np.array([place]))
        value, error = self._ratios.values[place], self._ratios.stderr[place]
        share = Quantity.of(value, error, lambda level: ratio.interval(1 - level)[0])
        return share.scaled(float(self.scale.low), self._length)

    def difference(self, first: Hashable, second: Hashable, level: float = 0.95) -> MeanContrast:
        """The mean of one group less that of another, of groups that were chosen before looking."""
        return self._contrast(np.array([[self._place(first), self._place(second)]]), 1, check_level(level))

    def clearest(self, level: float = 0.95) -> MeanContrast | None:
        """The two groups whose means surely differ most, by an interval that holds for all pairs at once; or None."""
        seen = np.flatnonzero(self._ratios.are_seen)
        pairs = np.array(list(itertools.combinations(seen, 2)), np.int64)
        if not len(pairs):
            return None
        contrast = self._contrast(pairs, len(pairs), check_level(level))
        larger = contrast if contrast.value > 0 else contrast.reversed
        return larger if larger.low > 0 else None

    def _contrast(self, pairs: Indices, comparisons: int, level: float) -> MeanContrast:
        """The clearest difference of these pairs, with an interval that holds for so many ``comparisons`` at once."""
        values, bounds = self._ratios.differences(pairs, (1 - level) / comparisons)
        k = int(np.maximum(bounds[:, 0], -bounds[:, 1]).argmax())
        first, second = (self.groups[int(place)] for place in pairs[k])
        value, low, high = (self._length * number for number in (float(values[k]), *bounds[k].tolist()))
        unit = "days" if self.scale.dated else self.unit
        return MeanContrast(first, second, value, low, high, level, self.names, unit, self.scale.dated)

    def _place(self, group: Hashable) -> int:
        return check_place(f"a group of {self.names[0]!r}", group, self.groups)

    @property
    def _length(self) -> float:
        """From the lower end of the scale to the upper one."""
        return self.scale.steps * float(self.scale.step)

    @property
    def values(self) -> Vector:
        """The means, in the order of the groups; nan where nothing can be said."""
        return np.array([self.mean(group).value for group in self.groups])

    @property
    def stderr(self) -> Vector:
        """Their standard errors."""
        return np.array([self.mean(group).stderr for group in self.groups])

    def interval(self, level: float = 0.95) -> Matrix:
        """Bounds [groups, 2] on each mean by itself."""
        return np.array([self.mean(group).interval(check_level(level)) for group in self.groups])

    def table(self, level: float = 0.95) -> Table:
        rows = [(printable(group), *self._cells(self.mean(group), level)) for group in self.groups]
        title = f"mean of {self.names[1]} by {self.names[0]}: {self.n:,} people"
        unit = f" ({self.unit})" if self.unit else ""
        return Table(title, (self.names[0], f"mean{unit}", "at least", "at most"), rows, self._notes(level))

    def _notes(self, level: float) -> list[str]:
        lines = [f"{100 * level:g}% intervals; each holds on its own"]
        if np.isnan(self.values).any():
            lines.append("a group without a mean has a share too near to none")
        return lines

    def _cells(self, mean: Quantity, level: float) -> tuple[str, str, str]:
        """A mean and its bounds as the table shows them."""
        low, high = mean.interval(level)
        places = [(number - float(self.scale.low)) / float(self.scale.step) for number in (mean.value, low, high)]
        digits = decimals(mean.error)
        value, least, most = ("unknown" if math.isnan(place) else self.scale.shown(place, digits) for place in places)
        return value, least, most

    def summary(self) -> str:
        """Which two groups' means surely differ most, if any do."""
        contrast = self.clearest()
        words = f"No two answers to {self.names[0]} can be told apart." if contrast is None else contrast.sentence
        return f"{english(people(self.n))} told both. {words}"

    def _frame(self, level: float) -> Rows:
        low, high = self.interval(level).T
        columns = {"group": list(self.groups), "mean": self.values.tolist(), "stderr": self.stderr.tolist()}
        about = {"names": list(self.names), "n": self.n, "unit": self.unit, "level": level}
        return Rows(about, {**columns, "low": low.tolist(), "high": high.tolist()}, ("group",))

    def __repr__(self) -> str:
        return f"MeansByGroup({self.names[1]!r} by {self.names[0]!r}, {len(self.groups)} groups, n={self.n})"

"""The mean of a number in each group of people, from reports of group and number together (numbers.md 4).

A number is told as either end of its scale, drawn so that the mean is right: of the people of a group, the share who
tell the upper end is their mean place on the scale. It is a ratio of two shares that were both told with noise, so that
its bounds follow from all ratios that the reports do not contradict (Fieller 1954).
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from deniable.arrays import Matrix, Vector
from deniable.checks import check_level
from deniable.estimation.frame import Framed, Rows
from deniable.estimation.numbers.quantity import Quantity
from deniable.estimation.sources import Source
from deniable.estimation.table import Table, printable
from deniable.estimation.words import decimals
from deniable.protocol.errors import ParameterError
from deniable.protocol.grid import Grid

SEEN = 3.0
"""Of a group whose share is within so many standard errors of none, nothing can be said."""
RATIOS: Vector = np.linspace(0, 1, 257)
"""Where ratios are looked at; bounds between two of them are interpolated."""


@dataclass(frozen=True, eq=False, repr=False)
class MeansByGroup(Framed):
    """The mean of a number among the people of each group; nothing is known of a group too small to be seen."""

    names: tuple[str, str]
    groups: Sequence[Hashable]
    scale: Grid
    unit: str
    source: Source
    """Shares of group and end of the scale, as pairs: of each group the lower end, then the upper one."""

    @property
    def n(self) -> int:
        """How many people were asked both."""
        return self.source.evidence.n

    @cached_property
    def _shares(self) -> Matrix:
        """Of each group the share who tell the upper end, and its own share."""
        told = self.source.evidence.unbiased().reshape(-1, 2)
        return np.column_stack([told[:, 1], told.sum(axis=1)])

    @cached_property
    def _covariances(self) -> Matrix:
        """Of each group the variance of the upper end's share, of its own share, and their covariance."""
        own = np.eye(len(self.groups))
        upper: Matrix = np.asarray(np.kron(own, [0.0, 1.0]), np.float64)
        whole: Matrix = np.asarray(np.kron(own, [1.0, 1.0]), np.float64)
        each, all_, both = (self.source.sums(weights).variances for weights in (upper, whole, upper + whole))
        return np.column_stack([each, all_, (both - each - all_) / 2])

    def mean(self, group: Hashable) -> Quantity:
        """The mean of one group."""
        if group not in self.groups:
            raise ParameterError(f"the group must be one of the {len(self.groups)} of {self.names[0]!r}, got another")
        place = list(self.groups).index(group)
        (upper, share), (v, w, c) = self._shares[place].tolist(), self._covariances[place].tolist()
        step, steps = float(self.scale.step), self.scale.steps
        if share < SEEN * math.sqrt(w):
            whole = Quantity(math.nan, math.inf, lambda level: (0.0, 1.0))
        else:
            ratio = upper / share
            error = math.sqrt(max(v - 2 * ratio * c + ratio**2 * w, 0)) / share
            whole = Quantity(ratio, error, lambda level: _ratios(self.source, place, level))
        return whole.scaled(float(self.scale.low), steps * step)

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
        """A row for each group."""
        found = [(group, self.mean(group)) for group in self.groups]
        rows = [(printable(group), *self._written(mean, level)) for group, mean in found]
        title = f"mean of {self.names[1]} by {self.names[0]}: {self.n:,} people"
        unit = f" ({self.unit})" if self.unit else ""
        return Table(title, (self.names[0], f"mean{unit}", "at least", "at most"), rows, self._notes(level))

    def _notes(self, level: float) -> list[str]:
        lines = [f"{100 * level:g}% intervals; each holds on its own"]
        if np.isnan(self.values).any():
            lines.append("a group without a mean has a share too near to none")
        return lines

    def _written(self, mean: Quantity, level: float) -> tuple[str, str, str]:
        low, high = mean.interval(level)
        places = [(number - float(self.scale.low)) / float(self.scale.step) for number in (mean.value, low, high)]
        digits = decimals(mean.error)
        value, least, most = ("unknown" if math.isnan(place) else self.scale.shown(place, digits) for place in places)
        return value, least, most

    def _frame(self, level: float) -> Rows:
        low, high = self.interval(level).T
        columns = {"group": list(self.groups), "mean": self.values.tolist(), "stderr": self.stderr.tolist()}
        about = {"names": list(self.names), "n": self.n, "unit": self.unit, "level": level}
        return Rows(about, {**columns, "low": low.tolist(), "high": high.tolist()}, ("group",))

    def __str__(self) -> str:
        return str(self.table())

    def __repr__(self) -> str:
        return f"MeansByGroup({self.names[1]!r} by {self.names[0]!r}, {len(self.groups)} groups, n={self.n})"

    def _repr_html_(self) -> str:
        return self.table()._repr_html_()


def _ratios(source: Source, place: int, level: float) -> tuple[float, float]:
    """The ratios r from 0 to 1 for which the upper end's share, less r times the group's own, is within bounds of 0."""
    found = source.evidence.unbiased()
    weights = np.zeros((len(RATIOS), len(found)))
    weights[:, 2 * place], weights[:, 2 * place + 1] = -RATIOS, 1 - RATIOS
    sums, (below, above) = weights @ found, source.sums(weights).reaches(1 - level).T
    beyond = np.maximum(sums - below, -sums - above)
    kept = np.flatnonzero(beyond <= 0) if beyond.min() <= 0 else np.array([beyond.argmin()])
    first, last = int(kept[0]), int(kept[-1])
    return _zero(beyond, first - 1, first), _zero(beyond, last + 1, last)


def _zero(beyond: Vector, out: int, kept: int) -> float:
    """The ratio between one that is ruled out and the next one, which is not; or the end of all."""
    if not 0 <= out < len(RATIOS) or beyond[kept] > 0:
        return float(RATIOS[kept])
    part = beyond[out] / (beyond[out] - beyond[kept])
    return float(RATIOS[out] + part * (RATIOS[kept] - RATIOS[out]))

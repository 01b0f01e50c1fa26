"""A number that is estimated, such as a mean, a quantile or the share of a range: its value, error and intervals."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from deniable.arrays import Vector
from deniable.checks import check_level
from deniable.estimation.binomial import quantile
from deniable.estimation.census import Spread, narrowed_bounds
from deniable.estimation.table import Table
from deniable.theory.contrasts import difference_bounds

LevelBounds = Callable[[float], tuple[float, float]]
"""From a level to a lower and an upper bound."""


@dataclass(frozen=True, eq=False, repr=False)
class Quantity:
    """A value with its standard error, and bounds that hold with the probability that is asked for.

    >>> share = Quantity.normal(0.3, 0.1, 0.0, 1.0)
    >>> share, [round(bound, 3) for bound in share.interval(0.95)]
    (0.3 (standard error 0.1), [0.104, 0.496])
    """

    value: float
    stderr: float
    bounds: LevelBounds
    on_scale: bool = False
    """Whether it is a number that people could give, as quantiles are: it is shown as it stands, never rounded."""

    @classmethod
    def of(cls, value: float, stderr: float, bounds: Callable[[float], Vector]) -> Quantity:
        """A quantity whose bounds at each level are a row of two numbers."""

        def pair(level: float) -> tuple[float, float]:
            low, high = bounds(level).tolist()
            return low, high

        return cls(float(value), float(stderr), pair)

    @classmethod
    def normal(cls, value: float, stderr: float, least: float = -math.inf, most: float = math.inf) -> Quantity:
        """A quantity with normal bounds, within the least and the most that it can be."""

        def bounds(level: float) -> tuple[float, float]:
            if not math.isfinite(stderr):
                return -math.inf, math.inf
            reach = quantile((1 - level) / 2) * stderr
            return value - reach, value + reach

        return cls(value, stderr, bounds).within(least, most)

    @property
    def error(self) -> float:
        """The standard error, or where there is none a quarter of the 95% interval: what its decimals follow from."""
        low, high = self.interval()
        return self.stderr if math.isfinite(self.stderr) and self.stderr > 0 else (high - low) / 4

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """A lower and an upper bound that hold together with at least this probability."""
        return self.bounds(check_level(level))

    def to_dict(self, level: float = 0.95) -> dict[str, float]:
        """The value, its error and its bounds."""
        low, high = self.interval(level)
        return {"value": self.value, "stderr": self.stderr, "low": low, "high": high}

    def scaled(self, start: float, unit: float) -> Quantity:
        """The quantity in other units: a positive multiple, counted from another start."""

        def bounds(level: float) -> tuple[float, float]:
            low, high = self.bounds(level)
            return start + unit * low, start + unit * high

        return Quantity(start + unit * self.value, unit * self.stderr, bounds)

    def within(self, least: float, most: float) -> Quantity:
        """The quantity with bounds that keep between the least and the most that it can be."""

        def bounds(level: float) -> tuple[float, float]:
            low, high = self.bounds(level)
            return min(max(low, least), most), max(min(high, most), least)

        return Quantity(self.value, self.stderr, bounds)

    def among(self, size: float, spread: Spread, least: float = 0.0) -> Quantity:
        """The mean of ``size`` people, from that of people without end, by the ``spread`` of values (see ``census``).

        The bounds must not be cut yet. The error is not below ``least``.
        """
        if not (math.isfinite(size) and math.isfinite(self.stderr)):
            return self
        value = np.array([self.value])
        common = float(spread(value[:, None])[0, 0]) / size

        def bounds(level: float) -> Vector:
            drawn, z = np.array([self.bounds(level)]), quantile((1 - level) / 2)
            return np.asarray(narrowed_bounds(value, drawn, z, spread, size, least)[0], np.float64)

        stderr = min(self.stderr, max(math.sqrt(max(self.stderr**2 - common, 0.0)), least))
        return Quantity.of(self.value, stderr, bounds)

    def minus(self, other: Quantity) -> Quantity:
        """How much more this quantity is than ``other``, which other reports told.

        Bounds are as far off as those of both together (Zou and Donner 2008), and at least as far as normal ones: those
        of either may be cut off where it can be no larger.

        >>> Quantity.normal(0.5, 0.3).minus(Quantity.normal(0.1, 0.4))
        0.4 (standard error 0.5)
        """
        value, stderr = self.value - other.value, math.hypot(self.stderr, other.stderr)

        def bounds(level: float) -> tuple[float, float]:
            (low, high), (least, most) = self.bounds(level), other.bounds(level)
            if not math.isfinite(value):
                return low - most, high - least
            pair = np.array([[self.value, other.value]]), np.array([[(low, high), (least, most)]])
            below, above = difference_bounds(*pair)[0].tolist()
            reach = quantile((1 - level) / 2) * stderr
            return min(below, value - reach), max(above, value + reach)

        return Quantity(value, stderr, bounds, self.on_scale and other.on_scale)

    def __repr__(self) -> str:
        return f"{self.value:.6g} (standard error {self.stderr:.3g})"

    def _repr_html_(self) -> str:
        numbers = (self.value, self.stderr, *self.interval())
        headings = ("estimate", "standard error", "at least", "at most")
        return Table("A quantity, 95% interval", headings, [[f"{number:.6g}" for number in numbers]])._repr_html_()


def quantities_first(
    quantities: Mapping[str, Quantity], shares: Mapping[str, list[Any]], level: float
) -> dict[str, list[Any]]:
    """The columns of shares below a row for each quantity, whose value stands in a column of its own.

    >>> quantities_first({"mean": Quantity.normal(2, 0)}, {"label": ["low", "high"], "frequency": [0.5, 0.5]}, 0.95)
    {'label': ['mean', 'low', 'high'], 'frequency': [None, 0.5, 0.5], 'value': [2, None, None]}
    """
    documents = [quantity.to_dict(level) for quantity in quantities.values()]
    below = {**shares, "value": [None] * len(shares["label"])}
    above: dict[str, list[Any]] = {name: [each.get(name) for each in documents] for name in below}
    above["label"] = list(quantities)
    return {name: above[name] + values for name, values in below.items()}

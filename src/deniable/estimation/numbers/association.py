"""How two numbers go together: their covariance, and the slope of one on the other (numbers.md 4).

Both are told as either end of their scales by the same people, so that the product of what is told is right in the
mean. Variances come from other people, so that their errors are independent.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from deniable.estimation.frame import Rows, TabledFrame
from deniable.estimation.numbers.quantity import Quantity
from deniable.estimation.sources import Source
from deniable.estimation.table import Table
from deniable.estimation.words import precise
from deniable.protocol.number_scale import NumberScale


@dataclass(frozen=True, eq=False, repr=False)
class Association(TabledFrame):
    """Two numbers of the same people. ``deviations`` are the standard deviations of both, where they were asked for."""

    names: tuple[str, str]
    scales: tuple[NumberScale, NumberScale]
    source: Source
    """Shares of the pairs of ends: both lower, the second upper, the first upper, both upper."""
    deviations: tuple[Quantity | None, Quantity | None]

    @property
    def n(self) -> int:
        """How many people were asked both."""
        return self.source.evidence.n

    @cached_property
    def covariance(self) -> Quantity:
        """The mean of the product less the product of the means; its error and bounds by the delta method."""
        shares = self.source.evidence.unbiased()
        first, second, both = shares[2] + shares[3], shares[1] + shares[3], shares[3]
        slopes = np.array([0, -first, -second, 1 - first - second])
        sums = self.source.sums(slopes[None])
        lengths = math.prod(scale.steps * float(scale.step) for scale in self.scales)
        value, stderr = float(both - first * second) * lengths, math.sqrt(sums.variances[0]) * lengths

        def bounds(level: float) -> tuple[float, float]:
            below, above = (lengths * sums.reaches(1 - level)[0]).tolist()
            return value - below, value + above

        return Quantity(value, stderr, bounds)

    @property
    def slope(self) -> Quantity | None:
        """By how much the second rises, in the mean, where the first is one unit higher; None without its spread."""
        return _ratio_to(self.covariance, self.deviations[0], self.deviations[0])

    @property
    def correlation(self) -> Quantity | None:
        """From -1 to 1; None unless the spreads of both were asked for."""
        quantity = _ratio_to(self.covariance, *self.deviations)
        return None if quantity is None else quantity.within(-1, 1)

    @property
    def _measures(self) -> dict[str, Quantity]:
        """The measures that are known, by their names."""
        measures = {"covariance": self.covariance, "slope": self.slope, "correlation": self.correlation}
        return {name: measure for name, measure in measures.items() if measure is not None}

    def _frame(self, level: float) -> Rows:
        measures = self._measures.values()
        low, high = zip(*(each.interval(level) for each in measures), strict=True)
        values = {"value": [each.value for each in measures], "stderr": [each.stderr for each in measures]}
        about = {"names": list(self.names), "n": self.n, "level": level}
        return Rows(about, {"measure": list(self._measures), **values, "low": list(low), "high": list(high)}, ())

    def table(self, level: float = 0.95) -> Table:
        rows = [
            (name, *(precise(number, measure.error) for number in (measure.value, *measure.interval(level))))
            for name, measure in self._measures.items()
        ]  # fmt: skip
        title = f"{self.names[1]} on {self.names[0]}: {self.n:,} people"
        notes = [f"{100 * level:g}% intervals, approximate (score, and bounds of the spreads added in squares)"]
        if self.slope is None or self.correlation is None:
            notes.append('slope and correlation need the spread: ask for it with want=("mean", "spread")')
        return Table(title, ("", "estimate", "at least", "at most"), rows, notes)

    def __repr__(self) -> str:
        return f"Association({self.names[1]!r} on {self.names[0]!r}, n={self.n})"


def _ratio_to(covariance: Quantity, first: Quantity | None, second: Quantity | None) -> Quantity | None:
    """A covariance over two deviations, of which the same may come twice."""
    if first is None or second is None or not (first.value and second.value):
        return None
    value = covariance.value / (first.value * second.value)
    same = first is second
    parts = [2 * first.stderr / first.value] if same else [each.stderr / each.value for each in (first, second)]
    error = covariance.stderr / (first.value * second.value)

    def bounds(level: float) -> tuple[float, float]:
        low, high = covariance.interval(level)
        below = _product((first, second), [each.interval(level)[0] for each in (first, second)])
        above = _product((first, second), [each.interval(level)[1] for each in (first, second)])
        middle = first.value * second.value
        least = _least_ratio(covariance.value, low, middle, below, above)
        return least, -_least_ratio(-covariance.value, -high, middle, below, above)

    return Quantity(value, math.hypot(error, *(value * part for part in parts)), bounds)


def _product(factors: tuple[Quantity, Quantity], ends: list[float]) -> float:
    """A bound of a product from bounds of its factors, which are added in squares on a scale of logarithms."""
    if min(ends) <= 0:
        return 0.0
    each = [math.log(end / factor.value) for end, factor in zip(ends, factors, strict=True)]
    distance = sum(each) if factors[0] is factors[1] else math.copysign(math.hypot(*each), sum(each))
    return factors[0].value * factors[1].value * math.exp(distance)


def _least_ratio(value: float, low: float, divisor: float, below: float, above: float) -> float:
    """The least R at which value - R divisor is within the bounds of both, added in squares (Donner and Zou 2012).

    ``low`` is the lower bound of the value, ``below`` and ``above`` are those of the divisor.
    """
    of_value, of_divisor = value - low, above - divisor if low > 0 else divisor - below
    root = math.sqrt(max((value * divisor) ** 2 - (divisor**2 - of_divisor**2) * (value**2 - of_value**2), 0.0))
    if value > 0:  # the same root without a difference of nearly equal numbers, nor a division by 0
        return (value**2 - of_value**2) / (value * divisor + root)
    return (value * divisor - root) / (divisor**2 - of_divisor**2) if of_divisor < divisor else -math.inf

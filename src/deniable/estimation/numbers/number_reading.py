"""A distribution as it is shown: the mean, the spread and quantiles in a table above the histogram's; its picture."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Protocol, cast

import numpy as np

from deniable.arrays import Vector
from deniable.estimation.drawing import INTERVAL, panels, percent
from deniable.estimation.numbers.number_reports import CumulativeBand, NumberReports
from deniable.estimation.numbers.quantity import Quantity, quantities_first
from deniable.estimation.reading import Reading
from deniable.estimation.share import Estimated
from deniable.estimation.table import Table
from deniable.estimation.words import precise
from deniable.protocol.number_scale import NumberScale
from deniable.protocol.say import Phrase, english

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

QUANTILES = {0.1: "10% are at most", 0.25: "25% are at most", 0.5: "median", 0.75: "75% are at most",
             0.9: "90% are at most"}  # fmt: skip
ALONE = "each interval holds on its own"
FROM_MEANS = "The spread's follows from those of the mean and of squared distances, and holds where both do."


class Distributed(Estimated, Protocol):
    """What a reading needs of a distribution."""

    @property
    def scale(self) -> NumberScale:
        """Which numbers there are."""

    @property
    def unit(self) -> str:
        """What they count."""

    @property
    def counted_in(self) -> Phrase:
        """The unit of differences and errors: of dates days."""

    @property
    def reports(self) -> NumberReports:
        """What people told."""

    @property
    def mean(self) -> Quantity:
        """The mean."""

    @property
    def spread(self) -> Quantity:
        """The standard deviation."""

    @property
    def edges(self) -> Vector:
        """Where bins begin and end."""

    def quantile(self, share: float) -> Quantity:
        """The number that this share of people do not exceed."""

    def band(self, level: float) -> CumulativeBand:
        """The share up to each number with limits for all at once."""

    def shown(self, value: float, error: float = 0.0) -> Phrase:
        """A number as people read it."""


class NumberReading(Reading):
    """The reading of numbers; see ``Reading``."""

    __slots__ = ()

    @property
    def of(self) -> Distributed:
        """The distribution that is read."""
        return cast("Distributed", self.estimate)

    def quantities(self) -> Iterator[tuple[str, Quantity]]:
        """What was asked for, by its name: the mean, the spread, five quantiles."""
        reports = self.of.reports
        yield "mean", self.of.mean
        if reports.mean is not None and reports.squares is not None:
            yield "spread", self.of.spread
        if reports.ranges is not None:
            yield from ((name, self.of.quantile(share)) for share, name in QUANTILES.items())

    def quantities_table(self) -> Table:
        """The table of quantities."""
        rows = [(name, *self._cells(name, quantity)) for name, quantity in self.quantities()]
        e = self.estimate
        people = "person" if e.n == 1 else "people"
        low, high = (english(self.of.shown(self.of.scale.value(end))) for end in (0, self.of.scale.steps))
        title = f"{e.title}: {e.n:,} {people}, numbers from {low} to {high}"
        return Table(title, ("", "estimate", "at least", "at most"), rows, self._below_quantities())

    def _cells(self, name: str, quantity: Quantity) -> tuple[str, ...]:
        """The value and its bounds; quantiles as they stand on the scale, all else as precisely as is of use."""
        numbers = (quantity.value, *quantity.interval(self.level))
        if name == "spread":
            return tuple(precise(number, quantity.error) for number in numbers)
        error = 0.0 if quantity.on_scale else quantity.error
        return tuple(english(self.of.shown(number, error)) for number in numbers)

    def _below_quantities(self) -> list[str]:
        """The notes below the table of quantities."""
        lines = [f"{self.interval_name}s; {ALONE}. Numbers beyond the bounds count as the bound."]
        if self.of.reports.mean is not None and self.of.reports.squares is not None:
            lines.append(FROM_MEANS)
        width = self.of.reports.width
        if self.of.reports.ranges is not None and width > 1:
            lines.append(
                f"People are told apart in stretches of {width} steps; within one they count as evenly spread."
            )
        return lines

    def tables(self) -> list[Table]:
        return [self.quantities_table(), *([self.table()] if len(self.estimate.labels) else [])]

    @property
    def about(self) -> dict[str, Any]:
        """All that is not said bin by bin: quantities among it, in the units of the scale."""
        quantities = {name: quantity.to_dict(self.level) for name, quantity in self.quantities()}
        scale = self.of.scale.to_json()
        return {**super().about, "unit": self.of.unit, "scale": scale, "quantities": quantities}

    @property
    def columns(self) -> dict[str, list[Any]]:
        """A row for each quantity, whose value stands in a column of its own, and one for each bin."""
        return quantities_first(dict(self.quantities()), super().columns, self.level)


def draw_distribution(reading: NumberReading) -> Figure:
    """Two panels over one scale; of a mean alone its interval."""
    numbers, level = reading.of, reading.level
    if numbers.reports.ranges is None:
        figure, cells = panels(1, 1, (7.5, 1.9))
        cells[0].set_yticks([])
    else:
        figure, cells = panels(2, 1, (7.5, 6.0), sharex=True)
        _shares(cells[0], reading)
        _rising(cells[1], numbers, level)
    _mean(cells[0], numbers, level)
    unit = f" ({numbers.unit})" if numbers.unit else ""
    cells[0].set_title(f"{numbers.title}{unit}\n{numbers.n:,} people", loc="left", fontsize=10, parse_math=False)
    _dates(cells[-1], numbers)
    figure.legend(loc="outside lower center", ncols=3, frameon=False, fontsize=9)
    return figure


def _shares(axes: Axes, reading: NumberReading) -> None:
    """A dot and an interval for each bin, in its middle; a line as wide as the bin."""
    low, high = reading.bounds.T
    numbers, edges = reading.of, reading.of.edges
    middle = (edges[:-1] + edges[1:]) / 2
    axes.vlines(middle, low, high, **INTERVAL, label=reading.interval_name)
    axes.hlines(numbers.frequencies, edges[:-1], edges[1:], color="black", linewidth=1.2)
    axes.plot(middle, numbers.frequencies, "o", color="black", markersize=4, label="share of a bin")
    axes.axhline(0, color="0.3", linewidth=0.8)
    percent(axes.yaxis)
    axes.set_ylabel("share of people")


def _rising(axes: Axes, estimate: Distributed, level: float) -> None:
    """The share up to each number, with its band."""
    band = estimate.band(level)
    name = f"{100 * level:g}% band, all at once"
    axes.fill_between(band.x, band.low, band.high, step="post", color="0.85", label=name)
    axes.step(band.x, band.y, where="post", color="black", linewidth=1.2, label="share up to a number")
    percent(axes.yaxis)
    axes.set_ylim(0, 1)
    axes.set_ylabel("share of people up to it")


def _mean(axes: Axes, estimate: Distributed, level: float) -> None:
    """The mean as a diamond with its interval, at the top of the first panel."""
    mean = estimate.mean
    low, high = mean.interval(level)
    across = axes.get_xaxis_transform()
    axes.plot([low, high], [0.96, 0.96], color="black", linewidth=1.2, transform=across)
    axes.plot([mean.value], [0.96], "D", color="black", markerfacecolor="white", transform=across, label="mean")
    least, most = estimate.scale.value(0), estimate.scale.value(estimate.scale.steps)
    axes.set_xlim(least - 0.02 * (most - least), most + 0.02 * (most - least))


def _dates(axes: Axes, estimate: Distributed) -> None:
    """Days as dates."""
    if estimate.scale.dated:
        ticks = np.linspace(estimate.scale.value(0), estimate.scale.value(estimate.scale.steps), 6)
        step = float(estimate.scale.step)
        names = [estimate.scale.shown((tick - float(estimate.scale.low)) / step) for tick in ticks.tolist()]
        axes.set_xticks(ticks, names)

"""A distribution as a picture: the histogram's shares with their intervals above the share up to each number."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from deniable.estimation.drawing import INTERVAL, panels, percent
from deniable.estimation.numbers.number_reading import Distributed, NumberReading

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def draw_distribution(reading: NumberReading) -> Figure:
    """Two panels over one scale; of a mean alone its interval."""
    found, level = reading.of, reading.level
    if found.told.ranges is None:
        figure, cells = panels(1, 1, (7.5, 1.9))
        cells[0].set_yticks([])
    else:
        figure, cells = panels(2, 1, (7.5, 6.0), sharex=True)
        _shares(cells[0], reading)
        _rising(cells[1], found, level)
    _mean(cells[0], found, level)
    unit = f" ({found.unit})" if found.unit else ""
    cells[0].set_title(f"{found.title}{unit}\n{found.n:,} people", loc="left", fontsize=10, parse_math=False)
    _dates(cells[-1], found)
    figure.legend(loc="outside lower center", ncols=3, frameon=False, fontsize=9)
    return figure


def _shares(axes: Axes, reading: NumberReading) -> None:
    """A dot and an interval for each bin, in its middle; a line as wide as the bin."""
    low, high = reading.bounds.T
    found, edges = reading.of, reading.of.edges
    middle = (edges[:-1] + edges[1:]) / 2
    axes.vlines(middle, low, high, **INTERVAL, label=reading.interval_name)
    axes.hlines(found.frequencies, edges[:-1], edges[1:], color="black", linewidth=1.2)
    axes.plot(middle, found.frequencies, "o", color="black", markersize=4, label="share of a bin")
    axes.axhline(0, color="0.3", linewidth=0.8)
    percent(axes.yaxis)
    axes.set_ylabel("share of people")


def _rising(axes: Axes, found: Distributed, level: float) -> None:
    band = found.band(level)
    name = f"{100 * level:g}% band, all at once"
    axes.fill_between(band.x, band.low, band.high, step="post", color="0.85", label=name)
    axes.step(band.x, band.y, where="post", color="black", linewidth=1.2, label="share up to a number")
    percent(axes.yaxis)
    axes.set_ylim(0, 1)
    axes.set_ylabel("share of people up to it")


def _mean(axes: Axes, found: Distributed, level: float) -> None:
    """The mean as a diamond with its interval, at the top of the first panel."""
    mean = found.mean
    low, high = mean.interval(level)
    across = axes.get_xaxis_transform()
    axes.plot([low, high], [0.96, 0.96], color="black", linewidth=1.2, transform=across)
    axes.plot([mean.value], [0.96], "D", color="black", markerfacecolor="white", transform=across, label="mean")
    least, most = found.scale.value(0), found.scale.value(found.scale.steps)
    axes.set_xlim(least - 0.02 * (most - least), most + 0.02 * (most - least))


def _dates(axes: Axes, found: Distributed) -> None:
    """Days as dates."""
    if found.scale.dated:
        ticks = np.linspace(found.scale.value(0), found.scale.value(found.scale.steps), 6)
        step = float(found.scale.step)
        names = [found.scale.shown((tick - float(found.scale.low)) / step) for tick in ticks.tolist()]
        axes.set_xticks(ticks, names)

"""A fit as a forest plot: an interval a coefficient, ratios of odds on a scale of logarithms. No colour is needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from deniable.arrays import Matrix, Vector
from deniable.estimation.drawing import INTERVAL, canvas, legend, name_rows
from deniable.estimation.models.fit_words import ODDS, Setting
from deniable.estimation.table import printable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TICKS = np.array([0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 1, 2, 3, 4, 6, 10, 20, 50, 100])


def forest(setting: Setting, values: Vector, bounds: Matrix, level: float) -> Figure:
    """The terms that compare people, each with a dot and an interval, the first on top."""
    places = [place for place, term in enumerate(setting.terms) if term.where is not None]
    names = [printable(setting.terms[place].name, 32) for place in places]
    dots, (low, high) = values[places], bounds[places].T
    known = np.concatenate([each[np.isfinite(each)] for each in (dots, low, high)] + [np.zeros(1)])
    span = max(float(np.ptp(known)), 0.1)
    left, right = float(known.min()) - span / 10, float(known.max()) + span / 10
    figure, axes = canvas((7.5, max(2.4, 1.6 + 0.28 * len(places))))
    rows = np.arange(len(places))
    axes.hlines(rows, np.maximum(low, left), np.minimum(high, right), label=f"{100 * level:.10g}% interval", **INTERVAL)
    axes.plot(np.where(np.isfinite(dots), dots, np.nan), rows, "o", color="black", markersize=5, label="estimate")
    axes.axvline(0, color="0.3", linewidth=0.8)
    axes.set_xlim(left, right)
    name_rows(axes, names)
    if setting.model in ODDS:
        inside = TICKS[(np.log(TICKS) > left) & (np.log(TICKS) < right)]
        axes.set_xticks(np.log(inside), [f"{tick:g}" for tick in inside])
    axes.set_xlabel("odds, times as high" if setting.model in ODDS else "coefficient")
    axes.set_title(setting.title, loc="left", fontsize=10, parse_math=False)
    legend(figure)
    return figure

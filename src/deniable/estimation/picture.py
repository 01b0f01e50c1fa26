"""An estimate as a picture: a dot and an interval a label, open diamonds for the truth. No colour is needed."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import numpy.typing as npt
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from deniable.estimation.table import printable

if TYPE_CHECKING:
    from deniable.estimation.estimate import Estimate

Vector: TypeAlias = npt.NDArray[np.float64]
MOST = 40
"""Labels that still can be read side by side."""


def draw(estimate: Estimate, truth: Vector | None) -> Figure:
    """Labels from the most frequent down, one row each."""
    order = np.argsort(-estimate.frequencies, kind="stable")[:MOST]
    bounds = estimate.interval()[order]
    shares = estimate.frequencies[order]
    rows = np.arange(len(order))
    figure = Figure(figsize=(8, 1.6 + 0.3 * len(order)), layout="constrained")
    axes = figure.subplots()
    axes.hlines(rows, bounds[:, 0], bounds[:, 1], color="0.55", linewidth=4, label="95% interval")
    axes.plot(shares, rows, "o", color="black", markersize=6, label=f"estimate ({estimate.decoder})")
    if truth is not None:
        axes.plot(
            truth[order], rows, "D", color="black", markerfacecolor="none", markersize=9, linewidth=1.2, label="truth"
        )
    axes.set_yticks(rows, [printable(estimate.labels[j], 28).replace("$", r"\$") for j in order])
    axes.invert_yaxis()
    axes.set_xlabel("share of people")
    axes.set_xlim(left=min(0.0, float(shares.min())))
    axes.xaxis.set_major_formatter(PercentFormatter(1.0))
    axes.grid(axis="x", color="0.9")
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    left_out = len(estimate.labels) - len(order)
    note = f"\nthe {MOST} most frequent of {len(estimate.labels)} labels" if left_out else ""
    axes.set_title(f"{estimate.mechanism!r}\n{estimate.n} reports{note}", loc="left", fontsize=10)
    axes.legend(loc="lower right", frameon=False)
    return figure

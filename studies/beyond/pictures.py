"""Pictures of the comparison: a marker for each mechanism in all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from deniable.estimation.drawing import canvas, legend, panels
from studies.study import MEASURED, Picture, Tables, column, rows_with

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MARKERS: Mapping[str, tuple[str, str]] = {
    "RandomizedResponse": ("D", "none"),
    "Rappor": ("^", "none"),
    "OptimizedUnary": ("+", "black"),
    "Subset": ("s", "none"),
    "Hadamard": ("x", "black"),
    "Cyclic, fewest bits": ("o", "none"),
    "Cyclic": ("o", "black"),
}
LOWEST, HIGHEST = 0.9, 7.0
"""The range of the axis in multiples of the least error; larger errors stand at the upper edge with a number."""


def _mark(axes: Axes, name: str, x: float, times: float, sent: bool = True) -> None:
    """Draw one mechanism; grey where its reports are too large to send."""
    marker, face = MARKERS[name]
    edge = "black" if sent else "0.6"
    size = 9 if marker in "+x" else 7
    spot = min(times, HIGHEST * 0.9)
    shade = edge if face == "black" else face
    axes.plot([x], [spot], marker, markerfacecolor=shade, markeredgecolor=edge, markersize=size, clip_on=False)
    if times > HIGHEST:
        axes.annotate(f"{times:,.0f} x", (x, spot), (7, -3), textcoords="offset points", fontsize=8)


def _frame(axes: Axes, title: str, across: str) -> None:
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_ylim(LOWEST, HIGHEST)
    axes.set_yticks([1, 2, 3, 5], ["1", "2", "3", "5"])
    axes.minorticks_off()
    axes.set_title(title, loc="left", fontsize=10)
    axes.set_xlabel(across)


def _entries(figure: Figure, axes: Axes, unsent: bool) -> None:
    """A legend of the markers, none of which need be in the first axes."""
    for name, (marker, face) in MARKERS.items():
        axes.plot([], [], marker, color="black", markerfacecolor=face, markersize=7, label=name)
    if unsent:
        axes.plot([], [], "s", color="0.6", markersize=7, label="grey: predicted, too large to send")
    legend(figure, 4, axes)


def _distinct(tables: Tables, name: str) -> list[Any]:
    return list(dict.fromkeys(column(tables["trade"], name)))


def _trade(tables: Tables) -> Figure:
    figure, cells = panels(2, 3, (9.6, 6.4), sharey=True)
    places = [(epsilon, labels) for epsilon in _distinct(tables, "epsilon") for labels in _distinct(tables, "labels")]
    for axes, (epsilon, labels) in zip(cells, places, strict=True):
        _frame(axes, f"{labels:,} labels, epsilon {epsilon:g}", "bits of a report")
        for row in rows_with(tables["trade"], labels=labels, epsilon=epsilon):
            _mark(axes, row["mechanism"], row["report_bits"], row["over_least"], bool(row["sent"]))
        axes.set_xlim(7, 3e6)
    for axes in cells[::3]:
        axes.set_ylabel("squared error, times the least known")
    _entries(figure, cells[0], unsent=True)
    return figure


def _work(tables: Tables) -> Figure:
    figure, cells = panels(1, 3, (9.6, 4.0), sharey=True)
    for axes, labels in zip(cells, _distinct(tables, "labels"), strict=True):
        _frame(axes, f"{labels:,} labels, epsilon 1", "seconds to decode")
        for row in rows_with(tables[MEASURED], labels=labels):
            times = rows_with(tables["trade"], mechanism=row["mechanism"], labels=labels, epsilon=1.0)[0]["over_least"]
            _mark(axes, row["mechanism"], row["seconds"], times)
        axes.margins(x=0.2)
    cells[0].set_ylabel("squared error, times the least known")
    _entries(figure, cells[0], unsent=False)
    return figure


def _times(tables: Tables) -> Figure:
    figure, axes = canvas((6.4, 4.8))
    lines: Sequence[Any] = ("--", ":", (0, (1, 1)), "-.", "-", (0, (4, 2)), "-")
    for (name, (marker, face)), line in zip(MARKERS.items(), lines, strict=True):
        rows = rows_with(tables[MEASURED], mechanism=name)
        style = {"linestyle": line, "marker": marker, "markerfacecolor": face, "color": "black", "linewidth": 1.0}
        axes.plot(column(rows, "labels"), column(rows, "seconds"), label=name, **style)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("labels")
    axes.set_ylabel("seconds to decode one tally")
    axes.set_title("From a tally to the unbiased estimate, epsilon 1", loc="left", fontsize=10)
    legend(figure, 3)
    return figure


PICTURES = (
    Picture(
        "trade",
        "Error against bits",
        "Cyclic comes within 2% of the least error known in at most 3 bits more than a label's own, where the "
        "mechanisms of least error send a bit for every label. k-ary response is as short and falls behind by a factor "
        "that grows with the labels; Hadamard is as short and errs 1.3 times the least at epsilon 1, and twice or more "
        "at 4.",
        _trade,
    ),
    Picture(
        "times",
        "Time to decode against labels",
        "Counting supports takes a step a label, Hadamard one transform and Cyclic three on a somewhat longer circle; "
        "times grow with them, and faster where tables outgrow the processor's caches. Even the slowest decodes a "
        "million labels in tenths of a second, once a survey and whatever the number of people.",
        _times,
        measured=True,
    ),
    Picture(
        "work",
        "Error against time to decode",
        "Of the short reports those that err least take longest to decode: the work moves from the people's "
        "connections to the collector. Who can send a bit a label has the least error and the fastest decoding "
        "together, but every bit of every report must be counted before.",
        _work,
        measured=True,
    ),
)

"""Curves of cost against labels and against reports, black and white, drawn from the kept JSON alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from benchmarks.aggregate import AGGREGATE, REPORTS
from benchmarks.cells import Bench
from deniable.estimation.drawing import line_style, panels
from deniable.estimation.shown_figure import picture_bytes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from benchmarks.cells import Cell

Kept: TypeAlias = Mapping[str, Any]

NANO = 1e9
PACKED = "reports of many bits"
INTEGERS = "reports of one integer"
GREY: Mapping[str, Any] = {"linestyle": "none", "marker": "x", "color": "0.5", "markersize": 6}


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of kept results: its name, what it shows, and how to read it, whatever the results are."""

    name: str
    title: str
    caption: str
    draw: Callable[[Kept], Figure]

    @property
    def file(self) -> str:
        """Its name among the documentation's pictures."""
        return f"bench-{self.name}.png"

    def drawn(self, found: Kept) -> bytes:
        """The file's bytes."""
        return picture_bytes(self.draw(found), "png")


def _frames(rows: tuple[str, str], across: str, share: str | bool) -> tuple[Figure, list[Axes]]:
    """Two by two on logarithmic scales: integers left, packed bits right; what each row shows is at its left."""
    figure, cells = panels(2, 2, (9.6, 8.4), sharex=True, sharey=share)
    for axes in cells:
        axes.set_xscale("log")
        axes.set_yscale("log")
    for axes, title in zip(cells[:2], (INTEGERS, PACKED), strict=True):
        axes.set_title(title, loc="left", fontsize=10)
    for axes, shown in zip(cells[::2], rows, strict=True):
        axes.set_ylabel(shown)
    for axes in cells[2:]:
        axes.set_xlabel(across)
    return figure, cells


def _styles(names: Sequence[str]) -> dict[str, dict[str, Any]]:
    return {name: line_style(index) for index, name in enumerate(names)}


def _entries(axes: Axes, styles: Mapping[str, Mapping[str, Any]]) -> None:
    """A legend below a column, of all its lines."""
    lines = [axes.plot([], [], label=name, **style)[0] for name, style in styles.items()]
    axes.legend(handles=lines, loc="upper center", bbox_to_anchor=(0.5, -0.18), ncols=2, frameon=False, fontsize=9)


def by_labels(found: Kept, stage: str, name: str, unit: float, cost: str) -> Figure:
    """Cost, and share of the limit below it, against the number of labels."""
    bench = Bench.from_dict(found)
    figure, cells = _frames((cost, "share of the machine's limit"), "labels, d", "row")
    for column, integers in enumerate((True, False)):
        styles = _styles([one for one in bench.mechanisms if bench.integers(one) == integers])
        above, below = cells[column::2]
        for mechanism, style in styles.items():
            _draw_mechanism((above, below), bench.of(stage, mechanism), name, unit, style)
        below.axhline(1, color="0.4", linewidth=0.9)
        _entries(below, styles | {"fastest peer": GREY})
    cells[2].yaxis.set_major_formatter(lambda share, _: f"{100 * share:g}%")
    return figure


def _draw_mechanism(
    axes: tuple[Axes, Axes], cells: Sequence[Cell], name: str, unit: float, style: Mapping[str, Any]
) -> None:
    measured = [(cell, ours) for cell in cells if (ours := cell.named(name)) is not None]
    peers = [(cell.d, cell.fastest_peer.rate) for cell in cells if cell.fastest_peer is not None]
    shares = [(cell.d, share) for cell, ours in measured if (share := cell.share(ours)) is not None]
    axes[0].plot([d for d, _ in peers], [unit / rate for _, rate in peers], **GREY)
    axes[0].plot([cell.d for cell, _ in measured], [unit / ours.rate for _, ours in measured], **style)
    axes[1].plot([d for d, _ in shares], [share for _, share in shares], **style)


def by_reports(found: Kept) -> Figure:
    """Seconds of a whole survey against its size: reports counted, above, and tallies drawn in aggregate, below."""
    figure, cells = _frames(("counted, seconds per survey", "in aggregate, seconds per survey"), "people, n", True)
    for column, integers in enumerate((True, False)):
        points = [point for point in found["points"] if point["integers"] == integers]
        styles = _styles(list(dict.fromkeys(point["mechanism"] for point in points)))
        for axes, way in zip(cells[column::2], (REPORTS, AGGREGATE), strict=True):
            for name, style in styles.items():
                line = [point for point in points if (point["mechanism"], point["way"]) == (name, way)]
                axes.plot([point["n"] for point in line], [point["seconds"] for point in line], **style)
        _entries(cells[column + 2], styles)
    return figure


READ = (
    "Grey crosses are the fastest peer of each mechanism that has one; the line at 100% is the limit itself. Left are "
    "the mechanisms whose report is one integer, right those whose report is a string of bits."
)
"""How all of ``BY_LABELS`` are read."""
HOW = "Above: {cost}. Below: our rate over that of the limit, {limit}."
BY_LABELS = (
    Picture(
        "client",
        "What a report costs its client, against the number of labels",
        HOW.format(cost="nanoseconds to make a report, seeded", limit="drawing as many random words"),
        partial(by_labels, stage="client", name="seeded", unit=NANO, cost="client, nanoseconds per report"),
    ),
    Picture(
        "tally",
        "What counting a report costs, against the number of labels",
        HOW.format(
            cost="nanoseconds to check and count a report",
            limit="a bare histogram of the same integers, or reading the same bytes",
        ),
        partial(by_labels, stage="tally", name="tally", unit=NANO, cost="tally, nanoseconds per report"),
    ),
    Picture(
        "decode",
        "What an estimate costs, against the number of labels",
        HOW.format(cost="seconds from a tally to the unbiased estimate", limit="as many additions by NumPy"),
        partial(by_labels, stage="decode", name="unbiased", unit=1.0, cost="decode, seconds per estimate"),
    ),
)
"""Of results.json."""
BY_REPORTS = (
    Picture(
        "surveys",
        "What a survey costs, against its people",
        "Up: seconds, without the people's own work. Above, reports are counted and decoded to the projected estimate; "
        "a line ends where they would no longer fit the memory allowed. Below, the tally is drawn at once and decoded.",
        by_reports,
    ),
)
"""Of aggregate.json."""

"""acharya2019: its figures, and additional ones."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from deniable.estimation.drawing import canvas, legend, line_style, panels
from deniable.planning.pictures import error_regions
from studies import places
from studies.acharya2019.tables import LONG_LIST, SHORT_LIST, Read, printed
from studies.acharya2019.uneven import NUMBERS, PARTITIONS, PLAIN
from studies.study import Tables, rows_with

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

REGIONS = ((0.7, 0.7), (0.7, 1.4), (0.7, math.inf))
FRAME: Mapping[str, Any] = {"origin": "lower", "extent": places.SIDES, "aspect": 1.25}
"""The ratio of a degree of latitude to one of longitude in the middle of the map."""
NAMES = {
    "HighLowHadamard": "high-low Hadamard response",
    "HighLowResponse": "utility-optimized randomized response",
    "HighLowRappor": "utility-optimized RAPPOR",
    "Hadamard": "plain LDP: Hadamard response",
    "Subset": "plain LDP: Subset",
}
MAPS = {
    "truth": "Check-ins where people live",
    "plain": "One survey of them, plain LDP",
    "blocks": "One survey of them, LDP within 1,750 blocks of 5 x 5 cells",
}
SURNAMES = {(0.7, 0.7): " (Warner)", (0.7, math.inf): " (Mangat)", (math.inf, 0.7): " (Mangat)"}


def regions(tables: Tables) -> Figure:
    """Fig. 1."""
    del tables  # by the formula alone
    return error_regions(REGIONS)


def synthetic(tables: Tables) -> Figure:
    """Fig. 2."""
    truths = list(dict.fromkeys(row["truth"] for row in tables["fig2"]))
    figure, cells = panels(2, 2, (8.0, 6.4), sharex=True, sharey=True)
    for axes, truth in zip(cells, truths, strict=True):
        for index, blocks in enumerate(dict.fromkeys(row["blocks"] for row in tables["fig2"])):
            rows = rows_with(tables["fig2"], truth=truth, blocks=blocks)
            name = "plain LDP" if blocks == 1 else f"{blocks} blocks"
            _line(axes, rows, "users", "dtv", index, name)
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_title(str(truth), loc="left", fontsize=10)
        _decimal(axes, (0.03, 0.1, 0.3, 1))
    cells[0].set_xticks([1000, 10_000, 100_000], ["1,000", "10,000", "100,000"])
    for axes in cells[2:]:
        axes.set_xlabel("people")
    for axes in cells[::2]:
        axes.set_ylabel("mean total variation distance")
    legend(figure, 5, cells[0])
    return figure


def _line(axes: Axes, rows: Sequence[Read], along: str, up: str, index: int, name: str, every: int = 1) -> None:
    """One line with a marker at each point, or at every so many."""
    shown = {**line_style(index), "markevery": every}
    axes.plot([row[along] for row in rows], [row[up] for row in rows], label=name, **shown)


def _decimal(axes: Axes, ticks: tuple[float, ...]) -> None:
    """A logarithmic axis with plain numbers on it."""
    axes.set_yticks(ticks, [f"{tick:g}" for tick in ticks])
    axes.minorticks_off()


def blocks(tables: Tables) -> Figure:
    """Table 1, ours and the paper's."""
    figure, axes = canvas((6.0, 4.2))
    lines = {
        "the paper: Gowalla check-ins": printed(),
        f"US places of {LONG_LIST:,} people or more": rows_with(tables["table1"], smallest=LONG_LIST),
        f"US places of {SHORT_LIST:,} people or more": rows_with(tables["table1"], smallest=SHORT_LIST),
    }
    for index, (name, rows) in enumerate(lines.items()):
        _line(axes, rows, "blocks", "dtv", index, name)
    axes.set_xscale("log")
    axes.set_xticks([1, 35, 875, 1750], ["1\n(plain LDP)", "35", "875", "1,750"])
    axes.minorticks_off()
    axes.set_ylim(bottom=0)
    axes.set_xlabel("blocks of equal size")
    axes.set_ylabel("mean total variation distance")
    legend(figure, 1)
    return figure


def uneven(tables: Tables) -> Figure:
    """The cost of uneven blocks in the worst case, and their gain on the heatmap."""
    figure, (left, right) = panels(1, 2, (8.6, 4.6))
    for index, partition in enumerate(PARTITIONS):
        rows = rows_with(tables["uneven"], partition=partition)
        blocks = "" if partition == PLAIN else f", squares add up to {rows[0]['squares']:,}"
        _line(left, rows, "users", "unbiased_dtv", index, f"{partition}{blocks}")
    left.set_xscale("log")
    left.set_yscale("log")
    _decimal(left, (0.3, 1, 3, 10, 30))
    left.set_xticks([1000, 10_000, 100_000], ["1,000", "10,000", "100,000"])
    left.set_xlabel("people, with shares that are hardest for the blocks")
    left.set_ylabel("mean total variation distance, unbiased")
    left.set_title("1,000 labels in 20 blocks", loc="left", fontsize=10)
    grids = [row for row in rows_with(tables["table1"], smallest=LONG_LIST) if row["blocks"] in NUMBERS]
    for index, (name, rows) in enumerate({"equal blocks": grids, "uneven": rows_with(tables["uneven_map"])}.items()):
        look: dict[str, Any] = {"color": "0.75" if index else "0.35", "label": f"map: {name}"}
        right.bar([at + 0.38 * index for at in range(len(NUMBERS))], [row["dtv"] for row in rows], 0.36, **look)
    right.set_xticks([at + 0.19 for at in range(len(NUMBERS))], [f"{number:,} blocks" for number in NUMBERS])
    right.set_ylabel("mean total variation distance, projected")
    right.set_title(f"US places of {LONG_LIST:,} people or more", loc="left", fontsize=10)
    legend(figure, 2)
    return figure


def maps(tables: Tables) -> Figure:
    """Fig. 3, and the estimates of surveys."""
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import LogNorm

    figure, cells = panels(3, 1, (7.4, 8.8), sharex=True)
    scale = LogNorm(1, max(row["truth"] for row in rows_with(tables["fig3"])))
    for axes, (column, title) in zip(cells, MAPS.items(), strict=True):
        axes.imshow(_grid(tables, column), cmap="Greys", norm=scale, **FRAME)
        axes.grid(visible=False)
        axes.set_title(title, loc="left", fontsize=10)
        axes.set_ylabel("latitude, degrees")
    cells[-1].set_xlabel("longitude, degrees")
    figure.colorbar(
        ScalarMappable(scale, "Greys"), ax=cells, label="check-ins of a cell (log scale); white: none", shrink=0.5
    )
    return figure


def _grid(tables: Tables, column: str) -> Any:
    """Each cell's check-ins; cells without are left out of the picture."""
    found = np.zeros((places.ROWS, places.COLUMNS))
    for row in rows_with(tables["fig3"]):
        found[row["row"], row["column"]] = row[column]
    return np.ma.masked_equal(found, 0)


def high_low(tables: Tables) -> Figure:
    """Errors of the three schemes against the number of sensitive labels."""
    figure, axes = canvas((6.0, 4.4))
    rows = rows_with(tables["high_low"])
    for index, name in enumerate(NAMES):
        own = [row for row in rows if row["mechanism"] == name]
        if len(own) == 1:  # plain LDP, whatever is sensitive
            axes.axhline(own[0]["dtv"], color="0.5", linewidth=1.1, linestyle="--", label=NAMES[name])
        elif own:
            _line(axes, own, "sensitive", "dtv", index, NAMES[name])
    axes.set_xscale("log")
    axes.set_yscale("log")
    counts = sorted({row["sensitive"] for row in rows} - {0})
    axes.set_xticks(counts, [f"{count}" for count in counts])
    _decimal(axes, (0.03, 0.1, 0.3, 1))
    axes.set_xlabel("sensitive symbols, of 1,000")
    axes.set_ylabel("mean total variation distance")
    legend(figure, 1)
    return figure


def levels(tables: Tables) -> Figure:
    """The squared error of the three schemes against epsilon, for few and for many sensitive symbols."""
    figure, cells = panels(1, 2, (8.0, 4.6), sharex=True, sharey=True)
    for axes, sensitive in zip(cells, (10, 100), strict=True):
        for index, name in enumerate(NAMES):
            rows = rows_with(tables["high_low_levels"], mechanism=name, sensitive=sensitive)
            rows = rows or rows_with(tables["high_low_levels"], mechanism=name, sensitive=0)
            _line(axes, rows, "epsilon", "squared", index, NAMES[name], every=4)
        axes.set_yscale("log")
        axes.set_title(f"{sensitive} of 1,000 symbols sensitive", loc="left", fontsize=10)
        axes.set_xlabel("epsilon")
    cells[0].set_ylabel("people x expected squared error")
    legend(figure, 2, cells[0])
    return figure


def two_labels(tables: Tables) -> Figure:
    """The variance of a yes-or-no share under one-sided and two-sided promises."""
    figure, axes = canvas((6.0, 4.6))
    rows = rows_with(tables["two_labels"])
    pairs = [pair for pair in dict.fromkeys((row["first"], row["second"]) for row in rows) if 0.7 in pair]
    for index, (first, second) in enumerate(pairs):
        own = [row for row in rows if (row["first"], row["second"]) == (first, second)]
        style = line_style(index)
        curve = {key: style[key] for key in ("linestyle", "color", "linewidth")}
        dots = {**style, "linestyle": "none"}
        axes.plot([row["share"] for row in own], [row["variance"] for row in own], **curve)
        met = [row for row in own if row.get("measured") is not None]
        axes.plot([row["share"] for row in met], [row["measured"] for row in met], **dots)
        axes.plot([], [], label=f"levels {first:g} and {second:g}{SURNAMES.get((first, second), '')}", **style)
    axes.set_ylim(bottom=0)
    axes.set_xlabel("share of the first label")
    axes.set_ylabel("people x variance of its estimate")
    legend(figure, 2)
    return figure

"""The pictures of wang2016: Table 1 by both simulators, and what a report tells."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from deniable.estimation.drawing import MARKERS, canvas, legend, panels
from studies.study import Picture, Tables, column, rows_with

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NAMES = ("BRR", "MRR", "k*-SS", "k#-SS")
LOSSES = {"l2": "squared", "l1": "absolute"}
LINES = ("--", ":", "-")


def scores(tables: Tables) -> Figure:
    """Every cell's distance from the printed value, column by column."""
    figure, cells = panels(1, 2, (8.2, 3.9), sharey=True)
    for axes, simulator in zip(cells, ("independent counts", "reports"), strict=True):
        places = [(name, loss) for loss in LOSSES for name in NAMES]
        for at, (name, loss) in enumerate(places):
            z = column(tables["table1"], f"{simulator}: z", mechanism=name, loss=loss)
            spread = np.linspace(-0.3, 0.3, len(z))
            axes.plot(at + spread, z, "o", markersize=2.6, markerfacecolor="white", color="0.35", markeredgewidth=0.7)
            axes.plot([at - 0.36, at + 0.36], [np.mean(z)] * 2, color="black", linewidth=2)
        axes.axhspan(-3.5, 3.5, color="0.95", zorder=0)
        axes.set_xticks(range(len(places)), [name for name, _ in places], rotation=45, ha="right", fontsize=8)
        axes.axvline(3.5, color="0.6", linewidth=0.8)
        axes.set_title(simulator, fontsize=10)
        for kind, middle in zip(LOSSES.values(), (1.5, 5.5), strict=True):
            axes.text(middle, -4.4, f"{kind} error", ha="center", fontsize=8)
    cells[0].set_ylim(-4.8, 5.2)
    cells[0].set_ylabel("ours less printed,\nin standard errors of the difference")
    return figure


def simulators(tables: Tables) -> Figure:
    """The squared error by reports over that by independent counts, against d."""
    figure, axes = canvas((6.4, 3.9))
    sizes = np.array([2, 4, 6, 8, 16, 32, 64, 128, 256])
    axes.plot(sizes, sizes / (sizes - 1), "-", color="black", linewidth=1, label="d/(d-1)")
    for at, name in enumerate(NAMES):
        rows = [row for row in rows_with(tables["table1"], mechanism=name, loss="l2") if row["epsilon"] >= 1]
        x = [row["d"] * 1.07 ** (at - 1.5) for row in rows]
        y, error = [row["ratio"] for row in rows], [2 * row["ratio: error"] for row in rows]
        filled = "black" if at % 2 == 0 else "white"
        look: dict[str, Any] = {"markerfacecolor": filled, "markersize": 4, "elinewidth": 0.7, "color": "0.2"}
        axes.errorbar(x, y, error, fmt=MARKERS[at], label=name, **look)
    axes.set_xscale("log", base=2)
    axes.set_xticks(sizes, [str(size) for size in sizes])
    axes.set_xlabel("d, number of labels (beside each other: epsilon = 1 and above)")
    axes.set_ylabel("squared error, reports over\nindependent counts (bars: 2 standard errors)")
    legend(figure, 5)
    return figure


def linf(tables: Tables) -> Figure:
    """The largest absolute error of a label, by reports, over that of k#-SS."""
    figure, cells = panels(1, 3, (8.6, 3.5), sharey=True)
    for axes, d in zip(cells, (8, 32, 64), strict=True):
        least = column(tables["linf"], "linf", mechanism="k#-SS", d=d)
        for at, name in enumerate(NAMES[:3]):
            rows = rows_with(tables["linf"], mechanism=name, d=d)
            ratios = [row["linf"] / best for row, best in zip(rows, least, strict=True)]
            filled = "black" if at % 2 == 0 else "white"
            axes.plot(
                column(rows, "epsilon"), ratios, LINES[at], marker=MARKERS[at], color="black", markerfacecolor=filled,
                markersize=4.5, linewidth=1.1, label=name,
            )  # fmt: skip
        axes.axhline(1, color="0.6", linewidth=0.8)
        axes.set_yscale("log")
        axes.set_yticks([1, 1.5, 2, 3], ["1", "1.5", "2", "3"])
        axes.minorticks_off()
        axes.set_title(f"d = {d}", fontsize=10)
        axes.set_xlabel("epsilon")
    cells[0].set_ylabel("largest error of a label,\nover that of k#-SS")
    legend(figure, 3, cells[0])
    return figure


def share(tables: Tables) -> Figure:
    """What each mechanism's report tells, as a share of the bound."""
    figure, cells = panels(1, 3, (8.6, 3.3), sharey=True)
    for axes, d in zip(cells, (4, 16, 256), strict=True):
        rows = rows_with(tables["information"], d=d)
        for line, name in zip(("--", ":", "-"), ("MRR", "BRR", "k*-SS"), strict=True):
            told = [row[name] / row["bound"] for row in rows]
            axes.plot(column(rows, "epsilon"), told, line, color="black", linewidth=1.4, label=name)
        axes.set_xscale("log")
        axes.set_xticks([0.01, 0.1, 1, 10], ["0.01", "0.1", "1", "10"])
        axes.set_title(f"d = {d}", fontsize=10)
        axes.set_xlabel("epsilon")
    cells[0].set_ylim(0, 1.05)
    cells[0].set_ylabel("information, share of the exact bound")
    legend(figure, 3, cells[0])
    return figure


def bound(tables: Tables) -> Figure:
    """The exact bound over epsilon, and the limit for any number of labels."""
    figure, axes = canvas((6.4, 4.2))
    rows = rows_with(tables["information"])
    for at, d in enumerate(dict.fromkeys(column(rows, "d"))):
        rows = rows_with(tables["information"], d=d)
        filled = "black" if at % 2 == 0 else "white"
        axes.plot(
            column(rows, "epsilon"), column(rows, "bound"), "-", marker=MARKERS[at], markevery=(78 + at, 7),
            markersize=4.5, markerfacecolor=filled, color="black", linewidth=1, label=f"d = {d}",
        )  # fmt: skip
    levels = column(rows, "epsilon")
    axes.plot(levels, column(rows, "any d"), "--", color="black", linewidth=1.4, label="any d, at most")
    axes.plot(levels, [level**2 / 8 for level in levels], ":", color="black", linewidth=1.4, label="epsilon$^2$/8")
    axes.set_xlim(0, 10)
    axes.set_ylim(0, 7)
    axes.set_xlabel("epsilon")
    axes.set_ylabel("mutual information of a uniform value\nand its report, nats")
    legend(figure, 4)
    return figure


PICTURES = (
    Picture(
        "scores",
        "Table 1: printed values against two simulators",
        "With independent counts ours are on both sides of the printed values; with real reports the errors of MRR and"
        " k-subset lie above the printed ones.",
        scores,
    ),
    Picture(
        "simulators",
        "How far the two simulators are apart",
        "Real reports of MRR and k-subset err d/(d-1) times as much as independent counts suggest: twice as much for "
        "two labels, hardly more for a hundred.",
        simulators,
    ),
    Picture(
        "linf",
        "The third loss of sect. 3.3: the largest error of a label",
        "The paper names this loss and does not measure it; by reports k#-SS does as well by it as by the others.",
        linf,
    ),
    Picture(
        "share",
        "What a report tells, beside the most that it could",
        "k*-subset reaches the exact bound at every epsilon. MRR does so from about epsilon = ln d on and tells next "
        "to nothing far below it, if labels are many; BRR loses a fifth or more at about 1.5 ln d.",
        share,
    ),
    Picture(
        "bound",
        "The exact bound of Theorem 2.1",
        "At small epsilon the number of labels hardly matters: at most epsilon^2/8 nats are told.",
        bound,
    ),
)

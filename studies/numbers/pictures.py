"""Pictures of the comparison of numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from deniable.estimation.drawing import MARKERS, STYLES, canvas, legend, panels
from studies.study import Picture, Tables, column, rows_with

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FARTHEST = 3.0
"""Where the axes of means and of ranges end, in times the least and the bound."""


def _means(tables: Tables) -> Figure:
    figure, axes = canvas((7.0, 4.8))
    names = list(dict.fromkeys(column(tables["means"], "mechanism")))
    for number, name in enumerate(names):
        rows = rows_with(tables["means"], mechanism=name)
        look: dict[str, Any] = {"color": "black", "linestyle": STYLES[number % 4], "marker": MARKERS[number]}
        face = "black" if name == "ours" else "white"
        x, y = column(rows, "epsilon"), column(rows, "over_least")
        axes.plot(x, y, label=name, markerfacecolor=face, markersize=5, linewidth=1.0, **look)
    axes.set_xscale("log")
    axes.set_xticks([0.25, 0.5, 1, 2, 4], ["0.25", "0.5", "1", "2", "4"])
    axes.minorticks_off()
    axes.set_ylim(0.95, FARTHEST)
    axes.set_xlabel("epsilon")
    axes.set_ylabel("worst variance of a mean, times the least")
    legend(figure, 4)
    return figure


def _ranges(tables: Tables) -> Figure:
    levels = list(dict.fromkeys(column(tables["ranges"], "epsilon")))
    figure, cells = panels(1, len(levels), (9.6, 3.6), sharey=True)
    for axes, epsilon in zip(cells, levels, strict=True):
        for number, name in enumerate(dict.fromkeys(column(tables["ranges"], "design"))):
            rows = rows_with(tables["ranges"], design=name, epsilon=epsilon)
            face = "black" if name == "staggered" else "white"
            look: dict[str, Any] = {"color": "black", "linestyle": STYLES[number], "marker": MARKERS[number]}
            axes.plot(
                column(rows, "cells"),
                column(rows, "over_bound"),
                label=name,
                linewidth=1.0,
                markerfacecolor=face,
                **look,
            )
        axes.set_xscale("log", base=4)
        axes.set_xticks([16, 64, 256, 1024], ["16", "64", "256", "1,024"])
        axes.set_title(f"epsilon {epsilon:g}", loc="left", fontsize=10)
        axes.set_xlabel("cells")
    cells[0].set_ylim(1, FARTHEST)
    cells[0].set_ylabel("mean variance, times the bound")
    legend(figure, 4, cells[0])
    return figure


def _densities(tables: Tables) -> Figure:
    shapes = list(dict.fromkeys(column(tables["densities"], "shape")))
    figure, axes = canvas((7.0, 3.8))
    for number, name in enumerate(dict.fromkeys(column(tables["densities"], "decoder"))):
        rows = rows_with(tables["densities"], decoder=name, epsilon=1.0)
        places = [place + 0.2 * number - 0.1 for place in range(len(shapes))]
        errors = [2 * error for error in column(rows, "standard_error")]
        face = "black" if number == 0 else "white"
        axes.errorbar(
            places, column(rows, "distance"), errors, label=name, fmt=MARKERS[number], color="black", capsize=3,
            markerfacecolor=face,
        )  # fmt: skip
    axes.set_xticks(range(len(shapes)), shapes)
    axes.set_ylim(bottom=0)
    axes.set_ylabel("distance to the truth, of the scale")
    legend(figure, 2)
    return figure


PICTURES = (
    Picture(
        "means",
        "Error of a mean against epsilon",
        "Reports of two, five or nine points stay within a fiftieth of the least variance at every epsilon up to 4. "
        "Each of the others is near it for some epsilon and far from it for others.",
        _means,
    ),
    Picture(
        "ranges",
        "Error of shares up to a number against cells",
        "Blocks whose borders are staggered err less than trees, whose borders are the same on every level, and more "
        "so the more cells there are; for 16 cells and epsilon 4 both are a single level. Haar's one-bit reports "
        "leave the picture at epsilon 2. The bound leaves out that people are a sample, which counts at epsilon 4.",
        _ranges,
    ),
    Picture(
        "densities",
        "Distance of the whole distribution",
        "Neither is best for all: Square Wave is nearer to smooth distributions with one hump or none, ours to those "
        "with several and where many people have the same number. Bars are two standard errors, for epsilon 1.",
        _densities,
    ),
)

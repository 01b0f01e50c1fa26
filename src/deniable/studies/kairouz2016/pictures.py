"""kairouz2016: the pictures of Figs. 1 to 3 and of the supplement."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from deniable.estimation.drawing import legend, line_style, panels
from deniable.studies.kairouz2016.checks import LARGE
from deniable.studies.kairouz2016.cohorts import NOTHING
from deniable.studies.kairouz2016.decoders import DIRICHLET, FAMILIES, GEOMETRIC
from deniable.studies.study import Picture, Row, Tables, column, rows_with

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LINES = (
    ("open", "O-RR"),
    ("open", "O-RAPPOR"),
    ("closed", "O-RR"),
    ("closed", "O-RAPPOR"),
    ("closed", "k-RR"),
    ("closed", "k-RAPPOR"),
    ("closed", "k-subset"),
)
SHADES = 0.45
"""The difference at which a cell is as dark as cells become."""
SHOWN = {"projected": "projected", "normalized": "normalized", "likelihood": "likelihood of the counts"}
NAMES = {"symbols": "symbols of a hash", "cohorts": "cohorts", "hashes": "hashes of a filter"}


def gains(tables: Tables) -> Figure:
    """Fig. 1: what the projected decoder gains over the next best one."""
    figure, cells = panels(1, 2, (9.0, 4.6))
    for axes, mechanism in zip(cells, FAMILIES, strict=True):
        rows = rows_with(tables["decoders"], truth=GEOMETRIC, people=LARGE, mechanism=mechanism)
        _grid(axes, rows, "projected_gain")
        axes.set_title(f"{mechanism}: projected less the next best", fontsize=10)
    _explain(figure, "grey: projected is worse")
    return figure


def contest(tables: Tables) -> Figure:
    """Fig. 2: the best decoder of k-RR less the best one of k-RAPPOR."""
    figure, cells = panels(2, 2, (9.0, 8.6))
    places = [(truth, people) for truth in (GEOMETRIC, DIRICHLET) for people in (100, LARGE)]
    for axes, (truth, people) in zip(cells, places, strict=True):
        rows = rows_with(tables["figure_2"], truth=truth, people=people)
        _grid(axes, rows, "apart")
        _staircase(axes, rows)
        axes.set_title(f"{truth}, {people:,} people", fontsize=10)
    _explain(figure, "grey: k-RAPPOR is better; thick line: k = e^epsilon")
    return figure


def _grid(axes: Axes, rows: Sequence[Row], name: str) -> None:
    """Hundredths of l1 in cells of labels by epsilon: plain where below 0, the greyer the more above."""
    labels, levels = (sorted(set(column(rows, key))) for key in ("labels", "epsilon"))
    shown = np.array([[column(rows, name, labels=d, epsilon=e)[0] for e in levels] for d in labels])
    axes.pcolormesh(np.clip(shown, 0, SHADES), cmap="Greys", vmin=0, vmax=2 * SHADES, edgecolors="0.85", linewidth=0.4)
    for (y, x), value in np.ndenumerate(shown):
        text = f"{100 * value:+.0f}".replace("-", "\N{MINUS SIGN}")
        plain = "0" in text and abs(value) < 0.005
        axes.text(x + 0.5, y + 0.5, "\N{MIDDLE DOT}" if plain else text, ha="center", va="center", fontsize=8)
    axes.grid(visible=False)
    axes.set_xticks(np.arange(len(levels)) + 0.5, [f"{level:g}" for level in levels])
    axes.set_yticks(np.arange(len(labels)) + 0.5, [f"{d}" for d in labels])
    axes.set_xlabel("epsilon (nats)")
    axes.set_ylabel("labels, k")


def _explain(figure: Figure, grey: str) -> None:
    figure.supxlabel(f"hundredths of the mean l1 distance, a dot where below half of one; {grey}", fontsize=9)


def _staircase(axes: Axes, rows: Sequence[Row]) -> None:
    """Where k = e^epsilon: to the right of it the paper finds k-RR better."""
    labels, levels = (sorted(set(column(rows, key))) for key in ("labels", "epsilon"))
    edges = [sum(d >= math.exp(level) for level in levels) for d in labels]
    axes.stairs(edges, np.arange(len(labels) + 1), orientation="horizontal", color="black", linewidth=2, baseline=None)


def distributions(tables: Tables) -> Figure:
    """Decoders by truth, the two mechanisms one above the other."""
    shown = (GEOMETRIC, "binomial 0.3", "Zipf 2", DIRICHLET)
    figure, cells = panels(2, 4, (10.0, 5.2), sharex=True, sharey=True)
    for axes, (mechanism, truth) in zip(cells, ((m, t) for m in FAMILIES for t in shown), strict=True):
        rows = rows_with(tables["decoders"], mechanism=mechanism, truth=truth, people=LARGE, labels=256)
        for index, (decoder, name) in enumerate(SHOWN.items()):
            axes.plot(column(rows, "epsilon"), column(rows, decoder), label=name, **line_style(index))
        axes.set_title(f"{mechanism}, {truth}", fontsize=10)
        axes.set_yscale("log")
    for axes in cells[4:]:
        axes.set_xlabel("epsilon (nats)")
    for axes in (cells[0], cells[4]):
        axes.set_ylabel("mean l1 distance")
    legend(figure, 3, cells[0])
    return figure


def alphabets(tables: Tables) -> Figure:
    """Fig. 3: open alphabets beside closed ones."""
    figure, cells = panels(1, 2, (9.5, 4.8), sharey=True)
    for axes, alphabet in zip(cells, ("open", "closed"), strict=True):
        for index, (which, mechanism) in enumerate(LINES):
            if which == alphabet:
                rows = rows_with(tables["figure_3"], alphabet=which, mechanism=mechanism, given=NOTHING)
                bars = [1.645 * error for error in column(rows, "error")]
                style = line_style(index) | {"elinewidth": 0.8}
                name = f"{mechanism}, {which}" if mechanism.startswith("O") else mechanism
                axes.errorbar(column(rows, "epsilon"), column(rows, "l1"), bars, label=name, **style)
        for row, grey in zip(tables["baselines"], ("0.45", "0.7"), strict=True):
            axes.axhline(column([row], "l1")[0], color=grey, linewidth=1.6, label=str(row["what"]))
        axes.set_title(f"{alphabet} alphabet", fontsize=10)
        axes.set_xlabel("epsilon (nats)")
        axes.set_yscale("log")
    cells[0].set_ylabel("median l1 distance")
    _joint_legend(figure, cells)
    return figure


def _joint_legend(figure: Figure, cells: Sequence[Axes]) -> None:
    """Each line of any of the axes once."""
    lines = {name: line for axes in cells for line, name in zip(*axes.get_legend_handles_labels(), strict=True)}
    figure.legend(lines.values(), lines.keys(), loc="outside lower center", ncols=5, frameon=False, fontsize=9)


def sweeps(tables: Tables) -> Figure:
    """The supplement: one parameter fixed, the others at their best."""
    figure, cells = panels(2, 3, (9.5, 6.0), sharey=True)
    places = [(mechanism, name) for mechanism in ("O-RR", "O-RAPPOR") for name in NAMES]
    for axes, (mechanism, name) in zip(cells, places, strict=True):
        rows = rows_with(tables["figure_3"], alphabet="open", mechanism=mechanism, given=name)
        if not rows:
            axes.set_visible(False)
            continue
        for index, epsilon in enumerate(sorted(set(column(rows, "epsilon")))):
            line = rows_with(rows, epsilon=epsilon)
            label = f"epsilon {epsilon:g}"
            axes.plot(column(line, name), column(line, "l1"), label=label, **line_style(index))
        axes.set_xscale("log", base=2)
        axes.set_yscale("log")
        axes.set_xlabel(f"{mechanism}: {NAMES[name]}")
    for axes in (cells[0], cells[3]):
        axes.set_ylabel("median l1 distance")
    legend(figure, 4, cells[0])
    return figure


PICTURES = (
    Picture(
        "gains",
        "Projected against the next best decoder, geometric truth of mean k/5, 30,000 people",
        "Where noise is low the decoders agree. Where labels are many and epsilon is small the projected decoder is "
        "not the best but the worst of those that give distributions: there the normalized one leads.",
        gains,
    ),
    Picture(
        "contest",
        "k-RR against k-RAPPOR, each with its best decoder",
        "With 30,000 people k-RR is at least as good wherever k < e^epsilon, right of the line, and k-RAPPOR wins "
        "where labels are many and epsilon is small. With 100 people and many labels k-RAPPOR wins on both sides.",
        contest,
    ),
    Picture(
        "distributions",
        "Decoders on four truths, 256 labels, 30,000 people",
        "On binomial and Zipf truths, where most labels are nearly empty, projecting wins by far. On the geometric and "
        "Dirichlet ones, where no label is empty, normalizing wins at small epsilon and the rest is a tie.",
        distributions,
    ),
    Picture(
        "alphabets",
        "Open and closed alphabets at the best point of the grid, 256 texts, 30,000 people",
        "From epsilon 3 on O-RR leads O-RAPPOR over open alphabets, and over closed ones it is as good as the better "
        "of k-RR and k-RAPPOR, or better. At epsilon 1 and below nothing is much better than to guess.",
        alphabets,
    ),
    Picture(
        "sweeps",
        "One parameter fixed, the others at their best, open alphabet",
        "The best number of symbols of O-RR grows with e^epsilon, and a wide filter is never much worse for O-RAPPOR. "
        "Cohorts help from epsilon 3 on and harm at 1; a second hash never pays.",
        sweeps,
    ),
)
"""What a reader should take away stands with each."""

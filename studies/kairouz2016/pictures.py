"""kairouz2016: the pictures of Figs. 1 and 2, in both metrics, and the list of all pictures."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from deniable.estimation.drawing import legend, line_style, panels
from studies.kairouz2016.checks import LARGE
from studies.kairouz2016.cohort_pictures import alphabets, sizes, sweeps
from studies.kairouz2016.decoders import DIRICHLET, FAMILIES, GEOMETRIC, PAPER, SQUARED
from studies.study import Picture, Tables, Value, column, rows_with

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

HUNDREDTHS = "hundredths of the mean l1 distance from the sample, a dot where below half of one"
PERCENT = "difference of the mean squared l2 distances from the sample, in percent of the other's"
DARK = 0.45
"""The difference at which a cell is as dark as cells become."""
SHOWN = {"projected": "projected", "normalized": "normalized", "likelihood": "likelihood of the counts"}
PLACES = tuple((truth, people) for truth in (GEOMETRIC, DIRICHLET) for people in (100, LARGE))
"""The four charts of Fig. 2."""


def gains(tables: Tables) -> Figure:
    """Fig. 1: what the projected decoder gains over the next best one."""
    figure, cells = panels(1, 2, (9.0, 4.6))
    for axes, mechanism in zip(cells, FAMILIES, strict=True):
        _gains(axes, tables, mechanism, PAPER)
    _explain(figure, f"{HUNDREDTHS}; grey: projected is worse")
    return figure


def contest(tables: Tables) -> Figure:
    """Fig. 2: the best decoder of k-RR minus the best one of k-RAPPOR."""
    figure, cells = panels(2, 2, (9.0, 8.6))
    for axes, place in zip(cells, PLACES, strict=True):
        _duel(axes, tables, *place, PAPER)
    _explain(figure, f"{HUNDREDTHS}; grey: k-RAPPOR is better; thick line: k = e^epsilon")
    return figure


def metric(tables: Tables) -> Figure:
    """The supplement: the same by another metric, in proportion, since squares differ by orders of magnitude."""
    figure, cells = panels(2, 2, (9.0, 8.6))
    for axes, mechanism in zip(cells, FAMILIES, strict=False):
        _gains(axes, tables, mechanism, SQUARED)
    for axes, place in zip(cells[2:], PLACES, strict=False):
        _duel(axes, tables, *place, SQUARED)
    _explain(figure, f"{PERCENT};\ngrey: projected is worse, k-RAPPOR is better")
    return figure


def _gains(axes: Axes, tables: Tables, mechanism: str, distance: Mapping[str, Value]) -> None:
    rows = rows_with(tables["decoders"], truth=GEOMETRIC, people=LARGE, mechanism=mechanism, **distance)
    for row in rows:
        row["shown"] = row["projected_gain"]
        if distance == SQUARED:
            row["shown"] /= row["projected"] - row["projected_gain"]
    _grid(axes, rows)
    axes.set_title(f"{mechanism}: projected less the next best", fontsize=10)


def _duel(axes: Axes, tables: Tables, truth: str, people: int, distance: Mapping[str, Value]) -> None:
    rows = rows_with(tables["figure_2"], truth=truth, people=people, **distance)
    for row in rows:
        row["shown"] = row["apart"] / row["rappor"] if distance == SQUARED else row["apart"]
    _grid(axes, rows)
    _staircase(axes, rows)
    axes.set_title(f"{truth}, {people:,} people: k-RR less k-RAPPOR", fontsize=10)


def _grid(axes: Axes, rows: Sequence[dict[str, Any]]) -> None:
    """Hundredths in cells of labels by epsilon: plain where below 0, the greyer the more above."""
    labels, levels = (sorted(set(column(rows, key))) for key in ("labels", "epsilon"))
    shown = np.array([[column(rows, "shown", labels=d, epsilon=e)[0] for e in levels] for d in labels])
    axes.pcolormesh(np.clip(shown, 0, DARK), cmap="Greys", vmin=0, vmax=2 * DARK, edgecolors="0.85", linewidth=0.4)
    for (y, x), value in np.ndenumerate(shown):
        text = f"{100 * value:+.0f}".replace("-", "\N{MINUS SIGN}")
        plain = abs(value) < 0.005
        axes.text(x + 0.5, y + 0.5, "\N{MIDDLE DOT}" if plain else text, ha="center", va="center", fontsize=8)
    axes.grid(visible=False)
    axes.set_xticks(np.arange(len(levels)) + 0.5, [f"{level:g}" for level in levels])
    axes.set_yticks(np.arange(len(labels)) + 0.5, [f"{d}" for d in labels])
    axes.set_xlabel("epsilon (nats)")
    axes.set_ylabel("labels, k")


def _explain(figure: Figure, text: str) -> None:
    figure.supxlabel(text, fontsize=9)


def _staircase(axes: Axes, rows: Sequence[dict[str, Any]]) -> None:
    """Where k = e^epsilon: to the right of it the paper finds k-RR better."""
    labels, levels = (sorted(set(column(rows, key))) for key in ("labels", "epsilon"))
    edges = [sum(d >= math.exp(level) for level in levels) for d in labels]
    axes.stairs(edges, np.arange(len(labels) + 1), orientation="horizontal", color="black", linewidth=2, baseline=None)


def distributions(tables: Tables) -> Figure:
    """Decoders by truth, the two mechanisms one above the other."""
    shown = (GEOMETRIC, "binomial 0.3", "Zipf 2", DIRICHLET)
    figure, cells = panels(2, 4, (10.0, 5.2), sharex=True, sharey=True)
    for axes, (mechanism, truth) in zip(cells, ((m, t) for m in FAMILIES for t in shown), strict=True):
        rows = rows_with(tables["decoders"], mechanism=mechanism, truth=truth, people=LARGE, labels=256, **PAPER)
        for index, (decoder, name) in enumerate(SHOWN.items()):
            axes.plot(column(rows, "epsilon"), column(rows, decoder), label=name, **line_style(index))
        axes.set_title(f"{mechanism}, {truth}", fontsize=10)
        axes.set_yscale("log")
    for axes in cells[4:]:
        axes.set_xlabel("epsilon (nats)")
    for axes in (cells[0], cells[4]):
        axes.set_ylabel("mean l1 distance\nfrom the sample")
    legend(figure, 3, cells[0])
    return figure


PICTURES = (
    Picture(
        "gains",
        "Fig. 1: projected against the next best decoder, geometric truth of mean k/5, 30,000 people",
        "Where noise is low the decoders agree. Where labels are many and epsilon is small the projected decoder is "
        "not the best but the worst of those that give distributions: there the normalized one leads.",
        gains,
    ),
    Picture(
        "contest",
        "Fig. 2: k-RR against k-RAPPOR, each with its best decoder",
        "k-RR is better wherever k < e^epsilon, right of the line, with few people and many, on both truths, as the "
        "paper says. k-RAPPOR wins where labels are many and epsilon is small.",
        contest,
    ),
    Picture(
        "metric",
        "Supplement: both in squared l2",
        "Right of the line k-RR wins in this metric too, and the projected decoder is no better where labels are many "
        "and epsilon is small: the metric changes little.",
        metric,
    ),
    Picture(
        "distributions",
        "Decoders on four truths, 256 labels, 30,000 people",
        "On binomial and Zipf truths, where most labels are nearly empty, projecting beats normalizing by far from "
        "epsilon 2 on. On the geometric and Dirichlet ones, where no label is, normalizing wins at small epsilon; the "
        "rest is nearly a tie.",
        distributions,
    ),
    Picture(
        "alphabets",
        "Fig. 3: open and closed alphabets at the best point of the grid, 256 texts, 30,000 people",
        "From epsilon 2 on O-RR leads O-RAPPOR over open alphabets, and over closed ones it is as good as the better "
        "of k-RR and k-RAPPOR, or better. At epsilon 1 and below nothing is much better than to guess.",
        alphabets,
    ),
    Picture(
        "sizes",
        "Supplement: Fig. 3 for other numbers of texts and people",
        "From epsilon 3 on O-RR is as good as the others at every size, or better.",
        sizes,
    ),
    Picture(
        "sweeps",
        "Supplement: one parameter fixed, the others at their best, open alphabet",
        "The best number of symbols of O-RR grows with e^epsilon, and from epsilon 3 on a wide filter suits O-RAPPOR. "
        "Cohorts help from there on, and many of them harm at 1; a second hash never pays.",
        sweeps,
    ),
)
"""All pictures of the study, each with its finding."""

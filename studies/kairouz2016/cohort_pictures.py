"""kairouz2016: the pictures of Fig. 3, and of its supplement."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from deniable.estimation.drawing import legend, line_style, panels
from studies.kairouz2016.cohorts import NOTHING
from studies.study import Row, Tables, column, rows_with

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LINES = {
    "open": {"O-RR": 0, "O-RAPPOR": 1},
    "closed": {"k-RAPPOR": 3, "k-RR": 2, "O-RAPPOR": 1, "O-RR": 0},
}
"""Each line's style: a hashed mechanism looks alike over open and closed alphabets. The paper has no k-subset."""
WIDE = {"k-RAPPOR": {"markersize": 8.5, "markerfacecolor": "none", "linewidth": 2.2, "color": "0.55"}}
"""The line that is drawn under O-RAPPOR's, which would hide it."""
GREYS = {"non-private": "0.45", "uniform guess": "0.7"}
NAMES = {"symbols": "symbols of a hash", "cohorts": "cohorts", "hashes": "hashes of a filter"}
NORMAL = 1.645
"""Standard errors on either side of a 90% interval."""


def alphabets(tables: Tables) -> Figure:
    """Fig. 3: open alphabets beside closed ones."""
    figure, cells = panels(1, 2, (9.5, 4.8), sharey=True)
    lines = rows_with(tables["figure_3"], given=NOTHING)
    for axes, alphabet in zip(cells, LINES, strict=True):
        _lines(axes, lines, alphabet)
        for row in tables["baselines"]:
            what = str(row["what"])
            axes.axhline(column([row], "l1")[0], color=GREYS[what], linewidth=1.6, label=what)
        axes.set_title(f"{alphabet} alphabet", fontsize=10)
        axes.set_xlabel("epsilon (nats)")
    _scale(cells[0], (0.05, 0.1, 0.2, 0.5, 1, 2))
    _joint_legend(figure, cells, lines)
    return figure


def sizes(tables: Tables) -> Figure:
    """The supplement: Fig. 3 for other numbers of people and texts, open alphabets above closed ones."""
    places = list(dict.fromkeys((row["people"], row["labels"]) for row in rows_with(tables["other_sizes"])))
    figure, cells = panels(2, len(places), (10.0, 6.6), sharex=True, sharey=True)
    for index, axes in enumerate(cells):
        people, labels = places[index % len(places)]
        alphabet = tuple(LINES)[index // len(places)]
        rows = rows_with(tables["other_sizes"], people=people, labels=labels)
        _lines(axes, rows, alphabet)
        for what, grey in GREYS.items():
            told = rows_with(rows, mechanism=what)
            axes.plot(column(told, "epsilon"), column(told, "l1"), color=grey, linewidth=1.6, label=what)
        axes.set_title(f"{alphabet}: {labels} texts, {people:,} people", fontsize=10)
    for axes in cells[len(places) :]:
        axes.set_xlabel("epsilon (nats)")
    for axes in cells[:: len(places)]:
        _scale(axes, (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2))
    _joint_legend(figure, cells, [row for row in rows_with(tables["other_sizes"]) if row["mechanism"] not in GREYS])
    return figure


def _lines(axes: Axes, rows: Sequence[Row], alphabet: str) -> None:
    for mechanism, index in LINES[alphabet].items():
        line = rows_with(rows, alphabet=alphabet, mechanism=mechanism)
        style: dict[str, Any] = line_style(index) | WIDE.get(mechanism, {})
        if line:
            bars = [NORMAL * error for error in column(line, "error")]
            axes.errorbar(column(line, "epsilon"), column(line, "l1"), bars, label=mechanism, elinewidth=0.8, **style)


def _scale(axes: Axes, ticks: Sequence[float]) -> None:
    axes.set_yscale("log")
    axes.set_yticks(ticks, [f"{tick:g}" for tick in ticks])
    axes.set_yticks([], minor=True)
    axes.set_ylabel("median l1 distance from p")


def _joint_legend(figure: Figure, cells: Sequence[Axes], points: Sequence[dict[str, Any]]) -> None:
    """A legend with each line of any axes once, and with the length of the bars, which the markers hide."""
    lines = {name: line for axes in cells for line, name in zip(*axes.get_legend_handles_labels(), strict=True)}
    shown = [row for row in points if row["mechanism"] in LINES[row["alphabet"]]]
    longest = max(NORMAL * row["error"] / row["l1"] for row in shown)
    told = f"bars, mostly hidden by the marks: 90% intervals, which end at most {longest:.1%} from the median"
    style: dict[str, Any] = {"frameon": False, "fontsize": 9, "title_fontsize": 9}
    figure.legend(lines.values(), lines.keys(), loc="outside lower center", ncols=6, title=told, **style)


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
        axes.set_ylabel("median l1 distance from p")
    legend(figure, 4, cells[0])
    return figure

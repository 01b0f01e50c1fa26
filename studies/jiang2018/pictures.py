"""The figures of jiang2018: one line style for each rule in all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from deniable.estimation.drawing import canvas, legend, panels
from studies.jiang2018.contour import OPTIMUM, mapped, region
from studies.jiang2018.contour import PAPER as PAPER_PAIR
from studies.study import Picture, Row, Tables, column, rows_with

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ERROR = "root mean squared error of a person"
STYLES: dict[str, dict[str, Any]] = {
    "symmetric_unary": {"linestyle": "-.", "marker": "^", "markerfacecolor": "white"},
    "optimized_unary": {"linestyle": "-.", "marker": "v"},
    "context_free": {"linestyle": "-.", "marker": "D", "markerfacecolor": "white"},
    "ldp": {"linestyle": "--", "marker": "s", "markersize": 7.5, "markerfacecolor": "none"},
    "ldp_twice": {"linestyle": (0, (1, 1)), "marker": "s"},
    "lip": {"linestyle": "-", "marker": "o"},
    "central_bound": {"linestyle": (0, (4, 1, 1, 1)), "marker": "<"},
}
NAMES = {
    "symmetric_unary": "LDP, symmetric unary encoding",
    "optimized_unary": "LDP, optimized unary encoding",
    "context_free": "LDP, response without the prior",
    "ldp": "LDP",
    "ldp_twice": "LDP of 2 epsilon",
    "lip": "LIP, optimum",
    "central_bound": "centralized, bound",
}
CORNERS: dict[str, dict[str, Any]] = {
    PAPER_PAIR: {"marker": "x", "markersize": 8},
    OPTIMUM: {"marker": "o", "markersize": 7, "markerfacecolor": "none"},
}
SHARES = (0.02, 0.1, 0.2, 0.4, 0.6, 0.8)
"""Lines of equal variance, as shares of that of the bit."""
PAPER, LEAKS = "LIP, the paper's formula", "where it leaks more"
SILENT = "the prior alone, no report"


def _line(axes: Axes, x: Sequence[float], y: Sequence[float], name: str, label: str | None = None) -> None:
    style = {"color": "black", "markersize": 4, "linewidth": 1.1, **STYLES[name]}
    axes.plot(x, y, label=label or NAMES[name], **style)


def _curves(axes: Axes, rows: Sequence[Row], names: Sequence[str], across: str = "epsilon") -> None:
    """Lines of the rules, and the paper's formula with a cross wherever it breaks its definition."""
    x = column(rows, across)
    axes.plot(x, column(rows, "no_report"), color="0.6", linestyle=(0, (8, 3)), linewidth=0.9, label=SILENT)
    for name in names:
        _line(axes, x, column(rows, name), name)
    axes.plot(x, column(rows, "paper"), color="0.5", linewidth=0.9, label=PAPER)
    broken = [row for row in rows if float(row["feasible"] or 0) < 1]
    axes.plot(column(broken, across), column(broken, "paper"), "x", color="0.4", markersize=5, label=LEAKS)


def _named(axes: Axes, title: str, across: str = "epsilon", up: str = ERROR) -> None:
    axes.set_title(title, loc="left", fontsize=10)
    axes.set_xlabel(across)
    axes.set_ylabel(up)


def _example(tables: Tables) -> Figure:
    figure, axes = canvas((6.4, 4.8))
    rows = tables["example"]
    for name in ("symmetric_unary", "optimized_unary"):
        _line(axes, column(rows, "epsilon"), column(rows, name), name)
    _line(axes, column(rows, "epsilon"), column(rows, "response"), "context_free")
    _curves(axes, rows, ("ldp", "lip"))
    axes.set_yscale("log")
    _named(axes, "One bit that is 1 for 1 person in 10")
    legend(figure)
    return figure


def _survey(tables: Tables) -> Figure:
    figure, cells = panels(1, 2, (8.6, 4.6))
    for axes, p in zip(cells, (0.1, 0.5), strict=True):
        rows = rows_with(tables["survey"], p=p)
        _line(axes, column(rows, "epsilon"), column(rows, "context_free"), "context_free")
        _curves(axes, rows, ("ldp", "ldp_twice", "lip"))
        axes.set_ylim(0, 1.15 * max(column(rows, "no_report")))
        _named(axes, f"A bit, P1 = {p:g}")
    legend(figure, 3, cells[0])
    return figure


def _sums(tables: Tables) -> Figure:
    figure, cells = panels(1, 2, (8.6, 4.6))
    _curves(cells[0], tables["sums"], ("ldp", "ldp_twice", "lip"))
    _named(cells[0], "Labels 0 to 9, priors drawn")
    cells[0].set_ylim(bottom=0)
    _curves(cells[1], tables["uniform_sums"], ("ldp", "ldp_twice", "lip"), "labels")
    _named(cells[1], "Epsilon 1, all labels alike", "labels")
    cells[1].set_xticks(range(2, 21, 3))
    cells[1].set_ylim(bottom=0)
    legend(figure, 3, cells[0])
    return figure


def _histograms(tables: Tables) -> Figure:
    figure, cells = panels(1, 2, (8.6, 4.8), sharey=True)
    unary, x = tables["unary"], column(tables["unary"], "epsilon")
    _line(cells[0], x, column(unary, "total"), "optimized_unary", "optimized unary encoding, all labels")
    _line(cells[1], x, column(unary, "label"), "symmetric_unary", "optimized unary encoding, one label")
    for axes in cells:
        _curves(axes, tables["histograms"], ("ldp", "ldp_twice", "lip"))
        axes.set_yscale("log")
    _named(cells[0], "All errors summed over the 20 labels")
    _named(cells[1], "As in Fig. 7: unary encoding's error of one label")
    entries = {label: line for axes in cells for line, label in zip(*axes.get_legend_handles_labels(), strict=True)}
    figure.legend(entries.values(), entries, loc="outside lower center", ncols=3, frameon=False, fontsize=9)
    return figure


def _contour(tables: Tables) -> Figure:
    """App. A: lines of equal variance over the channels of a bit, and where they keep the level."""
    priors = list(dict.fromkeys(row["p"] for row in rows_with(tables["contour"])))
    figure, cells = panels(1, len(priors), (8.6, 5.0), sharey=True)
    for axes, p in zip(cells, priors, strict=True):
        sides, variance = mapped(tables["contour"], "variance", p)
        axes.grid(visible=False)
        axes.fill(*zip(*region(tables["corners"], p), strict=True), color="0.85", label="keeps epsilon = 1")
        top = variance.max()
        lines = axes.contour(
            sides, sides, variance.T, [top * share for share in SHARES], colors="black", linewidths=0.8
        )
        axes.clabel(lines, fmt={top * share: f"{share:.0%}" for share in SHARES}, fontsize=7)
        for rule, look in CORNERS.items():
            found = rows_with(tables["corners"], p=p, rule=rule)
            axes.plot(column(found, "q0"), column(found, "q1"), linestyle="none", color="black", label=rule, **look)
        axes.set_aspect("equal")
        axes.set_title(f"P1 = {p:g}", loc="left", fontsize=10)
        axes.set_xlabel("q0 = Pr[report 1, value 0]")
    cells[0].set_ylabel("q1 = Pr[report 0, value 1]")
    legend(figure, 3, cells[0])
    return figure


def _personal(tables: Tables) -> Figure:
    figure, cells = panels(1, 3, (10.2, 4.4), sharey=True)
    for axes, users in zip(cells, (10, 100, 1000), strict=True):
        rows = rows_with(tables["personal"], users=users)
        _curves(axes, rows, ("ldp", "ldp_twice", "lip", "central_bound"))
        for name in ("ldp", "lip"):
            seen = [(row["epsilon"], row[f"{name}_drawn"]) for row in rows if row["epsilon"] % 1 == 0]
            label = "seen in drawn reports" if name == "ldp" else None
            axes.plot(*zip(*seen, strict=True), "+", color="black", markersize=9, label=label)
        axes.set_ylim(-0.02, 0.46)
        _named(axes, f"{users:,} people", up=ERROR if users == 10 else "")
    legend(figure, 4, cells[0])
    return figure


def _standins(tables: Tables) -> Figure:
    figure, cells = panels(1, 2, (8.6, 4.6))
    titles = {"pages": "Stand-in for Kosarak: is a page popular?", "districts": "Stand-in for Gowalla: which district?"}
    for axes, (name, title) in zip(cells, titles.items(), strict=True):
        _curves(axes, tables[name], ("ldp", "ldp_twice", "lip"))
        axes.set_ylim(bottom=0)
        _named(axes, title, up=ERROR.replace("person", "page") if name == "pages" else ERROR)
    legend(figure, 3, cells[0])
    return figure


PICTURES = (
    Picture(
        "example",
        "Example 1: a rare disease",
        "Reading with the prior is worth more than any change of the mechanism: at small epsilon all three readings "
        "without it err more than a curator who asks nobody.",
        _example,
    ),
    Picture(
        "survey",
        "Fig. 5: a survey of one bit",
        "For an even prior the paper's formula is the optimum and clearly below LDP. For a rare value it promises less"
        " than its definition allows up to epsilon 2.2; there the optimum gains little on LDP at small epsilon.",
        _survey,
    ),
    Picture(
        "sums",
        "Fig. 6: sums of many labels",
        "LIP gains more over k-ary response when there are more labels, as the paper says. Where all are alike the "
        "formula breaks its definition from the fourth label on, but for sums the optimum is not far above it.",
        _sums,
    ),
    Picture(
        "histogram",
        "Fig. 7: a histogram of 20 labels, both ways",
        "Put like beside like, unary encoding without the prior errs more than knowing the prior and asking nobody, at "
        "every epsilon shown. The crossing of Fig. 7 comes from its error of one label beside the others' of all 20.",
        _histograms,
    ),
    Picture(
        "personal",
        "Fig. 8: everybody has a prior of their own",
        "The drawn surveys fall on the exact errors, and LIP errs less than LDP for every number of people. A trusted "
        "curator is not near by: with 100 people or more the bound on its error is almost 0 from epsilon 0.75 on.",
        _personal,
    ),
    Picture(
        "standins",
        "Fig. 9: stand-ins for the two datasets",
        "Where fewer than 1 page in 800 is popular, no honest mechanism at epsilon tells much more of a page than the "
        "prior does: LDP (squares) and the optimum (dots) fall together, and the advantage of the lower line is the "
        "formula's leak.",
        _standins,
    ),
    Picture(
        "contour",
        "App. A: the channels of one bit",
        "Lines join channels whose reports explain the same share of the bit's variance; those in the grey region keep"
        " epsilon = 1. For P1 = 0.3 the formula's pair is the region's best corner, and so is its mirror image; for P1"
        " = 0.1 it lies outside.",
        _contour,
    ),
)

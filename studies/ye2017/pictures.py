"""The pictures of ye2017: risks, sizes, what is saved, bounds above and below."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Any

from deniable.estimation.drawing import MARKERS, STYLES, canvas, legend, panels
from studies.study import Picture, Tables, column, rows_with

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SIZES = (10, 100, 1000)
LOSSES = {"l2": "squared error", "l1": "absolute error"}
LOOKS = {"k-RR": ("--", "o"), "RAPPOR": (":", "s"), "subsets": ("-", "^")}
FIRST = {"l2": "eq. 10", "l1": "eq. 11"}
TICKS = {"l2": (4, 10, 100, 1000, 10_000), "l1": (2, 5, 10, 20, 50)}
PROMISED = {"l2": 0.5, "l1": 0.7}


def risk(tables: Tables, loss: str) -> Figure:
    """Exact risks as lines, surveys as marks, for three domains."""
    figure, cells = panels(1, 3, (8.8, 3.6))
    for axes, d in zip(cells, SIZES, strict=True):
        for name, (line, marker) in LOOKS.items():
            exact = rows_with(tables["risks"], d=d, mechanism=name)
            found = rows_with(tables["simulated"], d=d, mechanism=name)
            marked = [row["epsilon"] for row in found]
            axes.plot(column(exact, "epsilon"), column(exact, loss), line, color="black", linewidth=1.2)
            axes.plot(marked, column(found, loss), marker, color="black", markerfacecolor="white", markersize=4.5)
            axes.plot([], [], line, marker=marker, color="black", markerfacecolor="white", linewidth=1.2, label=name)
        axes.set_yscale("log")
        axes.set_xlim(0, 8)
        axes.set_title(f"d = {d}", fontsize=10)
        axes.set_xlabel("epsilon")
    cells[0].set_ylabel(f"{LOSSES[loss]}, 10,000 people,\nuniform truth")
    legend(figure, 3, cells[0])
    return figure


def sizes(tables: Tables) -> Figure:
    """The best size over epsilon, beside d/(1+E) and the convenient size."""
    figure, axes = canvas((6.4, 4.2))
    for at, d in enumerate(SIZES):
        rows = rows_with(tables["sizes"], d=d)
        epsilon, filled = column(rows, "epsilon"), "black" if at % 2 == 0 else "white"
        axes.plot(epsilon, column(rows, "d/(1+E)"), "-", color="0.65", linewidth=1)
        rounded = column(rows, "convenient")
        axes.plot(epsilon, rounded, ":", color="black", linewidth=1.2, drawstyle="steps-mid")
        axes.plot(
            epsilon, column(rows, "l2"), MARKERS[at], color="black", markerfacecolor=filled, markersize=3.5,
            markevery=2, label=f"best, d = {d}",
        )  # fmt: skip
    axes.plot([], [], "-", color="0.65", linewidth=1, label="d/(1+E)")
    axes.plot([], [], ":", color="black", linewidth=1.2, label="convenient: rounded up")
    axes.set_yscale("log")
    axes.set_ylim(0.5, 700)
    axes.set_xlabel("epsilon")
    axes.set_ylabel("labels in a report")
    legend(figure, 3)
    return figure


def saved(tables: Tables) -> Figure:
    """Draw the ratio of Prop. III.5 against epsilon, with the proposition's range as a thick line."""
    figure, cells = panels(1, 2, (8.4, 3.9))
    domains = list(dict.fromkeys(column(tables["ratios"], "d")))
    for axes, (loss, name) in zip(cells, LOSSES.items(), strict=True):
        for at, d in enumerate(domains):
            rows = rows_with(tables["ratios"], d=d)
            inside = [row for row in rows if 3.8 <= row["epsilon"] <= math.log(d / 9)]
            filled = "black" if at % 2 == 0 else "white"
            axes.plot(
                column(rows, "epsilon"), column(rows, loss), "-", color="black", linewidth=0.9, marker=MARKERS[at],
                markevery=(at * 2, 12), markersize=4.5, markerfacecolor=filled, label=f"d = {d:,}",
            )  # fmt: skip
            axes.plot(column(inside, "epsilon"), column(inside, loss), color="0.7", linewidth=5, zorder=0)
        axes.plot([3.8, 12], [PROMISED[loss]] * 2, "--", color="black", linewidth=1)
        axes.set_ylim(0, 1.05)
        axes.set_xlabel("epsilon")
        axes.set_title(name, fontsize=10)
    cells[0].set_ylabel("subsets over the better of\nk-RR and RAPPOR")
    legend(figure, 5, cells[0])
    return figure


def above(tables: Tables) -> Figure:
    """The upper bounds over the risk of the convenient size, d = 1000; marks over that of surveys."""
    figure, cells = panels(1, 2, (8.2, 3.7), sharey=True)
    rows = rows_with(tables["tightness"], d=1000)
    found = rows_with(tables["simulated"], d=1000, mechanism="subsets, convenient")
    for axes, (loss, name) in zip(cells, LOSSES.items(), strict=True):
        for at, equation in enumerate((FIRST[loss], "eq. 12", "eq. 13")):
            label = "eqs. 10 and 11, derived again" if at == 0 else equation
            tight = column(rows, f"{loss}: {equation}")
            axes.plot(column(rows, "epsilon"), tight, STYLES[at], color="black", label=label)
        marks = column(found, f"{loss}: bound over it")
        axes.plot(column(found, "epsilon"), marks, "o", color="black", markerfacecolor="white", label="of surveys")
        axes.axhline(1, color="0.6", linewidth=0.8)
        axes.set_title(name, fontsize=10)
        axes.set_xlabel("epsilon")
    cells[0].set_ylabel("bound over risk, d = 1000")
    legend(figure, 4, cells[0])
    return figure


def below(tables: Tables) -> Figure:
    """The risks over the order of Theorem IV.1."""
    figure, cells = panels(1, 2, (8.2, 3.7))
    for axes, (loss, name) in zip(cells, LOSSES.items(), strict=True):
        for at, d in enumerate((100, 10_000)):
            rows = rows_with(tables["tightness"], d=d)
            for mechanism, (line, marker) in LOOKS.items():
                axes.plot(
                    column(rows, "epsilon"), column(rows, f"{loss}: {mechanism}"), line, color="black",
                    marker=marker, markevery=10, markersize=4.5, markerfacecolor="black" if at else "white",
                    linewidth=1, label=f"{mechanism}, d = {d:,}",
                )  # fmt: skip
        axes.set_yscale("log")
        axes.set_yticks(TICKS[loss], [f"{tick:,}" for tick in TICKS[loss]])
        axes.minorticks_off()
        axes.set_title(name, fontsize=10)
        axes.set_xlabel("epsilon")
    cells[0].set_ylabel("risk over the order of Theorem IV.1")
    legend(figure, 3, cells[0])
    return figure


def outside(tables: Tables) -> Figure:
    """Remark III.2: how many surveys leave the simplex, and how much projection then reduces the squared error."""
    figure, cells = panels(1, 2, (8.4, 3.8), sharex=True)
    for name, (line, marker) in LOOKS.items():
        rows = rows_with(tables["outside"], mechanism=name)
        users = column(rows, "users")
        look: dict[str, Any] = {"color": "black", "markerfacecolor": "white", "markersize": 4.5, "linewidth": 1.2}
        cells[0].plot(users, column(rows, "outside"), line, marker=marker, label=name, **look)
        cells[1].plot(users, column(rows, "projected"), line, marker=marker, label=name, **look)
    for axes in cells:
        axes.set_xscale("log")
        axes.set_xlabel("people")
        axes.set_ylim(0, 1.05)
    cells[0].set_ylabel("share of surveys outside the simplex")
    cells[1].set_ylabel("squared error, projected over empirical")
    legend(figure, 3, cells[0])
    return figure


PICTURES = (
    Picture(
        "risk-l2",
        "Squared error over epsilon",
        "RAPPOR is as good as subsets while epsilon is small, k-RR once e^epsilon exceeds the number of labels; "
        "subsets are never worse than either and far better in between.",
        partial(risk, loss="l2"),
    ),
    Picture(
        "risk-l1",
        "Absolute error over epsilon",
        "In absolute error the order is the same and the differences are their square roots.",
        partial(risk, loss="l1"),
    ),
    Picture(
        "sizes",
        "How many labels a report should name",
        "The best size is a neighbour of d/(1+E): half of all labels at small epsilon, a single one, which is k-RR, "
        "from about E = d on.",
        sizes,
    ),
    Picture(
        "saved",
        "What subsets save (Prop. III.5)",
        "In the range of the proposition, drawn thick, subsets have at most half of the squared error and 0.7 of the "
        "absolute error of the better of k-RR and RAPPOR (dashed).",
        saved,
    ),
    Picture(
        "above",
        "How tight the upper bounds are",
        "Eqs. 10 and 11, as we derive them again, are within 3% of the risk while E is below a tenth of d, and never "
        "below it. Eqs. 12 and 13 are limits: eq. 13 is far below the risk at small epsilon, both when E exceeds d.",
        above,
    ),
    Picture(
        "below",
        "Risks over the order of the lower bound",
        "Subsets stay at a constant multiple of the lower bound's order until E nears d, as Theorem IV.1 needs it: for"
        " many people that is the least possible error (arXiv 1708.00059, 1810.07283).",
        below,
    ),
    Picture(
        "outside",
        "Remark III.2: when projecting no longer matters",
        "With ten labels at epsilon = 1 the estimates of k-RR and subsets lie on the simplex from 10,000 people on, "
        "and projecting changes nothing. RAPPOR's never add up to 1: projecting always takes about a tenth.",
        outside,
    ),
)

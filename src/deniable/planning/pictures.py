"""Pictures of guarantees and plans: possible tests, the value of a prior, maps of blocks, what more people would give.

All are readable without colour.

>>> import deniable as dn
>>> figure = dn.pictures.error_regions([(1.0, 1.0), (2.0, 1.0)])
>>> figure.axes[0].get_xlabel()
"false alarm: Pr[the test says x, the value is x']"
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from deniable.arrays import Vector
from deniable.checks import check_distribution, check_users
from deniable.estimation.drawing import MARKERS, STYLES, canvas, legend
from deniable.estimation.table import printable
from deniable.planning.candidates import MechanismFilter, noise_of, text_mechanisms
from deniable.planning.outlook import TWO_SIDED
from deniable.planning.plan import Plan, RankedMechanism
from deniable.protocol.checks import LARGEST_EPSILON, check_epsilon, check_int
from deniable.protocol.errors import ParameterError
from deniable.protocol.privacy.context import Blocks
from deniable.theory.best_channel.binary import error_region
from deniable.theory.best_channel.optimal import optimal_matrix
from deniable.theory.informed.baselines import check_prior, ldp_loss
from deniable.theory.informed.optimum import optimal
from deniable.theory.levels import plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["block_map", "error_regions", "margins", "symbol_tradeoff", "utility"]
__dir__ = __all__.copy

Places: TypeAlias = Mapping[Any, tuple[float, float]]

EPSILONS = tuple(np.linspace(0.25, 4, 16).tolist())
ENUMERATED = 8
"""The most labels for which the best channel under LDP is computed."""
MOST_NAMES = 40
"""The most labels that are named on a map."""
AROUND = 10.0
"""The picture of margins goes from a tenth of the people to ten times as many."""
MOST_LINES, DIFFERENT = 4, 1.1
"""So many lines of margins, of errors that differ so much that they can be told apart."""


def error_regions(levels: Iterable[tuple[float, float]], labels: tuple[str, str] = ("x", "x'")) -> Figure:
    """The errors that any test of one label against another must make, for pairs of levels (acharya2019, fig. 1).

    A pair is eps_12 and eps_21: the level of the first label against the second, and of the second against the first,
    called the levels of the two labels in the legend. Tests are possible above and to the right of a line, not below.
    """
    figure, axes = canvas((5.2, 5.0))
    one, other = (label.replace("$", r"\$") for label in labels)  # so that a name is not read as a formula
    pairs = list(levels)
    if not 1 <= len(pairs) <= len(STYLES):
        raise ParameterError(f"levels must be 1 to {len(STYLES)}, got {len(pairs)}")
    for (first, second), style in zip(pairs, STYLES, strict=False):
        alarm, miss = error_region(first, second).T
        axes.plot(alarm, miss, style, color="black", label=f"level of {one} {first:g}, of {other} {second:g}")
    axes.plot([0, 1], [1, 0], color="0.7", linewidth=0.8, label="no report at all")
    axes.set_xlabel(f"false alarm: Pr[the test says {labels[0]}, the value is {labels[1]}]", parse_math=False)
    axes.set_ylabel(f"miss: Pr[the test says {labels[1]}, the value is {labels[0]}]", parse_math=False)
    axes.set_title("Least errors of a test between two labels", loc="left", fontsize=10)
    axes.set_aspect("equal")
    axes.set_xlim(0, 1)
    axes.set_ylim(0, 1)
    legend(figure, 1)
    return figure


def utility(prior: Any, epsilons: Sequence[float] = EPSILONS, values: Any = None) -> Figure:
    """The error of one person's posterior mean against epsilon: under LDP, LIP, and LDP of twice the level.

    eps-LIP lies between eps-LDP and 2eps-LDP. For LDP this is the best channel if there are few labels, otherwise k-ary
    randomized response, both read with the prior; the shaded area below LIP ends at the bound for its level.
    ``values`` are the labels' numbers, of which the mean is wanted; without them it is the histogram.
    """
    p = check_prior(prior)
    levels = [check_epsilon(epsilon) for epsilon in epsilons]
    optima = [optimal(p, level, values) for level in levels]
    few = values is None and len(p) <= ENUMERATED
    kind = "best channel" if few else "randomized response"
    local = _best_local if few else partial(ldp_loss, values=values)
    curves = {
        f"eps-LDP ({kind})": [local(p, level) for level in levels],
        "eps-LIP (informed response)": [each.loss for each in optima],
        f"2eps-LDP ({kind})": [local(p, min(2 * level, LARGEST_EPSILON)) for level in levels],
    }
    figure, axes = canvas((6.0, 4.2))
    for (name, losses), style in zip(curves.items(), STYLES, strict=False):
        axes.plot(levels, np.sqrt(losses), style, color="black", label=name)
    axes.fill_between(
        levels, np.sqrt([each.bound for each in optima]), np.sqrt([each.loss for each in optima]), color="0.8"
    )
    axes.set_xlabel("epsilon")
    axes.set_ylabel("root mean squared error of one person")
    axes.set_ylim(bottom=0)
    axes.set_title(f"What knowing the prior is worth, {len(p)} labels", loc="left", fontsize=10)
    legend(figure)
    return figure


def _best_local(prior: Vector, epsilon: float) -> float:
    """The least error of a posterior mean under plain LDP."""
    return optimal_matrix(plain(len(prior), epsilon), prior, "bayes").value


def symbol_tradeoff(epsilon: float, candidates: int, users: int) -> Figure:
    """The error of one candidate's share against the number of symbols, for both hashed mechanisms.

    With the cohorts that so many candidates need; each point is annotated with the bits of a report.
    """
    level, people = check_epsilon(epsilon), check_users(users)
    mechanisms = text_mechanisms(level, check_int("candidates", candidates, 2), MechanismFilter())
    figure, axes = canvas((6.0, 4.2))
    for place, name in enumerate(dict.fromkeys(m.name for m in mechanisms)):
        style, marker = STYLES[place % len(STYLES)], "os^D"[place % 4]
        shown = [m for m in mechanisms if m.name == name]
        symbols = [m.spec()["symbols"] for m in shown]
        errors = [np.sqrt(noise_of(m, candidates) / (candidates * people)) for m in shown]
        axes.plot(symbols, errors, style, marker=marker, markersize=4, color="black", label=name)
        for m, x, error in zip(shown[::2], symbols[::2], errors[::2], strict=True):
            spot = (x, float(error))
            axes.annotate(f"{m.report_bits} bits", spot, (3, 5), textcoords="offset points", fontsize=7)
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_xlabel("symbols of a cohort")
    axes.set_ylabel("root mean squared error of a share")
    axes.set_title(f"{candidates:,} candidates, epsilon {level:g}, {people:,} people", loc="left", fontsize=10)
    legend(figure)
    return figure


def block_map(blocks: Blocks, places: Places, shares: Iterable[float] | None = None) -> Figure:
    """A map of the labels with one marker style per block, and marker sizes by share.

    ``places`` gives each label its coordinates, across and up.
    """
    missing = sum(label not in places for label in blocks.domain)
    if missing:
        raise ParameterError(f"places must give coordinates for every label, got {missing} without")
    d = len(blocks.domain)
    weights = np.full(d, 1 / d) if shares is None else check_distribution("shares", shares, d)
    figure, axes = canvas((7.5, 5.5))
    for number in range(len(blocks.blocks)):
        _draw_block(axes, blocks, number, places, weights)
    axes.set_xlabel("across")
    axes.set_ylabel("up")
    axes.margins(0.08)
    axes.set_title(f"{blocks}: a report tells the marker, not which of its places", loc="left", fontsize=10)
    return figure


def _draw_block(axes: Axes, blocks: Blocks, number: int, places: Places, weights: Vector) -> None:
    """Mark the labels of one block, larger ones for larger weights, and name them if labels are few."""
    members = list(blocks.places[number])
    across, up = np.array([places[blocks.domain[i]] for i in members], np.float64).T
    sizes = 20 + 600 * weights[members]
    filled = "black" if number // len(MARKERS) % 2 == 0 else "none"
    axes.scatter(
        across, up, s=sizes, marker=MARKERS[number % len(MARKERS)], facecolor=filled, edgecolor="black", alpha=0.7
    )
    if len(blocks.domain) <= MOST_NAMES:
        for i, x, y in zip(members, across.tolist(), up.tolist(), strict=True):
            name = printable(blocks.domain[i], 24)
            axes.annotate(name, (x, y), (6, 4), textcoords="offset points", fontsize=8, parse_math=False)


def margins(plan: Plan) -> Figure:
    """The margin of a share in 19 of 20 surveys against the people who answer, beside that of open answers.

    For the first mechanisms of a plan whose errors differ; the plan itself is the dot.
    """
    outlook = plan.outlook
    if outlook is None:
        raise ParameterError("plan must be one whose error is that of a share, got one under a prior")
    figure, axes = canvas((6.4, 4.2))
    people = plan.users * np.geomspace(1 / AROUND, AROUND, 50)
    scale = np.sqrt(plan.users / people)
    for number, row in enumerate(_rows_apart(plan)):
        line = f"{row.name}, {row.report_bits:,} bits"
        axes.plot(people, 100 * TWO_SIDED * row.error * scale, STYLES[number], color="black", label=line)
    openly = 100 * outlook.margin * np.sqrt(outlook.worth / plan.users)
    axes.plot(people, openly * scale, color="0.6", label="open answers")
    axes.plot([plan.users], [100 * outlook.margin], MARKERS[0], color="black", label=f"{plan.users:,} people")
    axes.set_xscale("log")
    axes.set_yscale("log")
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(lambda value, _place: f"{value:,g}")
        axis.set_minor_formatter(lambda _value, _place: "")
    axes.set_xlabel("people who answer")
    axes.set_ylabel("a share is right within, percentage points")
    axes.set_title(f"{plan.size:,} labels, {plan.guarantee}: margins of 19 in 20 surveys", loc="left", fontsize=10)
    legend(figure, 2)
    return figure


def _rows_apart(plan: Plan) -> list[RankedMechanism]:
    """The best mechanism, and others whose errors differ."""
    rows = [plan.rows[0]]
    for row in plan.rows[1:]:
        if row.error > DIFFERENT * rows[-1].error and len(rows) < MOST_LINES:
            rows.append(row)
    return rows

"""A picture of what a plan gives: how far shares may be off, against how many people answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from deniable.estimation.drawing import MARKERS, STYLES, canvas, legend
from deniable.planning.outlook import TWO_SIDED
from deniable.planning.plan import Plan, Row
from deniable.protocol.errors import ParameterError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

AROUND = 10.0
"""The picture goes from a tenth of the people to ten times as many."""
MOST_LINES, DIFFERENT = 4, 1.1
"""So many lines, of errors that differ so much that they can be told apart."""


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
    for number, row in enumerate(_different(plan)):
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


def _different(plan: Plan) -> list[Row]:
    """The best mechanism, and others whose errors differ."""
    chosen = [plan.rows[0]]
    for row in plan.rows[1:]:
        if row.error > DIFFERENT * chosen[-1].error and len(chosen) < MOST_LINES:
            chosen.append(row)
    return chosen

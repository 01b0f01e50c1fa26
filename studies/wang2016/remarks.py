"""wang2016: the findings of the comparison in sentences, with numbers from the tables of a run."""

from __future__ import annotations

import numpy as np

from studies.study import Table, Tables, column, rows_with
from studies.wang2016.checks import LIMIT
from studies.wang2016.table1 import APART, REPORTS

DEPENDENT = ("MRR", "k*-SS", "k#-SS")
"""Mechanisms whose reports support a fixed number of labels."""


def remarks(tables: Tables) -> list[str]:
    """Which simulator is the mechanism, which one made the table, how far they are apart, and what that changes."""
    table = tables["table1"]
    return [
        _made_with(table),
        _dependent(table),
        _together(table),
        _subset_sizes(table),
    ]


def _made_with(table: Table) -> str:
    scores = np.abs(column(table, f"{APART}: z"))
    (cell,) = rows_with(table, d=2, epsilon=1.0, mechanism="MRR", loss="l2")
    return (
        "The paper does not say how its reports were drawn. The printed errors fit independent counts, each label's "
        "count drawn on its own, which is how sect. 3.3 words the variance: "
        f"{(scores <= LIMIT).sum()} of {len(scores)} cells are then within {LIMIT} standard errors of ours. We infer "
        "that they were made so. At "
        f"d = 2, epsilon = 1 the squared error of MRR is printed as {cell['printed']:.3g}: it is {cell[APART]:.3g} by "
        f"independent counts and {cell[REPORTS]:.3g} by reports."
    )


def _dependent(table: Table) -> str:
    rows = [row for name in DEPENDENT for row in rows_with(table, mechanism=name, loss="l2")]
    pairs = [row["ratio"] for row in rows if row["d"] == 2]
    scaled = [row["ratio"] * (row["d"] - 1) / row["d"] for row in rows if row["epsilon"] >= 1]
    return (
        "The mechanism is the other simulator, reports, whose counts add up to n k. The projection takes one part in d "
        "of the variance of independent counts out, so real reports of MRR and k-subset have d/(d-1) times their "
        "squared error: "
        f"{np.mean(pairs):.2f} times at d = 2, and over the {len(scaled)} cells with epsilon >= 1 the factor is "
        f"{np.mean(scaled):.3f} d/(d-1) on average."
    )


def _together(table: Table) -> str:
    rows = [row for name in DEPENDENT for row in rows_with(table, mechanism=name)]
    beyond = sum(abs(row[f"{REPORTS}: z"]) > LIMIT for row in rows)
    means = {each: np.mean([row[f"{each}: z"] for row in rows]) for each in (REPORTS, APART)}
    return (
        f"A mean of 100 surveys is too noisy to show that in one cell: {beyond} of {len(rows)} cells of MRR and "
        f"k-subset differ from real reports by more than {LIMIT} standard errors. Together they show it: ours are "
        f"{means[REPORTS]:+.2f} standard errors from the printed ones on average by reports, {means[APART]:+.2f} by "
        "independent counts."
    )


def _subset_sizes(table: Table) -> str:
    star, sharp, mrr = (rows_with(table, mechanism=name, loss="l2") for name in ("k*-SS", "k#-SS", "MRR"))
    worst, other = max(zip(star, sharp, strict=True), key=lambda pair: float(pair[0][REPORTS] / pair[1][REPORTS]))
    small = [a[REPORTS] / b[REPORTS] for a, b in zip(star, sharp, strict=True) if a["d"] > 2 and a["epsilon"] <= 1]
    behind = sum(a[REPORTS] > b[REPORTS] * (1 + LIMIT * a["ratio: error"]) for a, b in zip(star, mrr, strict=True))
    return (
        "The differences between k*-SS and k#-SS are called pretty minor. Up to epsilon = 1 they are: by reports the "
        f"squared error of k*-SS is {np.mean(small):.2f} times that of k#-SS on average. At "
        f"epsilon = {worst['epsilon']:g}, d = {worst['d']} it is {worst[REPORTS] / other[REPORTS]:.2f} times "
        f"({worst['printed'] / other['printed']:.2f} as printed), and in {behind} of {len(star)} rows k*-SS errs more "
        "than MRR: the report that tells most is not the one that estimates best."
    )

"""wang2016: Table 1 from reports and from the counts that it was made with, and the most that a report tells."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import cache
from importlib.resources import files
from itertools import product
from typing import Any

import numpy as np

from deniable.engines.repeat import label_surveys, surveys
from deniable.estimation.simplex import project
from deniable.mechanisms.response import RandomizedResponse
from deniable.mechanisms.subset import Subset
from deniable.mechanisms.support import SupportCounting
from deniable.mechanisms.unary import Rappor
from deniable.studies import sources
from deniable.studies.study import Row, Study, Table, Tables, Task, Value, column, grid, rows_with
from deniable.studies.verdicts import Check, near, same, scored
from deniable.studies.wang2016 import pictures
from deniable.theory import bounds
from deniable.theory.arguments import Vector
from deniable.theory.optimal import optimal_matrix
from deniable.theory.sizes import best_information_size, best_l2_size

PEOPLE, THEIR_REPEATS = 10_000, 100
REPEATS, QUICK_REPEATS = 2000, 100
REPORTS, APART = "reports", "independent counts"
LOSSES = {"l2": "squared error", "l1": "absolute error"}
LIMIT = 3.5
TEXT = {"l2": 20.0, "l1": 10.0}
"""By how many per cent k#-SS is said to err less in the intermediate region."""
MECHANISMS: Mapping[str, Callable[[int, float], SupportCounting]] = {
    "BRR": Rappor,
    "MRR": RandomizedResponse,
    "k*-SS": lambda d, epsilon: Subset(d, epsilon, "information"),
    "k#-SS": Subset,
}
DEPENDENT = ("MRR", "k*-SS", "k#-SS")
"""Mechanisms whose reports support a fixed number of labels."""
FIELDS = {"BRR": "brr", "MRR": "mrr", "k*-SS": "k_star", "k#-SS": "k_sharp"}
"""What the file of printed values calls them."""
BEST = {"k*": ("k_star", best_information_size), "k#": ("k_sharp", best_l2_size)}
SIZES = (2, 4, 16, 64, 256)
LEVELS = tuple(round(float(level), 6) for level in np.geomspace(0.01, 10, 121))
LISTED = (2, 3, 4, 6, 8)
"""Domains whose extreme columns are all listed, for the linear program of Theorem 2.1."""


@cache
def printed() -> tuple[Mapping[str, str], ...]:
    """Table 1 as it is printed: text, because the digits tell how it was rounded."""
    text = files("deniable.studies").joinpath("printed/wang2016_table1.csv").read_text(encoding="utf-8")
    return tuple(csv.DictReader(io.StringIO(text)))


def table_row(seed: int, d: int, epsilon: float, repeats: int) -> list[Row]:
    """The mean errors of one row of Table 1 by both simulators, and their spread over surveys.

    Each survey has a truth of its own, shares uniform on 0..1 and rescaled, the same for all mechanisms.
    """
    generator = np.random.default_rng(seed)
    truths = generator.random((repeats, d))
    truths /= truths.sum(axis=1, keepdims=True)
    rows: list[Row] = []
    for name, make in MECHANISMS.items():
        m = make(d, epsilon)
        for simulator, draw in SIMULATORS.items():
            seeds = generator.integers(2**63, size=repeats)
            errors = np.array([draw(m, truth, int(own)) for truth, own in zip(truths, seeds, strict=True)])
            for loss, each in (("l2", (errors**2).sum(axis=1)), ("l1", np.abs(errors).sum(axis=1))):
                rows.append({
                    "d": d, "epsilon": epsilon, "mechanism": name, "simulator": simulator, "loss": loss,
                    "repeats": repeats, "mean": float(each.mean()), "spread": float(each.std(ddof=1)),
                })  # fmt: skip
    return rows


def reported(m: SupportCounting, truth: Vector, seed: int) -> Vector:
    """The errors of the projected estimate from a tally of reports, against the people's own shares."""
    (survey,) = surveys(m, truth, PEOPLE, seed, 1)
    return m.estimate(survey.tally).frequencies - survey.people / PEOPLE


def counted_apart(m: SupportCounting, truth: Vector, seed: int) -> Vector:
    """The same from counts that were drawn for each label on its own (wang2016, sect. 3.3)."""
    (survey,) = label_surveys(m, truth, PEOPLE, seed, 1)
    return project(survey.evidence.unbiased()) - survey.people / PEOPLE


SIMULATORS = {REPORTS: reported, APART: counted_apart}


def information(_seed: int, d: int) -> list[Row]:
    """What a report tells of a uniform value, in nats, over epsilon."""
    rows: list[Row] = []
    for epsilon in LEVELS:
        told = {name: make(d, epsilon).mutual_information() for name, make in MECHANISMS.items()}
        most = {"bound": bounds.information(d, epsilon), "any d": bounds.information_limit(epsilon)}
        rows.append({"d": d, "epsilon": epsilon, **told, **most})
    return rows


def linear_program(_seed: int, d: int) -> list[Row]:
    """Theorem 2.1 held against the optimum over all extreme columns of epsilon-LDP channels."""
    rows: list[Row] = []
    for epsilon in (0.01, 0.1, 1.0, 3.0):
        best = optimal_matrix(np.full((d, d), epsilon))
        rows.append({"d": d, "epsilon": epsilon, "theorem": bounds.information(d, epsilon), "program": best.bound})
    return rows


def tasks(quick: bool) -> list[Task]:
    """A task a row of Table 1, and the exact quantities."""
    repeats = QUICK_REPEATS if quick else REPEATS
    cases = [{"d": int(row["d"]), "epsilon": float(row["epsilon"]), "repeats": repeats} for row in printed()]
    return [
        *grid("surveys", table_row, cases),
        *grid("information", information, [{"d": d} for d in SIZES]),
        *grid("linear_program", linear_program, [{"d": d} for d in LISTED]),
    ]


def summaries(tables: Tables) -> Tables:
    """Table 1: what is printed, what we find by either simulator, and by how much these differ."""
    rows: list[Row] = []
    for row, name, loss in product(printed(), MECHANISMS, LOSSES):
        place: dict[str, Value] = {
            "d": int(row["d"]),
            "epsilon": float(row["epsilon"]),
            "mechanism": name,
            "loss": loss,
        }
        cell, found = row[f"{FIELDS[name]}_{loss}"], {r["simulator"]: r for r in rows_with(tables["surveys"], **place)}
        scores = {**_scores(APART, found[APART], cell), **_scores(REPORTS, found[REPORTS], cell)}
        ratio = found[REPORTS]["mean"] / found[APART]["mean"]
        error = ratio * math.hypot(*(scores[f"{simulator}: own error"] for simulator in found))
        sharp = int(row["k_sharp"])
        rows.append({**place, "k#": sharp, "printed": float(cell), **scores, "ratio": ratio, "ratio: error": error})
    return {"table1": rows}


def _scores(simulator: str, ours: dict[str, Any], cell: str) -> dict[str, float]:
    """Our mean, its relative error, and how far off the printed one is in standard errors of the difference."""
    error = standard_error(ours["spread"], ours["repeats"], cell)
    own = ours["spread"] / ours["mean"] / math.sqrt(ours["repeats"])
    score = (ours["mean"] - float(cell)) / error
    found = {"own error": own, "error": error, "z": score}
    return {simulator: ours["mean"], **{f"{simulator}: {name}": value for name, value in found.items()}}


def standard_error(spread: float, repeats: int, cell: str) -> float:
    """Of our mean less the printed one: both are means over surveys, and theirs is rounded.

    >>> round(standard_error(0.1, 100, "0.5"), 4), round(standard_error(0.1, 100, "0.50000"), 4)
    (0.0321, 0.0141)
    """
    last = 10.0 ** int(Decimal(cell).as_tuple().exponent)
    return math.sqrt(spread**2 * (1 / repeats + 1 / THEIR_REPEATS) + last**2 / 12)


def checks(tables: Tables) -> list[Check]:
    """Sizes, all cells of Table 1 by both simulators, what the text says of them, and Theorem 2.1."""
    found = [_size_check(*case) for case in product(BEST, printed())]
    for simulator, loss, name in product((APART, REPORTS), LOSSES, MECHANISMS):
        found += _cell_checks(rows_with(tables["table1"], mechanism=name, loss=loss), simulator)
    found += [_gain_check(tables["table1"], *case) for case in product((APART, REPORTS), TEXT)]
    for row in rows_with(tables["linear_program"]):
        group, what = "Theorem 2.1 beside a linear program, nats", f"d = {row['d']}, epsilon = {row['epsilon']:g}"
        found.append(near(group, what, sources.formula("Theorem 2.1"), row["theorem"], row["program"], relative=1e-7))
    return found


def _size_check(kind: str, row: Mapping[str, str]) -> Check:
    field, best = BEST[kind]
    what = f"d = {row['d']}, epsilon = {row['epsilon']}"
    return same(
        f"{kind} of Table 1",
        what,
        sources.printed(f"Table 1, column {kind}", what),
        int(row[field]),
        best(int(row["d"]), float(row["epsilon"])),
        0,
    )


def _cell_checks(rows: Sequence[dict[str, Any]], simulator: str) -> Iterator[Check]:
    for row in rows:
        group = f"{LOSSES[row['loss']].capitalize()} of {row['mechanism']}, {simulator}"
        what = f"d = {row['d']}, epsilon = {row['epsilon']:g}"
        source = sources.printed("Table 1", f"{row['mechanism']}, {row['loss']}, {what}")
        yield scored(group, what, source, row["printed"], row[simulator], row[f"{simulator}: error"])


def _gain_check(table: Table, simulator: str, loss: str) -> Check:
    """What the text says of the rows with 1 < k# <= d/3."""
    note = f"{100 * gain(table, 'printed', loss)[0]:.1f} by the printed cells"
    ours, error = gain(table, simulator, loss)
    group = "Per cent less error than the better of BRR and MRR where 1 < k# <= d/3"
    what = f"{LOSSES[loss]}, {simulator}"
    return near(
        group, what, sources.printed("sect. 4", loss), TEXT[loss], 100 * ours, 100 * error, relative=0.25, note=note
    )


def gain(table: Table, source: str, loss: str) -> tuple[float, float]:
    """By how much k#-SS errs less than the better of BRR and MRR, the mean over 1 < k# <= d/3, and its error."""
    cells = (rows_with(table, mechanism=name, loss=loss) for name in ("BRR", "MRR", "k#-SS"))
    shares, errors = [], []
    for brr, mrr, best in zip(*cells, strict=True):
        if 1 < best["k#"] <= best["d"] / 3:
            rival = min(brr, mrr, key=lambda row: float(row[source]))
            shares.append(best[source] / rival[source])
            own = [row.get(f"{source}: own error", 0.0) for row in (best, rival)]
            errors.append(shares[-1] * math.hypot(*own))
    return 1 - sum(shares) / len(shares), math.hypot(*errors) / len(shares)


def remarks(tables: Tables) -> list[str]:
    """Which simulator is the mechanism, which one made the table, how far they are apart, and what that changes."""
    table = tables["table1"]
    return [_made_with(table), _dependent(table), _together(table), _gains(table), _subset_sizes(table)]


def _made_with(table: Table) -> str:
    scores = np.abs(column(table, f"{APART}: z"))
    return (
        "The printed errors come from independent counts: each label's count drawn on its own, as sect. 3.3 words it. "
        f"{(scores <= LIMIT).sum()} of {len(scores)} cells are then within {LIMIT} standard errors of ours (their "
        f"{THEIR_REPEATS} surveys, ours, and the rounding of what is printed). The root mean square of the scores is "
        f"{math.sqrt((scores**2).mean()):.2f}, below 1: the printed means are steadier than those of 100 surveys."
    )


def _dependent(table: Table) -> str:
    rows = [row for name in DEPENDENT for row in rows_with(table, mechanism=name, loss="l2")]
    pairs = [row["ratio"] for row in rows if row["d"] == 2]
    scaled = [row["ratio"] * (row["d"] - 1) / row["d"] for row in rows if row["epsilon"] >= 1]
    return (
        "The mechanism is the other simulator, reports: one report of k labels supports exactly k, so the counts of "
        "a survey add up to n k. Independent counts do not, and the projection then takes one part in d of their "
        "variance out again. Real reports of MRR and k-subset therefore have d/(d-1) times the squared error of "
        f"independent counts, wherever the projection does little else: {np.mean(pairs):.2f} times at d = 2, and over "
        f"the {len(scaled)} cells with epsilon >= 1 the factor is {np.mean(scaled):.3f} d/(d-1) on average."
    )


def _together(table: Table) -> str:
    rows = [row for name in DEPENDENT for row in rows_with(table, mechanism=name)]
    beyond = sum(abs(row[f"{REPORTS}: z"]) > LIMIT for row in rows)
    means = {each: np.mean([row[f"{each}: z"] for row in rows]) for each in (REPORTS, APART)}
    unary = np.mean(column(table, "ratio", mechanism="BRR", loss="l2"))
    return (
        f"A mean of 100 surveys is too noisy to show that in one cell: {beyond} of {len(rows)} cells of MRR and "
        f"k-subset differ from real reports by more than {LIMIT} standard errors. Together they show it: ours are "
        f"{means[REPORTS]:+.2f} standard errors from the printed ones on average by reports, {means[APART]:+.2f} by "
        f"independent counts. The bits of BRR are independent of each other, and its squared error is the same by both "
        f"simulators ({unary:.3f} times)."
    )


def _gains(table: Table) -> str:
    said = [
        f"{100 * gain(table, APART, loss)[0]:.1f}% of the {name} by independent counts and "
        f"{100 * gain(table, REPORTS, loss)[0]:.1f}% by reports (about {TEXT[loss]:.0f}% in the text, "
        f"{100 * gain(table, 'printed', loss)[0]:.1f}% by the printed cells)"
        for loss, name in LOSSES.items()
    ]
    return f"Where 1 < k# <= d/3, k#-SS saves {' and '.join(said)} of the better of BRR and MRR."


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


STUDY = Study(
    name="wang2016",
    title="The most that a report can tell (wang2016)",
    source=(
        "S. Wang, L. Huang, P. Wang, Y. Nie, H. Xu, W. Yang, X.-Y. Li and C. Qiao, *Mutual Information Optimally Local "
        "Private Discrete Distribution Estimation*, 2016."
    ),
    about=(
        "Table 1: 10,000 people hold labels with shares that are uniform on 0..1 and rescaled, their estimate is "
        "projected on the simplex, and its error against their own shares is averaged over surveys. BRR is our "
        "`Rappor`, MRR our `RandomizedResponse`, k*-SS and k#-SS are `Subset` with the size of most information and of "
        "least squared error. Every survey is drawn twice: as a tally of **reports**, which is the mechanism, and with "
        "**independent counts** of the labels, which is how the table was made. Then what a report tells of a uniform "
        "value, in nats, beside the exact bound of Theorem 2.1."
    ),
    tasks=tasks,
    summaries=summaries,
    checks=checks,
    remarks=remarks,
    pictures=pictures.PICTURES,
)

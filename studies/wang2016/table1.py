"""wang2016, Table 1: surveys by both simulators, and the printed cells beside them."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import cache
from importlib.resources import files
from itertools import product
from typing import Any

import numpy as np

from deniable.arrays import Vector
from deniable.engines.repeat import surveys
from deniable.estimation.simplex import project
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.plain.randomized_response import RandomizedResponse
from deniable.mechanisms.plain.subset import Subset
from deniable.mechanisms.plain.unary import Rappor
from studies.repeat import label_surveys
from studies.study import Row, Table, Tables, Value, rows_with

PEOPLE, THEIR_REPEATS = 10_000, 100
REPORTS, APART = "reports", "independent counts"
LOSSES = {"l2": "squared error", "l1": "absolute error"}
"""Those of Table 1; sect. 3.3 names a third, the largest absolute error of a label."""
LARGEST = "linf"
MECHANISMS: Mapping[str, Callable[[int, float], Mechanism]] = {
    "BRR": Rappor,
    "MRR": RandomizedResponse,
    "k*-SS": lambda d, epsilon: Subset(d, epsilon, "information"),
    "k#-SS": Subset,
}
FIELDS = {"BRR": "brr", "MRR": "mrr", "k*-SS": "k_star", "k#-SS": "k_sharp"}
"""What the file of printed values calls them."""


@cache
def table1() -> tuple[Mapping[str, str], ...]:
    """Table 1 as it is printed: text, because the digits tell how it was rounded."""
    text = files("studies").joinpath("printed/wang2016_table1.csv").read_text(encoding="utf-8")
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
            for loss, each in _losses(errors).items():
                rows.append({
                    "d": d, "epsilon": epsilon, "mechanism": name, "simulator": simulator, "loss": loss,
                    "repeats": repeats, "mean": float(each.mean()), "spread": float(each.std(ddof=1)),
                })  # fmt: skip
    return rows


def _losses(errors: Vector) -> dict[str, Vector]:
    """A row of ``errors`` for each survey."""
    absolute = np.abs(errors)
    return {"l2": (errors**2).sum(axis=1), "l1": absolute.sum(axis=1), LARGEST: absolute.max(axis=1)}


def reported(m: Mechanism, truth: Vector, seed: int) -> Vector:
    """The errors of the projected estimate from a tally of reports, against the people's own shares."""
    (survey,) = surveys(m, truth, PEOPLE, seed, 1)
    return m.estimate(survey.tally).frequencies - survey.people / PEOPLE


def counted_apart(m: Mechanism, truth: Vector, seed: int) -> Vector:
    """The same from counts that were drawn for each label on its own (wang2016, sect. 3.3)."""
    (survey,) = label_surveys(m, truth, PEOPLE, seed, 1)
    return project(survey.evidence.unbiased()) - survey.people / PEOPLE


SIMULATORS = {REPORTS: reported, APART: counted_apart}


def summaries(tables: Tables) -> Tables:
    """Table 1, and the third loss, which is not in it."""
    return {"table1": _cells(tables["surveys"]), "linf": _largest(tables["surveys"])}


def _cells(table: Table) -> list[Row]:
    """The printed cells, our values by either simulator, and the differences."""
    rows: list[Row] = []
    for row, name, loss in product(table1(), MECHANISMS, LOSSES):
        place: dict[str, Value] = {
            "d": int(row["d"]),
            "epsilon": float(row["epsilon"]),
            "mechanism": name,
            "loss": loss,
        }
        cell, found = row[f"{FIELDS[name]}_{loss}"], {r["simulator"]: r for r in rows_with(table, **place)}
        scores = {**_scores(APART, found[APART], cell), **_scores(REPORTS, found[REPORTS], cell)}
        ratio = found[REPORTS]["mean"] / found[APART]["mean"]
        error = ratio * math.hypot(*(scores[f"{simulator}: own error"] for simulator in found))
        sharp = int(row["k_sharp"])
        rows.append({**place, "k#": sharp, "printed": float(cell), **scores, "ratio": ratio, "ratio: error": error})
    return rows


def _largest(table: Table) -> list[Row]:
    """The mean largest absolute error of a label, by reports, with its standard error."""
    rows: list[Row] = []
    for found in rows_with(table, simulator=REPORTS, loss=LARGEST):
        error = found["spread"] / math.sqrt(found["repeats"])
        place = {name: found[name] for name in ("d", "epsilon", "mechanism")}
        rows.append({**place, LARGEST: found["mean"], f"{LARGEST}: error": error})
    return rows


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


def gain(table: Table, source: str, loss: str) -> tuple[float, float]:
    """How much less k#-SS errs than the better of BRR and MRR: the mean over 1 < k# <= d/3, with its error."""
    cells = (rows_with(table, mechanism=name, loss=loss) for name in ("BRR", "MRR", "k#-SS"))
    shares, errors = [], []
    for brr, mrr, best in zip(*cells, strict=True):
        if 1 < best["k#"] <= best["d"] / 3:
            rival = min(brr, mrr, key=lambda row: float(row[source]))
            shares.append(best[source] / rival[source])
            own = [row.get(f"{source}: own error", 0.0) for row in (best, rival)]
            errors.append(shares[-1] * math.hypot(*own))
    return 1 - sum(shares) / len(shares), math.hypot(*errors) / len(shares)

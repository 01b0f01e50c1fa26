"""wang2016: its table, its sentences and its formulas beside ours, each with its place in the paper."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from deniable.theory.sizes import best_information_size, best_l2_size
from studies.sources import formula, printed, sentence
from studies.study import Table, Tables, column, rows_with
from studies.verdicts import Cell, Check, at_most, in_every_cell, near, no_more, same, scored
from studies.wang2016.exact import told_at_most
from studies.wang2016.table1 import APART, LOSSES, MECHANISMS, REPORTS, gain, table1

LIMIT = 3.5
TEXT = {"l2": 20.0, "l1": 10.0}
"""How many per cent less k#-SS errs in the intermediate region, according to the paper."""
BEST = {"k*": ("k_star", best_information_size), "k#": ("k_sharp", best_l2_size)}
ABOVE = "sect. 5, the paragraph above Table 1"
MINOR = 0.1
"""The increase of error that we call minor; the paper gives no number."""


def checks(tables: Tables) -> list[Check]:
    """Sizes, all cells of Table 1 by both simulators, what the text says of them, and the theorems."""
    found = [_size_check(*case) for case in product(BEST, table1())]
    for simulator, loss, name in product((APART, REPORTS), LOSSES, MECHANISMS):
        found += _cell_checks(rows_with(tables["table1"], mechanism=name, loss=loss), simulator)
    found += [_gain_check(tables["table1"], *case) for case in product((APART, REPORTS), TEXT)]
    parts = (_order_checks, _bound_checks, _program_checks, _hybrid_checks, _regression_checks)
    return found + [check for part in parts for check in part(tables)]


def _size_check(kind: str, row: Mapping[str, str]) -> Check:
    field, best = BEST[kind]
    what = f"d = {row['d']}, epsilon = {row['epsilon']}"
    return same(
        f"{kind} of Table 1",
        what,
        printed(f"Table 1, column {kind}", what),
        int(row[field]),
        best(int(row["d"]), float(row["epsilon"])),
        0,
    )


def _cell_checks(rows: Sequence[dict[str, Any]], simulator: str) -> Iterator[Check]:
    for row in rows:
        group = f"{LOSSES[row['loss']].capitalize()} of {row['mechanism']}, {simulator}"
        what = f"d = {row['d']}, epsilon = {row['epsilon']:g}"
        source = printed(f"Table 1, {LOSSES[row['loss']]}, column {row['mechanism']}", what)
        yield scored(group, what, source, row["printed"], row[simulator], row[f"{simulator}: error"])


def _gain_check(table: Table, simulator: str, loss: str) -> Check:
    """What the text says of the rows with 1 < k# <= d/3."""
    note = f"{100 * gain(table, 'printed', loss)[0]:.1f} by the printed cells"
    ours, error = gain(table, simulator, loss)
    group = "Per cent less error than the better of BRR and MRR where 1 < k# <= d/3"
    what = f"{LOSSES[loss]}, {simulator}"
    return near(group, what, printed(ABOVE, loss), TEXT[loss], 100 * ours, 100 * error, relative=0.25, note=note)


def _order_checks(tables: Tables) -> Iterator[Check]:
    """Two sentences, over all rows of the table, by reports."""
    for loss, rival in product(LOSSES, ("BRR", "MRR", "k*-SS")):
        what, source = f"{LOSSES[loss]} of k#-SS is not above that of {rival}", sentence(ABOVE)
        yield in_every_cell(
            "Who errs least, over the 41 rows", what, source, _cells(tables, loss, "k#-SS", rival, 0.01)
        )
    for loss in LOSSES:
        what = f"{LOSSES[loss]} of k*-SS is at most {MINOR:.0%} above that of k#-SS"
        cells = _cells(tables, loss, "k*-SS", "k#-SS", MINOR)
        yield in_every_cell("'The differences are pretty minor'", what, sentence(f"{ABOVE}; the limit is ours"), cells)


def _cells(tables: Tables, loss: str, name: str, other: str, slack: float) -> list[Cell]:
    both = (rows_with(tables["table1"], mechanism=each, loss=loss) for each in (name, other))
    return [no_more(*_excess(*pair), slack=slack, matters=0.25) for pair in zip(*both, strict=True)]


def _excess(row: Mapping[str, Any], other: Mapping[str, Any]) -> tuple[float, float]:
    """By what share one error exceeds another, with the standard error of that share."""
    ratio = row[REPORTS] / other[REPORTS]
    return ratio - 1, ratio * math.hypot(*(each[f"{REPORTS}: own error"] for each in (row, other)))


def _bound_checks(tables: Tables) -> Iterator[Check]:
    """The inequality that ends eq. 8."""
    source = formula("eq. 8, last inequality, as printed")
    for d in dict.fromkeys(column(tables["information"], "d")):
        rows = rows_with(tables["information"], d=d)
        most = max(row["BRR"] / told_at_most(d, row["epsilon"], row["k*-SS"]) for row in rows)
        group = "What BRR tells over the bound that ends eq. 8, at most"
        yield at_most(group, f"d = {d}, {len(rows)} epsilons", source, 1.0, most)


def _program_checks(tables: Tables) -> Iterator[Check]:
    for row in rows_with(tables["linear_program"]):
        group, what = "Theorem 2.1 beside a linear program, nats", f"d = {row['d']}, epsilon = {row['epsilon']:g}"
        yield near(group, what, formula("Thm 2.1"), row["theorem"], row["program"], relative=1e-7)


def _hybrid_checks(tables: Tables) -> Iterator[Check]:
    for row in rows_with(tables["hybrids"]):
        what = f"d = {row['d']}, epsilon = {row['epsilon']:g}, {row['hybrids']:,} drawn, BRR and mixes with k# +- 1"
        group = "Squared error of k#-SS over that of any hybrid of sizes, at most"
        yield at_most(group, what, formula("Thm 3.2"), 1.0, max(row["drawn"], row["beside"], row["BRR"]))


def _regression_checks(tables: Tables) -> Iterator[Check]:
    for row in rows_with(tables["regression"]):
        what = f"d = {row['d']}, k = {row['size']}, {row['people']:,} people"
        group = "Largest difference of linear regression from Algorithm 2"
        yield same(group, what, sentence("sect. 3.2, first paragraph: it is unbiased too"), 0.0, row["apart"], 9)

"""ye2017: its propositions, numbered equations and remarks, beside what we compute and what surveys do."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

from studies.sources import formula, independent, printed, sentence
from studies.study import Table, Tables, column, rows_with
from studies.verdicts import Check, at_most, near, same, scored
from studies.ye2017.exact import CONVENIENT, HUGE, LEVELS, LOSSES, SIZES, UPPER, WIDE, upper
from studies.ye2017.remarks import PROMISED

AGAIN = "derived again"
"""A note on sources: the formulas are missing from the text that we work from."""
DERIVED = {"l2": 0.453, "l1": 0.673}
"""The largest ratios for Prop. III.5, found independently of the library."""
NOTES = {"RAPPOR": "its estimates do not add up to 1: see the errata"}


def checks(tables: Tables) -> list[Check]:
    """Each proposition and numbered equation of which something can be measured."""
    return [
        *_formula_checks(tables),
        *_upper_checks(tables),
        *_limit_checks(tables),
        *_size_checks(tables["sizes"]),
        *_promise_checks(tables["largest"]),
        *_regime_checks(tables),
        *_simplex_checks(tables["outside"]),
    ]


def _formula_checks(tables: Tables) -> Iterator[Check]:
    """The risks at the worst truth, against surveys; the formula for l1 is for many people."""
    for row in rows_with(tables["simulated"]):
        place = {name: row[name] for name in ("d", "epsilon", "mechanism")}
        (said,) = rows_with(tables["risks"], **place)
        what = f"{row['mechanism']}, d = {row['d']}, epsilon = {row['epsilon']:g}"
        yield scored(
            "Squared error by eqs. 7 and 19, beside surveys",
            what,
            formula(f"eqs. 7 and 19, {AGAIN}"),
            said["l2"],
            row["l2"],
            row["l2: error"],
        )
        group = "Absolute error by eqs. 8, 9 and 19, beside surveys"
        yield near(
            group,
            what,
            formula(f"eqs. 8, 9 and 19, {AGAIN}"),
            said["l1"],
            row["l1"],
            row["l1: error"],
            relative=0.02,
            errors=3.5,
        )


def _upper_checks(tables: Tables) -> Iterator[Check]:
    """Eqs. 10 and 11 are never exceeded: not by the exact risk of the convenient size, not by that of surveys."""
    for (loss, equation), d in product(UPPER.items(), WIDE):
        least = min(column(tables["tightness"], f"{loss}: {equation}", d=d))
        what = f"{LOSSES[loss]}, d = {d}, {len(LEVELS)} epsilons"
        yield at_most(
            f"Largest risk over {equation} as we derive it", what, formula(f"{equation}, {AGAIN}"), 1, 1 / least
        )
    for row, (loss, equation) in product(rows_with(tables["simulated"], mechanism=CONVENIENT), UPPER.items()):
        bound = upper(row["d"], row["epsilon"])[loss][equation]
        what = f"{equation}, d = {row['d']}, epsilon = {row['epsilon']:g}"
        yield at_most(
            "Risk of surveys over eqs. 10 and 11 as we derive them",
            what,
            formula(f"{equation}, {AGAIN}"),
            1,
            row[loss] / bound,
            row[f"{loss}: error"] / bound,
        )


def _limit_checks(tables: Tables) -> Iterator[Check]:
    """Eq. 12 where E << d; Prop. III.4 and eq. 13 where 1 << E << d."""
    for row, loss in product(rows_with(tables["tightness"], d=WIDE[-1]), LOSSES):
        if row["epsilon"] in {0.1, 1.0, 2.0}:
            what = f"{LOSSES[loss]}, d = {row['d']:,}, epsilon = {row['epsilon']:g}"
            yield near(
                "Eq. 12 over the risk", what, formula(f"eq. 12, {AGAIN}"), 1, row[f"{loss}: eq. 12"], relative=0.01
            )
    for row in rows_with(tables["limits"], d=HUGE[-1]):
        what = f"{LOSSES[row['loss']]} of {row['mechanism']}"
        group = "Risk over its limit by Prop. III.4 and eq. 13, d = 10^12, E = 10^6"
        yield near(
            group, what, formula(f"Prop. III.4 and eq. 13, {AGAIN}"), 1, row["risk"] / row["limit"], relative=0.01
        )


def _size_checks(table: Table) -> Iterator[Check]:
    """Prop. III.2: of all sizes the best is a neighbour of d/(1+E)."""
    for d, loss in product(SIZES, LOSSES):
        rows = rows_with(table, d=d)
        beside = [math.floor(r["d/(1+E)"]) <= r[loss] <= max(1, math.ceil(r["d/(1+E)"])) for r in rows]
        what = f"{LOSSES[loss]}, d = {d}"
        yield same(
            "Epsilons where the best size is next to d/(1+E), Prop. III.2",
            what,
            sentence("Prop. III.2"),
            len(rows),
            sum(beside),
            0,
        )


def _promise_checks(table: Table) -> Iterator[Check]:
    """Prop. III.5 as printed, and the largest ratios that were found when it was derived anew."""
    for loss, name in LOSSES.items():
        most = max(column(table, "ratio", loss=loss))
        group = "Prop. III.5: largest risk over that of the better of k-RR and RAPPOR"
        yield at_most(group, name, printed("abstract; Prop. III.5", loss), PROMISED[loss], most)
        yield same(
            "The same, beside a search for d from 410 to 10^6",
            name,
            independent("a search over d from 410 to 10^6, apart from the library"),
            DERIVED[loss],
            most,
            3,
        )


def _regime_checks(tables: Tables) -> Iterator[Check]:
    """Sect. III-A: where the scheme is k-RR, and where it is no better than RAPPOR."""
    for d in SIZES:
        rows = [row for row in rows_with(tables["sizes"], d=d) if math.exp(row["epsilon"]) >= d]
        source, single = sentence("sect. III-A, first paragraph"), sum(row["convenient"] == 1 for row in rows)
        yield same(
            "Epsilons with E >= d where the convenient size is 1: k-RR", f"d = {d}", source, len(rows), single, 0
        )
    own, unary = (
        rows_with(tables["risks"], d=SIZES[-1], epsilon=LEVELS[0], mechanism=name)[0] for name in (CONVENIENT, "RAPPOR")
    )
    for loss, name in LOSSES.items():
        what = f"{name}, d = {SIZES[-1]}, epsilon = {LEVELS[0]:g}"
        source = sentence("sect. III-A, fourth paragraph: in the high privacy regime they are the same")
        yield near("Risk of subsets over that of RAPPOR", what, source, 1, own[loss] / unary[loss], relative=0.01)


def _simplex_checks(table: Table) -> Iterator[Check]:
    """Remark III.2, with the most people that were surveyed."""
    most, source = max(column(table, "users")), sentence("Remark III.2: 'exponentially small'")
    for row in rows_with(table, users=most):
        what = f"{row['mechanism']}, {most:,} people, d = {row['d']}, epsilon = {row['epsilon']:g}"
        group = f"Share of {row['repeats']:,} surveys outside the simplex"
        yield same(group, what, source, 0, row["outside"], 3, NOTES.get(row["mechanism"], ""))
        ratio, error = row["projected"], row["projected: error"]
        yield near(
            "Squared error of the projected estimate over the empirical", what, source, 1, ratio, error, 0.01, 3.5
        )
    for row in rows_with(table):
        if row["mechanism"] != "RAPPOR":
            what = f"{row['mechanism']}, {row['users']:,} people"
            yield _kept("Share of surveys outside the simplex, beside a bound that falls exponentially", what, row)


def _kept(group: str, what: str, row: Mapping[str, Any]) -> Check:
    place = "Remark III.2; the bound, a sum of binomial tails, is ours"
    return at_most(group, what, formula(place), row["below"], row["outside"], row["outside: error"])

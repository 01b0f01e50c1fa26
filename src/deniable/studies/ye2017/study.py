"""ye2017: the risk of subsets beside k-RR and RAPPOR, the best size, the bounds above and below."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from itertools import product

import numpy as np

from deniable.engines.repeat import surveys
from deniable.mechanisms.response import RandomizedResponse
from deniable.mechanisms.subset import Subset
from deniable.mechanisms.support import SupportCounting
from deniable.mechanisms.unary import Rappor
from deniable.studies.sources import formula, independent, printed, sentence
from deniable.studies.study import Row, Study, Table, Tables, Task, column, grid, rows_with
from deniable.studies.verdicts import Check, at_most, near, same, scored
from deniable.studies.ye2017.pictures import PICTURES
from deniable.studies.ye2017.remarks import PROMISED, remarks
from deniable.theory import bounds
from deniable.theory.optimal import optimal_matrix
from deniable.theory.sizes import best_information_size, best_l2_size, convenient_size
from deniable.theory.support import Support, l1_asymptotic, l2_worst

PEOPLE = 10_000
SIZES = (10, 100, 1000)
LEVELS = tuple(round(0.1 * i, 1) for i in range(1, 81))
SURVEYED = (0.5, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0)
REPEATS = {10: 2000, 100: 1000, 1000: 200}
QUICK = 20
"""A quick run has this many times fewer surveys."""
CONVENIENT = "subsets, convenient"
LOSSES = {"l2": "squared error", "l1": "absolute error"}
MECHANISMS: Mapping[str, Callable[[int, float], SupportCounting]] = {
    "k-RR": RandomizedResponse,
    "RAPPOR": Rappor,
    "subsets": Subset,
    CONVENIENT: lambda d, epsilon: Subset(d, epsilon, convenient_size(d, epsilon)),
}
UPPER = {"l2": "eq. 10", "l1": "eq. 11"}
WIDE = (100, 1000, 10_000)
SHOWN = (410, 1000, 10_000, 100_000, 1_000_000)
RANGES = ((410, 1000), (1000, 10_000), (10_000, 100_000), (100_000, 1_000_000))
DERIVED = {"l2": 0.453, "l1": 0.673}
"""The largest ratios that were found for Prop. III.5 when it was derived anew."""
HUGE = (10**4, 10**6, 10**8, 10**10, 10**12)
LISTED = (2, 3, 4, 5, 6, 7, 8)


def risks(_seed: int, d: int) -> list[Row]:
    """The risk of every mechanism at the worst truth, by eqs. 7 to 9 and 19."""
    rows: list[Row] = []
    for epsilon, (name, make) in product(LEVELS, MECHANISMS.items()):
        m = make(d, epsilon)
        size = m.size if isinstance(m, Subset) else None
        row: Row = {"d": d, "epsilon": epsilon, "mechanism": name, "size": size}
        rows.append({**row, **worst(m.support, d), "l1 exact": m.risk(PEOPLE, "l1")})
    return rows


def worst(s: Support, d: int) -> dict[str, float]:
    """The squared error, and what the absolute one tends to, at the uniform truth."""
    return {"l2": l2_worst(s, PEOPLE, d), "l1": d * l1_asymptotic(s, PEOPLE, np.array([1 / d]))}


def simulated(seed: int, d: int, epsilon: float, repeats: int) -> list[Row]:
    """The mean errors of unbiased estimates over surveys of people drawn from the uniform truth."""
    truth, rows = np.full(d, 1 / d), []
    for index, (name, make) in enumerate(MECHANISMS.items()):
        m = make(d, epsilon)
        run = surveys(m, truth, PEOPLE, seed + index, repeats)
        errors = np.array([m.evidence(survey.tally).unbiased() for survey in run]) - truth
        row: Row = {"d": d, "epsilon": epsilon, "mechanism": name, "repeats": repeats}
        for loss, each in (("l2", (errors**2).sum(axis=1)), ("l1", np.abs(errors).sum(axis=1))):
            row |= {loss: float(each.mean()), f"{loss}: error": float(each.std(ddof=1) / math.sqrt(repeats))}
            if name == CONVENIENT:
                row[f"{loss}: bound over it"] = upper(d, epsilon)[loss][UPPER[loss]] / float(each.mean())
        rows.append(row)
    return rows


def sizes(_seed: int, d: int) -> list[Row]:
    """The best size over all sizes, beside the formula's, the convenient one and that of most information."""
    rows: list[Row] = []
    for epsilon in LEVELS:
        risk = [worst(Support.subset(d, k, epsilon), d) for k in range(1, d)]
        best = {loss: 1 + int(np.argmin([each[loss] for each in risk])) for loss in LOSSES}
        rows.append({
            "d": d, "epsilon": epsilon, "d/(1+E)": d / (1 + math.exp(epsilon)), **best,
            "formula": best_l2_size(d, epsilon), "convenient": convenient_size(d, epsilon),
            "information": best_information_size(d, epsilon),
        })  # fmt: skip
    return rows


def ratios(_seed: int, d: int) -> list[Row]:
    """Prop. III.5 for one domain, over epsilon: the risk over that of the better of k-RR and RAPPOR."""
    levels = [*(0.1 * i for i in range(1, math.floor(10 * math.log(d)) + 11)), *_inside(d, 3)]
    rows = ((epsilon, bounds.improvement(d, epsilon)) for epsilon in sorted(levels))
    return [{"d": d, "epsilon": epsilon, "l2": l2, "l1": l1} for epsilon, (l2, l1) in rows]


def _inside(d: int, count: int) -> list[float]:
    """Epsilons from one end of Prop. III.5's range to the other."""
    return [float(epsilon) for epsilon in np.linspace(3.8, math.log(d / 9), count)]


def largest(_seed: int, lowest: int, highest: int) -> list[Row]:
    """The largest ratios of Prop. III.5 over a range of domains and all its epsilons, ends included."""
    found = [
        (bounds.improvement(int(d), epsilon), int(d), epsilon)
        for d in np.unique(np.geomspace(lowest, highest, 600).astype(int))
        for epsilon in _inside(int(d), 24)
    ]
    top = {loss: max((pair[at], d, epsilon) for pair, d, epsilon in found) for at, loss in enumerate(LOSSES)}
    return [{"loss": loss, "ratio": ratio, "d": d, "epsilon": epsilon} for loss, (ratio, d, epsilon) in top.items()]


def tightness(_seed: int, d: int) -> list[Row]:
    """Eqs. 10 to 13 over the risk that they bound, and the risks over the order of Theorem IV.1."""
    rows: list[Row] = []
    for epsilon in LEVELS:
        convenient = worst(Support.subset(d, convenient_size(d, epsilon), epsilon), d)
        row: Row = {"d": d, "epsilon": epsilon}
        for loss in LOSSES:
            row |= {f"{loss}: {name}": bound / convenient[loss] for name, bound in upper(d, epsilon)[loss].items()}
        order = {"l2": bounds.order_l2(d, epsilon, PEOPLE), "l1": bounds.order_l1(d, epsilon, PEOPLE)}
        for name, s in rivals(d, epsilon).items():
            row |= {f"{loss}: {name}": risk / order[loss] for loss, risk in worst(s, d).items()}
        rows.append(row)
    return rows


def upper(d: int, epsilon: float) -> dict[str, dict[str, float]]:
    """The paper's bounds for subsets of the convenient size."""
    at = (d, epsilon, PEOPLE)
    return {
        "l2": {
            "eq. 10": bounds.convenient_l2(*at),
            "eq. 12": bounds.small_epsilon_l2(*at),
            "eq. 13": bounds.large_epsilon_l2(*at),
        },
        "l1": {
            "eq. 11": bounds.convenient_l1(*at),
            "eq. 12": bounds.small_epsilon_l1(*at),
            "eq. 13": bounds.large_epsilon_l1(*at),
        },
    }


def rivals(d: int, epsilon: float) -> dict[str, Support]:
    """The laws of the three mechanisms, for any d."""
    return {
        "k-RR": Support.response(d, epsilon),
        "RAPPOR": Support.rappor(epsilon),
        "subsets": Support.subset(d, best_l2_size(d, epsilon), epsilon),
    }


def limits(_seed: int, d: int) -> list[Row]:
    """Prop. III.4 and eq. 13 in the middle of the range, E = sqrt(d): the risks over their limits."""
    epsilon = math.log(d) / 2
    at = (d, epsilon, PEOPLE)
    limit = {
        "k-RR": {"l2": bounds.response_limit_l2(*at), "l1": bounds.response_limit_l1(*at)},
        "RAPPOR": {"l2": bounds.rappor_limit_l2(*at), "l1": bounds.rappor_limit_l1(*at)},
        "subsets": {"l2": bounds.large_epsilon_l2(*at), "l1": bounds.large_epsilon_l1(*at)},
    }
    return [
        {"d": d, "epsilon": epsilon, "mechanism": name, "loss": loss, "limit": limit[name][loss], "risk": found}
        for name, s in rivals(d, epsilon).items()
        for loss, found in worst(s, d).items()
    ]


def minimax(_seed: int, d: int) -> list[Row]:
    """The least squared error of any epsilon-LDP channel with any unbiased estimate, beside that of subsets."""
    rows: list[Row] = []
    for epsilon in (0.1, 1.0, 2.0, 3.0):
        best = optimal_matrix(np.full((d, d), epsilon), goal="minimax")
        rows.append({"d": d, "epsilon": epsilon, "subsets": bounds.least_l2(d, epsilon, 1), "any channel": best.bound})
    return rows


def tasks(quick: bool) -> list[Task]:
    """Surveys for each domain and epsilon; all else is exact."""
    cases = [
        {"d": d, "epsilon": epsilon, "repeats": repeats // (QUICK if quick else 1)}
        for (d, repeats), epsilon in product(REPEATS.items(), SURVEYED)
    ]
    ranges = [{"lowest": lowest, "highest": highest} for lowest, highest in RANGES]
    exact = (
        ("risks", risks, SIZES), ("sizes", sizes, SIZES), ("ratios", ratios, SHOWN), ("tightness", tightness, WIDE),
        ("limits", limits, HUGE), ("minimax", minimax, LISTED),
    )  # fmt: skip
    found = [task for name, run, domains in exact for task in grid(name, run, [{"d": d} for d in domains])]
    return [*grid("simulated", simulated, cases), *grid("largest", largest, ranges), *found]


def checks(tables: Tables) -> list[Check]:
    """Each proposition and numbered equation of which something can be measured."""
    return [
        *_formula_checks(tables),
        *_upper_checks(tables),
        *_limit_checks(tables),
        *_size_checks(tables["sizes"]),
        *_promise_checks(tables["largest"]),
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
            formula("eqs. 7 and 19"),
            said["l2"],
            row["l2"],
            row["l2: error"],
        )
        group = "Absolute error by eqs. 8, 9 and 19, beside surveys"
        yield near(
            group, what, formula("eqs. 8, 9 and 19"), said["l1"], row["l1"], row["l1: error"], relative=0.02, errors=3.5
        )


def _upper_checks(tables: Tables) -> Iterator[Check]:
    """Eqs. 10 and 11 are never exceeded: not by the exact risk of the convenient size, not by that of surveys."""
    for (loss, equation), d in product(UPPER.items(), WIDE):
        least = min(column(tables["tightness"], f"{loss}: {equation}", d=d))
        what = f"{LOSSES[loss]}, d = {d}, {len(LEVELS)} epsilons"
        yield at_most(f"Largest risk over {equation}", what, formula(equation), 1, 1 / least)
    for row, (loss, equation) in product(rows_with(tables["simulated"], mechanism=CONVENIENT), UPPER.items()):
        bound = upper(row["d"], row["epsilon"])[loss][equation]
        what = f"{equation}, d = {row['d']}, epsilon = {row['epsilon']:g}"
        yield at_most(
            "Risk of surveys over eqs. 10 and 11",
            what,
            formula(equation),
            1,
            row[loss] / bound,
            row[f"{loss}: error"] / bound,
        )


def _limit_checks(tables: Tables) -> Iterator[Check]:
    """Eq. 12 where E << d; Prop. III.4 and eq. 13 where 1 << E << d."""
    for row, loss in product(rows_with(tables["tightness"], d=WIDE[-1]), LOSSES):
        if row["epsilon"] in {0.1, 1.0, 2.0}:
            what = f"{LOSSES[loss]}, d = {row['d']:,}, epsilon = {row['epsilon']:g}"
            yield near("Eq. 12 over the risk", what, formula("eq. 12"), 1, row[f"{loss}: eq. 12"], relative=0.01)
    for row in rows_with(tables["limits"], d=HUGE[-1]):
        what = f"{LOSSES[row['loss']]} of {row['mechanism']}"
        group = "Risk over its limit by prop. III.4 and eq. 13, d = 10^12, E = 10^6"
        yield near(group, what, formula("prop. III.4 and eq. 13"), 1, row["risk"] / row["limit"], relative=0.01)


def _size_checks(table: Table) -> Iterator[Check]:
    """Prop. III.2: of all sizes the best is a neighbour of d/(1+E)."""
    for d, loss in product(SIZES, LOSSES):
        rows = rows_with(table, d=d)
        beside = [math.floor(r["d/(1+E)"]) <= r[loss] <= max(1, math.ceil(r["d/(1+E)"])) for r in rows]
        what = f"{LOSSES[loss]}, d = {d}"
        yield same(
            "Epsilons where the best size is next to d/(1+E), prop. III.2",
            what,
            sentence("prop. III.2"),
            len(rows),
            sum(beside),
            0,
        )


def _promise_checks(table: Table) -> Iterator[Check]:
    """Prop. III.5 as printed, and the largest ratios that were found when it was derived anew."""
    for loss, name in LOSSES.items():
        most = max(column(table, "ratio", loss=loss))
        group = "Prop. III.5: largest risk over that of the better of k-RR and RAPPOR"
        yield at_most(group, f"{name}, as printed", printed("prop. III.5"), PROMISED[loss], most)
        yield same(
            "The same, as derived anew for d from 410 to 10^6",
            name,
            independent("derived anew"),
            DERIVED[loss],
            most,
            3,
        )


STUDY = Study(
    name="ye2017",
    title="Optimal schemes for distribution estimation (ye2017)",
    source=(
        "M. Ye and A. Barg, *Optimal Schemes for Discrete Distribution Estimation under Locally Differential Privacy*, "
        "2017."
    ),
    about=(
        "The paper has no tables: its propositions are held against exact risks and against surveys of 10,000 people "
        "from the uniform truth, which is the worst one. Risks are of unbiased estimates, against the distribution "
        "that people are drawn from. Here **d** is the number of labels and **E** = e^epsilon; the paper writes k for "
        "our d, and d for the size of a subset."
    ),
    tasks=tasks,
    checks=checks,
    remarks=remarks,
    pictures=PICTURES,
)

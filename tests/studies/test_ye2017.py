"""ye2017: risks by hand, surveys against formulas, bounds that hold, and checks that bite."""

import math
from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy import stats

from deniable.mechanisms.plain.subset import Subset
from deniable.theory.risk.support import Support
from studies.sources import Origin
from studies.study import Row, rows_with
from studies.verdicts import Check, Verdict
from studies.ye2017 import simplex
from studies.ye2017.checks import checks
from studies.ye2017.errata import ERRATA
from studies.ye2017.exact import (
    CONVENIENT,
    HUGE,
    LISTED,
    LOSSES,
    MECHANISMS,
    PEOPLE,
    REPEATS,
    SHOWN,
    SIZES,
    SURVEYED,
    WIDE,
    largest,
    limits,
    minimax,
    ratios,
    risks,
    simulated,
    sizes,
    tightness,
    worst,
)
from studies.ye2017.remarks import remarks
from studies.ye2017.study import STUDY, tasks

LIMIT = 5.6  # 2e-8 for each of the comparisons of means, which are near normal


@pytest.mark.parametrize(("d", "epsilon"), [(2, 0.3), (10, 2.0), (1000, 5.0)])
def test_the_worst_risks_are_those_of_the_paper(d: int, epsilon: float) -> None:
    e, s, n = math.exp(epsilon), math.exp(epsilon / 2), PEOPLE
    response, rappor = worst(Support.response(d, epsilon), d), worst(Support.rappor(epsilon), d)
    assert response["l2"] == pytest.approx(((e + d - 1) / (e - 1)) ** 2 * (1 - 1 / d) / n)
    assert response["l1"] == pytest.approx((e + d - 1) / (e - 1) * math.sqrt(2 * (d - 1) / (math.pi * n)))
    assert rappor["l2"] == pytest.approx((1 - 1 / d) / n * (1 + d**2 * s / ((d - 1) * (s - 1) ** 2)))
    assert rappor["l1"] == pytest.approx(math.sqrt(2 * (s + d - 1) * (s * (d - 1) + 1) / (math.pi * n * (s - 1) ** 2)))


def test_surveys_have_the_risks_of_the_formulas() -> None:
    said = {row["mechanism"]: row for row in rows_with(table("risks"), d=10, epsilon=2.0)}
    found = rows_with(simulated(5, 10, 2.0, 150))
    assert [row["mechanism"] for row in found] == list(MECHANISMS)
    for row in found:
        assert abs(row["l2"] - said[row["mechanism"]]["l2"]) < LIMIT * row["l2: error"]
        assert abs(row["l1"] - said[row["mechanism"]]["l1 exact"]) < LIMIT * row["l1: error"]
        assert row["l2: error"] < 0.05 * row["l2"]


def test_surveys_repeat_with_their_seed() -> None:
    first, again, other = (simulated(seed, 10, 1.0, 3) for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_the_largest_ratio_is_over_the_whole_range_ends_included() -> None:
    l2, l1 = rows_with(largest(0, 410, 460))
    assert (l2["d"], l2["epsilon"]) == (l1["d"], l1["epsilon"]) == (460, 3.8)
    (end,) = rows_with(ratios(0, 460), epsilon=3.8)
    assert (l2["ratio"], l1["ratio"]) == (end["l2"], end["l1"])


def test_risks_tend_to_their_limits() -> None:
    gaps = [[abs(row["risk"] / row["limit"] - 1) for row in rows_with(limits(0, d))] for d in HUGE]
    assert max(gaps[-1]) < 0.003
    assert all(later < sooner for sooner, later in zip(gaps[0], gaps[-1], strict=True))


@cache
def table(name: str) -> list[Row]:
    """The exact tables, once."""
    runs: dict[str, tuple[Any, tuple[int, ...]]] = {
        "risks": (risks, SIZES), "sizes": (sizes, SIZES), "ratios": (ratios, SHOWN), "tightness": (tightness, WIDE),
        "limits": (limits, HUGE), "minimax": (minimax, LISTED),
    }  # fmt: skip
    run, domains = runs[name]
    return [row for d in domains for row in run(0, d)]


@cache
def top() -> list[Row]:
    """What the search over all domains finds: the largest ratios are at its far end."""
    return largest(0, 999_000, 1_000_000)


@cache
def left() -> list[Row]:
    """Surveys of few and of many people, for Remark III.2."""
    return [
        row for name in simplex.MECHANISMS for users in (3000, 100_000) for row in simplex.outside(1, name, users, 200)
    ]


def made_up(factors: dict[tuple[int, float, str], float]) -> dict[str, Any]:
    """All tables, with surveys that have exactly the risks of the formulas, times a factor in a few places."""
    rows: list[Row] = []
    for d in SIZES:
        for epsilon in SURVEYED:
            for row in rows_with(table("risks"), d=d, epsilon=epsilon):
                factor = factors.get((d, epsilon, row["mechanism"]), 1)
                l2, l1 = row["l2"] * factor, row["l1 exact"] * factor
                place = {name: row[name] for name in ("d", "epsilon", "mechanism")}
                rows.append({**place, "l2": l2, "l2: error": 0.01 * l2, "l1": l1, "l1: error": 0.005 * l1})
                rows[-1] |= {f"{loss}: bound over it": 1.0 for loss in LOSSES}
    names = ("risks", "sizes", "ratios", "tightness", "limits", "minimax")
    return {"simulated": rows, "largest": top(), "outside": left(), **{name: table(name) for name in names}}


REMARK = {"Share of 200 surveys outside the simplex", "Squared error of the projected estimate over the empirical"}
"""What Remark III.2 says of RAPPOR, which does not hold."""


def differing(tables: dict[str, Any]) -> list[Check]:
    return [check for check in checks(tables) if check.verdict is Verdict.DIFFERS]


def test_checks_agree_and_catch_surveys_that_are_off() -> None:
    quiet = differing(made_up({}))
    assert {check.group for check in quiet} == REMARK
    assert all("RAPPOR" in check.what for check in quiet)
    assert sum(check.group.startswith("Squared error by eqs.") for check in checks(made_up({}))) == 96
    caught = differing(made_up({(100, 3.0, CONVENIENT): 1.12}))
    assert {check.group for check in caught} - REMARK == {
        "Squared error by eqs. 7 and 19, beside surveys",
        "Absolute error by eqs. 8, 9 and 19, beside surveys",
        "Risk of surveys over eqs. 10 and 11 as we derive them",
    }


def test_only_two_numbers_are_printed_and_what_is_derived_again_says_so() -> None:
    found = checks(made_up({}))
    assert [check.reference for check in found if check.source.origin is Origin.PRINTED] == [0.5, 0.7]
    formulas = {check.source.place for check in found if check.source.origin is Origin.FORMULA}
    assert all("derived again" in place or "is ours" in place for place in formulas)


@pytest.mark.parametrize(
    ("table_name", "name", "value", "groups"),
    [
        ("sizes", "convenient", 2, {"Epsilons with E >= d where the convenient size is 1: k-RR"}),
        (
            "outside",
            "outside",
            0.6,
            {
                "Share of 200 surveys outside the simplex",
                "Share of surveys outside the simplex, beside a bound that falls exponentially",
            },
        ),
        ("outside", "projected", 0.5, {"Squared error of the projected estimate over the empirical"}),
    ],
)
def test_a_sentence_that_fails_is_seen(table_name: str, name: str, value: float, groups: set[str]) -> None:
    tables = made_up({})
    tables[table_name] = [{**row, name: value} for row in tables[table_name]]
    found = [check for check in differing(tables) if "RAPPOR" not in check.what]
    assert {check.group for check in found} == groups


# --- Remark III.2


def test_estimates_of_rappor_leave_the_simplex_and_others_do_not() -> None:
    by = {(row["mechanism"], row["users"]): row for row in rows_with(left())}
    assert by["RAPPOR", 100_000]["outside"] == 1
    assert "k-RAPPOR" in ERRATA[0]
    for name in ("k-RR", "subsets"):
        many, few = by[name, 100_000], by[name, 3000]
        assert many["outside"] == 0
        assert many["projected"] == pytest.approx(1, abs=1e-9)
        assert few["below"] > 1000 * many["below"]


def test_the_bound_of_an_estimate_below_zero_is_counted_by_hand() -> None:
    """Two labels, one person: an estimate is below 0 for the label that is not reported, always."""
    m = Subset(10, 1.0, 1)
    chance = m.law.support.h + m.law.support.gap / 10
    assert simplex.below(m, 1) == min(1.0, 10 * (1 - chance))
    few = float(stats.binom.cdf(math.ceil(200 * m.law.support.h) - 1, 200, chance))
    assert simplex.below(m, 200) == min(1.0, 10 * few)


def test_checks_catch_a_broken_promise() -> None:
    tables = made_up({})
    tables["largest"] = [{**row, "ratio": row["ratio"] * 1.2} for row in rows_with(top())]
    caught = [
        (check.reference, check.agrees)
        for check in checks(tables)
        if "built anew" in check.group or "III.5" in check.group
    ]
    assert caught == [(0.5, False), (0.7, False)]


def test_remarks_measure() -> None:
    bounds, promise, best, decoders = remarks(made_up({}))
    assert "RAPPOR's leaves it in 100% of surveys even of 100,000 people" in decoders
    assert "from epsilon = 4.7 on" in bounds
    assert "54.7% and 32.7%" in promise
    assert "up to 8 labels" in best


def test_every_picture_can_be_drawn() -> None:
    tables = made_up({})
    drawn = {picture.name: len(picture.draw(tables).axes) for picture in STUDY.pictures}
    assert drawn == {"risk-l2": 3, "risk-l1": 3, "sizes": 1, "saved": 2, "above": 2, "below": 2, "outside": 2}


def test_a_quick_run_is_the_same_work_with_fewer_surveys() -> None:
    full, quick = tasks(quick=False), tasks(quick=True)
    assert [(task.table, task.run) for task in full] == [(task.table, task.run) for task in quick]
    assert {task.arguments["d"]: task.arguments["repeats"] for task in full if task.table == "simulated"} == REPEATS
    assert np.mean([task.arguments["repeats"] for task in quick if task.table == "simulated"]) < 60

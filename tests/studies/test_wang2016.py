"""wang2016: the transcription of Table 1, both simulators against exact risks, and checks that bite."""

import math
from collections import Counter
from functools import cache
from typing import Any

import numpy as np
import pytest

from deniable.mechanisms.plain.subset import Subset
from deniable.theory import bounds
from deniable.theory.risk.support import Support
from deniable.theory.sizes import best_information_size, best_l2_size
from studies.counted import counts
from studies.sources import Origin
from studies.study import Row, rows_with
from studies.verdicts import Check, Verdict
from studies.wang2016.checks import checks
from studies.wang2016.errata import ERRATA
from studies.wang2016.exact import (
    hybrids,
    information,
    linear_program,
    mixed,
    rates,
    regression,
    squared,
    told_at_most,
)
from studies.wang2016.remarks import remarks
from studies.wang2016.study import STUDY, tasks
from studies.wang2016.table1 import (
    APART,
    FIELDS,
    LARGEST,
    LOSSES,
    MECHANISMS,
    REPORTS,
    THEIR_REPEATS,
    counted_apart,
    gain,
    reported,
    standard_error,
    summaries,
    table1,
    table_row,
)

LIMIT = 5.6  # 2e-8 for each of the comparisons of means, which are near normal
SPREAD = 0.3
"""Of one survey's error, as a share of its mean, in tables that are made up."""


def test_every_row_of_table_1_is_transcribed() -> None:
    rows = table1()
    assert Counter(row["d"] for row in rows) == {
        "2": 2, "4": 4, "6": 4, "8": 5, "16": 6, "32": 6, "64": 7, "128": 4, "256": 3,
    }  # fmt: skip
    assert {len(row) for row in rows} == {12}
    assert len({(row["d"], row["epsilon"]) for row in rows}) == 41


@pytest.mark.parametrize(
    ("place", "values"),
    [
        (("2", "0.1"), "0.03361 0.009983 0.01001 0.009026 0.2058 0.1123 0.1132 0.1048 1 1"),
        (("6", "0.5"), "0.00740 0.00689 0.00520 0.00512 0.1664 0.162 0.14 0.1398 3 2"),
        (("64", "5.0"), "0.00058 9.97e-05 0.000189 9.95e-05 0.1523 0.06337 0.0873 0.06334 2 1"),
        (("256", "5.0"), "0.00187 0.000599 0.000863 0.00055 0.5447 0.3074 0.3707 0.2944 7 2"),
    ],
)
def test_rows_are_as_printed(place: tuple[str, str], values: str) -> None:
    (row,) = [row for row in table1() if (row["d"], row["epsilon"]) == place]
    assert list(row.values())[2:] == values.split()


def test_the_two_losses_fit_each_other_in_every_cell() -> None:
    """E[l1]^2 <= d E[l2], and near it where the noise is small: a slip of a digit's place would break that."""
    for row in table1():
        for field in FIELDS.values():
            l2, l1 = float(row[f"{field}_l2"]), float(row[f"{field}_l1"])
            least = 0.55 if l1 < 1 else 0.2  # much noise: the projection leaves a few labels
            assert least < l1 / math.sqrt(int(row["d"]) * l2) < 1


def test_the_printed_sizes_are_the_best_ones() -> None:
    for row in table1():
        d, epsilon = int(row["d"]), float(row["epsilon"])
        assert (int(row["k_star"]), int(row["k_sharp"])) == (
            best_information_size(d, epsilon),
            best_l2_size(d, epsilon),
        )


@pytest.mark.parametrize("name", MECHANISMS)
def test_reports_have_the_exact_risk_and_independent_counts_less(name: str) -> None:
    """Away from the edges the projection takes nothing from reports, and one part in d from independent counts."""
    m, truth = MECHANISMS[name](4, 4.0), np.array([0.3, 0.2, 0.3, 0.2])
    exact = m.risk(10_000, "l2", target="sample")
    share = {reported: 1.0 if name != "BRR" else 0.75, counted_apart: 0.75}
    for draw, factor in share.items():
        errors = np.array([(draw(m, truth, seed) ** 2).sum() for seed in range(400)])
        score = (errors.mean() - factor * exact) / (errors.std() / math.sqrt(len(errors)))
        assert abs(score) < LIMIT
        assert abs(errors.mean() / exact - factor) < 0.12  # so the other factor would be seen


def test_a_row_of_the_table_repeats_with_its_seed() -> None:
    first, again, other = (table_row(seed, 4, 1.0, 5) for seed in (1, 1, 2))
    assert first == again
    assert first != other
    assert [(row["mechanism"], row["simulator"], row["loss"]) for row in first] == [
        (name, simulator, loss) for name in MECHANISMS for simulator in (REPORTS, APART) for loss in (*LOSSES, LARGEST)
    ]


def test_the_error_of_a_difference_counts_both_samples_and_the_rounding() -> None:
    assert standard_error(1.0, THEIR_REPEATS, "9.97000000e-05") == pytest.approx(math.sqrt(2 / THEIR_REPEATS))
    assert standard_error(0.0, 100, "9.97e-05") == pytest.approx(1e-7 / math.sqrt(12))
    assert standard_error(0.0, 100, "0.00740") == pytest.approx(1e-5 / math.sqrt(12))


def made_up(factors: dict[tuple[int, float, str, str, str], float]) -> dict[str, Any]:
    """Tables in which every mean is the printed one, times a factor in a few cells."""
    rows: list[Row] = []
    for row in table1():
        d, epsilon = int(row["d"]), float(row["epsilon"])
        for name, field in FIELDS.items():
            for simulator in (APART, REPORTS):
                for loss in LOSSES:
                    mean = float(row[f"{field}_{loss}"]) * factors.get((d, epsilon, name, simulator, loss), 1)
                    rows.append({
                        "d": d, "epsilon": epsilon, "mechanism": name, "simulator": simulator, "loss": loss,
                        "repeats": 1_000_000, "mean": mean, "spread": SPREAD * mean,
                    })  # fmt: skip
    rows += [{**row, "loss": LARGEST} for row in rows_with(rows, loss="l1")]
    tables = {"surveys": rows, **exact_tables()}
    return {**tables, **summaries(tables)}


@cache
def exact_tables() -> dict[str, list[Row]]:
    return {
        "information": [row for d in (4, 16, 256) for row in information(0, d)],
        "linear_program": linear_program(0, 3),
        "hybrids": hybrids(0, 4, 1.0, 50),
        "regression": regression(0, 4, 2, 500),
    }


SAID = {"Who errs least, over the 41 rows", "'The differences are pretty minor'"}
"""Sentences that the printed cells themselves do not bear out everywhere, if they are taken as exact."""


def differing(tables: dict[str, Any]) -> list[Check]:
    return [check for check in checks(tables) if check.verdict is Verdict.DIFFERS and check.group not in SAID]


def test_checks_agree_with_the_printed_values_and_catch_one_that_is_off() -> None:
    assert differing(made_up({})) == []
    assert len(checks(made_up({}))) == 2 * 41 + 2 * 328 + 4 + (6 + 2) + 3 + 4 + 1 + 1
    off = 1 + 4 * SPREAD / math.sqrt(THEIR_REPEATS)
    caught = differing(made_up({(64, 1.0, "MRR", REPORTS, "l1"): off}))
    assert [(check.group, check.what) for check in caught] == [
        ("Absolute error of MRR, reports", "d = 64, epsilon = 1")
    ]


def test_printed_numbers_are_counted_once() -> None:
    """742 comparisons, with 410 cells (of which 328 are held against both simulators) and two numbers of the text."""
    found = counts(checks(made_up({})))[Origin.PRINTED]
    assert (found.comparisons, found.values) == (742, 412)


@pytest.mark.parametrize(
    ("table", "name", "factor", "group"),
    [
        ("information", "BRR", 1.1, "What BRR tells over the bound that ends eq. 8, at most"),
        ("linear_program", "program", 1.001, "Theorem 2.1 beside a linear program, nats"),
        ("hybrids", "beside", 1.1, "Squared error of k#-SS over that of any hybrid of sizes, at most"),
        ("regression", "apart", 1e9, "Largest difference of linear regression from Algorithm 2"),
    ],
)
def test_a_theorem_that_fails_is_seen(table: str, name: str, factor: float, group: str) -> None:
    tables = made_up({})
    tables[table] = [{**row, name: max(row[name], 1e-16) * factor} for row in rows_with(tables[table])]
    assert {check.group for check in differing(tables)} == {group}


def test_a_row_in_which_brr_errs_less_is_seen() -> None:
    what = "squared error of k#-SS is not above that of BRR"
    notes = [
        next(check.note for check in checks(made_up(factors)) if check.what == what)
        for factors in ({}, {(64, 3.0, "BRR", REPORTS, "l2"): 0.5})
    ]
    held = [int(note.split()[2]) for note in notes]
    assert held[1] == held[0] - 1


def test_the_gain_of_the_printed_cells() -> None:
    table = made_up({})["table1"]
    assert [round(100 * gain(table, "printed", loss)[0], 1) for loss in LOSSES] == [16.8, 8.7]
    assert gain(table, "printed", "l2")[1] == 0
    assert 0 < gain(table, REPORTS, "l2")[1] < 1e-3


def test_remarks_count_and_measure() -> None:
    doubled = {(2, epsilon, name, REPORTS, "l2"): 2.0 for epsilon in (0.1, 1.0) for name in ("MRR", "k*-SS", "k#-SS")}
    made_with, dependent, together, subset_sizes = remarks(made_up(doubled))
    assert "printed as 9.75e-05: it is 9.75e-05 by independent counts and 0.000195 by reports" in made_with
    assert "We infer that they were made so" in made_with
    assert "328 of 328 cells" in made_with
    assert "2.00 times at d = 2" in dependent
    assert "6 of 246 cells" in together
    assert "1.96 as printed" in subset_sizes


def test_information_reaches_the_bound_and_nothing_exceeds_it() -> None:
    table = exact_tables()["information"]
    (golden,) = rows_with(table, d=16, epsilon=1.0)
    told = [round(golden[name], 8) for name in ("k*-SS", "MRR", "BRR", "any d")]
    assert told == [0.12288088, 0.05140853, 0.11446395, 0.12330156]
    for row in rows_with(table):
        assert row["k*-SS"] == row["bound"] <= row["any d"] <= row["epsilon"] ** 2 / 8
        assert max(row[name] for name in MECHANISMS) == row["bound"]


def test_the_bound_is_the_optimum_over_all_channels() -> None:
    for row in rows_with(exact_tables()["linear_program"]):
        assert row["program"] == pytest.approx(row["theorem"], rel=1e-10)
    assert Subset(3, 0.01, "information").mutual_information() == exact_tables()["linear_program"][0]["theorem"]


@pytest.mark.parametrize("d", [2, 5, 16, 300])
@pytest.mark.parametrize("epsilon", [0.01, 1.0, 5.0, 10.0])
def test_brr_stays_below_the_inequality_that_ends_eq_8(d: int, epsilon: float) -> None:
    told = MECHANISMS["BRR"](d, epsilon).mutual_information()
    assert told < told_at_most(d, epsilon, bounds.information(d, epsilon))


def test_eq_8_is_an_equality_for_two_labels_with_the_sign_mended() -> None:
    s, most = math.exp(0.5), bounds.information(2, 1.0)
    mended = 1 - 2 * s / (s + 1) ** 2
    assert MECHANISMS["BRR"](2, 1.0).mutual_information() == pytest.approx(mended * most, rel=1e-9)
    assert told_at_most(2, 1.0, most) > mended * most
    assert "e^(-epsilon/2)" in ERRATA[2]


# --- Thm 3.2


@pytest.mark.parametrize(("d", "k", "epsilon"), [(4, 1, 1.0), (16, 4, 0.3), (64, 30, 3.0)])
def test_one_size_with_the_largest_odds_is_a_subset(d: int, k: int, epsilon: float) -> None:
    law = Support.subset(d, k, epsilon)
    found = [each[k] for each in rates(d, np.full(d + 1, math.exp(epsilon)))]
    assert found == pytest.approx([law.g, law.h], rel=1e-12)
    only = (np.arange(d + 1) == k).astype(float)
    assert mixed(d, only, np.full(d + 1, math.exp(epsilon))) == pytest.approx(law_error(law, d), rel=1e-9)


def law_error(law: Support, d: int) -> float:
    return (law.g * (1 - law.g) + (d - 1) * law.h * (1 - law.h)) / law.gap**2


def test_rates_of_odds_are_counted_by_hand() -> None:
    """Two of three labels, odds 3: subsets with the true label weigh 3 each, the other 1."""
    g, h = rates(3, np.full(4, 3.0))
    assert (g[2], h[2]) == pytest.approx((6 / 7, (3 + 1) / 7))


def test_reports_that_tell_nothing_err_without_limit() -> None:
    assert squared(3, np.array([0.5, 0.6]), np.array([0.5, 0.2])).tolist()[0] == math.inf


@pytest.mark.parametrize("d", [4, 16])
def test_no_hybrid_beats_the_best_size_and_another_size_is_beaten(d: int, monkeypatch: pytest.MonkeyPatch) -> None:
    (row,) = rows_with(hybrids(3, d, 0.5, 400))
    assert max(row[name] for name in ("drawn", "beside", "BRR")) <= 1 + 1e-12
    assert (row["drawn"], row["beside"]) > (0.8, 0.8)
    monkeypatch.setattr("studies.wang2016.exact.best_l2_size", lambda d, epsilon: best_l2_size(d, epsilon) + 1)
    (wrong,) = rows_with(hybrids(3, d, 0.5, 400))
    assert max(wrong["drawn"], wrong["beside"]) > 1 + 1e-5


# --- errata


def test_the_exponential_mechanism_needs_epsilon() -> None:
    """The utility is -(k-1) with the true label and -k without, so its exponential has odds e for every epsilon."""
    assert math.exp(-1) / math.exp(-2) == pytest.approx(math.e)
    assert float(Subset(6, 0.5, 2).odds.ratio) == pytest.approx(math.exp(0.5), rel=1e-9)
    assert "exponential mechanism" in ERRATA[0]


def told(k: float, d: float, epsilon: float) -> float:
    return k * math.exp(epsilon) * epsilon / (d + k * math.expm1(epsilon)) - math.log1p(k * math.expm1(epsilon) / d)


@pytest.mark.parametrize(("epsilon", "concave"), [(1.25, True), (1.3, False)])
def test_information_is_concave_in_the_size_up_to_a_level(epsilon: float, concave: bool) -> None:
    """Its second derivative has the sign of M(d + kM) - 2E epsilon d; at k = d, the largest, that of M - 2 epsilon."""
    k, step = np.linspace(1, 99, 99), 1.0
    bend = [told(x - step, 100, epsilon) - 2 * told(x, 100, epsilon) + told(x + step, 100, epsilon) for x in k]
    assert bool(max(bend) < 0) is concave
    assert math.expm1(1.2564) < 2 * 1.2564
    assert math.expm1(1.2565) > 2 * 1.2565


def test_the_derivative_of_the_squared_error_is_as_mended() -> None:
    d, epsilon, people, k = 20, 0.8, 1000, 7.0
    e = math.exp(epsilon)

    def error(size: float) -> float:
        total = size * e + d - size
        g, h = size * e / total, size * (e * (size - 1) + d - size) / (total * (d - 1))
        return (g * (1 - g) + (d - 1) * h * (1 - h)) / (people * (g - h) ** 2)

    slope = (error(k + 1e-4) - error(k - 1e-4)) / 2e-4
    mended = (d - 1) ** 2 * (e**2 * k**2 - (d - k) ** 2) / (people * (e - 1) ** 2 * k**2 * (d - k) ** 2)
    assert slope == pytest.approx(mended, rel=1e-6)


def test_linear_regression_is_algorithm_2() -> None:
    (row,) = rows_with(regression(5, 5, 2, 3000))
    assert row["apart"] < 1e-12


def test_every_picture_can_be_drawn() -> None:
    tables = made_up({})
    tables["information"] = [row for d in (2, 4, 16, 64, 256) for row in information(0, d)]
    drawn = {picture.name: len(picture.draw(tables).axes) for picture in STUDY.pictures}
    assert drawn == {"scores": 2, "simulators": 1, "linf": 3, "share": 3, "bound": 1}


def test_a_quick_run_is_the_same_work_with_fewer_surveys() -> None:
    full, quick = tasks(quick=False), tasks(quick=True)
    assert [(task.table, task.run) for task in full] == [(task.table, task.run) for task in quick]
    less = {(a.arguments["repeats"], b.arguments["repeats"]) for a, b in zip(full[:41], quick[:41], strict=True)}
    assert less == {(2000, 100)}

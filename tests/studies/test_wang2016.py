"""wang2016: the transcription of Table 1, both simulators against exact risks, and checks that bite."""

import math
from collections import Counter
from functools import cache
from typing import Any

import numpy as np
import pytest

from deniable.mechanisms.subset import Subset
from deniable.studies.study import Row, rows_with
from deniable.studies.verdicts import Verdict
from deniable.studies.wang2016.study import (
    APART,
    FIELDS,
    LOSSES,
    MECHANISMS,
    REPORTS,
    STUDY,
    THEIR_REPEATS,
    checks,
    counted_apart,
    gain,
    information,
    linear_program,
    printed,
    remarks,
    reported,
    standard_error,
    summaries,
    table_row,
    tasks,
)
from deniable.theory.sizes import best_information_size, best_l2_size

LIMIT = 5.6  # 2e-8 for each of the comparisons of means, which are near normal
SPREAD = 0.3
"""Of one survey's error, as a share of its mean, in tables that are made up."""


def test_every_row_of_table_1_is_transcribed() -> None:
    rows = printed()
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
    (row,) = [row for row in printed() if (row["d"], row["epsilon"]) == place]
    assert list(row.values())[2:] == values.split()


def test_the_two_losses_fit_each_other_in_every_cell() -> None:
    """E[l1]^2 <= d E[l2], and near it where the noise is small: a slip of a digit's place would break that."""
    for row in printed():
        for field in FIELDS.values():
            l2, l1 = float(row[f"{field}_l2"]), float(row[f"{field}_l1"])
            least = 0.55 if l1 < 1 else 0.2  # much noise: the projection leaves a few labels
            assert least < l1 / math.sqrt(int(row["d"]) * l2) < 1


def test_the_printed_sizes_are_the_best_ones() -> None:
    for row in printed():
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
        (name, simulator, loss) for name in MECHANISMS for simulator in (REPORTS, APART) for loss in LOSSES
    ]


def test_the_error_of_a_difference_counts_both_samples_and_the_rounding() -> None:
    assert standard_error(1.0, THEIR_REPEATS, "9.97000000e-05") == pytest.approx(math.sqrt(2 / THEIR_REPEATS))
    assert standard_error(0.0, 100, "9.97e-05") == pytest.approx(1e-7 / math.sqrt(12))
    assert standard_error(0.0, 100, "0.00740") == pytest.approx(1e-5 / math.sqrt(12))


def made_up(factors: dict[tuple[int, float, str, str, str], float]) -> dict[str, Any]:
    """Tables in which every mean is the printed one, times a factor in a few cells."""
    rows: list[Row] = []
    for row in printed():
        d, epsilon = int(row["d"]), float(row["epsilon"])
        for name, field in FIELDS.items():
            for simulator in (APART, REPORTS):
                for loss in LOSSES:
                    mean = float(row[f"{field}_{loss}"]) * factors.get((d, epsilon, name, simulator, loss), 1)
                    rows.append({
                        "d": d, "epsilon": epsilon, "mechanism": name, "simulator": simulator, "loss": loss,
                        "repeats": 1_000_000, "mean": mean, "spread": SPREAD * mean,
                    })  # fmt: skip
    tables = {"surveys": rows, **exact_tables()}
    return {**tables, **summaries(tables)}


@cache
def exact_tables() -> dict[str, list[Row]]:
    return {
        "information": [row for d in (4, 16, 256) for row in information(0, d)],
        "linear_program": linear_program(0, 3),
    }


def test_checks_agree_with_the_printed_values_and_catch_one_that_is_off() -> None:
    quiet = checks(made_up({}))
    assert {check.group for check in quiet if check.verdict is Verdict.DIFFERS} == set()
    assert len(quiet) == 2 * 41 + 2 * 328 + 4 + 4
    off = 1 + 4 * SPREAD / math.sqrt(THEIR_REPEATS)
    caught = [
        check for check in checks(made_up({(64, 1.0, "MRR", REPORTS, "l1"): off})) if check.verdict is Verdict.DIFFERS
    ]
    assert [(check.group, check.what) for check in caught] == [
        ("Absolute error of MRR, reports", "d = 64, epsilon = 1")
    ]


def test_the_gain_of_the_printed_cells() -> None:
    table = made_up({})["table1"]
    assert [round(100 * gain(table, "printed", loss)[0], 1) for loss in LOSSES] == [16.8, 8.7]
    assert gain(table, "printed", "l2")[1] == 0
    assert 0 < gain(table, REPORTS, "l2")[1] < 1e-3


def test_remarks_count_and_measure() -> None:
    doubled = {(2, epsilon, name, REPORTS, "l2"): 2.0 for epsilon in (0.1, 1.0) for name in ("MRR", "k*-SS", "k#-SS")}
    made_with, dependent, together, gains, subset_sizes = remarks(made_up(doubled))
    assert "328 of 328 cells" in made_with
    assert "2.00 times at d = 2" in dependent
    assert "6 of 246 cells" in together
    assert "16.8% of the squared error by independent counts" in gains
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


def test_every_picture_can_be_drawn() -> None:
    tables = made_up({})
    tables["information"] = [row for d in (2, 4, 16, 64, 256) for row in information(0, d)]
    drawn = {picture.name: len(picture.draw(tables).axes) for picture in STUDY.pictures}
    assert drawn == {"scores": 2, "simulators": 1, "share": 3, "bound": 1}


def test_a_quick_run_is_the_same_work_with_fewer_surveys() -> None:
    full, quick = tasks(quick=False), tasks(quick=True)
    assert [(task.table, task.run) for task in full] == [(task.table, task.run) for task in quick]
    less = {(a.arguments["repeats"], b.arguments["repeats"]) for a, b in zip(full[:41], quick[:41], strict=True)}
    assert less == {(2000, 100)}

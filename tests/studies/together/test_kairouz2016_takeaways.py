"""What stands under the pictures of kairouz2016 holds in the tables of the full run."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from studies.kairouz2016.checks import LARGE, SLIGHT, below_exponential, one, point
from studies.kairouz2016.cohorts import HASHED, NOTHING
from studies.kairouz2016.decoders import DIRICHLET, FAMILIES, GEOMETRIC, PAPER, SQUARED
from studies.store import csv_rows
from studies.study import Row, Tables, column, rows_with

FOLDER = Path(__file__).parents[3] / "docs" / "studies" / "kairouz2016"
NAMES = ("decoders", "figure_2", "figure_3", "baselines", "one_cohort", "other_sizes")
ERRORS = 3
MUCH = 0.1
"""What is not even so much better is not much better."""


@pytest.fixture(scope="module")
def tables() -> Tables:
    return {name: csv_rows((FOLDER / f"{name}.csv").read_text(encoding="utf-8")) for name in NAMES}


def cells(table: Sequence[Row], labels: int, epsilon: float, **where: Any) -> list[dict[str, Any]]:
    """Many labels and small epsilon: at least and at most so much."""
    return [row for row in rows_with(table, **where) if row["labels"] >= labels and row["epsilon"] <= epsilon]


def no_worse(ours: dict[str, Any], other: dict[str, Any]) -> bool:
    """Within errors."""
    return bool(ours["l1"] - other["l1"] <= max(ERRORS * np.hypot(ours["error"], other["error"]), SLIGHT * other["l1"]))


def test_gains(tables: Tables) -> None:
    shown: dict[str, Any] = {"truth": GEOMETRIC, "people": LARGE, **PAPER}
    low = [row for row in rows_with(tables["decoders"], **shown) if row["epsilon"] >= 8]
    assert max(abs(row["projected_gain"]) for row in low) < 0.005
    noisy = cells(tables["decoders"], 256, 1, **shown)
    assert len(noisy) == 3 * len(FAMILIES)
    assert all(row["normalized"] < row["projected"] > row["likelihood"] for row in noisy)
    assert all(row["normalized"] <= row["likelihood"] for row in noisy if row["mechanism"] == "k-RR")


@pytest.mark.parametrize("distance", [PAPER, SQUARED], ids=["contest", "metric"])
def test_contest_and_metric(tables: Tables, distance: dict[str, Any]) -> None:
    for truth in (GEOMETRIC, DIRICHLET):
        rows = rows_with(tables["figure_2"], truth=truth, **distance)
        assert max(row["apart"] + ERRORS * row["apart_error"] for row in below_exponential(rows)) < 0
        assert min(row["apart"] for row in cells(rows, 128, 2)) > 0
    rows = cells(tables["decoders"], 128, 1, truth=GEOMETRIC, people=LARGE, **distance)
    assert min(row["projected_gain"] - ERRORS * row["projected_gain_error"] for row in rows) > 0


def test_distributions(tables: Tables) -> None:
    shown: dict[str, Any] = {"people": LARGE, "labels": 256, **PAPER}
    rows = [row for truth in ("binomial 0.3", "Zipf 2") for row in rows_with(tables["decoders"], truth=truth, **shown)]
    assert max(row["projected"] / row["normalized"] for row in rows if row["epsilon"] >= 2) < 0.85
    for truth in (GEOMETRIC, DIRICHLET):
        rows = rows_with(tables["decoders"], truth=truth, **shown)
        assert all(row["normalized"] < row["projected"] for row in rows if row["epsilon"] <= 2)
        late = [row["projected"] / row["normalized"] - 1 for row in rows if row["epsilon"] >= 5]
        assert np.abs(late).max() < 2 * SLIGHT


def test_alphabets(tables: Tables) -> None:
    table, guess = tables["figure_3"], one(tables["baselines"], what="uniform guess")["l1"]
    shown = rows_with(table, given=NOTHING)
    for epsilon in sorted(set(column(shown, "epsilon"))):
        ours, rival = (point(table, "open", mechanism, epsilon) for mechanism in HASHED)
        if epsilon >= 2:
            assert rival["l1"] - ours["l1"] > ERRORS * np.hypot(ours["error"], rival["error"])
        else:
            assert min(column(shown, "l1", epsilon=epsilon)) > (1 - MUCH) * guess
        ours = point(table, "closed", "O-RR", epsilon)
        assert all(no_worse(ours, point(table, "closed", mechanism, epsilon)) for mechanism in FAMILIES)


def test_sizes(tables: Tables) -> None:
    for ours in rows_with(tables["other_sizes"], mechanism="O-RR"):
        place = {name: ours[name] for name in ("people", "labels", "epsilon")}
        rows = rows_with(tables["other_sizes"], **place)
        rivals = ("O-RAPPOR",) if ours["alphabet"] == "open" else tuple(FAMILIES)
        if ours["epsilon"] >= 3:
            assert all(no_worse(ours, one(rows, alphabet=ours["alphabet"], mechanism=name)) for name in rivals), place
        elif ours["labels"] == 1024:
            guess = one(rows, mechanism="uniform guess")["l1"]
            assert min(row["l1"] for row in rows if row["alphabet"]) > (1 - MUCH) * guess


def test_sweeps(tables: Tables) -> None:
    table = tables["figure_3"]
    symbols = column(rows_with(table, alphabet="open", mechanism="O-RR", given=NOTHING), "symbols")
    assert symbols == sorted(symbols)
    assert symbols[-1] > 100 * symbols[0]
    for row in rows_with(tables["one_cohort"]):
        if row["epsilon"] >= 3:
            assert row["excess"] > ERRORS * row["excess_error"]
    for epsilon in (1, 3, 5, 8):
        swept = rows_with(table, alphabet="open", mechanism="O-RAPPOR", epsilon=epsilon)
        hashes = rows_with(swept, given="hashes")
        assert one(hashes, hashes=1)["l1"] == min(column(hashes, "l1"))
        filters = rows_with(swept, given="symbols")
        assert epsilon == 1 or no_worse(one(filters, symbols=2048), min(filters, key=lambda row: float(row["l1"])))
    for mechanism in HASHED:
        few, many = (
            one(table, alphabet="open", mechanism=mechanism, epsilon=1, given="cohorts", cohorts=number)
            for number in (1, 1024)
        )
        assert many["l1"] - few["l1"] > ERRORS * np.hypot(few["error"], many["error"])

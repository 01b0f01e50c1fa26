"""The comparison of numbers: what is seen against the formulas, at sizes that take a moment.

Seeds are fixed. A mean may lie 6 standard errors off, which with these repeats happens with a chance below 1e-6.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from deniable.estimation import shown_figure
from studies.numbers import study as numbers
from studies.run import Setting, reproduce
from studies.study import Row, rows_with

FAR = 6.0


@pytest.fixture
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few sizes, levels and repeats."""
    monkeypatch.setattr(numbers, "EPSILONS", (1.0, 2.0, 4.0))
    monkeypatch.setattr(numbers, "CELLS", (16, 256))
    monkeypatch.setattr(numbers, "RANGED", (1.0,))
    monkeypatch.setattr(numbers, "REPEATS", 120)


def by(rows: list[Row], name: str) -> dict[str, dict[str, Any]]:
    """Rows by one of their columns."""
    return {str(row[name]): dict(row) for row in rows}


def is_seen(row: dict[str, Any], predicted: float) -> bool:
    """Whether simulated surveys agree with a prediction."""
    return bool(abs(row["simulated"] - predicted) < FAR * row["standard_error"])


@pytest.mark.parametrize("epsilon", [1.0, 2.0])
def test_a_mean_errs_as_predicted_and_least(epsilon: float) -> None:
    found = by(numbers.mean(5, epsilon, 150), "mechanism")
    assert is_seen(found["ours"], found["ours"]["predicted"])
    assert not is_seen(found["ours"], 2 * found["ours"]["predicted"])
    assert min(found, key=lambda name: found[name]["over_least"]) == "ours"
    assert 1 <= found["ours"]["over_least"] < 1.02


def test_shares_up_to_a_number_err_as_predicted_and_less_than_in_trees() -> None:
    found = by(numbers.ranges(5, 16, 1.0, 100), "design")
    assert is_seen(found["staggered"], found["staggered"]["predicted"])
    assert not is_seen(found["staggered"], 2 * found["staggered"]["predicted"])
    assert 1 < found["staggered"]["over_bound"] < found["best tree"]["over_bound"] <= found["tree of 2"]["over_bound"]
    assert "simulated" not in by(numbers.ranges(5, 256, 1.0, 2), "design")["staggered"]


def test_a_shape_with_two_humps_is_told_better_than_by_square_waves() -> None:
    found = by(numbers.density(5, "two humps", 1.0, 10), "decoder")
    ours, wave = found["staggered, smooth"], found["Square Wave + EMS"]
    assert wave["distance"] - ours["distance"] > 4 * (wave["standard_error"] + ours["standard_error"])


@pytest.mark.usefixtures("_small")
def test_the_page_has_three_pictures_and_says_what_was_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shown_figure, "picture_bytes", lambda figure, kind: f"{kind} of {len(figure.axes)}".encode())
    found = reproduce(numbers.STUDY, Setting(tmp_path, quick=True))
    shown = {path.name: path.read_text(encoding="utf-8") for path in (tmp_path / "numbers").glob("*.svg")}
    assert shown == {"means.svg": "svg of 1", "ranges.svg": "svg of 1", "densities.svg": "svg of 1"}
    text = (tmp_path / "numbers" / "index.md").read_text(encoding="utf-8")
    assert "at epsilon 1 ours errs 1.007 times the least" in text
    assert "4 errors of means and of shares were seen" in text
    assert len(rows_with(found.tables["means"], mechanism="ours")) == 3

"""The forest plot of a fit: a row for each coefficient that compares people, ends at infinity at the edge."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.estimation.models.made_up_people import odds, people

import deniable as dn

PEOPLE = people()
FRAME = {"female": PEOPLE[:, 1], "age": (PEOPLE[:, 2] - 45) / 10}
LATE = {"late": (odds(["no", "yes"], 3), PEOPLE[:, 4].astype(int))}


def test_each_coefficient_has_its_interval_on_a_scale_of_odds(tmp_path: Path) -> None:
    fit = dn.regress(("late", ["female", "age"]), FRAME, LATE)
    figure = fit.plot()
    [axes] = figure.axes
    assert [text.get_text() for text in axes.get_yticklabels()] == ["female", "age"]
    drawn: Any = axes.collections[0]
    assert [path.vertices[:, 0].tolist() for path in drawn.get_paths()] == [
        pytest.approx(ends, abs=1e-9) for ends in fit.interval()[1:].tolist()
    ]
    assert [text.get_text() for text in axes.get_xticklabels()] == ["1", "2", "3", "4"]
    assert axes.get_xticks().tolist() == pytest.approx(np.log([1, 2, 3, 4]))
    assert axes.get_xlabel() == "odds, times as high"
    for kind in ("png", "svg"):
        figure.savefig(tmp_path / f"forest.{kind}")
        assert (tmp_path / f"forest.{kind}").stat().st_size > 1000


def test_an_end_at_infinity_is_drawn_at_the_edge() -> None:
    x, reports = np.repeat([0.0, 1.0], 100), np.repeat([1, 0, 1, 0], [20, 80, 50, 50])
    fit = dn.regress(("late", ["x"]), {"x": x}, {"late": (odds(["no", "yes"], 3), reports)})
    [axes] = fit.plot().axes
    drawn: Any = axes.collections[0]
    low, high = drawn.get_paths()[0].vertices[:, 0]
    assert low == pytest.approx(fit.interval()[1][0])
    assert high == axes.get_xlim()[1]


def test_differences_of_shares_are_on_their_own_scale() -> None:
    [axes] = dn.regress(("late", ["female", "age"]), FRAME, LATE, model="identity").plot().axes
    assert axes.get_xlabel() == "coefficient"


def test_columns_that_change_together_compare_nobody() -> None:
    """Of age and its square, and of a column and its product with another, no single one says "all else alike"."""
    squared = dn.regress("late ~ female + age + I(age**2)", FRAME, LATE)
    assert [term.where is None for term in squared.setting.terms] == [True, False, True, True]
    product = dn.regress("late ~ female * age", FRAME, LATE)
    assert all(term.where is None for term in product.setting.terms)
    assert not any("odds of" in line for line in product.sentences)
    [axes] = product.plot().axes
    assert axes.get_yticklabels() == []

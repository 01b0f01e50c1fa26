"""Raked weights: margins are met, and what cannot be met is said."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from tests.cases import each

import deniable as dn
from deniable.protocol.errors import ParameterError
from deniable.protocol.say import language

RNG = np.random.default_rng(3)
FRAME = {"sex": RNG.choice(["f", "m"], 900, p=[0.7, 0.3]).tolist(), "age": RNG.integers(1, 4, 900)}
MARGINS: dict[str, Any] = {"sex": {"f": 0.5, "m": 0.5}, "age": {1: 300, 2: 300, 3: 400}}


def part(weights: Any, column: str, level: Any) -> float:
    return float(np.asarray(weights)[np.asarray(FRAME[column]) == level].sum() / np.sum(weights))


def test_all_margins_are_met_at_once() -> None:
    found = dn.raked(FRAME, MARGINS)
    assert part(found, "sex", "f") == pytest.approx(0.5)
    assert [part(found, "age", level) for level in (1, 2, 3)] == pytest.approx([0.3, 0.3, 0.4])
    assert np.mean(found) == pytest.approx(1)
    assert found.design_effect == pytest.approx(900 * np.sum(np.square(found)) / np.sum(found) ** 2)
    assert str(found).startswith("900 weights, 1 on average, from 0.")
    assert "Designeffekt" in language("de").text(found.statement)
    assert np.asarray(dn.raked(pd.DataFrame(FRAME), MARGINS)) == pytest.approx(np.asarray(found))


def test_cells_of_two_columns_together_are_weighed_in_one_round() -> None:
    """Then weights are the known shares over those of the rows (post-stratification)."""
    cells = list(zip(FRAME["sex"], FRAME["age"].tolist(), strict=True))
    wanted = dict.fromkeys(set(cells), 1 / 6)
    found = dn.raked(FRAME, {("sex", "age"): wanted})
    counted = np.array([cells.count(cell) for cell in cells])
    assert np.asarray(found) == pytest.approx(900 / 6 / counted)
    assert found.rounds == 1


def test_weights_begin_where_they_are_told_to_and_are_cut() -> None:
    start = np.where(np.arange(900) % 2, 1.0, 9.0)
    begun = dn.raked(FRAME, MARGINS, start=start)
    ratio = np.asarray(begun) / np.asarray(dn.raked(FRAME, MARGINS))
    assert begun.design_effect > 1.5
    assert np.corrcoef(ratio, start)[0, 1] > 0.99
    cut = dn.raked(FRAME, MARGINS, start=start, largest=2.5)
    assert max(cut) <= 2.5 + 1e-6
    assert cut.trimmed > 10
    assert part(cut, "sex", "f") == pytest.approx(0.5)
    assert f"held at the largest that is allowed: {cut.trimmed})" in str(cut)


@each(
    ("margins", "told"),
    [
        ({}, "margins must name columns"),
        ({"sxe": {"f": 0.5, "m": 0.5}}, "must name columns of the frame, got 'sxe'"),
        ({"sex": {"f": 1.0}}, r"must name every level, got \d+ rows with another"),
        ({"sex": {"f": 0.5, "m": 0.4, "x": 0.1}}, "every level of sex must have rows.* got none with 'x'"),
        ({"sex": {"f": 0.5, "m": 0.4}}, "shares of sex must add up to 1, got 0.9"),
        ({"sex": {"f": 0.5, "m": 0.7}}, "shares of sex must add up to 1, got 1.2"),
        ({"sex": {"f": 1.0, "m": 0.0}}, "finite numbers above 0"),
        ({"sex": [0.5, 0.5]}, "must give a share for each level"),
        ({"sex": {"f": 500, "m": 500}, "age": {1: 300, 2: 300, 3: 500}}, "of the same people, got 1,000 and 1,100"),
    ],
)
def test_bad_margins_are_one_clear_error(margins: Any, told: str) -> None:
    with pytest.raises(ParameterError, match=told):
        dn.raked(FRAME, margins)


def test_margins_that_contradict_each_other_are_said() -> None:
    frame = {"a": ["x", "x", "y"], "b": ["p", "p", "q"]}
    with pytest.raises(ParameterError, match=r"contradict each other after 1000 rounds: . is off by 0\.4 of a share"):
        dn.raked(frame, {"a": {"x": 0.5, "y": 0.5}, "b": {"p": 0.3, "q": 0.7}})
    with pytest.raises(ParameterError, match=r"largest must leave room to meet the margins, got largest=1\.1"):
        dn.raked(FRAME, MARGINS, largest=1.1)

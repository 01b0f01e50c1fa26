"""Rows that stand for many people: however the people are cut into rows, the fit is the same."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

import deniable as dn

COIN = dn.RandomizedResponse(["no", "yes"], 1.0)


def a_survey(people: int) -> tuple[list[float], list[int]]:
    """A column, and reports of an answer that depends on it."""
    generator = np.random.default_rng(1)
    x = generator.integers(0, 2, people)
    answers = np.where(generator.random(people) < 0.2 + 0.3 * x, "yes", "no")
    return x.astype(float).tolist(), COIN.privatize_many(answers.tolist(), seed=2).tolist()


@pytest.mark.parametrize("model", ["logit", "probit", "identity"])
@pytest.mark.parametrize("each", [1, 10, 50, 1000])
def test_a_fit_does_not_depend_on_how_people_are_cut_into_rows(model: Any, each: int) -> None:
    """Counted by rows of ``each`` at the most: a constant's deviation is then rounding, seldom exactly 0."""
    x, reports = a_survey(2000)
    alone = dn.regress("y ~ x", {"x": x}, {"y": (COIN, reports)}, model=model)
    patterns = Counter(zip(x, reports, strict=True)).items()
    rows = [(*pair, min(each, many - start)) for pair, many in patterns for start in range(0, many, each)]
    columns, counts = {"x": [value for value, _, _ in rows]}, [many for _, _, many in rows]
    counted = dn.regress("y ~ x", columns, {"y": (COIN, [report for _, report, _ in rows])}, model=model, counts=counts)
    assert counted.n == alone.n == 2000
    assert counted.coefficients == pytest.approx(alone.coefficients, rel=1e-7)
    assert np.isfinite(counted.coefficients).all()


def test_answers_of_several_labels_stay_finite_too() -> None:
    """The newcomer's file: a number of many values, counted row by row."""
    generator = np.random.default_rng(3)
    m = dn.RandomizedResponse(["never", "rarely", "weekly"], 2.0)
    age = generator.integers(20, 60, 1500)
    answers = np.array(m.domain.labels)[generator.choice(3, 1500, p=[0.5, 0.3, 0.2])]
    reports, columns = m.privatize_many(answers.tolist(), seed=4).tolist(), {"age": age.astype(float).tolist()}
    alone = dn.regress("y ~ age", columns, {"y": (m, reports)}, model="multinomial")
    counted = dn.regress("y ~ age", columns, {"y": (m, reports)}, model="multinomial", counts=[1] * 1500)
    assert counted.coefficients == pytest.approx(alone.coefficients, rel=1e-6)

"""The whitelist of formulas is attacked: nothing of a formula runs, loses rows or invents levels."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.cases import each

import deniable as dn
from deniable.estimation.models.design import read_design, settle
from deniable.estimation.models.formula import read_formula
from deniable.protocol.errors import ParameterError

TABLE: dict[str, Any] = {
    "age": np.array([20, 30, 40, 50, 60.0]), "sex": ["m", "f", "f", "m", "f"], "ward": list("abcab"),
    "C": [1.0, 2, 3, 4, 6], "eval": [1.0, 0, 0, 1, 1], "os": ["a", "b", "a", "b", "b"],
}  # fmt: skip
TRACE = Path("ran-by-a-formula")
ATTACKS = [
    f"late ~ {{__import__('pathlib').Path('{TRACE}').touch()}}",
    f"late ~ I(__import__('pathlib').Path('{TRACE}').touch())",
    f"late ~ open('{TRACE}', 'w')",
    "late ~ eval(age)",
    "late ~ exec(age)",
    "late ~ age.real",
    "late ~ age.__class__",
    "late ~ (age).tofile",
    "late ~ I(age + 1 + 1)",
    "late ~ I(age ** age)",
    "late ~ I(age**2**2)",
    "late ~ C(C(age))",
    "late ~ C(age, contr.treatment)",
    "late ~ log(open)(age)",
    "late ~ `age`",
    "late ~ Q('age')",
    "late ~ age[0]",
    "late ~ age @ age",
    "late ~ age / sex",
    "late ~ age % sex",
    "late ~ age ^ 2",
    "late ~ age ** 2",
    "late ~ age * * 2",
    "late ~ .",
    "late ~ age | sex",
    "late ~ lag(age)",
    "late ~ hashed(sex)",
    "late ~ bs(age, 3)",
    "late ~ np.log(age)",
    "late ~ lambda: age",
    "late ~ age if sex else age",
    "late ~ age; age",
    "late ~ age\\\nage",
    "late ~ 'age'",
    'late ~ "age"',
    "late ~ 7",
    "late ~ 10",
    "late ~ 1e9",
    "late ~ poly(age, 99)",
    "late ~ I(age**0)",
    "late ~ age ~ sex",
    "late ~ (age",
    "late ~ )age(",
    "late ~ age +",
    "late ~ + + age",
    "late ~",
    "~ age",
    "late",
    "",
    "log(late) ~ age",
    "late + age ~ sex",
    "late ~ C (eval (age))",
    "late ~ age*sex*ward*age*sex*ward*age*sex",
    "late ~ " + " + ".join(["age"] * 400),
    "late ~ log\u2061(age)",
    "late ~ eval\u00a0(age)",
    "late ~ C(\u2062age)",
    "late ~ age\x00",
    "late ~ :age",
    "late ~ I(age/0)",
    "late ~ I(age/0.00)",
    "late ~ I(age + ward)",
    "late ~ I(age // 2)",
    "late ~ I(age * 2 - 1)",
    "late ~ age:",
    "late ~ ()",
]


@each("attack", ATTACKS)
def test_a_formula_that_is_more_than_a_formula_is_refused(attack: str) -> None:
    """By our own reader, or at the latest by formulaic, which then was handed nothing that could run."""
    with pytest.raises(ParameterError):
        settle(read_design(attack, TABLE, ("late",)).columns, TABLE)
    assert not TRACE.exists()


ALLOWED = {
    "late ~ age": ["(constant)", "age"],
    "late ~ 0 + age": ["age"],
    "late ~ age - 1": ["age"],
    "late ~ age + sex": ["(constant)", "age", "sex[T.m]"],
    "late ~ C(age)": ["(constant)", "C(age)[T.30.0]", "C(age)[T.40.0]", "C(age)[T.50.0]", "C(age)[T.60.0]"],
    "late ~ sex:age": ["(constant)", "sex[f]:age", "sex[m]:age"],
    "late~sex*age": ["(constant)", "sex[T.m]", "age", "sex[T.m]:age"],
    "late ~ (age + sex) - sex": ["(constant)", "age"],
    "late ~ log(age) + I(age**2)": ["(constant)", "log(age)", "I(age ** 2)"],
    "late ~ I(age/10)": ["(constant)", "I(age / 10)"],
    "late ~ I( age - 40.5 )": ["(constant)", "I(age - 40.5)"],
    "late ~ I( age ** 3 )": ["(constant)", "I(age ** 3)"],
    "late ~ poly(age, 2)": ["(constant)", "poly(age, 2)[1]", "poly(age, 2)[2]"],
    "late ~ eval": ["(constant)", "eval"],
    "late ~ os + C": ["(constant)", "os[T.b]", "C"],
    "late ~ 1": ["(constant)"],
}


@each("formula", ALLOWED)
def test_formulas_as_r_has_them_become_columns(formula: str) -> None:
    """Also of columns that are called as what could run: a name is a column and nothing else."""
    columns, rows = settle(read_design(formula, TABLE, ("late",)).columns, TABLE)
    assert list(columns.names) == ALLOWED[formula]
    assert columns.of(TABLE).shape == (5, len(columns.names))
    assert columns.of(TABLE).tolist() == rows.tolist()


def test_no_row_is_lost_and_no_level_invented() -> None:
    gap = {**TABLE, "age": np.array([20, np.nan, 40, 50, 60.0])}
    with pytest.raises(ParameterError, match="a formula must fit its columns"):
        settle(read_design("late ~ age", gap, ("late",)).columns, gap)
    columns, _ = settle(read_design("late ~ ward + C(age)", TABLE, ("late",)).columns, TABLE)
    for strange in ({"ward": list("abcad")}, {"age": np.array([20, 30, 40, 50, 99.0])}):
        with pytest.raises(ParameterError, match="must have the levels of the fit, got 1 rows with others"):
            columns.of({**TABLE, **strange})


def test_private_items_stand_by_themselves() -> None:
    design = read_design("score ~ age + late + sex", TABLE, ("late",))
    assert (design.outcome, design.private, design.used) == ("score", ("late",), ("age", "sex"))
    for inside in ("age:late", "late*age", "C(late)", "(late + age)", "age - late"):
        with pytest.raises(ParameterError, match="a private item must stand in a formula by itself, got 'late'"):
            read_design(f"score ~ {inside}", TABLE, ("late",))


def test_without_formulaic_a_line_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "formulaic", None)
    with pytest.raises(ParameterError, match=r"pip install 'deniable\[regression\]'; or name columns of numbers"):
        settle(read_design("late ~ age", TABLE, ("late",)).columns, TABLE)
    plain, _ = settle(read_design(("late", ["age"]), TABLE, ("late",)).columns, TABLE)
    assert plain.of(TABLE)[:, 1].tolist() == TABLE["age"].tolist()


def test_what_a_formula_names_is_read_in_order() -> None:
    assert read_formula("late ~ age + C(ward) * sex - 1").names == ("age", "ward", "sex")


def test_a_formula_of_the_constant_alone_needs_no_column() -> None:
    coin = dn.RandomizedResponse(["no", "yes"], 2.0)
    reports = coin.privatize_many(["yes"] * 30 + ["no"] * 70, seed=1)
    bare = dn.regress("late ~ 1", {}, {"late": (coin, reports)})
    assert (bare.n, bare.names) == (100, ("(constant)",))
    beside = dn.regress("late ~ 1", {"age": np.arange(100)}, {"late": (coin, reports)})
    assert bare.coefficients.tolist() == beside.coefficients.tolist()

"""Tables and columns of any library are the same answers, and refused ones say nothing of what they hold."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import deniable as dn
from deniable.values.tables import columns_of, flags_of, is_table

WAY, MINUTES = dn.OneOf("way", ["bus", "naïve 名"]), dn.Number("minutes", 0, 9)
USED = dn.AnyOf("used", ["a", "b", "c"])
SURVEY = dn.Survey.plan("work", [WAY, MINUTES, USED], 2.0, 1000)
PLAIN: dict[str, list[Any]] = {
    "way": ["bus", "naïve 名"] * 50,
    "minutes": [i % 10 for i in range(100)],
    "used": [["a"] if i % 2 else ["b", "c"] for i in range(100)],
}
SECRET = "zzz-secret"


class Streamed:
    """What DuckDB's relations and others have in common: a stream of Arrow batches, and nothing else."""

    def __init__(self, table: Any) -> None:
        self.table = table

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        stream: object = self.table.__arrow_c_stream__(requested_schema)
        return stream


class OneArray:
    """What passes one Arrow array on, and nothing else."""

    def __init__(self, array: Any) -> None:
        self.array = array

    def __arrow_c_array__(self, requested_schema: object | None = None) -> object:
        passed: object = self.array.__arrow_c_array__(requested_schema)
        return passed


TABLES: dict[str, Callable[[dict[str, list[Any]]], Any]] = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "arrow": pa.table,
    "stream": lambda columns: Streamed(pa.table(columns)),
}


@pytest.mark.parametrize("library", TABLES)
def test_a_table_of_any_library_gives_the_same_answers(library: str) -> None:
    expected = SURVEY.answer_many(PLAIN, seed=7).to_bytes()
    assert SURVEY.answer_many(TABLES[library](PLAIN), seed=7).to_bytes() == expected


@pytest.mark.parametrize("library", TABLES)
def test_what_is_missing_is_the_answer_of_who_skips(library: str) -> None:
    question = dn.OneOf("way", ["bus", "car", "none"], no_answer="none")
    survey = dn.Survey.plan("work", [question], 2.0, 1000)
    given = TABLES[library]({"way": ["bus", None, "car"] * 9})
    expected = survey.answer_many({"way": ["bus", "none", "car"] * 9}, seed=1)
    assert survey.answer_many(given, seed=1).to_bytes() == expected.to_bytes()


@pytest.mark.parametrize("library", TABLES)
def test_a_strange_value_is_refused_and_not_repeated(library: str) -> None:
    given = TABLES[library]({**PLAIN, "way": [SECRET, *PLAIN["way"][1:]]})
    with pytest.raises(dn.LabelError, match="got 1 of 100 that are not") as caught:
        SURVEY.answer_many(given, seed=1)
    assert SECRET not in str(caught.value)


SERIES: dict[str, Callable[[list[Any]], Any]] = {
    "pandas": pd.Series,
    "pandas string": lambda values: pd.Series(values, dtype="string"),
    "pandas category": lambda values: pd.Series(values, dtype="category"),
    "pandas arrow": lambda values: pd.Series(values, dtype="string[pyarrow]"),
    "polars": pl.Series,
    "polars category": lambda values: pl.Series(values, dtype=pl.Categorical),
    "arrow": pa.array,
    "arrow large": lambda values: pa.array(values, pa.large_string()),
    "arrow dictionary": lambda values: pa.array(values).dictionary_encode(),
    "polars enum": lambda values: pl.Series(values, dtype=pl.Enum(["naïve 名", "bus", SECRET])),
    "arrow view": lambda values: pa.array(values, pa.string_view()),
    "stream": lambda values: Streamed(pa.chunked_array([values])),
    "one array": lambda values: OneArray(pa.array(values)),
    "arrow chunks": lambda values: pa.chunked_array([values[:7], [], values[7:]]),
}


@pytest.mark.parametrize("kind", SERIES)
def test_a_series_of_any_kind_gives_the_same_reports(kind: str) -> None:
    mechanism = dn.RandomizedResponse(["bus", "naïve 名"], 1.0)
    expected = mechanism.privatize_many(PLAIN["way"], seed=3)
    assert np.array_equal(mechanism.privatize_many(SERIES[kind](PLAIN["way"]), seed=3), expected)
    lost = "; 1 is missing: leave out what is missing, or say what stands for it"
    for strange, why in ((None, lost), (SECRET, "")):
        with pytest.raises(dn.LabelError) as caught:
            mechanism.privatize_many(SERIES[kind]([*PLAIN["way"], strange]), seed=3)
        assert str(caught.value).endswith(f"got 1 of 101 that are not (the first at position 100){why}")


@pytest.mark.parametrize("kind", SERIES)
def test_a_series_of_any_kind_lists_the_labels_of_a_domain(kind: str) -> None:
    assert list(dn.Domain.of(SERIES[kind](["bus", "naïve 名"]))) == ["bus", "naïve 名"]


@pytest.mark.parametrize("missing", [None, float("nan"), pd.NA, pd.NaT])
def test_what_is_missing_is_counted_whatever_a_library_calls_it(missing: Any) -> None:
    for question, given in ((WAY, ["bus", missing, SECRET]), (MINUTES, [1, missing, SECRET])):
        survey = dn.Survey.plan("one", [question], 2.0, 1000)
        with pytest.raises(dn.LabelError, match=r"got 2 of 3 that are not .*; 1 is missing") as caught:
            survey.answer_many({question.name: pd.Series(given, dtype="object")}, seed=1)
        assert SECRET not in str(caught.value)


NUMBERS: dict[str, Callable[[list[Any]], Any]] = {
    "pandas": pd.Series,
    "pandas small": lambda values: pd.Series(values, dtype="int8"),
    "pandas with nulls": lambda values: pd.Series(values, dtype="Int64"),
    "polars": pl.Series,
    "polars unsigned": lambda values: pl.Series(values, dtype=pl.UInt8),
}


@pytest.mark.parametrize("kind", NUMBERS)
def test_whole_numbers_of_any_kind_are_labels(kind: str) -> None:
    mechanism = dn.RandomizedResponse(dn.Domain.between(0, 9), 1.0)
    expected = mechanism.privatize_many(PLAIN["minutes"], seed=3)
    assert np.array_equal(mechanism.privatize_many(NUMBERS[kind](PLAIN["minutes"]), seed=3), expected)


def test_yes_and_no_are_no_numbers() -> None:
    held = [True, False] * 20
    mechanism, numbers = dn.RandomizedResponse([False, True], 1.0), dn.RandomizedResponse([0, 1], 1.0)
    expected = mechanism.privatize_many(held, seed=3)
    for series in (pd.Series(held), pd.Series(held, dtype="boolean"), pl.Series(held)):
        assert np.array_equal(mechanism.privatize_many(series, seed=3), expected)
        with pytest.raises(dn.LabelError, match="got 40 of 40 that are not"):
            numbers.privatize_many(series, seed=3)


@pytest.mark.parametrize("library", TABLES)
def test_a_checklist_may_be_a_table_of_yes_and_no_in_any_order(library: str) -> None:
    flags = {label: [label in held for held in PLAIN["used"]] for label in ("c", "a", "b")}
    expected = SURVEY.answer_many(PLAIN, seed=7).to_bytes()
    assert SURVEY.answer_many({**PLAIN, "used": TABLES[library](flags)}, seed=7).to_bytes() == expected
    strange: list[dict[str, list[Any]]] = [{**flags, "d": flags["a"]}, {"a": flags["a"]}, {**flags, "a": [1] * 100}]
    for wrong in strange:
        with pytest.raises(dn.LabelError, match="a table of lists must"):
            SURVEY.answer_many({**PLAIN, "used": TABLES[library](wrong)}, seed=7)


def test_what_is_no_table_is_refused() -> None:
    for given in (3, "text", [1, 2], None, np.zeros(3)):
        assert not is_table(given)
        with pytest.raises(dn.ParameterError, match="a table must be a dictionary from questions to columns, got "):
            columns_of(given)
    with pytest.raises(
        dn.ParameterError, match="a table must have columns that can be read, got a Streamed with others"
    ):
        columns_of(Streamed(None))
    assert flags_of({"1": np.array([True])}, [1]).tolist() == [[True]]


def test_a_table_where_a_column_is_wanted_is_told_to_be_one() -> None:
    frames: list[Any] = [pd.DataFrame({"a": ["yes"]}), pl.DataFrame({"a": ["yes"]}), pa.table({"a": ["yes"]})]
    for frame in frames:
        with pytest.raises(dn.LabelError, match=r"must be a column of values, got .*; give one of its columns"):
            dn.RandomizedResponse(["yes", "no"], 1.0).privatize_many(frame)
    with pytest.raises(dn.LabelError, match="got an array of 2 dimensions"):
        dn.RandomizedResponse(["yes", "no"], 1.0).privatize_many(np.array([["yes"]]))

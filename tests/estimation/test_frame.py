"""Every result is the same table to Arrow, Polars, pandas, CSV and JSON, whatever its labels are."""

from __future__ import annotations

import csv
import io
import json
import math
import sys
from collections.abc import Mapping
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import deniable as dn
from deniable.estimation.frame import Frame, Framed, Rows

LABELS = ["=1+1", "naïve 名", "b"]
WAY, LATE = dn.OneOf("way", LABELS), dn.OneOf("late", ["yes", "no"])
MINUTES, AGE = (
    dn.Number("minutes", 0, 90, want=("mean", "spread", "quantiles")),
    dn.Number("age", 18, 98, want=("mean", "spread")),
)
PEOPLE: dict[str, list[Any]] = {
    "way": [LABELS[i % 3] for i in range(3000)],
    "late": ["yes" if i % 4 else "no" for i in range(3000)],
    "minutes": [i % 60 for i in range(3000)],
    "age": [18 + i % 50 for i in range(3000)],
}


def results(*questions: Any, cross: list[tuple[str, str]] | None = None) -> Any:
    survey = dn.Survey.plan("work", list(questions), 2.0, 3000, cross=cross or [])
    asked = {question.name: PEOPLE[question.name] for question in questions}
    return survey.estimate(survey.tally(survey.answer_many(asked, seed=1)))


def every_result() -> dict[str, Framed | Frame]:
    both = results(WAY, LATE, cross=[("way", "late")])
    numbers = results(MINUTES, AGE)
    return {
        "estimate": both["way"],
        "reading": both["way"].reading(),
        "results": both,
        "cross": both.cross("way", "late"),
        "difference": both["way"].difference(both["way"]),
        "distribution": numbers["minutes"],
        "results of numbers": numbers,
        "means": results(LATE, MINUTES, cross=[("late", "minutes")]).means("minutes", by="late"),
        "association": results(MINUTES, AGE, cross=[("minutes", "age")]).association("minutes", "age"),
        "plan": dn.plan(LABELS, 1.0, users=1000),
    }


EVERY = every_result()


@pytest.mark.parametrize("name", EVERY)
def test_every_result_is_the_same_table_everywhere(name: str) -> None:
    result = EVERY[name]
    arrow = result.to_arrow()
    assert arrow.num_rows >= 1
    assert pa.table(result).equals(arrow)  # by Arrow's stream protocol
    if not isinstance(result, Mapping):  # whose keys Polars takes for names of columns
        assert pl.DataFrame(result).equals(result.to_polars())
    assert result.to_polars().rows() == [tuple(row.values()) for row in arrow.to_pylist()]
    frame: Any = result.to_pandas()
    assert list(frame.columns) == arrow.column_names
    assert len(frame) == arrow.num_rows == len(list(csv.DictReader(io.StringIO(result.to_csv(), newline=""))))
    json.loads(result.to_json())


@pytest.mark.parametrize("name", EVERY)
def test_every_result_shows_itself_in_a_notebook(name: str) -> None:
    result: Any = EVERY[name]
    shown = result._repr_html_()
    assert '<th scope="col">' in shown
    assert "<script" not in shown


def test_levels_reach_every_way_out() -> None:
    estimate: Any = EVERY["estimate"]
    wide, narrow = estimate.to_polars(level=0.99), estimate.to_pandas(level=0.5)
    assert (wide["low"].to_numpy() < narrow["low"].to_numpy()).all()
    assert narrow.attrs["level"] == 0.5


def test_arrow_keeps_what_the_columns_are_about() -> None:
    rows = Rows({"mechanism": "m", "error": math.inf, "n": 3}, {"label": [1, "a"], "share": [0.5, 0.5]})
    assert rows.to_arrow().to_pydict() == {"label": ["1", "a"], "share": [0.5, 0.5]}
    assert rows.to_arrow().schema.metadata == {b"mechanism": b"m", b"error": b'"inf"', b"n": b"3"}
    assert isinstance(rows.to_pandas(), pd.DataFrame)
    assert rows.to_pandas().attrs == rows.about


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_library_that_is_not_there_is_named(library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(dn.ParameterError, match=f"{library} must be installed for a data frame: pip install {library}"):
        getattr(EVERY["estimate"], f"to_{library}")()

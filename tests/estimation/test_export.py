"""Columns as files: strict JSON, CSV that no spreadsheet runs, Arrow and pandas of one type a column."""

from __future__ import annotations

import csv
import datetime
import io
import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deniable.estimation.export import csv_text, json_ready, json_text

DOCUMENTS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda parts: st.lists(parts, max_size=3) | st.dictionaries(st.text(), parts, max_size=3),
    max_leaves=9,
)


@given(DOCUMENTS)
def test_every_document_becomes_strict_json(document: Any) -> None:
    def refuse(word: str) -> None:
        raise AssertionError(f"{word} is no JSON")

    assert json.loads(json_text(document), parse_constant=refuse) == json_ready(document)


@pytest.mark.parametrize(
    ("value", "ready"),
    [
        (math.inf, "inf"),
        (-math.inf, "-inf"),
        (math.nan, "nan"),
        ((1, (2.5, None)), [1, [2.5, None]]),
        ({1: {"a": math.inf}}, {"1": {"a": "inf"}}),
        (datetime.date(2026, 1, 2), "2026-01-02"),
        (True, True),
    ],
)
def test_what_json_lacks_becomes_text(value: Any, ready: Any) -> None:
    assert json_ready(value) == ready
    assert type(json_ready(value)) is type(ready)


@given(st.lists(st.text(), min_size=1), st.floats(allow_nan=False, allow_infinity=False))
def test_csv_gives_labels_and_numbers_back(labels: list[str], number: float) -> None:
    columns: dict[str, list[Any]] = {"label": list(labels), "share": [number] * len(labels)}
    rows = list(csv.DictReader(io.StringIO(csv_text(columns), newline="")))
    assert [float(row["share"]) for row in rows] == [number] * len(labels)
    for row, label in zip(rows, labels, strict=True):
        assert row["label"] in (label, f"'{label}")
        assert not row["label"].lstrip(" ").startswith(("=", "@", "\t", "\r", "\n"))


def test_a_label_of_two_lines_is_one_field() -> None:
    text = csv_text({"label": ["a\rb", "c\nd", 'e"f'], "outside": [True, False, True]})
    assert text == 'label,outside\n"a\rb",true\n"c\nd",false\n"e""f",true\n'

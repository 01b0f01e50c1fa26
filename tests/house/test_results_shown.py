"""Everything that people print is a small page in a notebook, and every table of numbers is a frame elsewhere."""

from __future__ import annotations

import csv
import importlib
import inspect
import io
import json
import pkgutil
import re
import sys
from collections.abc import Iterator
from typing import Any

import polars as pl
import pyarrow as pa
import pytest
from tests.estimation.parsed_html import Seen
from tests.house.every_result import HOSTILE, every_result

import deniable
from deniable.estimation.frame import Frame, Framed
from deniable.estimation.table import Tabled
from deniable.protocol.errors import ParameterError

NAMES = (
    "mechanism", "remembered", "guarantee", "tally", "estimate", "reading", "difference", "test", "same people",
    "plan", "certificate", "sampling audit", "label", "conformance", "file certificate", "survey", "survey tally",
    "results", "distribution", "distribution's reading", "quantity", "cross table", "means by group", "association",
    "survey label", "expectation", "survey certificate", "promise", "table", "readings by group",
    "row shares", "row difference", "row contrast", "mean contrast",
    "label contrast", "ranks", "error sources", "people needed", "number difference", "manipulation",
    "advice", "advised design", "changes", "question change", "crowd levels",
    "fit", "fit by squares", "effects", "comparison of fits", "comparison of mechanisms",
)  # fmt: skip
FRAMES = (
    "tally", "readings by group", "estimate", "reading", "difference", "same people", "plan", "results",
    "distribution", "distribution's reading", "cross table", "means by group", "association", "expectation", "ranks",
    "number difference", "manipulation", "row shares", "row difference",
    "advice", "question change", "crowd levels", "fit", "fit by squares", "effects",
    "comparison of mechanisms",
)  # fmt: skip
ELSEWHERE = ("protocol", "cli", "collector", "pages", "__main__")
"""Rooms whose objects nobody prints in a notebook, but for guarantees."""
GUARANTEES = "deniable.protocol.privacy."
PRINTED = {"__str__", "_repr_html_"}
TEXTS = {"StorePath"}
"""What prints as one line that is part of others."""


def classes() -> Iterator[type]:
    """Every class that is not an error and says how it prints itself, or is printed as tables."""
    for module in pkgutil.walk_packages(deniable.__path__, "deniable."):
        if module.name.split(".")[1] not in ELSEWHERE or module.name.startswith(GUARANTEES):
            found = vars(importlib.import_module(module.name)).values()
            own = [each for each in found if inspect.isclass(each) and each.__module__ == module.name]
            printed = (each for each in own if PRINTED & set(vars(each)) or issubclass(each, Tabled))
            yield from (each for each in printed if not issubclass(each, Exception))


def test_every_result_is_among_them() -> None:
    """Whatever is written to be printed has a page, and one like it is looked at below."""
    every = every_result()
    assert set(every) == set(NAMES)
    assert {name for name, each in every.items() if isinstance(each, Frame | Framed)} == set(FRAMES)
    printed: list[Any] = [each for each in classes() if each.__name__ not in TEXTS]
    assert len(printed) > 30
    assert [each for each in printed if not hasattr(each, "_repr_html_")] == []
    shown = tuple(map(type, every.values()))
    bases = {base for each in shown for base in each.__mro__}
    alike = {page for each in shown if (page := getattr(each, "_repr_html_", None))}
    assert [each for each in printed if each not in bases and each._repr_html_ not in alike] == []


@pytest.mark.parametrize("name", NAMES)
def test_a_page_is_small_and_escaped_and_fetches_nothing(name: str) -> None:
    page = every_result()[name]._repr_html_()
    seen = Seen(page)
    assert page.strip()
    assert len(page) < 20_000
    assert not {"script", "link", "img", "iframe"} & set(seen.tags)
    assert {value for key, value in seen.attributes if key in ("fill", "stroke")} <= {"currentColor", "none"}
    assert not re.search(r"#[0-9a-f]{3,8}\b|rgb\(|hsl\(|url\(|://", page.replace("&#x27;", "'"))
    if "table" in seen.tags:
        assert seen.tags.count("caption") == seen.tags.count("table")
        assert {value for key, value in seen.attributes if key == "scope"} == {"col", "row"}


def test_a_page_shows_hostile_labels_as_they_stand() -> None:
    every = every_result()
    for name in ("estimate", "difference", "cross table", "means by group"):
        assert HOSTILE in " ".join(Seen(every[name]._repr_html_()).texts), name


# --- frames -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FRAMES)
def test_all_libraries_hold_the_same_rows(name: str) -> None:
    """One place makes the columns, so that Arrow, pandas, Polars and whoever reads the stream have the same."""
    made = every_result()[name]
    frame = made if isinstance(made, Frame) else made._frame(0.95)
    table = made.to_arrow()
    assert table.num_rows == len(next(iter(frame.columns.values()))) > 0
    assert table.column_names == list(frame.columns)
    assert pa.table(made) == table
    assert len(list(csv.DictReader(io.StringIO(made.to_csv(), newline="")))) == table.num_rows
    json.loads(made.to_json())
    pandas: Any = made.to_pandas()
    polars: Any = made.to_polars()
    assert list(pandas.columns) == polars.columns == table.column_names
    assert polars.to_arrow().to_pylist() == table.to_pylist()
    numbers = [field.name for field in table.schema if pa.types.is_floating(field.type)]
    assert numbers or name == "tally"  # whose columns are whole numbers
    for column in numbers:
        assert pandas[column].fillna(-9).tolist() == polars[column].fill_null(-9).fill_nan(-9).to_list()
    assert pandas.attrs == frame.about
    assert set(table.schema.metadata) == {key.encode() for key in frame.about}


def test_a_level_is_that_of_the_intervals() -> None:
    for name in ("estimate", "difference", "cross table", "means by group", "association", "results"):
        made = every_result()[name]
        wide, narrow = made.to_pandas(level=0.99), made.to_polars(level=0.5)
        assert wide.attrs["level"] == 0.99, name
        width = wide["high"].fillna(0).sum() - wide["low"].fillna(0).sum()
        assert width > narrow["high"].fill_null(0).sum() - narrow["low"].fill_null(0).sum(), name


def test_polars_reads_the_stream_itself() -> None:
    estimate = every_result()["estimate"]
    assert pl.DataFrame(estimate).equals(estimate.to_polars())


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_without_a_library_a_line_says_how_to_get_it(library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    expected = f"^{library} must be installed for a data frame: pip install {library}$"
    for name in FRAMES:
        with pytest.raises(ParameterError, match=expected):
            getattr(every_result()[name], f"to_{library}")()

"""A column of reports may be an array of any library, and counts as the same reports in a list."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import deniable as dn
from deniable.reports.arrow_columns import arrow_type, to_arrow

MECHANISMS: list[dn.Mechanism] = [
    dn.Cyclic(9, 1.0),
    dn.OptimizedUnary(9, 1.0),
    dn.BlockSubset([[0, 1, 2], [3, 4]], 1.0),
    dn.HashedRappor(1.0, symbols=8, cohorts=4),
]


def _listed(reports: Any) -> list[Any]:
    return reports.tolist() if reports.ndim == 1 else [row.tobytes() for row in reports]


WAYS: dict[str, Callable[[dn.Mechanism, Any], Any]] = {
    "list": lambda m, reports: _listed(reports),
    "arrow": lambda m, reports: to_arrow(reports),
    "chunks": lambda m, reports: pa.chunked_array([to_arrow(reports[:30]), to_arrow(reports[30:])]),
    "no chunks": lambda m, reports: pa.chunked_array([to_arrow(reports[:0])]),
    "binary": lambda m, reports: pa.array(_listed(reports)),
    "pandas": lambda m, reports: pd.Series(_listed(reports)),
    "polars": lambda m, reports: pl.Series(_listed(reports)),
}


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=lambda m: m.name)
@pytest.mark.parametrize("way", WAYS)
def test_columns_of_any_library_count_alike(mechanism: dn.Mechanism, way: str) -> None:
    people = ["Ada", "Bob", "Cleo"] if mechanism.domain.size is None else list(mechanism.domain.labels)
    reports = mechanism.privatize_many(people * 20, seed=1)
    expected = mechanism.tally([] if way == "no chunks" else reports)
    assert mechanism.tally(WAYS[way](mechanism, reports)) == expected


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=lambda m: m.name)
def test_a_column_with_nulls_or_of_another_kind_is_refused(mechanism: dn.Mechanism) -> None:
    with pytest.raises(dn.ReportError, match="got 2 of 2 that are null"):
        mechanism.tally(pa.array([None, None], arrow_type(mechanism.layout)))
    with pytest.raises(dn.ReportError, match=r"reports must be a column of .*, got one of double"):
        mechanism.tally(pl.Series([0.5, 1.0]))

"""Reading acharya2019's tables: the one that the paper prints, values from elsewhere, and those of a run."""

from __future__ import annotations

import math
from collections.abc import Sequence
from importlib.resources import files
from typing import Any, TypeAlias

from studies.store import csv_rows
from studies.study import Row, rows_with

Read: TypeAlias = dict[str, Any]

MOST = 512_000
"""People of the last points of Fig. 2."""
LONG_LIST, SHORT_LIST = 500, 15_000
"""The heatmaps, by the people of the smallest place: the longest list of GeoNames that there is, and the shortest."""


def printed() -> list[Read]:
    """Table 1 of the paper."""
    return _read("printed/acharya2019_table1.csv")


def elsewhere(table: str) -> list[Read]:
    """Values that the paper does not print: the ends of Fig. 2 by another program, variances worked out apart."""
    return _read(f"elsewhere/acharya2019_{table}.csv")


def _read(path: str) -> list[Read]:
    text = files("studies").joinpath(path).read_text(encoding="utf-8")
    return [dict(row) for row in csv_rows(text)]


def one(rows: Sequence[Row], **where: Any) -> Read:
    """The only row with these values."""
    (found,) = rows_with(rows, **where)
    return found


def line_of(row: Read) -> str:
    """A line of Fig. 2 in words."""
    return f"{row['truth']}, " + ("plain LDP" if row["blocks"] == 1 else f"{row['blocks']} blocks")


def ratio(above: Read, below: Read, name: str) -> tuple[float, float]:
    """Of two means, with its standard error.

    >>> ratio({"l1": 3.0, "l1_error": 0.3}, {"l1": 1.0, "l1_error": 0.0}, "l1")
    (3.0, 0.3)
    """
    found = above[name] / below[name]
    return found, found * math.hypot(above[f"{name}_error"] / above[name], below[f"{name}_error"] / below[name])

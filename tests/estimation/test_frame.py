"""A frame keeps what its columns are about; every result that is one is tested in tests/house/test_results_shown.py."""

from __future__ import annotations

import math
from pathlib import Path

import pandas as pd

from deniable.estimation.frame import Rows

ROWS = Rows({"mechanism": "m", "error": math.inf, "n": 3}, {"label": [1, "=a"], "share": [0.5, 0.5]})


def test_arrow_and_pandas_keep_what_the_columns_are_about() -> None:
    assert ROWS.to_arrow().to_pydict() == {"label": ["1", "=a"], "share": [0.5, 0.5]}
    assert ROWS.to_arrow().schema.metadata == {b"mechanism": b"m", b"error": b'"inf"', b"n": b"3"}
    assert isinstance(ROWS.to_pandas(), pd.DataFrame)
    assert ROWS.to_pandas().attrs == ROWS.about


def test_csv_runs_as_no_formula_and_json_is_strict(tmp_path: Path) -> None:
    assert ROWS.to_csv(tmp_path / "rows.csv") == "label,share\n1,0.5\n'=a,0.5\n"
    assert (tmp_path / "rows.csv").read_text(encoding="utf-8") == ROWS.to_csv()
    assert ROWS.to_json() == '{"mechanism": "m", "error": "inf", "n": 3, "label": [1, "=a"], "share": [0.5, 0.5]}'

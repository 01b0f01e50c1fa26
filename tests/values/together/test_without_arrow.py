"""Series of pandas and Polars where PyArrow is not installed: read as lists, what is missing stays missing."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import sys
from types import SimpleNamespace

def hiding(finder):
    found = finder.find_spec
    return SimpleNamespace(find_spec=lambda name, *more: None if name == "pyarrow" else found(name, *more))

sys.meta_path[:] = map(hiding, sys.meta_path)
import pandas as pd, polars as pl
import deniable as dn
m = dn.RandomizedResponse(["yes", "no"], 1.0)
answers = ["yes", "no", "no"] * 10
wanted = m.privatize_many(answers, seed=1).tolist()
for series in (pd.Series(answers, dtype="category"), pd.Series(answers, dtype="string"), pl.Series(answers)):
    assert m.privatize_many(series, seed=1).tolist() == wanted
    assert dn.Domain.of(series.unique()).size == 2
for series in (pd.Series(["yes", None], dtype="string"), pl.Series(["yes", None])):
    try:
        m.privatize_many(series)
    except dn.LabelError as error:
        assert "1 is missing" in str(error), error
    else:
        raise AssertionError("a missing answer was randomized")
assert m.tally(pl.Series(wanted)) == m.tally(pd.Series(wanted, dtype="Int64")) == m.tally(wanted)
assert "pyarrow" not in sys.modules
print("all")
"""


def test_series_are_read_without_it() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "all\n"), done.stderr

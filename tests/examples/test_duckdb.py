"""The SQL of the page on DuckDB runs in DuckDB, on the variables and files of the page's Python."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from tests.house.document_examples import run
from tests.house.house_tree import ROOT

PAGE = ROOT / "docs" / "duckdb-polars.md"
BLOCK = re.compile(r"^```(python|console|sql)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_the_queries_of_the_page_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    duckdb = pytest.importorskip("duckdb", reason="DuckDB is not installed: make .venv/.dev-ready installs it")
    monkeypatch.chdir(tmp_path)
    variables: dict[str, Any] = {"duckdb": duckdb}
    found = []
    for kind, text in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        if kind == "python":
            exec(text, variables)
        elif kind == "sql":
            exec(f"found = duckdb.sql({text!r}).fetchall()", variables)
            found.append(variables["found"])
        else:
            for line in text.splitlines():
                if line.startswith("$ "):
                    run(tuple(line[2:].split()))
    tally, shares = variables["tally"], variables["shares"]
    assert found == [
        [("DK", 500), ("NO", 500), ("SE", 1000)],
        list(enumerate(tally.counts.tolist())),
        [("DK", 500), ("NO", 500), ("SE", 1000)],
        [("came in time", round(shares["no"].value, 1)), ("came late", round(shares["yes"].value, 1))],
    ]

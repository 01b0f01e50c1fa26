"""``deniable estimate --counts``: what a database counted with GROUP BY is the tally of the reports themselves."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import deniable as dn
from deniable.cli import app


def estimate(*words: str) -> Result:
    """Run the command."""
    return CliRunner().invoke(app, ["estimate", *words])


@pytest.mark.parametrize(
    "mechanism",
    [dn.RandomizedResponse(4, 1.0), dn.Cyclic(7, 1.0), dn.Subset(10, 1.0), dn.HashedRappor(1.0, 4, 16, domain=4)],
    ids=lambda m: m.name,
)
def test_counts_of_a_database_are_the_tally(
    mechanism: dn.Mechanism, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    reports = mechanism.privatize_many([0, 1, 1, 3] * 250, seed=1)
    with sqlite3.connect(":memory:") as base:
        base.execute("CREATE TABLE answers (report)")
        written = [(bytes(each).hex() if reports.ndim == 2 else int(each),) for each in reports]
        base.executemany("INSERT INTO answers VALUES (?)", written)
        rows = base.execute("SELECT report, count(*) FROM answers GROUP BY report").fetchall()
    Path("counts.csv").write_text("report,count\n" + "".join(f"{report},{n}\n" for report, n in rows))
    Path("spec.json").write_text(json.dumps(mechanism.spec()))
    found = estimate("--counts", "counts.csv", "--spec", "spec.json", "--json")
    assert found.exit_code == 0, found.output
    wanted = mechanism.estimate(mechanism.tally(reports)).reading()
    assert json.loads(found.output) == json.loads(wanted.to_json())


@pytest.mark.parametrize(
    ("page", "words", "said"),
    [
        ("report,count\n0,3\nyes,1\n", (), "row 2 is not"),
        ("report,count\n0,-3\n", (), "counts must be at least 0"),
        ("report,count\n9,3\n", (), "report"),
        ("report,count\n0,3\n", ("more.tally",), "got neither or a part of both"),
    ],
)
def test_what_cannot_be_counted_is_refused(
    page: str, words: tuple[str, ...], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("counts.csv").write_text(page)
    Path("spec.json").write_text(json.dumps(dn.RandomizedResponse(2, 1.0).spec()))
    found = estimate("--counts", "counts.csv", "--spec", "spec.json", *words)
    assert (found.exit_code, said in found.output) == (2, True), found.output
    assert estimate("--counts", "counts.csv").exit_code == 2

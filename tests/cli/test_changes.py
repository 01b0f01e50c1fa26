"""``deniable survey change``: what the library says, as a table and as JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import deniable as dn
from deniable.cli import app

SURVEY = dn.Survey.plan("ride", [dn.OneOf("way", ["car", "bus", "bike"])], 3.0, 900, period="week")
WEEKS = [
    SURVEY.tally(SURVEY.answer_many({"way": ["car"] * 300 + ["bus"] * (600 - n) + ["bike"] * n}, seed=n))
    for n in (400, 390, 200)
]


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for number, tally in enumerate(WEEKS, 1):
        Path(f"week-{number}.tally").write_bytes(tally.to_bytes())


def run(*words: str, code: int = 0) -> str:
    result = CliRunner().invoke(app, ["survey", "change", *words])
    assert result.exit_code == code, result.output
    return result.stderr if code else result.stdout


def test_the_table_and_json_are_those_of_the_library() -> None:
    files = [f"week-{number}.tally" for number in (1, 2, 3)]
    weeks = {f"week-{number}": SURVEY.estimate(tally) for number, tally in enumerate(WEEKS, 1)}
    found = dn.change(weeks, first=2, last=1)
    assert run(*files, "--first", "2", "--last", "1") == f"way\n{found['way']}\n"
    told = json.loads(run(*files, "--first", "2", "--last", "1", "--level", "0.9", "--json"))
    assert told == json.loads(found.to_json(0.9))
    assert told["questions"]["way"]["first"] == {"periods": ["week-1", "week-2"], "left_out": []}


def test_what_is_no_row_of_periods_is_refused_in_one_line() -> None:
    assert "periods must be two or more, got 1" in run("week-1.tally", code=2)
    assert "at most 3 periods together" in run(*(f"week-{k}.tally" for k in (1, 2, 3)), "--first", "3", code=2)

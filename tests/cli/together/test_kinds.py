"""A file of another kind is refused with what it is, and with the command that goes on from there; tallies add."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.surveys.commute import LATE, WAY
from typer.testing import CliRunner

import deniable as dn
from deniable.cli import app

COIN = dn.RandomizedResponse(["yes", "no"], 1.0)
SURVEY = dn.Survey.plan("commute", [WAY, LATE], 1.0, 1000)
PEOPLE = {"way": ["bus", "car"] * 30, "late": ["no"] * 60}


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with one file of each kind."""
    monkeypatch.chdir(tmp_path)
    Path("answers.csv").write_text("answer\nyes\n", encoding="utf-8")
    with dn.files.write_reports("reports.parquet", COIN.spec(), COIN.layout) as writer:
        writer.write(COIN.privatize_many(["yes"] * 10, seed=1))
    for day in ("monday", "tuesday"):
        Path(f"{day}.tally").write_bytes(COIN.tally(COIN.privatize_many(["yes"] * 10, seed=1)).to_bytes())
        answers = SURVEY.answer_many(PEOPLE, seed=2)
        Path(f"{day}.commute").write_bytes(SURVEY.tally(answers).to_bytes())
    Path("commute.json").write_bytes(SURVEY.document)
    dn.files.write_answers(SURVEY, [SURVEY.answer_many(PEOPLE, seed=1)], "answers")


def run(*words: str, code: int = 0) -> str:
    """What a command says, on the stream where it says it."""
    result = CliRunner().invoke(app, words)
    assert result.exit_code == code, result.output
    return result.stderr if code else result.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("estimate monday.commute", "got a tally of 60 answers; go on with: deniable survey estimate monday.commute"),
        ("estimate reports.parquet", "got 10 reports in 1 file; go on with: deniable tally reports.parquet --out"),
        ("estimate answers", "answers must be a tally of reports, got 60 answers"),
        ("estimate answers.csv", "got a file that deniable did not write; deniable tally counts"),
        ("survey estimate monday.tally", "got a tally of 10 reports; go on with: deniable estimate monday.tally"),
        ("survey estimate commute.json", "got the document of a survey; go on with: deniable survey show commute.json"),
        (
            "survey show monday.commute",
            "got a tally of 60 answers; go on with: deniable survey estimate monday.commute",
        ),
        ("survey show answers", "answers must be a survey's document, got 60 answers to"),
        ("survey show answers.csv", "got a file that deniable did not write; deniable survey new makes one of a plan"),
        ("survey tally answers.csv --out x", "deniable did not write; deniable survey answer makes one of a table"),
        ("survey tally monday.tally --out x", "got a tally of 10 reports; go on with: deniable estimate monday.tally"),
        ("discover monday.commute", "must be of a survey with a question in words, got one without"),
        ("survey estimate answers", "go on with: deniable tally answers --out survey.tally"),
        ("tally monday.tally --out x", "got a tally of 10 reports; go on with: deniable estimate monday.tally"),
        ("tally answers.csv --out x", "got a file that deniable did not write; deniable privatize randomizes"),
        ("estimate monday.tally monday.tally", "named once each, got one that would be counted twice: monday.tally"),
        ("tally reports.parquet --out -", "--out must name a file, got -"),
        ("survey estimate monday.commute --level 2", "level must be a number between 0 and 1, got level=2.0"),
        ("survey estimate monday.commute --decoder magic", "decoder must be one of unbiased"),
        (
            "survey new --example --out commute.json/x",
            "must be in a folder that is there, got commute.json",
        ),
        ("audit commute.json --trials 1000", "must go with the spec of one mechanism, got a survey; in Python, survey"),
    ],
)
def test_what_it_is_and_how_to_go_on(words: str, said: str) -> None:
    assert said in run(*words.split(), code=2)


def test_a_tally_that_is_cut_off_is_not_taken_for_another_file() -> None:
    Path("monday.tally").write_bytes(Path("monday.tally").read_bytes()[:-1])
    assert "as long as its head says" in run("estimate", "monday.tally", code=2)


def test_tallies_are_added() -> None:
    found = json.loads(run("estimate", "monday.tally", "tuesday.tally", "--json"))
    assert found["n"] == 20
    found = json.loads(run("survey", "estimate", "monday.commute", "tuesday.commute", "--json"))
    assert found["questions"]["way"]["n"] <= 120
    assert found["n"] == 120


def test_tallies_of_different_specs_are_not() -> None:
    other = dn.RandomizedResponse(["yes", "no"], 2.0)
    Path("other.tally").write_bytes(other.tally(other.privatize_many(["yes"], seed=1)).to_bytes())
    assert "only tallies of one spec add" in run("estimate", "monday.tally", "other.tally", code=2)


def test_a_tally_among_the_reports_of_a_folder_is_named() -> None:
    Path("week").mkdir()
    Path("reports.parquet").rename("week/reports.parquet")
    run("tally", "week", "--out", "week/week.tally")
    refused = run("tally", "week", "--out", "other.tally", code=2)
    assert "week/week.tally must be a file of reports, got a tally of 10 reports" in refused


def test_reports_of_another_tool_ask_for_their_spec() -> None:
    pq.write_table(pa.table({"report": [0, 1]}), "foreign.parquet")
    refused = run("tally", "foreign.parquet", "--out", "other.tally", code=2)
    assert "got a Parquet file without their spec; if another tool wrote it, give the spec too (--spec FILE)" in refused


def test_a_folder_of_tallies_is_read_by_their_names_and_a_strange_one_is_refused() -> None:
    for folder in ("tallies", "strange"):
        Path(folder).mkdir()
    Path("monday.tally").rename("tallies/monday.tally")
    assert json.loads(run("estimate", "tallies", "--json"))["group"] == ["monday", "monday"]
    assert "got an empty folder; deniable tally counts" in run("estimate", "strange", code=2)


def test_the_plan_to_begin_with_is_written_where_one_asks_for_it() -> None:
    shown = run("survey", "new", "--example")
    assert run("survey", "new", "--example", "--out", "plan.toml") == ""
    assert Path("plan.toml").read_text(encoding="utf-8").strip() == shown.strip()
    assert "written to plan.json" in run("survey", "new", "plan.toml", "--out", "plan.json")

"""A survey's answers as files: they count to the same tally as in memory, here and on Spark, or are refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.surveys.commute import crossed, people
from typer.testing import CliRunner

import deniable as dn
from deniable.cli import app
from deniable.protocol.errors import FormatError, LabelError, ParameterError, TallyError


def written(tmp_path: Path, survey: dn.Survey, n: int = 300, name: str = "answers") -> tuple[Path, dn.SurveyTally]:
    batches = [survey.answer_many(people(n, seed), seed=seed) for seed in range(3)]
    folder = tmp_path / name
    assert dn.files.write_answers(survey, batches, folder) == 3 * n
    return folder, sum((survey.tally(batch) for batch in batches), survey.tally())


def test_a_folder_counts_to_the_tally_of_its_answers(tmp_path: Path) -> None:
    survey = crossed()
    folder, tally = written(tmp_path, survey)
    assert dn.files.read_document(folder / "survey.json") == survey
    assert dn.files.tally_survey_files([folder]) == tally
    other, more = written(tmp_path, survey, 50, "more")
    assert dn.files.tally_survey_files([folder, other]) == tally + more
    assert sorted(path.name for path in folder.iterdir()) == ["arm-0.parquet", "arm-1.parquet", "survey.json"]


def test_an_empty_arm_has_a_file_and_a_lost_one_is_noticed(tmp_path: Path) -> None:
    survey = crossed()
    one = survey.answer_many({"way": ["bus"], "late": ["no"], "ill": ["well"]}, seed=1)
    folder = tmp_path / "answers"
    dn.files.write_answers(survey, [one], folder)
    assert dn.files.tally_survey_files([folder]).n == 1
    (folder / "arm-1.parquet").unlink()
    with pytest.raises(ParameterError, match="got none of arm 1"):
        dn.files.tally_survey_files([folder])


def test_answers_are_written_whole_or_not_at_all(tmp_path: Path) -> None:
    survey = crossed()
    folder = tmp_path / "answers"

    def broken() -> Any:
        yield survey.answer_many(people(10), seed=1)
        raise LabelError("a value is none")

    with pytest.raises(LabelError):
        dn.files.write_answers(survey, broken(), folder)
    assert not folder.exists()
    folder.mkdir()
    (folder / "notes.txt").write_text("mine")
    with pytest.raises(ParameterError, match="must be new or empty"):
        dn.files.write_answers(survey, [], folder)


def test_other_surveys_altered_files_and_files_of_nothing_are_refused(tmp_path: Path) -> None:
    folder, _ = written(tmp_path, crossed())
    other, _ = written(tmp_path, crossed(1.0), name="other")
    with pytest.raises(TallyError, match="all files must be of one survey"):
        dn.files.tally_survey_files([folder, other])
    m = dn.Subset(4, 1.0)
    with dn.files.write_reports(tmp_path / "reports.parquet", m.spec(), m.layout) as writer:
        writer.write(m.privatize_many([1, 2], seed=1))
    with pytest.raises(FormatError, match="must be a file of a survey's answers"):
        dn.files.tally_survey_files([tmp_path / "reports.parquet"])
    table = pq.read_table(folder / "arm-0.parquet")
    pq.write_table(table.slice(1).replace_schema_metadata(table.schema.metadata), folder / "arm-0.parquet")
    with pytest.raises(FormatError, match=r"arm-0\.parquet"):
        dn.files.tally_survey_files([folder])


def test_a_swapped_report_is_noticed_by_the_counts(tmp_path: Path) -> None:
    folder, _ = written(tmp_path, crossed())
    path = folder / "arm-0.parquet"
    table, meta = pq.read_table(path), pq.read_metadata(path).metadata
    column = table.column(0).to_pylist()
    column[0] = column[-1] if column[0] != column[-1] else next(value for value in column if value != column[0])
    changed = table.set_column(0, table.schema.field(0), pa.array(column, table.schema.field(0).type))
    pq.write_table(changed.replace_schema_metadata(meta), path)
    with pytest.raises(FormatError, match="truncated, altered"):
        dn.files.tally_survey_files([folder])


# --- the commands ---------------------------------------------------------------------------------------------------

PLAN = """
name = "commute"
epsilon = 3.0
people = 2000
cross = [["way", "late"]]
[[question]]
name = "way"
labels = ["car", "bus", "bike", "foot"]
[[question]]
name = "late"
labels = ["yes", "no"]
[[question]]
kind = "any_of"
name = "used"
labels = ["mail", "maps", "news"]
"""


def run(*words: str) -> str:
    result = CliRunner().invoke(app, list(words))
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.fixture
def _planned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("plan.toml").write_text(PLAN, encoding="utf-8")
    run("survey", "new", "plan.toml", "--out", "commute.json")
    rows = [f"{way},{late},{used}" for way, late, used in zip(*people(2000).values(), strict=True)]
    rows = [row.replace(",ill", ",mail;news").replace(",well", ",").replace(",away", ",maps") for row in rows]
    Path("people.csv").write_text("way,late,used\n" + "\n".join(rows) + "\n", encoding="utf-8")


@pytest.mark.usefixtures("_planned")
def test_from_a_plan_to_results_by_commands() -> None:
    assert "Privacy label" in run("survey", "show", "commute.json", "--people", "2000")
    assert len(run("survey", "answer", "commute.json", "--one", '{"way":"bus","late":"no","used":["mail"]}')) > 3
    run("survey", "answer", "commute.json", "people.csv", "--out", "answers", "--seed", "1")
    assert "2,000 answers" in run("tally", "answers", "--out", "commute.tally")  # recognised by its files
    assert "2,000 answers" in run("survey", "tally", "answers", "--out", "commute.tally")
    shown = run("survey", "estimate", "commute.tally")
    assert "do not add up to 100%" in shown
    assert "bike" in shown
    crossed_table = run("survey", "estimate", "commute.tally", "--cross", "way,late")
    assert "the answers are independent" in crossed_table
    rows = ["--cross", "way,late", "--within", "--row-difference", "car,bus"]
    within = run("survey", "estimate", "commute.tally", *rows)
    assert "late within way" in within
    assert "everybody" in within
    assert "late among way car minus bus" in within
    [told] = json.loads(run("survey", "estimate", "commute.tally", *rows, "--json"))["cross"]
    assert len(told["share"]) == len(told["within_rows"]["share"]) == 8
    assert (told["row_differences"][0]["first"], told["row_differences"][0]["column"]) == ("car", ["yes", "no"])
    alone = CliRunner().invoke(app, ["survey", "estimate", "commute.tally", "--within"])
    assert "--within and --row-difference must go with --cross" in alone.stderr
    assert "minus" in run("survey", "estimate", "commute.tally", "--difference", "commute.tally")
    assert '"questions"' in run("survey", "estimate", "commute.tally", "--json")
    only = json.loads(run("survey", "estimate", "commute.tally", "--question", "late", "--json"))
    assert list(only["questions"]) == ["late"]
    assert "one_of" in run("survey", "new", "--example")


@pytest.mark.usefixtures("_planned")
@pytest.mark.parametrize("sign", [";", "\t", "|"])
def test_whatever_separates_fields_the_answers_are_the_same(sign: str) -> None:
    text = Path("people.csv").read_text("utf-8")
    Path("bars.csv").write_text(text.replace(";", "+").replace(",", sign), encoding="utf-8-sig")
    run("survey", "answer", "commute.json", "people.csv", "--out", "a", "--seed", "1")
    run("survey", "answer", "commute.json", "bars.csv", "--separator", "+", "--out", "b", "--seed", "1")
    assert dn.files.tally_survey_files(["a"]) == dn.files.tally_survey_files(["b"])


@pytest.mark.usefixtures("_planned")
@pytest.mark.parametrize(
    "what",
    [
        ["--question", "used"],
        ["--cross", "way,late"],
        ["--cross", "way,late", "--within"],
        ["--question", "way", "--difference", "commute.tally"],
    ],
)
def test_what_is_shown_is_drawn(what: list[str]) -> None:
    run("survey", "answer", "commute.json", "people.csv", "--out", "answers", "--seed", "1")
    run("survey", "tally", "answers", "--out", "commute.tally")
    shown = run("survey", "estimate", "commute.tally", *what, "--plot", "one.png")
    assert shown == run("survey", "estimate", "commute.tally", *what)
    assert Path("one.png").read_bytes().startswith(b"\x89PNG")
    result = CliRunner().invoke(app, ["survey", "estimate", "commute.tally", "--plot", "all.png"])
    assert result.exit_code == 2
    assert "--plot must be of one question or table, got 3; choose one with --question or --cross" in result.stderr
    assert not Path("all.png").exists()


@pytest.mark.usefixtures("_planned")
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["survey", "new", "people.csv", "--out", "x.json"], "must be planned in TOML"),
        (["survey", "new", "plan.toml", "--out", "plan.toml"], "out must be another file"),
        (["survey", "show", "people.csv"], "must be a survey's document"),
        (["survey", "answer", "commute.json"], "either a file of answers or --one"),
        (["survey", "answer", "commute.json", "--one", "bus"], "must be a JSON object"),
        (["survey", "answer", "commute.json", "--one", '{"way":"Zaphod"}'], "the answer to 'way' must be one of its"),
        (["survey", "answer", "commute.json", "people.csv"], "--out must name a new folder"),
        (
            ["survey", "answer", "commute.json", "plan.toml", "--out", "a"],
            "a CSV or Parquet file that names its columns",
        ),
        (["survey", "answer", "commute.json", "lacking.csv", "--out", "a"], "each question, got none named 'used'"),
        (["survey", "answer", "commute.json", "twice.csv", "--out", "a"], "each question, got several named 'way'"),
        (
            ["survey", "answer", "commute.json", "blank.csv", "--out", "a"],
            "; skip_blank (--skip-blank) leaves out rows",
        ),
        (["tally", "people.csv", "--out", "x"], "deniable privatize randomizes a column of answers into one"),
        (["survey", "tally", "people.csv", "--out", "x"], "people.csv"),
        (["survey", "estimate", "people.csv"], "people.csv"),
        (["discover", "people.csv"], "people.csv"),
        (["discover", "people.csv", "--column", "way"], "--epsilon must be given"),
    ],
)
def test_bad_words_get_one_line_and_change_nothing(words: list[str], said: str) -> None:
    Path("lacking.csv").write_text("way,late,Zaphod\nbus,no,mail\n", encoding="utf-8")
    Path("twice.csv").write_text("way,late,used,way\nbus,no,mail,car\n", encoding="utf-8")
    Path("blank.csv").write_text("way,late,used\nbus,,mail\n", encoding="utf-8")
    before = sorted(path.name for path in Path().iterdir())
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 2, result.output
    assert said in result.stderr
    assert "Zaphod" not in result.stderr
    assert result.stderr.count("\n") == 1
    assert sorted(path.name for path in Path().iterdir()) == before

"""Errors and tables that say what went wrong and what to do, as somebody meets them who is new here."""

from __future__ import annotations

import csv
import io
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

import deniable as dn
from deniable.cli import app
from deniable.engines.labels import open_labels

SECRET = "Zaphod"


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(*words: str) -> Any:
    """The command line in the folder at hand."""
    return CliRunner().invoke(app, list(words))


# --- plans ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "meant"), [("5", "; for 5 percentage points give 0.05"), ("1", "give 0.01"), ("250", "")]
)
def test_an_accuracy_in_percentage_points_is_refused(given: str, meant: str) -> None:
    refused = run("plan", "--domain", "9", "--epsilon", "1", "--accuracy", given)
    assert refused.exit_code == 2
    assert "accuracy must be an error in a share, below 1, got accuracy=" in refused.stderr
    assert meant in refused.stderr
    assert dn.plan(9, 1.0, accuracy=0.999).users < 10
    with pytest.raises(dn.ParameterError, match="below 1"):
        dn.plan(epsilon=1.0, candidates=100, accuracy=1.0)
    with pytest.raises(dn.ParameterError, match="below 1"):
        dn.plan(9, users=10, accuracy=1.5)


def test_a_survey_that_is_of_no_use_is_said_to_be() -> None:
    useless = run("plan", "--domain", "1000", "--epsilon", "0.1", "--users", "100")
    assert "Such a survey is of no use" in useless.stdout
    document = json.loads(run("plan", "--domain", "1000", "--epsilon", "0.1", "--users", "100", "--json").stdout)
    assert document["warnings"][0] in document["reason"]
    assert "Such a survey is of no use" in str(dn.plan(epsilon=1.0, candidates=1000, users=100))
    assert dn.plan(1000, 1.0, 100_000).warnings == ()


@pytest.mark.parametrize("d", [2, 3, 50])
def test_the_limit_of_use_is_the_error_of_a_guess_at_the_worst_truth(d: int) -> None:
    point = np.eye(d)[0]
    guess = math.sqrt(((np.full(d, 1 / d) - point) ** 2).mean())
    below, above = (dn.plan(d, 1.0, accuracy=guess * (1 + change)) for change in (-0.05, 0.05))
    assert "of no use" not in " ".join(dn.plan(d, 1.0, users=4 * below.users).warnings)
    assert "of no use" in " ".join(dn.plan(d, 1.0, users=max(1, above.users // 2)).warnings)


def test_shares_that_cannot_be_seen_are_said() -> None:
    plan = dn.plan(3, 1.0, users=100)
    assert plan.warnings == (f"Beware: a share below about {2 * plan.accuracy:.0%} cannot be told apart from 0%.",)


@pytest.mark.parametrize("asked", [{"domain": 9, "users": 50}, {"candidates": 50, "users": 50}])
def test_a_plan_holds_the_specs_of_its_mechanisms(asked: dict[str, Any]) -> None:
    plan = dn.plan(epsilon=1.0, **asked)
    written = json.loads(json.dumps(plan.to_dict()))
    assert [dn.from_spec(row["spec"]) for row in written["rows"]] == [row.mechanism for row in plan.rows]
    blocks = dn.plan(guarantee=dn.Blocks([["a", "b"], ["c", "d"]], 1.0), users=50)
    assert [dn.from_spec(row["spec"]) for row in blocks.to_dict()["rows"]] == [row.mechanism for row in blocks.rows]


# --- files that are something else ------------------------------------------------------------------------------------


def test_reports_are_to_be_counted_before_an_estimate() -> None:
    Path("answers.csv").write_text("answer\n1\n", encoding="utf-8")
    made = run("privatize", "answers.csv", "--column", "answer", "--mechanism", "Subset", "--epsilon", "1",
               "--domain", "5", "--out", "reports.parquet")  # fmt: skip
    assert made.exit_code == 0
    refused = run("estimate", "reports.parquet")
    assert refused.exit_code == 2
    assert "reports.parquet must be a tally of reports, got 1 report in 1 file" in refused.stderr
    assert "deniable tally reports.parquet" in refused.stderr


@pytest.mark.parametrize("sign", [",", ";", "\t", "|"])
def test_whatever_separates_fields_is_found_by_the_name_of_the_column(sign: str) -> None:
    assert names_of(f"\ufeffid{sign}answer{sign}a b\n1{sign}yes{sign}x\n2{sign}no{sign}y\n", "answer") == ["yes", "no"]


@pytest.mark.parametrize("sign", [";", "\t", "|"])
def test_a_missing_column_is_refused_whatever_separates_fields_and_no_name_is_shown(sign: str) -> None:
    with pytest.raises(dn.ParameterError, match="got column='other'") as caught:
        names_of(f"{SECRET}{sign}answer\n1{sign}yes\n", "other")
    assert SECRET not in str(caught.value)


def test_a_sign_within_the_name_of_a_column_separates_nothing() -> None:
    assert names_of("id,way;late\n1,bus;yes\n", "way;late") == ["bus;yes"]


def test_a_header_may_be_longer_than_a_field() -> None:
    names = ",".join(f"column{number}" for number in range(20_000))
    assert names_of(f"{names}\n{',' * 19_999}\n", "column7") == [""]


@pytest.mark.parametrize("encoding", ["utf-16", "latin-1"])
def test_another_encoding_is_refused_with_what_to_do(encoding: str) -> None:
    Path("answers.csv").write_bytes(f"id,gr\u00f6\u00dfe\n1,{SECRET}\n".encode(encoding))
    with (
        pytest.raises(dn.FormatError, match=r"must be CSV in UTF-8 or Parquet, got .*CSV in UTF-8") as caught,
        open_labels("answers.csv", "gr\u00f6\u00dfe") as labels,
    ):
        list(labels.batches())
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize("name", ["Answer", " answer", "ANSWER "])
def test_a_name_in_other_capitals_is_hinted_at(name: str) -> None:
    with pytest.raises(dn.ParameterError, match="which is not; name 2 is that but for capitals or blanks"):
        names_of(f"{SECRET},{name}\n1,yes\n", "answer")


def names_of(text: str, column: str) -> list[str]:
    """The values of a column of CSV."""
    with open_labels(io.BytesIO(text.encode()), column) as labels:
        return [str(value) for batch in labels.batches() for value in batch.to_pylist()]


# --- what is shown ----------------------------------------------------------------------------------------------------


def commands() -> list[str]:
    """The names of all commands."""
    return [command.name or command.callback.__name__ for command in app.registered_commands if command.callback]


@pytest.mark.parametrize("command", [[], ["survey"], ["collector"], *([name] for name in commands())])
def test_help_shows_no_type_beside_a_flag(command: list[str]) -> None:
    page = run(*command, "--help").stdout
    assert "--help" in page
    assert "bool" not in page.lower().replace("boolean", "")


FORMULAS = ["=1+1", "+a", "-a", "@a", "\t=1", "\r=1", "\n=1", " =1", "-1+1", "+1;1", "\uff1d1"]
INERT = ["a=1", "-5", "+5", "-5.25", "5", "", "'=1", "a-b"]


def test_csv_holds_no_formulas() -> None:
    labels = [*FORMULAS, *INERT, -7, ("=1", 2)]
    mechanism = dn.RandomizedResponse(labels, 1.0)
    estimate = mechanism.estimate(mechanism.tally(np.arange(len(labels))))
    rows = list(csv.DictReader(io.StringIO(estimate.to_csv(), newline="")))
    expected = [*(f"'{formula}" for formula in FORMULAS), *INERT, "-7", "('=1', 2)"]
    assert [row["label"] for row in rows] == expected
    assert estimate.to_dict()["label"][: len(FORMULAS)] == FORMULAS
    assert all(float(row["stderr"]) > 0 for row in rows)


# --- where a wrong value stands ---------------------------------------------------------------------------------------

PRIVATIZE = "privatize answers.csv --column answer --mechanism Subset --epsilon 1 --domain yes,no --out r.parquet"


def test_rows_of_files_are_counted_from_one_and_blank_ones_among_them() -> None:
    Path("answers.csv").write_text("answer\nyes\n\nZaphod\nno\n", encoding="utf-8")
    refused = run(*PRIVATIZE.split(), "--skip-blank")
    assert "answers.csv, values 1 to 4: " in refused.stderr
    assert "got 1 of 3 that are not (the first is value 3)" in refused.stderr


def test_a_blank_value_is_found_by_its_row() -> None:
    Path("answers.csv").write_text("answer\nyes\n\n\nno\n", encoding="utf-8")
    refused = run(*PRIVATIZE.split()).stderr
    assert "no value may be blank, got 2 of 4 that are (the first is value 2); give them a label" in refused


def test_capitals_and_blanks_are_told_but_not_the_value() -> None:
    Path("answers.csv").write_text("answer\nyes\nYES\n no\nZaphod\n", encoding="utf-8")
    refused = run(*PRIVATIZE.split()).stderr
    assert (
        "got 3 of 4 that are not (the first is value 2); but for capitals, or blanks around them, 2 would be" in refused
    )
    assert "YES" not in refused


def test_rows_of_a_survey_are_counted_from_one_and_left_out_ones_among_them() -> None:
    survey = dn.Survey.plan("s", [dn.OneOf("late", ["yes", "no"])], 1.0, 1000)
    Path("survey.json").write_bytes(survey.document)
    Path("answers.csv").write_text("id,late\n1,yes\n2,\n3,Zaphod\n", encoding="utf-8")
    refused = run("survey", "answer", "survey.json", "answers.csv", "--out", "answers", "--skip-blank")
    assert "answers.csv, rows 1 to 3: the answers to 'late'" in refused.stderr
    assert "(the first is row 3)" in refused.stderr


# --- plans of surveys -------------------------------------------------------------------------------------------------

LUNCH = """\
name = "lunch"
epsilon = 1.0
people = 500
[[question]]
kind = "one_of"
name = "meal"
labels = ["own", "no"]
"""


@pytest.mark.parametrize(
    ("written", "instead", "said"),
    [
        ("epsilon", "epsilonn", "got 'epsilonn'; did you mean epsilon?"),
        ("labels", "lables", "a question of kind one_of may have kind, name, labels,"),
        ("labels", "lables", "got 'lables'; did you mean labels?"),
        ('name = "meal"', "", "a question of kind one_of must say its name, got none"),
        ('"one_of"', '"oneof"', "got kind='oneof'; did you mean one_of?"),
        ('"one_of"', "[1]", "kind must be one of one_of"),
        ("people = 500", "people = 0", "people must be an int of at least 1, got people=0"),
    ],
)
def test_a_plan_of_a_survey_is_refused_by_its_own_words(written: str, instead: str, said: str) -> None:
    Path("lunch.toml").write_text(LUNCH.replace(written, instead), encoding="utf-8")
    refused = run("survey", "new", "lunch.toml", "--out", "lunch.json").stderr
    assert refused.startswith("deniable: lunch.toml: ")
    assert said in refused


def test_a_name_that_no_question_has_is_hinted_at() -> None:
    survey = dn.Survey.plan("s", [dn.OneOf("late", ["yes", "no"])], 1.0, 1000)
    Path("s.tally").write_bytes(survey.tally(survey.answer_many({"late": ["yes"] * 9}, seed=1)).to_bytes())
    refused = run("survey", "estimate", "s.tally", "--question", "lade").stderr
    assert "question must be one of late, got question='lade'; did you mean late?" in refused


def test_a_mechanism_or_size_that_does_not_exist_is_named() -> None:
    with pytest.raises(dn.ParameterError, match=r"got mechanisms='Subet'; did you mean Subset\?"):
        dn.plan(4, 1.0, 500, mechanisms=["Subet"])
    sizes: tuple[Any, ...] = ("info", 0, 4)
    for size in sizes:
        with pytest.raises(dn.ParameterError, match=r'size must be None, "information" or an int from 1 to 3, got'):
            dn.Subset(4, 1.0, size=size)


def test_one_column_is_the_only_one() -> None:
    Path("answers.csv").write_text("answer\nyes\n", encoding="utf-8")
    refused = run(*PRIVATIZE.replace("--column answer", "--column other").split()).stderr
    assert "column must be the only name in the first row of the CSV" in refused


# --- wrong values of options ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("plan --domain 5 --epsilon one --users 5", "it must be a number, got 'one'"),
        ("plan --domain 5 --epsilon 1 --users 1e6", "it must be a whole number, got '1e6'"),
        ("estimate x --target people", "'people' is not one of 'population', 'sample'"),
        ("plan --domain a;b --epsilon 1 --users 5", "labels separated by commas, got a single label"),
        (
            "collector put lunch.toml --data x",
            "go on with: deniable survey new lunch.toml --out survey.json",
        ),
        ("serve --data x --port 99999", "Invalid value for '--port'"),
    ],
)
def test_what_an_option_wants_and_what_came(words: str, said: str) -> None:
    Path("lunch.toml").write_text(LUNCH, encoding="utf-8")
    refused = run(*words.split())
    assert refused.exit_code == 2
    assert said in " ".join(refused.stderr.replace("│", " ").split())


def test_large_and_small_numbers_of_plans_are_written_out() -> None:
    told = str(dn.plan(1000, 1.0, 1))
    assert "points, in each label's share" in told
    assert "e+" not in told


def test_signs_that_a_picture_cannot_show_are_told_in_one_line() -> None:
    animals = dn.RandomizedResponse(["cat", "\N{UNICORN FACE}"], 1.0)
    Path("a.tally").write_bytes(animals.tally(animals.privatize_many(["cat"] * 9, seed=1)).to_bytes())
    drawn = run("estimate", "a.tally", "--plot", "a.svg")
    assert drawn.exit_code == 0
    assert drawn.stderr == "deniable: a.svg shows boxes for signs, such as emoji, that its font lacks\n"


# --- names that nearly are --------------------------------------------------------------------------------------------


def test_a_missing_file_is_refused_with_what_lies_beside_it() -> None:
    Path("answers.csv").write_text("answer\nyes\n", encoding="utf-8")
    refused = run(*PRIVATIZE.replace("answers.csv", "answer.csv").split()).stderr
    assert refused == (
        "deniable: the file or folder answer.csv must exist, got none of this name; did you mean answers.csv?\n"
    )
    assert run("audit", "none/spec.json").stderr.endswith("got none of this name; nor is there a folder none\n")


def test_an_unknown_truth_lists_those_that_there_are() -> None:
    words = ["simulate", "--mechanism", "Subset", "--domain", "4", "--epsilon", "1", "--users", "9", "--truth"]
    refused = run(*words, "gaussian").stderr
    assert "--truth must be uniform, zipf, geometric or a CSV file with the columns label and share" in refused
    assert run(*words, "zip").stderr.endswith("got zip, which is neither; did you mean zipf?\n")


@pytest.mark.parametrize(
    ("truth", "said"),
    [
        ({"yes": 0.3}, "got 0.3 and no share for 1 of them, such as no; give each label its share"),
        ({"yes": 0.3, "noo": 0.7}, "got noo, which is none of them; did you mean no?"),
        ({"a": 0.3, "b": 0.7}, "got 2 that are none of them"),
    ],
)
def test_a_truth_by_label_says_which_label_is_missing(truth: dict[str, float], said: str) -> None:
    coin = dn.RandomizedResponse(["yes", "no"], 1.0)
    with pytest.raises(dn.ParameterError) as caught:
        dn.simulate(coin, truth, 100, 1)
    assert str(caught.value).endswith(said)
    both = [dn.simulate(coin, shares, 100, 1) for shares in ([0.3, 0.7], {"no": 0.7, "yes": 0.3})]
    assert np.array_equal(both[0].frequencies, both[1].frequencies)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"mechanism": "Subest"}, "got 'Subest'; did you mean Subset?"),
        ({"epsilom": 1.0}, "got 'epsilom', not one of the fields domain, epsilon, mechanism, size, version; "),
        ({"epsilon": None}, "epsilon must be a finite number above 0"),
        ({}, "got no field 'epsilon'"),
    ],
)
def test_a_spec_that_is_misspelt_is_hinted_at(fields: dict[str, Any], said: str) -> None:
    with pytest.raises(dn.FormatError) as caught:
        dn.from_spec({"version": 1, "mechanism": "Subset", "domain": 4, **fields})
    assert said in str(caught.value)


@pytest.mark.parametrize("given", ["spec.json", Path("spec.json"), {"mechanism": "Subset"}])
def test_an_audit_of_a_spec_says_how_it_becomes_a_mechanism(given: Any) -> None:
    with pytest.raises(dn.ParameterError, match="; from_spec makes a mechanism of a dict, or of the text of a file"):
        dn.audit(given)


def test_a_column_that_is_nearly_a_question_is_hinted_at() -> None:
    survey = dn.Survey.plan("s", [dn.OneOf("commute", ["car", "bus"])], 1.0, 1000)
    Path("survey.json").write_bytes(survey.document)
    Path("answers.csv").write_text(f"comute,{SECRET}\ncar,1\n", encoding="utf-8")
    pq.write_table(pa.table({"comute": ["car"]}), "answers.parquet")
    words = ["survey", "answer", "survey.json"]
    refused = run(*words, "answers.csv", "--out", "a").stderr
    assert refused.endswith("got none named 'commute'; name 1 is nearly that\n")
    assert run(*words, "answers.parquet", "--out", "a").stderr.endswith("named 'commute'; did you mean comute?\n")
    found = run("discover", "answers.csv", "--column", "Comute", "--epsilon", "1").stderr
    assert found.endswith("got none named 'Comute'; name 1 is that but for capitals or blanks around it\n")


def test_a_survey_that_is_nearly_named_is_hinted_at() -> None:
    survey = dn.Survey.plan("commute", [dn.OneOf("way", ["car", "bus"])], 1.0, 1000)
    Path("survey.json").write_bytes(survey.document)
    assert run("token", "ann", "--scope", "author", "--data", "collected").exit_code == 0  # which begins a collector
    assert run("collector", "put", "survey.json", "--data", "collected").exit_code == 0
    refused = run("collector", "close", "comute", "--data", "collected")
    assert refused.exit_code == 2
    assert refused.stderr.endswith("; did you mean commute?\n")

"""What an estimate is asked beside its shares: below the table, and by name in JSON, as Python says it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.surveys.commute import LATE, WAY
from typer.testing import CliRunner

import deniable as dn
from deniable.cli import app

MEALS = dn.Subset(["own", "canteen, hot", "none"], 2.0)
TALLY = MEALS.tally(MEALS.privatize_many(["own"] * 500 + ["canteen, hot"] * 300 + ["none"] * 200, seed=1))
SURVEY = dn.Survey.plan("commute", [WAY, LATE, dn.Number("minutes", 0, 60, unit="min")], 2.0, 2000)
PEOPLE = {"way": ["bus", "car"] * 1000, "late": ["no"] * 2000, "minutes": [20, 40] * 1000}


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tally of reports, and one of a survey beside its document."""
    monkeypatch.chdir(tmp_path)
    Path("meals.tally").write_bytes(TALLY.to_bytes())
    Path("commute.json").write_bytes(SURVEY.document)
    Path("commute.tally").write_bytes(SURVEY.tally(SURVEY.answer_many(PEOPLE, seed=2)).to_bytes())


def run(*words: str, code: int = 0) -> str:
    """What a command says, on the stream where it says it."""
    result = CliRunner().invoke(app, words)
    assert result.exit_code == code, result.output
    return result.stderr if code else result.stdout


def test_answers_stand_below_the_table() -> None:
    found, pair = MEALS.estimate(TALLY), 'own,"canteen, hot"'
    said = run("estimate", "meals.tally", "--compare", pair, "--ranks", "--error-sources", "--people-needed", "0.02")
    told = [found.compare("own", "canteen, hot"), found.ranks(), found.error_sources(), found.people_needed(0.02)]
    assert said == "\n".join(map(str, [found, "", *told])) + "\n"


def test_programs_read_the_same_by_name() -> None:
    found = MEALS.estimate(TALLY)
    words = ("--compare", "own,none", "--ranks", "--error-sources", "--people-needed", "0.02", "--level", "0.9")
    told = json.loads(run("estimate", "meals.tally", *words, "--json"))
    assert told["comparisons"] == [found.compare("own", "none", 0.9).to_dict()]
    assert told["ranks"] == found.ranks(0.9).to_dict()
    assert told["error_sources"]["sentence"] == str(found.error_sources())
    assert told["people_needed"]["people"] == found.people_needed(0.02).people
    assert "ranks" not in json.loads(run("estimate", "meals.tally", "--json"))


def test_a_survey_answers_for_one_question() -> None:
    results = SURVEY.estimate(dn.SurveyTally.from_bytes(Path("commute.tally").read_bytes()))
    said = run("survey", "estimate", "commute.tally", "--question", "way", "--compare", "bus,car", "--ranks")
    assert str(results["way"].compare("bus", "car")) in said
    assert str(results["way"].ranks()) in said
    words = ("--question", "minutes", "--people-needed", "0.5", "--json")
    told = json.loads(run("survey", "estimate", "commute.tally", *words))["questions"]["minutes"]
    assert told["people_needed"]["sentence"] == str(results["minutes"].people_needed(0.5))
    assert told["people_needed"]["unit"] == "min"


def test_what_made_up_answers_can_do_stands_beside_the_promise() -> None:
    assert str(SURVEY.manipulation(0.01)) in run("survey", "show", "commute.json", "--made-up", "0.01")
    told = json.loads(run("survey", "show", "commute.json", "--made-up", "0.01", "--json"))
    assert told["manipulation"] == SURVEY.manipulation(0.01).to_dict()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("estimate meals.tally --compare own", "--compare must name two labels, such as --compare car,bus"),
        ("estimate meals.tally --compare own,x", "each of --compare must be one of the survey's labels, got 'x'"),
        ("estimate meals.tally --ranks --csv", "--ranks must be left out with --csv, got it"),
        (
            "estimate meals.tally --ranks --question survey --label own",
            "--ranks must be left out with --question, got it",
        ),
        ("estimate meals.tally --people-needed 0", "margin must be a finite number above 0"),
        ("survey estimate commute.tally --ranks", "must be asked of one question, got 3 of them"),
        ("survey show commute.json --made-up 2", "share must be shares of at most 1"),
        ("survey estimate commute.json commute.tally", "tallies must be named alone, for each holds its survey's"),
    ],
)
def test_what_cannot_be_answered_is_refused(words: str, said: str) -> None:
    assert said in run(*words.split(), code=2)


def test_numbers_that_changed_are_told_in_their_units() -> None:
    """The mean, then quantiles, then bins; a mean alone as well."""
    mean = dn.Survey.plan("mean", [dn.Number("minutes", 0, 60, unit="min", want="mean")], 2.0, 2000)
    for name, minutes in (("before", 20), ("after", 40)):
        answers = mean.answer_many({"minutes": [minutes] * 2000}, seed=minutes)
        Path(f"{name}.tally").write_bytes(mean.tally(answers).to_bytes())
    said = run("survey", "estimate", "after.tally", "--difference", "before.tally")
    assert "2,000 people minus 2,000 people" in said
    assert " min " in next(line for line in said.splitlines() if "Mean" in line)


def test_a_survey_s_document_is_replaced_by_nothing_else() -> None:
    """Answers cannot be read without it; the same plan writes it again."""
    before = Path("commute.json").read_bytes()
    for words in (("tally", "meals.tally"), ("estimate", "meals.tally")):
        assert "must not replace a survey's document, got commute.json" in run(*words, "--out", "commute.json", code=2)
    for epsilon, code, told in ((1, 0, "written to"), (1, 0, "written to"), (2, 2, "got meals.json; name another")):
        plan = f'name = "meals"\nepsilon = {epsilon}\npeople = 500\n[[question]]\nname = "meal"\nlabels = 3\n'
        Path("meals.toml").write_text(plan, encoding="utf-8")
        assert told in run("survey", "new", "meals.toml", "--out", "meals.json", code=code)
    assert Path("commute.json").read_bytes() == before

"""What is shown of each kind of file: by its content, quickly, and with the commands that go on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.surveys.commute import LATE, WAY
from typer.testing import CliRunner

import deniable as dn
from deniable.cli import app
from deniable.engines.shown import shown

COIN = dn.RandomizedResponse(["yes", "no"], 1.0)
SURVEY = dn.Survey.plan("commute", [WAY, LATE], 1.0, 1000, title="How we come to work")


def test_a_mechanism_and_its_files(tmp_path: Path) -> None:
    spec, reports, tally = tmp_path / "spec.json", tmp_path / "reports.parquet", tmp_path / "coin.tally"
    spec.write_text(json.dumps(COIN.spec()), encoding="utf-8")
    with dn.files.write_reports(reports, COIN.spec(), COIN.layout) as writer:
        writer.write(COIN.privatize_many(["yes"] * 1200, seed=1))
    tally.write_bytes(dn.files.tally_files([reports]).to_bytes())
    told = [shown(path) for path in (spec, reports, tally)]
    assert [each["what"] for each in told] == [
        "the spec of a mechanism", "1,200 reports in 1 file", "a tally of 1,200 reports"
    ]  # fmt: skip
    assert {each["SHA-256"] for each in told} == {COIN.tally([]).digest}
    assert {each["labels"] for each in told} == {"yes, no"}
    assert told[1]["next"].startswith(f"deniable tally {reports}")
    assert told[2]["next"].startswith(f"deniable estimate {tally}")


def test_a_survey_and_its_files(tmp_path: Path) -> None:
    document, answers, tally = tmp_path / "commute.json", tmp_path / "answers", tmp_path / "commute.tally"
    document.write_bytes(SURVEY.document)
    people = {"way": ["bus", "car"] * 30, "late": ["no"] * 60}
    dn.files.write_answers(SURVEY, [SURVEY.answer_many(people, seed=1)], answers)
    tally.write_bytes(dn.files.tally_survey_files([answers]).to_bytes())
    told = [shown(path) for path in (document, answers, tally)]
    assert told[0]["what"] == "the document of a survey"
    assert told[1]["what"] == f"60 answers to {len(SURVEY.arms)} arms in {len(SURVEY.arms)} files"
    assert told[2]["what"] == "a tally of 60 answers"
    assert {each["of"] for each in told} == {"the survey commute (How we come to work)"}
    assert {each["SHA-256"] for each in told} == {SURVEY.digest}
    assert told[2]["next"].startswith(f"deniable survey estimate {tally}")


def test_many_labels_and_any_text(tmp_path: Path) -> None:
    path = tmp_path / "spec.json"
    for mechanism, said in (
        (dn.Cyclic(1000, 1.0), "0, 1, 2, 3, 4, 5, 6, 7 and 992 more"),
        (dn.HashedResponse(1.0, symbols=4, cohorts=3), "any text"),
    ):
        path.write_text(json.dumps(mechanism.spec()), encoding="utf-8")
        assert shown(path)["labels"] == said


def test_a_collector_is_named_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "collector.sqlite").write_bytes(b"")
    assert shown(tmp_path)["next"] == f"deniable collector status --data {tmp_path}"


def test_texts_that_are_written_for_people_and_programs(tmp_path: Path) -> None:
    ledger = dn.Ledger(dn.LDP(2.0))
    ledger.spend(dn.LDP(0.5), "March")
    estimate = COIN.estimate(COIN.tally(COIN.privatize_many(["yes"] * 1200, seed=1)))
    (tmp_path / "spec.json").write_text(json.dumps(COIN.spec()), encoding="utf-8")
    certificate = json.dumps(dn.files.audit_file(tmp_path / "spec.json").to_dict())
    texts = {
        "ledger.json": (ledger.to_json(), "a ledger of 1 survey that one person answered"),
        "estimate.json": (estimate.to_json(), "an estimate from 1,200 people"),
        "estimate.csv": (estimate.to_csv(), "an estimate of 2 labels as CSV"),
        "plan.json": (dn.plan(4, 1.0, 100).to_json(), "a plan of 6 mechanisms"),
        "certificate.json": (certificate, "a certificate whose claims hold"),
        "week.tally.counted": ("", "the checkpoint of a count that was interrupted"),
    }
    for name, (text, what) in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
        found = shown(tmp_path / name)
        assert found["what"] == what
        assert found["next"]
    assert shown(tmp_path / "ledger.json")["spent"] == "0.5-LDP"


def test_the_command_shows_the_same(tmp_path: Path) -> None:
    path = tmp_path / "commute.json"
    path.write_bytes(SURVEY.document)
    found = CliRunner().invoke(app, ["show", str(path), "--json"])
    assert json.loads(found.stdout) == shown(path)
    assert CliRunner().invoke(app, ["show", str(path)]).stdout.startswith("what       the document of a survey\n")


OTHERS = [b"", b"Zaphod", b'{"label": 1, "frequency": 2, "n": "Zaphod"}', b"\xff\xfe", b"[]", b"[" * 100_000]


@pytest.mark.parametrize("content", OTHERS, ids=range(6))
def test_what_is_none_of_it_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(content)
    result = CliRunner().invoke(app, ["show", str(path)])
    assert result.exit_code == 2
    assert result.stderr.startswith(f"deniable: {path} must be ")
    assert "Zaphod" not in result.stderr


@pytest.mark.parametrize("command", ["show", "audit", "explain"])
def test_what_is_not_there_is_refused_alike_with_what_it_may_be(command: str, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").touch()
    result = CliRunner().invoke(app, [command, str(tmp_path / "note.txt")])
    assert result.exit_code == 2
    assert result.stderr.endswith("must exist, got none of this name; did you mean notes.txt?\n")

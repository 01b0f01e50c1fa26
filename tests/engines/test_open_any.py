"""What a file is follows from its content, whatever its name; what is shown of it, and what goes on from there."""

from __future__ import annotations

import json
import os
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from tests.surveys.commute import LATE, WAY, single
from typer.testing import CliRunner

import deniable as dn
from deniable.cli import app
from deniable.engines.file_certificate import certify
from deniable.engines.open_any import open_any
from deniable.protocol.errors import FormatError

COIN = dn.RandomizedResponse(["yes", "no"], 1.0)
SMALL = single(LATE, COIN)
SURVEY = dn.Survey.plan("commute", [WAY, LATE], 1.0, 1000, title="How we come to work")


def test_a_mechanism_and_its_files(tmp_path: Path) -> None:
    spec, reports, tally = tmp_path / "spec.json", tmp_path / "reports.parquet", tmp_path / "coin.tally"
    spec.write_text(json.dumps(COIN.spec()), encoding="utf-8")
    with dn.files.write_reports(reports, COIN.spec(), COIN.layout) as writer:
        writer.write(COIN.privatize_many(["yes"] * 1200, seed=1))
    tally.write_bytes(dn.files.tally_files([reports]).to_bytes())
    told = [open_any(path).facts for path in (spec, reports, tally)]
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
    told = [open_any(path).facts for path in (document, answers, tally)]
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
        assert open_any(path).facts["labels"] == said


def test_a_collector_is_named_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "collector.sqlite").write_bytes(b"")
    assert open_any(tmp_path).facts["next"] == f"deniable collector status --data {tmp_path}, or deniable mixer status"


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
        found = open_any(tmp_path / name).facts
        assert found["what"] == what
        assert found["next"]
    assert open_any(tmp_path / "ledger.json").facts["spent"] == "0.5-LDP"


def test_the_command_shows_the_same(tmp_path: Path) -> None:
    path = tmp_path / "commute.json"
    path.write_bytes(SURVEY.document)
    found = CliRunner().invoke(app, ["show", str(path), "--json"])
    assert json.loads(found.stdout) == open_any(path).facts
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


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Everything that names a survey or a mechanism, under names that say nothing."""
    (tmp_path / "spec").write_text(json.dumps(COIN.spec(), indent=4), encoding="utf-8")
    (tmp_path / "document").write_text(SMALL.to_json(), encoding="utf-8-sig")
    (tmp_path / "tally").write_bytes(COIN.tally([]).to_bytes())
    (tmp_path / "survey-tally").write_bytes(SMALL.tally().to_bytes())
    (tmp_path / "reports").mkdir()
    with dn.files.write_reports(tmp_path / "reports" / "day", COIN.spec(), COIN.layout) as writer:
        writer.write(COIN.privatize_many(["yes"], seed=1))
    dn.files.write_answers(SMALL, [SMALL.answer_many({"late": ["no"]}, seed=1)], tmp_path / "answers")
    (tmp_path / "planned").mkdir()
    dn.files.write_document(SMALL, tmp_path / "planned" / "survey.json")
    return tmp_path


@pytest.mark.parametrize("name", ["spec", "tally", "reports", "reports/day"])
def test_a_mechanism_is_recognised(name: str, files: Path) -> None:
    assert open_any(files / name).subject == COIN


@pytest.mark.parametrize(
    "name", ["document", "survey-tally", "answers", "answers/arm-0.parquet", "answers/survey.json", "planned"]
)
def test_a_survey_is_recognised(name: str, files: Path) -> None:
    assert open_any(files / name).subject == SMALL


@pytest.mark.parametrize(
    ("written", "message"),
    [
        (
            b"",
            "must be a survey, a spec, a file or folder of reports, or a tally, got an empty file; deniable",
        ),
        (b"\xff\xfe", "got a file that deniable did not write"),
        (b"[]", "got a file that deniable did not write"),
        (b'{"name": 1}', "got a file that deniable did not write"),
        (b"answer\nyes\n", "and deniable privatize makes reports of a column of answers"),
        (
            json.dumps(certify(COIN).to_dict(), default=str).encode(),
            "got a certificate whose claims hold: deniable",
        ),
        (b'{"version": 1, "mechanism": "Later"}', "a spec must name one of"),
        (b'{"version": 1, "questions": []}', "a survey"),
        (b"PAR1 and no more", "must be a whole file of reports"),
        (COIN.tally([]).to_bytes()[:-1], "a tally must be as long as its head says"),
        (SMALL.tally().to_bytes()[:-1], "a survey's tally must match its checksum"),
    ],
)
def test_anything_else_is_refused_by_name(written: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "other"
    path.write_bytes(written)
    with pytest.raises(FormatError, match=message) as refused:
        _ = open_any(path).subject
    assert str(path) in str(refused.value)


def test_a_folder_of_tallies_is_told_from_one_of_reports(tmp_path: Path) -> None:
    for name in ("north.tally", "south.tally"):
        (tmp_path / name).write_bytes(COIN.tally([0, 1]).to_bytes())
    found = open_any(tmp_path)
    assert found.what == "tallies of 4 reports in 2 groups by group"
    assert found.subject == COIN
    for name in ("north.tally", "south.tally"):
        (tmp_path / name).write_bytes(SMALL.tally().to_bytes())
    with pytest.raises(FormatError, match=r"got a folder of surveys' tallies: name the files in it.*north.tally$"):
        _ = open_any(tmp_path).subject


def test_a_file_is_looked_at_once(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = list[str]()
    original = Path.open

    def noted(self: Path, *words: Any, **options: Any) -> Any:
        opened.append(self.name)
        return original(self, *words, **options)

    monkeypatch.setattr(Path, "open", noted)
    for name in ("spec", "document", "tally", "survey-tally"):
        assert open_any(files / name).facts["what"]
    assert opened == ["spec", "document", "tally", "survey-tally"]


def test_a_pipe_is_read_to_its_end(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    Thread(target=pipe.write_bytes, args=(COIN.tally([]).to_bytes(),), daemon=True).start()
    assert open_any(pipe).content == COIN.tally([])


def test_of_a_large_text_that_is_unknown_the_beginning_is_enough(tmp_path: Path) -> None:
    path = tmp_path / "answers.csv"
    with path.open("wb") as file:
        file.write(b"answer\n")
        file.truncate(1 << 40)
    assert open_any(path).what == "a file that deniable did not write"

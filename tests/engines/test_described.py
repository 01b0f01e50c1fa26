"""What a file is of is recognised by its content, whatever its name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.surveys.commute import LATE, single

import deniable as dn
from deniable.engines.described import described
from deniable.engines.file_certificate import certify
from deniable.protocol.errors import FormatError

COIN = dn.RandomizedResponse(["yes", "no"], 1.0)
SURVEY = single(LATE, COIN)


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Everything that names a survey or a mechanism, under names that say nothing."""
    (tmp_path / "spec").write_text(json.dumps(COIN.spec(), indent=4), encoding="utf-8")
    (tmp_path / "document").write_text(SURVEY.to_json(), encoding="utf-8-sig")
    (tmp_path / "tally").write_bytes(COIN.tally([]).to_bytes())
    (tmp_path / "survey-tally").write_bytes(SURVEY.tally().to_bytes())
    (tmp_path / "reports").mkdir()
    with dn.files.write_reports(tmp_path / "reports" / "day", COIN.spec(), COIN.layout) as writer:
        writer.write(COIN.privatize_many(["yes"], seed=1))
    dn.files.write_answers(SURVEY, [SURVEY.answer_many({"late": ["no"]}, seed=1)], tmp_path / "answers")
    (tmp_path / "planned").mkdir()
    dn.files.write_document(SURVEY, tmp_path / "planned" / "survey.json")
    return tmp_path


@pytest.mark.parametrize("name", ["spec", "tally", "reports", "reports/day"])
def test_a_mechanism_is_recognised(name: str, files: Path) -> None:
    assert described(files / name) == COIN


@pytest.mark.parametrize(
    "name", ["document", "survey-tally", "answers", "answers/arm-0.parquet", "answers/survey.json", "planned"]
)
def test_a_survey_is_recognised(name: str, files: Path) -> None:
    assert described(files / name) == SURVEY


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
        (SURVEY.tally().to_bytes()[:-1], "a survey's tally must match its checksum"),
    ],
)
def test_anything_else_is_refused_by_name(written: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "other"
    path.write_bytes(written)
    with pytest.raises(FormatError, match=message) as refused:
        described(path)
    assert str(path) in str(refused.value)


@pytest.mark.parametrize("counted", [COIN.tally([]).to_bytes(), SURVEY.tally().to_bytes()])
def test_a_folder_of_tallies_is_told_from_one_of_reports(counted: bytes, tmp_path: Path) -> None:
    for name in ("north.tally", "south.tally"):
        (tmp_path / name).write_bytes(counted)
    with pytest.raises(FormatError, match=r"must be a folder of reports, got one of tallies: name .*north.tally$"):
        described(tmp_path)

"""Certificates for files: every kind of file, every claim, and what was read of it."""

from __future__ import annotations

import datetime
import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.surveys.commute import LATE, WAY, single
from typer.testing import CliRunner, Result

import deniable as dn
from deniable.cli import app
from deniable.engines.certificate_page import certificate_page
from deniable.engines.file_certificate import audit_file, certify

COIN = dn.RandomizedResponse(["yes", "no"], 1.0)
DAY = datetime.date(2026, 11, 23)
KEPT = dn.Remembered(dn.RandomizedResponse(["yes", "no"], 2.0), 0.75)
WEEKLY = dn.Survey("weekly", [LATE], [dn.Arm(dn.Part(LATE, KEPT))], period="week", repeat="remembered")
SURVEY = dn.Survey.plan("commute", [WAY, LATE], 1.0, 1000)


def written(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


def test_a_spec_is_certified_with_its_digest_and_day(tmp_path: Path) -> None:
    found = audit_file(written(tmp_path / "spec.json", json.dumps(COIN.spec()).encode()), DAY)
    assert (found.holds, found.what_was_read, found.day) == (True, None, DAY)
    assert found.digest == hashlib.sha256(COIN.spec_bytes).hexdigest() == COIN.tally([]).digest
    [claim] = found.claims
    assert claim.exact_ratio == str(dn.audit(COIN).exact_ratio)
    assert found.sentences == tuple(dn.label(COIN).sentences)


def test_a_survey_has_a_claim_for_each_arm(tmp_path: Path) -> None:
    found = audit_file(written(tmp_path / "commute.json", SURVEY.document))
    assert found.digest == SURVEY.digest
    assert [claim.about for claim in found.claims] == [
        f"arm {k}: {', '.join(arm.questions)}" for k, arm in enumerate(SURVEY.audit().arms)
    ]
    assert [claim.promise for claim in found.claims] == [f"{claim.claimed:g}-LDP" for claim in found.claims]
    assert all(claim.realised <= claim.claimed for claim in found.claims)


@pytest.mark.parametrize("subject", [KEPT, WEEKLY], ids=["mechanism", "survey"])
def test_a_round_and_a_life_of_remembered_reports_are_told_apart(subject: dn.Mechanism | dn.Survey) -> None:
    found = certify(subject, DAY)
    told = [(claim.about.rpartition(", ")[2], claim.promise, claim.claimed) for claim in found.claims]
    assert told == [("one round", "0.75-LDP", 0.75), ("all that a device ever sends", "4-LDP", 4.0)]
    assert found.to_dict()["claims"][1]["about"] == found.claims[1].about
    for text in (str(found), certificate_page(found)):
        assert all(claim.about in text and claim.promise in text for claim in found.claims)


def test_what_was_read_is_said(tmp_path: Path) -> None:
    reports = COIN.privatize_many(["yes"] * 1200, seed=1)
    tally = written(tmp_path / "coin.tally", COIN.tally(reports).to_bytes())
    assert audit_file(tally).what_was_read == "a tally of 1,200 reports"
    whole = written(tmp_path / "commute.tally", SURVEY.tally([SURVEY.answer({"way": "bus", "late": "no"})]).to_bytes())
    assert audit_file(whole).what_was_read == "a tally of 1 answer"
    with dn.files.write_reports(tmp_path / "coin.parquet", COIN.spec(), COIN.layout) as writer:
        writer.write(reports)
    assert (
        audit_file(tmp_path / "coin.parquet").what_was_read
        == "1,200 reports in 1 file, each one that a device can send"
    )
    (tmp_path / "answers").mkdir()
    dn.files.write_document(SURVEY, tmp_path / "answers" / "survey.json")
    assert audit_file(tmp_path / "answers").what_was_read == "a folder without answers yet"


def test_a_file_that_was_altered_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "coin.parquet"
    with dn.files.write_reports(path, COIN.spec(), COIN.layout) as writer:
        writer.write(COIN.privatize_many(["yes"] * 1200, seed=1))
    content = bytearray(path.read_bytes())
    content[60] ^= 1
    path.write_bytes(bytes(content))
    with pytest.raises(dn.DenialError):
        audit_file(path)


def test_a_planted_fault_is_said_in_every_form(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dn.Subset, "guarantee", property(lambda self: dn.LDP(self.epsilon / 2)), raising=False)
    found = certify(dn.Subset(6, 1.0), DAY)
    assert found.to_dict()["holds"] is found.holds is False
    assert "NOT EVERY CLAIM HOLDS" in str(found)
    assert '<td class="fails">DOES NOT HOLD</td>' in certificate_page(found)


def test_the_page_holds_all_that_the_text_says_and_escapes_it() -> None:
    found = certify(single(dn.OneOf("late", ["<b>", "&"]), dn.RandomizedResponse(["<b>", "&"], 1.0)), DAY)
    page = certificate_page(found)
    for text in (found.digest, "2026-11-23", *(claim.method for claim in found.claims)):
        assert text in page
    assert not any(text in page for text in ("<script", "http", "<b>"))


def run(*words: str, code: int = 0) -> Result:
    result = CliRunner().invoke(app, list(words))
    assert result.exit_code == code, result.output
    return result


@pytest.mark.parametrize("end", [".html", ".json", ".txt"])
def test_the_command_writes_it(end: str, tmp_path: Path) -> None:
    """And shows in short what is in the file."""
    survey, out = written(tmp_path / "commute.json", SURVEY.document), tmp_path / f"certificate{end}"
    shown = run("audit", str(survey), "--out", str(out)).stdout
    assert f"written to {out}" in shown
    assert "every claim is proven" in shown
    assert "What the person asked is told" not in shown
    assert SURVEY.digest in out.read_text(encoding="utf-8")


@pytest.mark.parametrize("end", [".html", ".json", ".txt"])
def test_it_says_who_asks_for_what_and_what_is_not_stated(end: str, tmp_path: Path) -> None:
    told = {"controller": "Northfield Hospital", "legal_basis": "Consent, Article 6(1)(a)"}
    asked: dict[str, Any] = {"purpose": "To plan shifts.", "owner": "Works council", "contact": "council@north.example"}
    survey = dn.Survey.plan("shifts", [LATE], 1.0, 500, responsible=told, **asked)
    found = certify(survey, DAY)
    assert [name for name, text in found.stated.items() if not text] == ["officer", "authority", "host", "rights"]
    out = tmp_path / f"certificate{end}"
    run("audit", str(written(tmp_path / "shifts.json", survey.document)), "--out", str(out))
    text = out.read_text(encoding="utf-8")
    assert [each for each in (*told.values(), *asked.values()) if each not in text] == []
    assert "A person must answer" in text or end == ".json"
    assert "Reports are deleted 90 days after" in text
    assert certify(COIN, DAY).stated == {}


def test_the_command_wants_a_file_or_a_mechanism(tmp_path: Path) -> None:
    survey = str(written(tmp_path / "commute.json", SURVEY.document))
    for words in ([], [survey, "--mechanism", "Subset"], [survey, "--epsilon", "1"], [survey, "--size", "2"]):
        assert "either a file or --mechanism with its options must be given" in run("audit", *words, code=2).stderr
    assert "--out must name a .html, .json or .txt file" in run("audit", survey, "--out", "c.pdf", code=2).stderr
    assert "the spec of one mechanism, got a survey" in run("audit", survey, "--trials", "2000", code=2).stderr


@pytest.mark.parametrize("end", ["csv", "parquet"])
@pytest.mark.parametrize("mechanism", [COIN, dn.Rappor(["yes", "no"], 1.0), dn.RandomizedResponse(3, 1.0)], ids=repr)
def test_reports_of_another_program_are_tested(mechanism: dn.Mechanism, end: str, tmp_path: Path) -> None:
    labels = list(mechanism.domain.every()) * 2000
    spec = str(written(tmp_path / "spec.json", json.dumps(mechanism.spec()).encode()))
    for name, told, holds in (("sound", labels, True), ("broken", labels[:1] * len(labels), False)):
        reports = mechanism.privatize_many(told, seed=2)
        path = trials(tmp_path / f"{name}.{end}", labels, reports)
        found = run("audit", spec, "--reports", str(path), "--json", code=0 if holds else 1).stdout
        assert [each["holds"] for each in json.loads(found)["sampling"]] == [holds]


def trials(path: Path, values: list[object], reports: object) -> Path:
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows = np.asarray(reports)
    shown = rows.tolist() if rows.ndim == 1 else [row.tobytes() for row in rows]
    if path.suffix == ".parquet":
        pq.write_table(pa.table({"value": values, "report": shown}), path)
        return path
    texts = [each.hex() if isinstance(each, bytes) else each for each in shown]
    lines = [f"{value},{text}" for value, text in zip(values, texts, strict=True)]
    return written(path, "\n".join(["value,report", *lines]).encode())


def test_bad_tables_of_trials_are_refused_without_a_value(tmp_path: Path) -> None:
    spec = str(written(tmp_path / "spec.json", json.dumps(COIN.spec()).encode()))
    for content, said in (
        ("value,answer\nyes,1\n", "must have the columns value and report"),
        ("value,report\nyes,Zaphod\n", "reports must be whole numbers"),
        ("value,report\n" + "yes,1\n" * 2000, "values must be at least two"),
        ("value,report\nyes,\n", "reports must be whole numbers"),
        ("value,report\nyes,1,Zaphod\n", "must be CSV in UTF-8 with 2 fields in every row"),
    ):
        result = run("audit", spec, "--reports", str(written(tmp_path / "t.csv", content.encode())), code=2)
        assert said in result.stderr
        assert "Zaphod" not in result.output


@pytest.mark.parametrize("subject", [COIN, KEPT, SURVEY, WEEKLY], ids=["mechanism", "remembered", "survey", "weekly"])
def test_what_people_are_told_is_judged(subject: dn.Mechanism | dn.Survey) -> None:
    found = certify(subject, DAY)
    assert len(found.statements) == len(found.sentences) == len(found.to_dict()["statements"])
    assert found.holds
    told = f"All {len(found.sentences)} statements of the label are true of every pair of answers."
    for text in (str(found), certificate_page(found), found._repr_html_()):
        assert told in text
    false = replace(found, statements=(replace(found.statements[0], holds=False), *found.statements[1:]))
    assert not false.holds
    assert f"these are false: {found.statements[0].statement.key}." in certificate_page(false)


def test_the_label_of_reports_is_judged_too(tmp_path: Path) -> None:
    with dn.files.write_reports(tmp_path / "coin.parquet", COIN.spec(), COIN.layout) as writer:
        writer.write(COIN.privatize_many(["yes"] * 1200, seed=1))
    assert audit_file(tmp_path / "coin.parquet").statements == certify(COIN).statements != ()
    found = json.loads(run("audit", str(tmp_path / "coin.parquet"), "--json").stdout)
    assert [each["holds"] for each in found["statements"]] == [True] * len(found["label"])

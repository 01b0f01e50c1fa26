"""``deniable estimate`` of a host's export: the figures of the answers themselves, and rows counted by reason."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.wire.generate.fields import ANSWERS, survey_of
from typer.testing import CliRunner

import deniable as dn
from deniable.cli.app import app
from deniable.protocol.surveys.field_value import write_declined, write_field

SURVEY = survey_of("one question")
PEOPLE = 60
YEARS = ("first", "second")


def answers() -> list[bytes]:
    return [SURVEY.answer(ANSWERS["one question"], dn.SeededEntropy(seed)) for seed in range(PEOPLE)]


@pytest.fixture
def export(tmp_path: Path) -> Path:
    """A table with a row that was sent twice, one that declined, one that is empty and one that was cut."""
    values = [write_field(SURVEY.digest, place.to_bytes(8, "big"), each) for place, each in enumerate(answers())]
    rows = [(value, YEARS[place % 2]) for place, value in enumerate(values)]
    rows += [(values[0], "third"), (write_declined(SURVEY.digest), "third"), ("", "first"), (values[1][:-1], "second")]
    (tmp_path / "export.csv").write_text("private;year\n" + "".join(f"{value};{year}\n" for value, year in rows))
    dn.files.write_document(SURVEY, tmp_path / "survey.json")
    return tmp_path


def estimate(export: Path, *more: str) -> Any:
    words = ["estimate", f"{export}/export.csv", "--survey", f"{export}/survey.json", "--column", "private", *more]
    return CliRunner().invoke(app, words)


def test_it_tells_what_the_answers_tell_in_all_and_by_group(export: Path) -> None:
    found = json.loads(estimate(export, "--by", "year", "--json").output)
    parts = {"first": answers()[::2], "second": answers()[1::2]}
    for part, own in [(found, answers()), *((found["groups"][name], own) for name, own in parts.items())]:
        assert part["questions"] == SURVEY.estimate(SURVEY.tally(own)).to_dict()["questions"]
    assert found["counts"] == {
        "used": PEOPLE, "empty": 1, "declined": 1, "altered": 1, "another survey": 0, "repeated": 1,
    }  # fmt: skip
    assert found["groups"]["others"] == {"counts": {**dict.fromkeys(found["counts"], 0), "declined": 1, "repeated": 1}}
    assert sum(sum(each["counts"].values()) for each in found["groups"].values()) == PEOPLE + 4


def test_the_column_is_found_where_only_one_holds_reports(export: Path) -> None:
    words = ["estimate", f"{export}/export.csv", "--survey", f"{export}/survey.json", "--json"]
    assert CliRunner().invoke(app, words).output == estimate(export, "--json").output


def test_a_report_to_keep_is_one_file(export: Path) -> None:
    estimate(export, "--by", "year", "--html", f"{export}/report.html")
    page = (export / "report.html").read_text()
    assert "60 of 64 lines of export.csv hold a report of this survey" in page
    assert "By year" in page
    assert "deniable:1:" not in page
    assert not re.search(r'(href|src|action)="(?!#)', page), "a link needs a network, or a page beside it"


def test_a_share_below_none_in_one_group_alone_is_explained(export: Path) -> None:
    """Of those whose reports are all of one label the estimate of the other one is below zero."""
    lines = [
        f"{write_field(SURVEY.digest, n.to_bytes(8, 'big'), each)};{each[0]}\n" for n, each in enumerate(answers())
    ]
    (export / "export.csv").write_text("private;sent\n" + "".join(lines))
    for words, told in (([], False), (["--by", "sent"], True)):
        estimate(export, *words, "--html", f"{export}/report.html")
        assert ("estimate of a rare answer can fall below zero" in (export / "report.html").read_text()) == told


def test_a_report_without_what_makes_pages_has_the_tables(export: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "deniable.pages.export_report", None)
    assert estimate(export, "--html", f"{export}/report.html").exit_code == 0
    page = (export / "report.html").read_text()
    assert page.startswith("<!doctype html>")
    assert "60 people" in page


def test_people_read_tables_with_the_counts_above(export: Path) -> None:
    text = estimate(export, "--by", "year").output
    assert text.startswith("64 rows: 60 used, 1 empty, 1 declined, 1 cut short, changed or no report, 1 repeated\n")
    assert "year: others, 2 rows: 1 declined, 1 repeated" in text
    assert text.count("RandomizedResponse(2 labels, epsilon=1.0)") == 3


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--column", "private"], "--survey must be given with --column, --by and --html, got none"),
        (["--survey", "survey.json", "--column", "secret"], "one of export.csv: private, year, got column='secret'"),
        (
            ["--survey", "survey.json", "--html", "export.csv"],
            "must be another file than what is read",
        ),
        (["--survey", "survey.json", "--column", "private", "--csv"], "--csv must be left out for an export"),
        (["--survey", "survey.json", "--column", "year"], "got 64 altered; none begins like a report"),
    ],
)
def test_refusals(export: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], why: str) -> None:
    monkeypatch.chdir(export)
    refused = CliRunner().invoke(app, ["estimate", "export.csv", *words])
    assert refused.exit_code == 2
    told = refused.output + str(refused.exception)
    assert why in told
    assert "deniable:1:" not in told


def test_weights_of_rows_are_read_with_decimal_commas_too(export: Path) -> None:
    """Rows without a report need none."""
    weights = [1 + place % 4 / 2 for place in range(PEOPLE)]
    lines = (export / "export.csv").read_text().splitlines()
    column = ["w", *(f"{weight:.1f}".replace(".", ",") for weight in weights), "9", "", "", ""]
    (export / "export.csv").write_text("\n".join(f"{a};{b}" for a, b in zip(lines, column, strict=True)) + "\n")
    found = json.loads(estimate(export, "--weight-column", "w", "--by", "year", "--json").output)
    for part, own, rows in [(found, answers(), weights), (found["groups"]["first"], answers()[::2], weights[::2])]:
        assert part["questions"] == SURVEY.estimate(own, weights=rows).to_dict()["questions"]
    text = estimate(export, "--weight-column", "w").output
    assert "rows are weighted: 60 of them tell as much as 52 that count alike" in text
    assert "got texts that are none" in estimate(export, "--weight-column", "year").output
    assert estimate(export, "--weight-column", "w", "--html", str(export / "page.html")).exit_code == 0
    assert "60" in (export / "page.html").read_text()

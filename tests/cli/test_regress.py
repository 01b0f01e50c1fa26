"""``deniable regress``: the fit of the library, from an export, in every format."""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path

import pytest
from tests.cases import each
from tests.cli.every_command import run

import deniable as dn
from deniable.engines.host_export import numbers_or_texts
from deniable.protocol.surveys.field_value import write_field

SURVEY = dn.Survey.plan("hit", [dn.OneOf("hit", ["yes", "no"])], 3.0, 300, carrier="field", owner="Staff council")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An export with a number, a word, a gap and a column of reports."""
    monkeypatch.chdir(tmp_path)
    Path("hit.json").write_text(SURVEY.to_json(), encoding="utf-8")
    rows = [["night", "ward", "weight", "private"]]
    for person in range(300):
        answer = SURVEY.answer(
            {"hit": "yes" if person % (3 if person % 2 else 8) == 0 else "no"}, dn.SeededEntropy(person)
        )
        value = write_field(SURVEY.digest, person.to_bytes(8, "big"), answer)
        rows.append([str(person % 2), "NA" if person == 7 else "abc"[person % 3], str(1 + person % 4), value])
    with Path("staff.csv").open("w", encoding="utf-8", newline="") as page:
        csv.writer(page).writerows(rows)
    return tmp_path


def regress(*words: str) -> tuple[int, str, str]:
    return run(["regress", "staff.csv", *words, "--survey", "hit.json", "--column", "private"])


def test_the_fit_is_that_of_the_library(folder: Path) -> None:
    code, printed, _ = regress("hit ~ night")
    with Path("staff.csv").open(encoding="utf-8", newline="") as page:
        rows = list(csv.DictReader(page))
    frame = {"night": [float(row["night"]) for row in rows]}
    fit = SURVEY.regress([row["private"] for row in rows], "hit ~ night", frame)
    assert (code, printed) == (0, f"{fit.summary()}\n")
    assert json.loads(regress("hit ~ night", "--json")[1])["estimate"] == pytest.approx(fit.coefficients.tolist())
    assert regress("hit ~ night", "--csv")[1] == fit.to_csv()
    assert regress("hit ~ night", "--out", "fit.txt", "--plot", "fit.svg")[0] == 0
    assert Path("fit.txt").read_text(encoding="utf-8") == f"{fit.summary()}\n"
    assert Path("fit.svg").stat().st_size > 1000


def test_words_become_levels_and_gaps_are_refused_or_dropped(folder: Path) -> None:
    code, _, told = regress("hit ~ ward")
    assert code == 2
    assert "got 1 of 300 rows with something missing" in told
    code, printed, _ = regress("hit ~ ward", "--drop-missing", "--weights", "weight", "--level", "0.9")
    assert code == 0
    assert "ward[T.b]" in printed
    assert "90% interval" in printed
    assert "sandwich" in printed


@each(
    ("words", "told"),
    [
        (("hit ~ nigth",), "column must be one of staff.csv"),
        (("hit ~ eval(night)",), "a formula must consist of names of columns"),
        (("hit ~ night", "--model", "cloglog"), "model must be one of logit"),
        (("hit ~ night", "--event", "maybe"), "event must be one of the labels"),
        (("hit ~ night", "--plot", "fit.pdf"), "must name a .png or .svg file"),
    ],
)
def test_what_is_wrong_is_one_line(folder: Path, words: tuple[str, ...], told: str) -> None:
    code, printed, error = regress(*words)
    assert (code, printed) == (2, "")
    assert told in error
    assert "Traceback" not in error


def test_columns_are_numbers_where_all_are() -> None:
    assert numbers_or_texts(["1", " 2.5", "NA", ""]) == [1.0, 2.5, None, None]
    assert numbers_or_texts(["1", "two"]) == ["1", "two"]
    assert numbers_or_texts(["1", "inf"]) == ["1", "inf"]
    assert numbers_or_texts(["1,5", "-2", "NA", "1e3"]) == [1.5, -2.0, None, 1000.0]  # commas as in many languages
    assert numbers_or_texts(["1,234", "12"]) == ["1,234", "12"]  # may be either
    assert numbers_or_texts(["1,234", "12,5"]) == [1.234, 12.5]
    assert numbers_or_texts(["1,234.5", "1"]) == ["1,234.5", "1"]


def test_report_files_and_tallies_by_group_are_read_without_a_survey(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    rows = [f"{'yes' if person % (3 if person % 2 else 8) == 0 else 'no'},{person % 2},1,5" for person in range(900)]
    Path("people.csv").write_text("hit;night;w\n" + "\n".join(row.replace(",", ";", 2) for row in rows), "utf-8")
    made = [
        "--column",
        "hit",
        "--mechanism",
        "RandomizedResponse",
        "--domain",
        "no,yes",
        "--epsilon",
        "3",
        "--seed",
        "1",
    ]
    assert run(["privatize", "people.csv", *made, "--keep", "night,w", "--out", "hit.parquet"])[0] == 0
    code, printed, told = run(["regress", "hit.parquet", "hit ~ night", "--json"])
    assert code == 0, told
    found = json.loads(printed)
    assert found["n"] == 900
    assert run(["tally", "hit.parquet", "--by", "night", "--out", "groups"])[0] == 0
    by_group = json.loads(run(["regress", "groups", "hit ~ night", "--json"])[1])
    assert by_group["estimate"] == pytest.approx(found["estimate"])
    weighted = json.loads(run(["regress", "hit.parquet", "hit ~ night", "--weights", "w", "--json"])[1])
    assert weighted["estimate"] == pytest.approx(found["estimate"])
    for words, error in [
        (["hit.parquet", "hit ~ night", "--column", "a"], "--survey must be given together with --column"),
        (["hit.parquet", "hit ~ ward"], "'ward'"),
        (["people.csv", "hit ~ night"], "people.csv must be"),
    ]:
        code, _, told = run(["regress", *words])
        assert code == 2
        assert error in told
    assert run(["tally", "hit.parquet", "--out", "a.tally"])[0] == 0
    plain = json.loads(run(["estimate", "a.tally", "--json"])[1])
    shares = json.loads(run(["estimate", "hit.parquet", "--weight-column", "w", "--json"])[1])
    assert shares["frequency"] == pytest.approx(plain["frequency"])
    assert run(["estimate", "hit.parquet", "--weight-column", "w", "--by", "night"])[0] == 2


def test_a_report_to_keep_is_one_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert regress("hit ~ night", "--html", "fit.html")[0] == 0
    assert "What the protection costs" in Path("fit.html").read_text(encoding="utf-8")
    monkeypatch.setitem(sys.modules, "deniable.pages.fit_report", None)  # as without the extra
    assert regress("hit ~ night", "--html", "plain.html")[0] == 0
    plain = Path("plain.html").read_text(encoding="utf-8")
    assert "<table" in plain
    assert "<p>Chance does not cure lies" in plain

"""``deniable regress``: the fit of the library, from an export, in every format."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from tests.cases import each
from tests.cli.every_command import run

import deniable as dn
from deniable.cli.regress import numbers_or_texts
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

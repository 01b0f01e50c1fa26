"""A curator's questions on the command line: the same answers as from Python, and files that do not fit."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner, Result

import deniable as dn
from deniable.cli import app
from deniable.reports.report_file import write_reports

LABELS = ["never", "peut-être, une fois", "often"]
CROWD = dn.InformedCrowd(LABELS, [[0.7, 0.2, 0.1]] * 60 + [[0.2, 0.3, 0.5]] * 40, [1.0] * 60 + [2.0] * 40)
FILES = ["0.parquet", "1.parquet"]
TALLIES = ["0.tally", "1.tally"]


@pytest.fixture(autouse=True)
def _collected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The reports and tallies of a crowd of two priors, and tables of values and weights."""
    monkeypatch.chdir(tmp_path)
    for place, m in enumerate(CROWD.channels):
        reports = reports_of(place)
        with write_reports(f"{place}.parquet", m.spec(), m.layout) as writer:
            writer.write(reports)
        Path(f"{place}.tally").write_bytes(m.tally(reports).to_bytes())
    write("values.csv", [["label", "value"], *zip(reversed(LABELS), [12, 1.5, 0], strict=True)])
    write("weights.csv", [["weight", "offset"], *([j / 10, -1] for j in range(100))])


def reports_of(place: int) -> Any:
    """One kind of people, as many as the crowd has."""
    held = [*LABELS, LABELS[0]] * 15
    return CROWD.channels[place].privatize_many(held[: int((CROWD.kinds == place).sum())], seed=place)


def write(name: str, rows: list[Any]) -> None:
    with Path(name).open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)


def run(*words: str, code: int = 0) -> Result:
    result = CliRunner().invoke(app, ["estimate", *words])
    assert result.exit_code == code, result.output
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result


def asked(*words: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run(*words, "--json").stdout)
    return found


def tallies() -> list[dn.Tally]:
    return [dn.Tally.from_bytes(Path(name).read_bytes()) for name in TALLIES]


@pytest.mark.parametrize("files", [TALLIES, FILES, [TALLIES[0], FILES[1]]])
def test_three_questions_to_tallies_and_reports(files: list[str]) -> None:
    one = CROWD.survey(tallies(), LABELS[1])
    found = asked(*files, "--question", "survey", "--label", LABELS[1])
    assert found == {"question": "survey", "n": 100, "label": LABELS[1], "value": one.value, "error": one.error}
    total = CROWD.total(tallies(), [0, 1.5, 12])
    found = asked(*files, "--question", "total", "--values", "values.csv")
    assert found == {"question": "total", "n": 100, "value": total.value, "error": total.error}
    counts = CROWD.histogram(tallies())
    found = asked(*files, "--question", "histogram")
    assert (found["label"], found["error"], found["n"]) == (LABELS, counts.error, 100)
    assert found["value"] == counts.value.tolist()


def test_weights_go_with_the_reports_of_people() -> None:
    means, losses = [], []
    goal = np.array([[0.0], [1.5], [12.0]])
    for place, m in enumerate(CROWD.channels):
        reports = reports_of(place)
        means.append(m.curator.each(reports, goal)[:, 0])
        losses.append(m.curator.person_losses(reports, goal)[:, 0])
    weights = np.arange(100) / 10
    found = asked(*FILES, "--question", "weighted", "--weights", "weights.csv", "--values", "values.csv")
    assert found["value"] == pytest.approx(weights @ np.concatenate(means) - 100)
    assert found["error"] == pytest.approx((weights**2 @ np.concatenate(losses)) ** 0.5)
    write("alone.csv", [["weight"], *([j / 10] for j in range(100))])
    bare = asked(*FILES, "--question", "weighted", "--weights", "alone.csv", "--values", "values.csv")
    assert bare["value"] == pytest.approx(found["value"] + 100)


def test_tables_for_people() -> None:
    shown = run(*TALLIES, "--question", "survey", "--label", "never").stdout
    assert shown.startswith("100 reports, read with the prior\n")
    assert "never" in shown
    assert "if the priors are right" in shown
    shown = run(*TALLIES, "--question", "histogram", "--out", "answer.txt").stdout
    assert shown == ""
    assert [label in Path("answer.txt").read_text(encoding="utf-8") for label in LABELS] == [True] * 3


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--question", "survey"], "--label must be given"),
        (["--question", "survey", "--label", "zebra"], "--label must be one of the survey's labels, got 'zebra'"),
        (["--question", "total", "--label", "never", "--values", "values.csv"], "--label must be given with"),
        (["--question", "total"], "values must be"),
        (["--question", "histogram", "--values", "values.csv"], "--values must go with total or weighted"),
        (["--question", "weighted", "--values", "values.csv"], "--weights must be given"),
        (["--question", "weighted", "--weights", "weights.csv"], "must be asked of report files, got a tally"),
        (["--question", "histogram", "--plot", "x.png"], "--plot must be left out with --question"),
        (["--question", "histogram", "--decoder", "likelihood"], "--decoder must be left out with --question"),
        (["--question", "histogram", "--out", "0.tally"], "out must be another file"),
        (["--question", "histogram", "1.tally"], "named once"),
        (["--label", "never"], "--label must be left out without --question"),
        ([], "only tallies of one spec add"),
        (["--question", "median"], "Invalid value"),
    ],
)
def test_questions_that_do_not_fit(words: list[str], said: str) -> None:
    before = Path("0.tally").read_bytes()
    assert said in " ".join(run(*TALLIES, *words, code=2).stderr.split())
    assert Path("0.tally").read_bytes() == before


@pytest.mark.parametrize(
    "rows",
    [
        [["label", "share"], ["never", 1]],
        [["label", "value"], ["never", 1], [LABELS[1], 2]],
        [["label", "value"], ["never", 1], ["never", 1], ["often", 2]],
        [["label", "value"], ["never", 1], [LABELS[1], "x"], ["often", 2]],
        [["label", "value"], ["never", 1], [LABELS[1], "inf"], ["often", 2]],
        [["label", "value"], ["zebra", 1], [LABELS[1], 3], ["often", 2]],
        [["label", "value"], ["never"], [LABELS[1], 3], ["often", 2]],
    ],
)
def test_values_that_do_not_fit(rows: list[Any]) -> None:
    write("bad.csv", rows)
    said = run(*TALLIES, "--question", "total", "--values", "bad.csv", code=2).stderr
    assert said.startswith("deniable: bad.csv must")
    assert "zebra" not in said


@pytest.mark.parametrize(
    "rows", [[["weight"], [1]], [["load"], *([1] for _ in range(100))], [["weight"], *(["x"] for _ in range(100))]]
)
def test_weights_that_do_not_fit(rows: list[Any]) -> None:
    write("bad.csv", rows)
    words = ["--question", "weighted", "--weights", "bad.csv", "--values", "values.csv"]
    assert run(*FILES, *words, code=2).stderr.startswith("deniable: bad.csv must")


def test_a_mechanism_without_a_prior_has_no_curator() -> None:
    Path("plain.tally").write_bytes(dn.RandomizedResponse(LABELS, 1.0).tally([0, 1]).to_bytes())
    assert "InformedResponse" in run("plain.tally", "--question", "histogram", code=2).stderr
    Path("other.tally").write_bytes(dn.InformedResponse(3, [0.2, 0.3, 0.5], 1.0).tally([0]).to_bytes())
    assert "the same labels" in run("0.tally", "other.tally", "--question", "histogram", code=2).stderr
    Path("torn.tally").write_bytes(b"deniable tally\x00")
    assert "torn.tally" in run("torn.tally", "--question", "histogram", code=2).stderr


def test_no_reports_are_refused() -> None:
    m = CROWD.channels[0]
    with write_reports("none.parquet", m.spec(), m.layout):
        pass
    write("none.csv", [["weight"]])
    weighted = ["--question", "weighted", "--weights", "none.csv", "--values", "values.csv"]
    for words in (["--question", "histogram"], weighted):
        assert "must hold at least one report" in run("none.parquet", *words, code=2).stderr

"""``deniable survey``: what a planned survey would tell, what would tell more, and the files for a questionnaire."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from deniable.cli import app, survey

PLAN = """
name = "breaks"
epsilon = 1.0
people = 120

[[question]]
name = "way"
labels = ["car", "bus", "bike", "foot"]
"""


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(plan: str, *words: str) -> Any:
    """The command, on a file with this plan."""
    Path("breaks.toml").write_text(plan, encoding="utf-8")
    return CliRunner().invoke(app, ["survey", "advise", "breaks.toml", *words])


def test_advice_is_a_table() -> None:
    shown = run(PLAN)
    assert shown.exit_code == 0
    assert "Nothing yet: one question is too much for 120 people and strong protection." in shown.stdout
    assert "1. Protect less: a guess of 50 in 100 becomes 89 at most; as asked it becomes 74." in shown.stdout


def test_advice_is_json_for_machines() -> None:
    told = json.loads(run(PLAN, "--json").stdout)
    assert told["wanted"] == 0.1
    assert told["options"][0]["errors"]["way"] <= 0.13
    assert told["options"][0]["changes"][0]["kind"] == "level"


def test_what_is_wanted_is_said_by_the_plan_or_beside_it() -> None:
    assert json.loads(run(f"wanted = 0.05\n{PLAN}", "--json").stdout)["wanted"] == 0.05
    assert json.loads(run(f"wanted = 0.05\n{PLAN}", "--wanted", "0.2", "--json").stdout)["wanted"] == 0.2


@pytest.mark.parametrize(
    ("plan", "words", "said"),
    [
        (PLAN, ["--wanted", "10"], "breaks.toml: wanted must be a share below 0.25"),
        (PLAN.replace("120", "0"), [], "breaks.toml: people must be"),
        (f'repeat = "remembered"\nperiod = "week"\n{PLAN}', [], "advice must be on a survey whose reports are drawn"),
        ("name = 1 2", [], "a survey must be planned in TOML"),
        (PLAN.replace("120", "1,5"), [], "; write a decimal with a point, such as 1.5"),
        ("[question]\n" * 2, [], "; each question begins with [[question]], in two brackets"),
    ],
)
def test_what_cannot_be_advised_on_is_refused_in_words(plan: str, words: list[str], said: str) -> None:
    refused = run(plan, *words)
    assert refused.exit_code == 2
    assert said in refused.stderr


def test_a_plan_alone_is_shown_and_nothing_is_written() -> None:
    """What people will be told, how exact it will be, and where the document would go."""
    Path("breaks.toml").write_text(PLAN, encoding="utf-8")
    shown = CliRunner().invoke(app, ["survey", "new", "breaks.toml"])
    assert shown.exit_code == 0
    for told in ("breaks, 120 people", "give or take", "Privacy label: breaks", "nothing is written; --out FILE"):
        assert told in shown.stdout
    assert [each.name for each in Path().iterdir()] == ["breaks.toml"]


def test_what_is_written_is_shown_in_short() -> None:
    """Whoever wants the label again asks for it."""
    Path("breaks.toml").write_text(PLAN, encoding="utf-8")
    shown = CliRunner().invoke(app, ["survey", "new", "breaks.toml", "--out", "breaks.json"]).stdout
    assert "give or take" in shown
    assert "Privacy label" not in shown
    assert shown.endswith("; deniable explain breaks.json shows its label\n")


def test_a_plan_is_told_what_its_label_cannot_state() -> None:
    Path("breaks.toml").write_text(PLAN, encoding="utf-8")
    told = CliRunner().invoke(app, ["survey", "new", "breaks.toml"]).stderr
    lost = "responsible.controller, responsible.legal_basis, contact"
    assert told == f"deniable: note: on the privacy label these read 'not stated', unless a plan gives them: {lost}\n"
    stated = (
        'contact = "council@marlow.example"\nresponsible = {controller = "Marlow Works", legal_basis = "Consent"}\n'
    )
    Path("breaks.toml").write_text(stated + PLAN, encoding="utf-8")
    assert CliRunner().invoke(app, ["survey", "new", "breaks.toml"]).stderr == ""


def test_a_plan_is_told_of_values_that_short_columns_would_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("breaks.toml").write_text('carrier = "field"\n' + PLAN.replace("population", "people"), encoding="utf-8")
    assert "characters" not in CliRunner().invoke(app, ["survey", "new", "breaks.toml"]).stderr
    monkeypatch.setitem(vars(survey), "LONG_FIELD", 60)
    told = CliRunner().invoke(app, ["survey", "new", "breaks.toml"]).stderr
    assert "have up to 6" in told
    assert "choose the host's type for long text" in told

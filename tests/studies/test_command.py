"""``deniable reproduce``: lists, runs one or all, says what agrees, refuses what it does not know."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from tests.studies.worlds import made_up
from typer.testing import CliRunner

from deniable.cli import app, reproduce
from studies import catalogue, command
from studies.study import Tables
from studies.verdicts import Check, Verdict


@pytest.fixture(autouse=True)
def _shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A catalogue of one made-up study, and an empty folder."""
    study = made_up(tmp_path / "log")
    monkeypatch.setattr(catalogue, "STUDIES", {study.name: study})
    monkeypatch.chdir(tmp_path)


def run(*words: str, code: int = 0) -> str:
    """What a command says that must end with this exit code."""
    result = CliRunner().invoke(app, ["reproduce", *words])
    assert result.exit_code == code, result.output
    return result.stdout if code == 0 else result.stderr


@pytest.mark.parametrize("words", [[], ["--list"]])
def test_studies_are_listed(words: list[str]) -> None:
    assert run(*words) == "made-up      A made-up study\n"


def test_the_list_is_for_machines_too() -> None:
    shown = json.loads(run("--list", "--json"))
    assert shown == [{"name": "made-up", "title": "A made-up study", "source": "Nobody, nowhere."}]


@pytest.mark.parametrize(
    ("words", "folder"),
    [
        (["made-up"], "studies-output"),
        (["made-up", "--quick"], "studies-output-quick"),
        (["made-up", "--out", "here"], "here"),
    ],
)
def test_results_go_where_they_are_told(words: list[str], folder: str) -> None:
    said = run(*words, "--jobs", "1")
    page = Path(folder) / "made-up" / "index.md"
    assert str(page) in said
    assert "In agreement: " in said
    assert page.read_text(encoding="utf-8").startswith("# A made-up study\n")


def test_machines_get_every_check() -> None:
    document = json.loads(run("made-up", "--jobs", "1", "--seed", "5", "--json"))
    assert [(found["study"], found["seed"], len(found["checks"])) for found in document] == [("made-up", 5, 3)]
    assert {check["verdict"] for check in document[0]["checks"]} == {"agrees"}


def test_all_of_them_make_a_gallery() -> None:
    run("all", "--jobs", "1")
    assert "made-up/curve.svg" in Path("studies-output/index.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["other"], "study must be one of made-up, all, got study='other'"),
        (["made-up", "--jobs", "0"], "jobs must be"),
        (["made-up", "--seed", "-1"], "seed must be"),
    ],
)
def test_what_cannot_be_run_is_refused(words: list[str], message: str) -> None:
    assert run(*words, code=2).startswith(f"deniable: {message}")
    assert list(Path().iterdir()) == []


def test_what_studies_need_is_named_where_it_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "find_spec", lambda name: None if name == "threadpoolctl" else object())
    assert run("made-up", code=2) == "deniable: studies need threadpoolctl: pip install -e '.[studies]'\n"
    assert run("--list") == "made-up      A made-up study\n"


def test_an_installed_package_says_how_to_get_the_studies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reproduce, "SOURCE", tmp_path)
    for words in ([], ["--list"], ["wang2016", "--quick"]):
        said = run(*words, code=2)
        assert said.startswith("deniable: reproduce needs a copy of the project's source, got an installed package")
        assert said.endswith("in a copy, run pip install -e '.[studies]' and then deniable reproduce\n")


def test_what_differs_and_where_pictures_are_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "MOST_SHOWN", 1)
    made = catalogue.STUDIES["made-up"]

    def checks(tables: Tables) -> Sequence[Check]:
        first = next(iter(made.checks(tables)))
        return [first, *(replace(first, what=f"row {k}", verdict=Verdict.DIFFERS) for k in range(3))]

    monkeypatch.setattr(catalogue, "STUDIES", {"made-up": replace(made, checks=checks)})
    said = run("made-up", "--jobs", "1")
    assert said.count("  differs: ") == said.count("row 0 (") == 1
    assert "  and 2 more that differ or cannot be told, all of them in index.md\n" in said
    for picture in made.pictures:
        assert f"  {Path('studies-output') / 'made-up' / picture.name}.svg  {picture.title}\n" in said

"""``deniable survey dossier``: the document, as a page, as text and for programs, and its exit code."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import deniable as dn
from deniable.cli import app

SURVEY = dn.Survey.plan("late", [dn.OneOf("late", ["yes", "no"])], 1.0, 500, title="Late")


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("late.json").write_bytes(SURVEY.document)


def run(*words: str, code: int = 0) -> Result:
    result = CliRunner().invoke(app, ["survey", "dossier", "late.json", *words])
    assert result.exit_code == code, result.output
    return result


def test_it_shows_text_and_is_told_for_how_many_people() -> None:
    assert "### 5. How exact the result is (utility)\n\n- **A person must answer:** How many" in run().stdout
    assert "“late”: if 2,000 people answer, give or take" in run("--people", "2000").stdout
    Path("late.json").rename("renamed.json")
    assert "deniable audit renamed.json" in CliRunner().invoke(app, ["survey", "dossier", "renamed.json"]).stdout


def test_it_is_json_for_machines_in_either_language() -> None:
    told = json.loads(run("--json").stdout)
    assert (told["digest"], told["holds"], len(told["boxes"])) == (SURVEY.digest, True, 10)
    assert told["finding"].startswith("3 of 10 boxes")
    assert json.loads(run("--json", "--lang", "de").stdout)["finding"].startswith("3 von 10 Feldern")


@pytest.mark.parametrize("name", ["dossier.html", "dossier.md"])
def test_it_is_written_whole_and_named(name: str) -> None:
    shown = run("--out", name, "--lang", "de").stdout
    assert f"written to {name}" in shown
    assert SURVEY.digest in Path(name).read_text(encoding="utf-8")
    assert "Dossier zu „Late“" in Path(name).read_text(encoding="utf-8")


def test_what_it_cannot_do_is_refused_in_words() -> None:
    assert "--out must name a .html or .md file, got d.pdf" in run("--out", "d.pdf", code=2).stderr
    assert "--lang must be" in run("--lang", "fr", code=2).stderr


def test_a_promise_that_does_not_hold_ends_with_1(monkeypatch: pytest.MonkeyPatch) -> None:
    lie = property(lambda self: dn.LDP(self.epsilon / 2))
    monkeypatch.setattr(dn.RandomizedResponse, "guarantee", lie, raising=False)
    assert "do not sign" in run(code=1).stdout


BARE = """
import sys
sys.modules.update(dict.fromkeys(["markupsafe", "jinja2", "starlette", "pyarrow", "matplotlib", "psycopg"]))
from deniable.cli import main
sys.argv = ["deniable", "survey", "dossier", "late.json"]
main()
"""
"""What an officer has who installed no extra."""


def test_it_needs_no_extra() -> None:
    done = subprocess.run([sys.executable, "-c", BARE], capture_output=True, check=False, encoding="utf-8")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("# Dossier of “Late”")

"""What a terminal shows: tables that fit it, no colours where nobody wants them, and quiet on demand."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import subprocess
import sys
from pathlib import Path

import pytest
from tests.collector.warm import warmed
from typer.testing import CliRunner

import deniable as dn
from deniable.cli import app
from deniable.estimation.table import WIDTH, Table

DENIABLE = [sys.executable, "-m", "deniable"]
PLAN = ["plan", "--domain", "12", "--epsilon", "1", "--users", "9000"]
RESET = "\x1b[0m"
"""What Colorama writes when a process ends, where something loads it."""
ESCAPE = re.compile(r"\x1b\[")


def on_a_terminal(words: list[str], columns: int, **more: str) -> str:
    """What a command shows on a terminal so wide."""
    ours, theirs = pty.openpty()
    with pytest.MonkeyPatch.context() as patched:
        for name, value in {"COLUMNS": str(columns), "LINES": "40", "TERM": "xterm", **more}.items():
            patched.setenv(name, value) if value else patched.delenv(name, raising=False)
        command = warmed().start(words, Path(os.ttyname(theirs)))
    shown, ended = b"", False
    while not ended:
        ended = command.poll() is not None
        while select.select([ours], [], [], 0.01)[0]:
            shown += os.read(ours, 1 << 16)
    os.close(theirs)
    os.close(ours)
    return shown.decode().replace("\r\n", "\n").removesuffix(RESET)


@pytest.mark.parametrize("columns", [40, 60, 200])
def test_tables_fit_the_terminal(columns: int) -> None:
    shown = on_a_terminal(PLAN, columns, NO_COLOR="1")
    assert max(map(len, shown.splitlines())) <= columns
    assert not ESCAPE.search(shown)
    whole = re.search(r"^ Subset +\d", shown, re.MULTILINE)
    assert bool(whole) == (columns == 200)
    assert "error per label" in shown


def test_what_is_no_terminal_gets_the_whole_table() -> None:
    narrow = {**os.environ, "COLUMNS": "40"}
    piped = subprocess.run([*DENIABLE, *PLAN], capture_output=True, text=True, check=True, env=narrow)
    assert re.search(r"^ Subset +\d", piped.stdout, re.MULTILINE)
    assert not ESCAPE.search(piped.stdout)


def test_colours_are_left_out_where_nobody_wants_them() -> None:
    assert ESCAPE.search(on_a_terminal(["--help"], 100, NO_COLOR=""))
    for words in (["--help"], ["plan", "--help"], ["plan", "--bogus"]):
        assert not ESCAPE.search(on_a_terminal(words, 100, NO_COLOR="1"))


@pytest.mark.parametrize("columns", [40, 70])
def test_what_a_person_is_told_folds_too(columns: int, tmp_path: Path) -> None:
    (tmp_path / "spec.json").write_text(json.dumps(dn.Subset(["yes", "no"], 1.0).spec()), encoding="utf-8")
    survey = dn.Survey.plan("s", [dn.OneOf("late", ["yes", "no"])], 1.0, 1000)
    (tmp_path / "survey.json").write_bytes(survey.document)
    for name in ("spec.json", "survey.json"):
        shown = on_a_terminal(["explain", str(tmp_path / name)], columns, NO_COLOR="1")
        assert max(map(len, shown.splitlines())) <= columns
        told = on_a_terminal(["audit", str(tmp_path / name)], columns, NO_COLOR="1")
        told = told.partition("What the person asked is told")[2]
        assert max(map(len, told.splitlines())) <= columns
        assert "\n- " in told
        assert "\n  " in told


def test_quiet_shows_no_progress(tmp_path: Path) -> None:
    (tmp_path / "answers.csv").write_text("way\n" + "car\nbus\n" * 200_000, encoding="utf-8")
    words = ["privatize", str(tmp_path / "answers.csv"), "--column", "way", "--mechanism", "RandomizedResponse"]
    words += ["--epsilon", "1", "--domain", "car,bus"]
    loud = on_a_terminal([*words, "--out", str(tmp_path / "loud.parquet")], 100)
    quiet = on_a_terminal(["--quiet", *words, "--out", str(tmp_path / "quiet.parquet")], 100)
    assert ESCAPE.search(loud)  # a bar that is drawn and taken away
    assert not ESCAPE.search(quiet)
    assert quiet.startswith("400,000 reports of RandomizedResponse(")
    assert quiet.count("\n") == 1


def test_a_package_that_is_missing_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    done = CliRunner().invoke(app, [*PLAN, "--plot", "a.png"])
    assert done.exit_code == 2
    assert "matplotlib" in done.stderr.lower()
    assert "deniable[pictures]" in done.stderr


def test_what_goes_to_a_file_is_whole_however_it_is_named(tmp_path: Path) -> None:
    coin = dn.RandomizedResponse(["yes", "no"], 1.0)
    tally = tmp_path / "coin.tally"
    tally.write_bytes(coin.tally(coin.privatize_many(["yes"] * 900, seed=1)).to_bytes())
    on_a_terminal(["estimate", str(tally), f"--out={tmp_path / 'wide.txt'}"], 30)
    assert re.search(r"^ yes +\d", (tmp_path / "wide.txt").read_text(encoding="utf-8"), re.MULTILINE)
    assert not re.search(r"^ yes +\d", on_a_terminal(["estimate", str(tally)], 30), re.MULTILINE)


def test_a_module_of_our_own_that_is_not_there_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "deniable.cli.plan", None)
    done = CliRunner().invoke(app, PLAN)
    assert done.exit_code == 70
    assert "this should not happen: ModuleNotFoundError" in done.stderr


def test_a_table_is_folded_row_by_row() -> None:
    rows = [("yes", "30%", "12"), ("名", "7%", "3")]
    table = Table("A title that is long", ("label", "share", "people"), rows, ["a note"])
    token = WIDTH.set(20)
    try:
        first, second = ["yes", "  share    30%", "  people   12"], ["名", "  share    7%", "  people   3"]
        assert str(table).splitlines() == ["A title that is long", *first, *second, "a note"]
        WIDTH.set(80)
        assert str(table).splitlines()[1] == " label   share   people"
    finally:
        WIDTH.reset(token)

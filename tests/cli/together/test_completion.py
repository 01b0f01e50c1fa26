"""Shells complete commands, options and the names of mechanisms."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from deniable.cli.commands import COMMANDS, SURVEY_COMMANDS
from deniable.cli.mechanisms import NAMES

HOW = "_DENIABLE_COMPLETE"
IN_BASH = """
source completion
COMP_WORDS=("${@:1}"); COMP_CWORD=$(($# - 1))
_deniable_completion ./deniable
echo "${COMPREPLY[@]}"
"""


@pytest.fixture(autouse=True)
def _program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The program in a folder of its own, as shells call it."""
    monkeypatch.chdir(tmp_path)
    program = Path("deniable")
    program.write_text(f"#!{sys.executable}\nfrom deniable.cli import main\n\nmain()\n", encoding="utf-8")
    program.chmod(0o755)


def asked(**variables: str) -> str:
    """What the program tells a shell that asks by environment variables."""
    done = subprocess.run(["./deniable"], env={**os.environ, **variables}, capture_output=True, text=True, check=False)
    return done.stdout


@cache
def for_bash() -> str:
    """What Bash reads once, when it starts."""
    return asked(**{HOW: "source_bash"})


def in_bash(*words: str) -> list[str]:
    """What Bash itself offers for the last word."""
    Path("completion").write_text(for_bash(), encoding="utf-8")
    done = subprocess.run(["bash", "-c", IN_BASH, "bash", *words], capture_output=True, text=True, check=True)
    return done.stdout.split()


def test_bash_completes_commands_and_options() -> None:
    assert in_bash("deniable", "") == [*(command.name for command in COMMANDS), "survey", "collector", "mixer"]
    assert in_bash("deniable", "survey", "") == [command.name for command in SURVEY_COMMANDS]
    assert in_bash("deniable", "privatize", "answers.csv", "--mech") == ["--mechanism"]


@pytest.mark.parametrize("command", ["privatize", "simulate", "audit"])
def test_bash_completes_names_of_mechanisms(command: str) -> None:
    assert in_bash("deniable", command, "--mechanism", "") == NAMES
    assert in_bash("deniable", command, "--mechanism", "Hashed") == ["HashedResponse", "HashedRappor"]


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_are_told_the_commands(shell: str) -> None:
    assert f"complete_{shell}" in asked(**{HOW: f"source_{shell}"})
    told = asked(
        **{HOW: f"complete_{shell}"}, _TYPER_COMPLETE_ARGS="deniable survey ", _TYPER_COMPLETE_FISH_ACTION="get-args"
    )
    assert all(command.name in told for command in SURVEY_COMMANDS)

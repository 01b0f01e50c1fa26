"""Commands are loaded when they are run, and lists show what they say of themselves."""

from __future__ import annotations

import inspect
import subprocess
import sys

import pytest

from deniable.cli.commands import COLLECTOR_COMMANDS, COMMANDS, SURVEY_COMMANDS
from deniable.cli.late import CommandEntry

EVERY = [*COMMANDS, *SURVEY_COMMANDS, *COLLECTOR_COMMANDS]
HEAVY = ("numpy", "scipy", "pyarrow", "matplotlib")


@pytest.mark.parametrize("listed", EVERY, ids=lambda listed: f"{listed.module}.{listed.function}")
def test_a_list_says_what_the_command_says(listed: CommandEntry) -> None:
    said = inspect.getdoc(listed.load()) or ""
    assert said.split("\n\n")[0].replace("\n", " ") == listed.help
    assert listed.example.startswith("deniable ")


@pytest.mark.parametrize("words", [["--help"], ["survey", "--help"], ["--version"]])
def test_help_loads_nothing_heavy(words: list[str]) -> None:
    text = (
        "import sys; from deniable.cli.app import app\n"
        f"try: app({words!r})\n"
        f"except SystemExit: print([name for name in {HEAVY!r} if name in sys.modules])"
    )
    said = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True).stdout
    assert said.endswith("[]\n")

"""Commands are loaded when they are run, and lists show what they say of themselves."""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

import deniable as dn
from deniable.cli import app
from deniable.cli.commands import COLLECTOR_COMMANDS, COMMANDS, SURVEY_COMMANDS
from deniable.cli.lazy_commands import CommandEntry

EVERY = [*COMMANDS, *SURVEY_COMMANDS, *COLLECTOR_COMMANDS]
HEAVY = ("numpy", "scipy", "pyarrow", "matplotlib")
UNUSED = ("pandas", "matplotlib", "rich", "scipy.optimize", "scipy.stats", "scipy.sparse", "deniable.collector")
"""What no small work on a survey or a tally needs."""
COIN = dn.RandomizedResponse(["yes", "no"], 1.0)
FAMILIES = tuple(f"deniable.mechanisms.{room}." for room in ("plain", "context", "hashed", "lists", "prior", "repeat"))
"""Where families stand."""
PLAN = """
name = "way"
epsilon = 1
people = 500

[[question]]
name = "way"
kind = "one_of"
labels = ["bike", "car"]
"""


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


def loaded_by(words: list[str], folder: Path) -> set[str]:
    """The modules that a command has loaded when it ends, in a process of its own."""
    text = (
        "import json, sys; from deniable.cli.app import app\n"
        f"try: app({words!r})\n"
        "except SystemExit as end: print(json.dumps([end.code or 0, *sys.modules]))"
    )
    done = subprocess.run([sys.executable, "-c", text], cwd=folder, capture_output=True, text=True, check=True)
    code, *modules = json.loads(done.stdout.splitlines()[-1])
    assert code == 0, done.stderr
    return set(modules)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with reports, their tally and a plan."""
    folder = tmp_path_factory.mktemp("small")
    reports = COIN.privatize_many(["yes"] * 1000, seed=1)
    with dn.files.write_reports(folder / "week.parquet", COIN.spec(), COIN.layout) as writer:
        writer.write(reports)
    (folder / "week.tally").write_bytes(COIN.tally(reports).to_bytes())
    (folder / "plan.toml").write_text(PLAN, encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("line", "most", "also"),
    [
        ("show week.tally", 185, ["scipy.special", "pyarrow"]),
        ("tally week.parquet --out new.tally", 185, ["scipy.special"]),
        ("estimate week.tally", 205, ["pyarrow"]),
    ],
)
def test_a_command_loads_one_family_and_no_surveys(line: str, most: int, also: list[str], files: Path) -> None:
    """Modules are counted, not seconds: of this package they are about a third."""
    loaded = loaded_by(line.split(), files)
    assert loaded & {*UNUSED, *also, "deniable.surveys", "deniable.planning", "deniable.audit"} == set()
    assert {name for name in loaded if name.startswith(FAMILIES)} == {COIN.__module__}
    assert sum(map(is_ours, loaded)) <= most


def test_a_plan_loads_no_report_files_and_nothing_heavy(files: Path) -> None:
    loaded = loaded_by(["survey", "new", "plan.toml", "--out", "survey.json"], files)
    assert loaded & {*UNUSED, "scipy.special", "pyarrow"} == set()
    assert sum(map(is_ours, loaded)) <= 440


def is_ours(name: str) -> bool:
    """Whether a module is of this package."""
    return name.startswith("deniable.")


def test_an_option_of_another_command_leads_to_what_stands_without_one() -> None:
    refused = CliRunner().invoke(app, ["survey", "estimate", "--survey", "commute.json"])
    assert "No such option: --survey; TALLY stands without an option" in refused.stderr

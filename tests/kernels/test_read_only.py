"""Where nothing can be written everything works; what was compiled ahead is used."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import deniable

SURVEY = """
import tempfile
tempfile.tempdir = {scratch!r}  # the machine's own can be written by all
import deniable as dn
from deniable.engines.warm import so_far
survey = dn.RandomizedResponse(["never", "once", "often"], 1.0)
tally = survey.tally(survey.privatize_many(["never", "once"] * 20_000, seed=7))
print(tally.counts.tolist(), survey.estimate(tally).n, so_far().compiled > 0)
"""
OVERRIDE = "-dac_override,-dac_read_search"
AS_OTHERS = ["setpriv", "--inh-caps", OVERRIDE, "--bounding-set", OVERRIDE]
"""Modes bind root too once it has given up its right to override them."""

pytestmark = pytest.mark.skipif(
    not hasattr(os, "geteuid") or (os.geteuid() == 0 and shutil.which("setpriv") is None),
    reason="it takes modes that bind this user",
)


@pytest.fixture
def copy(tmp_path: Path) -> Iterator[Path]:
    """A copy of the package, beside a home; what is in it can be removed again at the end."""
    shutil.copytree(Path(deniable.__file__).parent, tmp_path / "deniable", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "home").mkdir()
    yield tmp_path
    lock(tmp_path, 0o755)


def lock(folder: Path, mode: int = 0o555) -> None:
    """The mode of the folder and of all folders in it."""
    for place in (folder, *folder.rglob("*/")):
        place.chmod(mode)


def run(copy: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Python with the copy, by a user whom modes bind; where it may write is in the home or in the copy."""
    variables = {name: value for name, value in os.environ.items() if not name.startswith(("NUMBA_", "XDG_"))}
    own = {"HOME": str(copy / "home"), "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [*(AS_OTHERS if os.geteuid() == 0 else []), sys.executable, *words]
    return subprocess.run(command, env={**variables, **own}, cwd=copy, capture_output=True, text=True, check=True)


def files(folder: Path) -> set[str]:
    """All that is in a folder."""
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*")}


def test_a_survey_runs_where_nothing_can_be_written(copy: Path) -> None:
    lock(copy)
    before = files(copy)
    done = run(copy, "-c", SURVEY.format(scratch=str(copy)))
    assert done.stdout.endswith(" 40000 True\n")
    assert done.stderr.startswith("deniable: compiled code cannot be kept; NUMBA_CACHE_DIR names a folder for it")
    assert done.stderr.count("\n") == 1
    assert files(copy) == before


def test_what_was_compiled_ahead_is_used_where_nothing_can_be_written(copy: Path) -> None:
    warmed = run(copy, "-m", "deniable", "warm", "--mechanism", "randomizedresponse")
    assert "variants of kernels compiled in" in warmed.stdout
    assert f"{copy / 'deniable' / 'kernels' / '__pycache__'}" in warmed.stdout
    assert warmed.stderr == ""
    lock(copy)
    before = files(copy)
    done = run(copy, "-c", SURVEY.format(scratch=str(copy)))
    assert done.stdout.endswith(" 40000 False\n")
    assert done.stderr == ""
    assert files(copy) == before

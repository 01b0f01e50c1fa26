"""An empty folder and a clock: what somebody has in a first hour."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.collector.commands import command

TIMEOUT = 300


@dataclass(frozen=True)
class Hour:
    """What somebody types, in a folder of their own."""

    folder: Path
    environment: dict[str, str]

    def write(self, name: str, text: str) -> None:
        """Write a file."""
        (self.folder / name).write_text(text, encoding="utf-8")

    def read(self, name: str) -> str:
        """What a file holds."""
        return (self.folder / name).read_text(encoding="utf-8")

    def deniable(self, line: str, code: int = 0) -> str:
        """Run a command as it is typed; what it says."""
        with pytest.MonkeyPatch.context() as patched:
            patched.chdir(self.folder)
            patched.setenv("COLUMNS", self.environment["COLUMNS"])
            done = command(*shlex.split(line))
        return said(done, code)

    def python(self, text: str) -> str:
        """Run some lines of Python; what they print."""
        done = subprocess.run(
            [sys.executable, "-c", text], cwd=self.folder, env=self.environment, timeout=TIMEOUT,
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        return said(done, code=0)

    def start(self, line: str) -> subprocess.Popen[str]:
        """Start a command that goes on."""
        words = [sys.executable, "-m", "deniable", *shlex.split(line)]
        return subprocess.Popen(words, cwd=self.folder, env=self.environment, stderr=subprocess.DEVNULL, text=True)


def said(done: subprocess.CompletedProcess[str], code: int) -> str:
    """What a process said that ended as it should."""
    assert done.returncode == code, f"{done.args}: {done.stdout}{done.stderr}"
    return done.stdout + done.stderr


@pytest.fixture
def hour(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Hour]:
    """An hour that ends within the minutes of the mark ``minutes``."""
    mark = request.node.get_closest_marker("minutes")
    folder = tmp_path / "work"
    folder.mkdir()
    begun = time.monotonic()
    yield Hour(folder, {**os.environ, "COLUMNS": "120"})
    assert time.monotonic() - begun < 60 * mark.args[0]

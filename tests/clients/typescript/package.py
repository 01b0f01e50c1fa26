"""The package of the TypeScript client, built once for all tests that run it."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.house.house_tree import CLIENTS, ROOT

PACKAGE = CLIENTS / "typescript"
SOURCES = (PACKAGE / "src", PACKAGE / "test", PACKAGE / "scripts", ROOT / "wire" / "sentences")
LAST = PACKAGE / "dist" / "types" / "index.d.ts"
"""What a build writes last."""
OLDEST = 20


def run(*command: str) -> subprocess.CompletedProcess[str]:
    """A command in the package's folder."""
    return subprocess.run(command, check=False, cwd=PACKAGE, capture_output=True, text=True, encoding="utf-8")


@pytest.fixture(scope="session")
def built() -> Path:
    """The folder of the built tests. Elsewhere than in continuous integration, do without where it cannot be built."""
    missing = lacking()
    if missing is None:
        with (PACKAGE / "package.json").open() as manifest:
            fcntl.flock(manifest, fcntl.LOCK_EX)  # other processes run tests too
            missing = install()
            if missing is None and not is_fresh():
                made = run("npm", "run", "build")
                assert made.returncode == 0, made.stdout + made.stderr
    if missing is not None and not os.environ.get("CI"):
        pytest.skip(f"the tests of the TypeScript client need Node {OLDEST} and npm: {missing}")
    assert missing is None, f"continuous integration needs Node {OLDEST} and npm: {missing}"
    return PACKAGE / "build" / "test"


def lacking() -> str | None:
    """Why the package cannot be built here, if so."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        return "no Node was found"
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout
    return None if int(version.strip("v\n").split(".")[0]) >= OLDEST else f"Node is {version.strip()}"


def install() -> str | None:
    """Install the tools that build it; why they could not be, if so."""
    if (PACKAGE / "node_modules" / ".package-lock.json").is_file():
        return None
    installed = run("npm", "ci", "--ignore-scripts")
    return None if installed.returncode == 0 else f"npm ci failed: {installed.stderr[-300:]}"


def is_fresh() -> bool:
    """Whether it was built since its sources were last changed."""
    sources = [file for folder in SOURCES for file in folder.rglob("*")]
    sources += [*PACKAGE.glob("*.json"), ROOT / "wire" / "primitive.csv"]
    return LAST.is_file() and max(file.stat().st_mtime for file in sources) < LAST.stat().st_mtime

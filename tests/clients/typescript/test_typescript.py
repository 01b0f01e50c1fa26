"""The TypeScript client: built, type-checked and tested by its own tests, and set beside the Python client."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest
from tests.clients.typescript.cases import Case, spec_cases, survey_cases
from tests.house.house_tree import CLIENTS, ROOT

from deniable_client.mechanisms.registry import MECHANISMS

PACKAGE = CLIENTS / "typescript"
OLDEST = 20
SPECS, SURVEYS = 460, 120
"""So many random cases in every run; with SOAK=1 twenty times as many."""


def lacking() -> str | None:
    """Why the package cannot be built here, if so."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        return "no Node was found"
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout
    return None if int(version.strip("v\n").split(".")[0]) >= OLDEST else f"Node is {version.strip()}"


def run(*command: str) -> subprocess.CompletedProcess[str]:
    """A command in the package's folder."""
    return subprocess.run(command, check=False, cwd=PACKAGE, capture_output=True, text=True, encoding="utf-8")


@pytest.fixture(scope="module")
def built() -> Path:
    """The folder of the built tests. Elsewhere than in continuous integration, do without where it cannot be built."""
    missing = lacking()
    if missing is None and not (PACKAGE / "node_modules" / ".package-lock.json").is_file():
        # not npm ci, which wants the packages of every platform, also those that a registry does not have
        installed = run("npm", "install", "--no-save")
        missing = None if installed.returncode == 0 else f"npm install failed: {installed.stderr[-300:]}"
    if missing is not None and not os.environ.get("CI"):
        pytest.skip(f"the tests of the TypeScript client need Node {OLDEST} and npm: {missing}")
    assert missing is None, f"continuous integration needs Node {OLDEST} and npm: {missing}"
    made = run("npm", "run", "build")
    assert made.returncode == 0, made.stdout + made.stderr
    return PACKAGE / "build" / "test"


def test_types_and_style(built: Path) -> None:
    assert built.is_dir()
    for script in ("check", "lint"):
        checked = run("npm", "run", script)
        assert checked.returncode == 0, checked.stdout + checked.stderr


def test_its_own_tests_pass(built: Path) -> None:
    files = sorted(str(file) for file in built.glob("*.test.js"))
    assert len(files) == len(list((PACKAGE / "test").glob("*.test.ts")))
    passed = run("node", "--test", *files)
    assert passed.returncode == 0, passed.stdout[-6000:]


def replayed(built: Path, cases: Iterable[Case]) -> list[Case]:
    """What the TypeScript client makes of the cases."""
    lines = "".join(json.dumps(case) + "\n" for case in cases)
    command = ["node", str(built / "replay.js")]
    made = subprocess.run(command, input=lines, check=False, capture_output=True, text=True, encoding="utf-8")
    assert made.returncode == 0, made.stderr
    return [json.loads(line) for line in made.stdout.splitlines()]


def differing(built: Path, cases: list[tuple[Case, Case]]) -> list[tuple[Case, Case, Case]]:
    """The cases of which the clients make something else: given, Python's, TypeScript's."""
    found = replayed(built, (case for case, _ in cases))
    for made in found:
        if "chances" in made:
            made["chances"].sort()
    assert len(found) == len(cases)
    both = zip(cases, found, strict=True)
    return [(case, wanted, made) for (case, wanted), made in both if wanted != made]


def times() -> int:
    """How often the random cases are repeated."""
    return 20 if os.environ.get("SOAK") else 1


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(times()))
def test_random_specs_draw_the_same_reports(built: Path, seed: int) -> None:
    """Read, or refused, by both; the same canonical text; the same report from the same words, all of them read."""
    cases = list(spec_cases(random.Random(seed), SPECS))
    drawn = Counter(json.loads(wanted["text"])["mechanism"] for _, wanted in cases if "text" in wanted)
    assert set(drawn) == set(MECHANISMS)
    assert differing(built, cases) == []


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(times()))
def test_random_surveys_say_and_send_the_same(built: Path, seed: int) -> None:
    """The digest, the sentences, the levels, every payload with its exact probability, and the answer drawn."""
    cases = list(survey_cases(random.Random(seed), SURVEYS))
    assert sum("digest" in wanted for _, wanted in cases) > SURVEYS / 4
    assert differing(built, cases) == []


def test_the_polynomials_are_those_of_wire() -> None:
    own = PACKAGE / "src" / "mechanisms" / "primitive.csv"
    assert own.read_bytes() == (ROOT / "wire" / "primitive.csv").read_bytes()

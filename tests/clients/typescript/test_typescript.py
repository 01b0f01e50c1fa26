"""The TypeScript client: built, type-checked and tested by its own tests, and set beside the Python client."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from tests.clients.typescript.cases import differing, spec_cases, survey_cases
from tests.clients.typescript.package import PACKAGE, lacking, run
from tests.house.house_tree import SOURCE

from deniable.protocol.mechanisms.registry import MECHANISMS

SERVED = SOURCE / "pages" / "static"
SPECS, SURVEYS = 240, 60
"""So many random cases in every run; with SOAK=1 forty times as many."""


def test_types_and_style(built: Path) -> None:
    assert built.is_dir()
    for script in ("check", "lint"):
        checked = run("npm", "run", script)
        assert checked.returncode == 0, checked.stdout + checked.stderr


def test_the_lock_names_every_package_that_some_platform_needs() -> None:
    """`npm ci` refuses a lock that lacks one, on every platform."""
    locked = json.loads((PACKAGE / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    needed = {name for package in locked.values() for name in package.get("optionalDependencies", {})}
    assert len(needed) > 20
    assert {f"node_modules/{name}" for name in needed} <= set(locked)


@pytest.mark.skipif(lacking() is not None, reason="Node and npm are needed to pack")
def test_what_cannot_be_built_is_not_packed(tmp_path: Path) -> None:
    """`npm pack` builds first: here without the tools, so that no package without `dist` comes of it."""
    for name in ("package.json", ".npmrc", "scripts", "src"):
        (shutil.copytree if (PACKAGE / name).is_dir() else shutil.copy)(PACKAGE / name, tmp_path / name)
    packed = subprocess.run(["npm", "pack"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert packed.returncode != 0
    assert list(tmp_path.glob("*.tgz")) == []


@pytest.mark.soak
def test_its_own_tests_pass(built: Path) -> None:
    """Under SOAK=1 with 128 times as many draws of every mechanism."""
    files = sorted(str(file) for file in built.glob("*.test.js"))
    assert len(files) == len(list((PACKAGE / "test").glob("*.test.ts")))
    passed = run("node", "--test", *files)
    assert passed.returncode == 0, passed.stdout[-6000:]


def times() -> int:
    """How often the random cases are repeated."""
    return 40 if os.environ.get("SOAK") else 1


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
    assert sum("digest" in wanted for _, wanted in cases) > SURVEYS / 5
    assert differing(built, cases) == []


def test_what_collectors_serve_is_what_is_built(built: Path) -> None:
    """The same bytes, so that everybody can build the files whose hash a page names. `npm run page` renews them."""
    made = built.parent / "page"
    served = {file.name: file.read_bytes() for file in SERVED.glob("deniable*")}
    assert served == {file.name: file.read_bytes() for file in made.glob("deniable*")}
    assert (made / "integrity.json").read_bytes() == (SERVED / "integrity.json").read_bytes()

"""What a user meets first: an import that costs little, and pages that show the public names alone."""

import json
import re
import resource
import subprocess
import sys
from pathlib import Path

from tests.cases import each
from tests.house.house_tree import ROOT, named

HEAVY = ("matplotlib", "numpy", "pyarrow", "pyspark", "rich", "scipy", "typer")
MOST = 2.0
"""How many times as long as NumPy's the import may take."""
ROUNDS = 7
INTERNAL = ("docs/rooms", "docs/decisions")
"""Pages about the inside of the package."""
GUIDES = [
    page
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")), *sorted((ROOT / "examples").glob("*.py")))
    if not named(page).startswith(INTERNAL)
]
INNER_IMPORT = re.compile(r"^\s*(?:from +deniable\b|import +deniable\b(?! as dn$))")


def python(code: str) -> str:
    """What a fresh process prints."""
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def seconds(module: str) -> float:
    """The processor time that a fresh process takes to start and import a module."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", f"import {module}"], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def test_the_import_takes_at_most_twice_as_long_as_numpy_s() -> None:
    """The least of several turns each: whatever else the machine does only adds to a turn."""
    turns = [(seconds("deniable"), seconds("numpy")) for _ in range(ROUNDS)]
    ours, numpys = (min(times) for times in zip(*turns, strict=True))
    assert ours <= MOST * numpys


@each(
    ("code", "unused"),
    [
        ("dn", HEAVY),
        ("dir(dn)", HEAVY),
        ("dn.DenialError", HEAVY),
        ("dn.LDP(1.0)", ("matplotlib", "pandas", "pyarrow", "pyspark", "rich", "scipy", "typer")),
        ("dn.Subset(16, 1.0).privatize(3)", ("matplotlib", "pyspark", "scipy.stats", "typer")),
        ("dn.spark, dn.files, dn.pictures", ("matplotlib", "pyspark", "scipy.stats", "typer")),
    ],
)
def test_nothing_is_loaded_before_it_is_used(code: str, unused: tuple[str, ...]) -> None:
    loaded = set(json.loads(python(f"import deniable as dn, json, sys\n{code}\nprint(json.dumps(list(sys.modules)))")))
    assert "deniable" in loaded
    assert loaded & set(unused) == set()


@each("page", GUIDES, ids=named)
def test_guides_and_examples_use_public_names_alone(page: Path) -> None:
    lines = page.read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if INNER_IMPORT.search(line)] == []


@each(
    ("line", "inner"),
    [
        ("import deniable as dn", False),
        ("    from deniable.engines.files import tally_files", True),
        ("import deniable.engines.files as files", True),
        ("from deniable import engines", True),
        ("$ python -m deniable plan", False),
    ],
)
def test_an_inner_import_is_seen(line: str, inner: bool) -> None:
    assert bool(INNER_IMPORT.search(line)) == inner

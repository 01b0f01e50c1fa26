"""The package of examples/projective_plane, installed by pip into a folder of its own: planned, audited, counted."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "examples" / "projective_plane"
ADDED_UP = """
import deniable as dn
plan = dn.plan(13, epsilon=1.0, users=10_000, mechanisms=["Plane", "Subset", "Hadamard"])
print([row.name for row in plan.rows])
print(dn.extend.conform(dn.extend.FAMILIES["Plane"]))
plane = dn.from_spec({"version": 1, "mechanism": "Plane", "domain": 7, "epsilon": 1.0})
truth = [0.4, 0.2, 0.1, 0.1, 0.1, 0.1, 0.0]
print(round(dn.simulate(plane, truth, 100_000, 1, "likelihood").frequencies[0], 2))
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a process that has the package; nothing is fetched."""
    site = tmp_path_factory.mktemp("site")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--no-index", "--no-deps"]
    copied = tmp_path_factory.mktemp("package")  # a build may leave files beside what it builds
    for file in ("pyproject.toml", "projective_plane.py"):
        (copied / file).write_bytes((PACKAGE / file).read_bytes())
    done = subprocess.run(
        [*pip, "--no-build-isolation", "--target", str(site), str(copied)], check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(site), os.environ.get("PYTHONPATH", "")])}


def said(environment: dict[str, str], folder: Path, *words: str) -> str:
    """What a process with the package prints."""
    done = subprocess.run(
        [sys.executable, *words], check=False, capture_output=True, text=True, env=environment, cwd=folder
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_what_the_page_shows_of_it_is_there() -> None:
    page = (ROOT / "docs" / "own-mechanism.md").read_text(encoding="utf-8")
    section = page[page.index("## Reports that are sets") : page.index("## The suite")]
    shown = [
        line.strip()
        for line in re.findall(r"^    (\S.*|    .*)$", re.sub(r"```.*?```", "", section, flags=re.DOTALL), re.MULTILINE)
    ]
    code = {line.strip() for line in (PACKAGE / "projective_plane.py").read_text(encoding="utf-8").splitlines()}
    assert len(shown) == 7
    assert [line for line in shown if line not in code] == []


def test_it_is_planned_and_read_by_its_name(installed: dict[str, str], tmp_path: Path) -> None:
    plan, conforms, share = said(installed, tmp_path, "-c", ADDED_UP).splitlines()
    assert plan == "['Plane', 'Subset', 'Hadamard']"
    assert conforms == "Plane conforms: 27 checks"
    assert float(share) == pytest.approx(0.4, abs=0.05)  # six standard errors; a fixed seed


def test_commands_take_it(installed: dict[str, str], tmp_path: Path) -> None:
    options = ["--mechanism", "plane", "--domain", "13", "--epsilon", "1"]
    (tmp_path / "answers.csv").write_text("tree\n" + "3\n4\n3\n" * 100, encoding="utf-8")
    deniable = ["-m", "deniable"]
    assert "every claim is proven" in said(installed, tmp_path, *deniable, "audit", *options)
    words = [*deniable, "privatize", "answers.csv", "--column", "tree", "--out", "reports.parquet", *options]
    assert "300 reports of Plane(13 labels, epsilon=1.0)" in said(installed, tmp_path, *words)
    assert "300 reports" in said(installed, tmp_path, *deniable, "tally", "reports.parquet", "--out", "tree.tally")


def test_other_numbers_of_labels_are_refused_in_words(installed: dict[str, str], tmp_path: Path) -> None:
    words = ["-m", "deniable", "audit", "--mechanism", "Plane", "--domain", "12", "--epsilon", "1"]
    done = subprocess.run([sys.executable, *words], check=False, capture_output=True, env=installed, cwd=tmp_path)
    assert done.returncode == 2
    assert "7, 13, 31, 57, 133" in " ".join(done.stderr.decode().split())

"""The demo: a newcomer's first minute. What it shows is what its commands do."""

from __future__ import annotations

import csv
import shlex
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import deniable as dn
from deniable.cli import app
from deniable.cli.demo import SHARES

FILES = {
    "answers.csv", "estimate.csv", "labels.txt", "picture.png", "reports.parquet", "survey.tally", "truth.csv",
}  # fmt: skip


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def demo(*words: str) -> str:
    """What the demo prints."""
    result = CliRunner().invoke(app, ["demo", *words])
    assert result.exit_code == 0, result.output
    return result.stdout


def estimates(folder: str) -> np.ndarray:
    """The shares that the demo found and the truth, label by label."""
    with (Path(folder) / "estimate.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["label"] for row in rows] == list(SHARES)
    return np.array([[float(row[name]) for name in ("frequency", "low", "high")] for row in rows]).T


def test_the_demo_finds_the_truth_and_a_second_run_takes_the_place_of_the_first() -> None:
    shown = demo("--seed", "1")
    assert {path.name for path in Path("demo-output").iterdir()} == FILES
    share, low, high = estimates("demo-output")
    truth = np.array(list(SHARES.values()))
    assert truth.sum() == pytest.approx(1)
    assert np.abs(share - truth).max() < 0.06  # five standard errors
    assert ((low <= truth) & (truth <= high)).sum() >= 6
    assert (Path("demo-output") / "picture.png").read_bytes().startswith(b"\x89PNG")
    assert all(label in shown for label in SHARES)
    first = (Path("demo-output") / "survey.tally").read_bytes()
    assert demo("--seed", "1") == shown
    assert (Path("demo-output") / "survey.tally").read_bytes() == first


def test_without_a_seed_every_run_differs() -> None:
    for folder in ("a", "b"):
        demo("--out", folder, "--users", "2000")
    assert (Path("a") / "survey.tally").read_bytes() != (Path("b") / "survey.tally").read_bytes()
    assert dn.Tally.from_bytes((Path("a") / "survey.tally").read_bytes()).n == 2000


def test_the_commands_that_it_prints_work_as_printed() -> None:
    shown = demo("--users", "500", "--out", "the demo")
    commands = [shlex.split(line)[2:] for line in shown.splitlines() if line.startswith("$ deniable ")]
    assert [words[0] for words in commands] == ["plan", "audit", "privatize", "tally", "estimate", "estimate"]
    for name in FILES - {"answers.csv", "labels.txt", "truth.csv"}:
        (Path("the demo") / name).unlink()
    for words in commands:
        assert CliRunner().invoke(app, words).exit_code == 0
    assert {path.name for path in Path("the demo").iterdir()} == FILES


def test_a_step_that_fails_ends_the_demo() -> None:
    (Path("demo-output") / "survey.tally").mkdir(parents=True)
    (Path("demo-output") / "labels.txt").write_text("\n".join([*SHARES, ""]), encoding="utf-8")
    result = CliRunner().invoke(app, ["demo", "--users", "100"])
    assert result.exit_code == 2
    assert "survey.tally must be a file" in result.stderr
    assert "5. Estimate" not in result.stdout

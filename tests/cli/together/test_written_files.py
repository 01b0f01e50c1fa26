"""No command writes over what it reads, twice to one file, or to what can be no file; nothing has begun by then."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from typer.testing import CliRunner

import deniable as dn
from deniable.cli import app

MECHANISM = ["--mechanism", "Subset", "--epsilon", "1"]
LABELS = [*MECHANISM, "--domain", "yes,no,maybe"]
PRIVATIZE = ["privatize", "answers.csv", "--column", "answer"]
DISCOVER = ["discover", "answers.csv", "--column", "answer"]
SIMULATE = ["simulate", "--users", "5"]


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One of each kind that commands read."""
    monkeypatch.chdir(tmp_path)
    Path("answers.csv").write_text("answer\nyes\nno\n", encoding="utf-8")
    Path("labels.png").write_text("yes\nno\nmaybe\n", encoding="utf-8")
    Path("truth.png").write_text("label,share\nyes,1\n", encoding="utf-8")
    Path("promise.png").write_text('epsilon = 1.0\ndomain = ["yes", "no"]\n', encoding="utf-8")
    mechanism = dn.Subset(["yes", "no", "maybe"], 1.0)
    Path("s.tally").write_bytes(mechanism.tally(mechanism.privatize_many(["yes", "no"], seed=1)).to_bytes())
    Path("spec.json").write_text("{}", encoding="utf-8")
    Path("a").symlink_to("b")
    Path("b").symlink_to("a")


def refusal(words: list[str]) -> str:
    """The one line of a command that is refused and leaves every file as it was."""
    before = {path.name: path.read_bytes() for path in Path().iterdir() if path.is_file()}
    result = CliRunner().invoke(app, words)
    assert (result.exit_code, result.stdout) == (2, ""), result.output
    assert result.stderr.count("\n") == 1
    assert {path.name: path.read_bytes() for path in Path().iterdir() if path.is_file()} == before
    return result.stderr


@pytest.mark.parametrize(
    "words",
    [
        ["estimate", "s.tally", "--json", "--out", "s.tally"],
        ["estimate", "s.tally", "--candidates", "labels.png", "--out", "labels.png"],
        ["estimate", "s.tally", "--truth", "truth.png", "--out", "truth.png"],
        ["estimate", "s.tally", "--truth", "truth.png", "--plot", "truth.png"],
        ["plan", "--labels-file", "labels.png", "--epsilon", "1", "--users", "5", "--plot", "labels.png"],
        ["plan", "--guarantee", "promise.png", "--users", "5", "--plot", "promise.png"],
        [*SIMULATE, *MECHANISM, "--labels-file", "labels.png", "--plot", "labels.png"],
        [*SIMULATE, *LABELS, "--truth", "truth.png", "--plot", "truth.png"],
        [*PRIVATIZE, *LABELS, "--out", "answers.csv"],
        [*PRIVATIZE, *MECHANISM, "--labels-file", "labels.png", "--out", "labels.png"],
        [*PRIVATIZE, "--mechanism", "Subset", "--guarantee", "promise.png", "--out", "promise.png"],
        [*DISCOVER, "--epsilon", "3", "--out", "answers.csv"],
        ["tally", "answers.csv", "--spec", "spec.json", "--out", "spec.json"],
    ],
)  # fmt: skip
def test_what_is_read_is_not_written_over(words: list[str]) -> None:
    assert "out must be another file than what is read" in refusal(words)


def test_one_file_is_not_written_twice() -> None:
    assert "each file must be written once" in refusal(["estimate", "s.tally", "--out", "x.svg", "--plot", "./x.svg"])


def test_the_demo_writes_over_its_own_files_only() -> None:
    assert "out must be a new folder, or one of an earlier demo" in refusal(["demo", "--out", ".", "--users", "9"])
    for _ in range(2):
        assert CliRunner().invoke(app, ["demo", "--out", "demo", "--users", "500", "--seed", "1"]).exit_code == 0
    Path("demo/labels.txt").write_text("mine\n", encoding="utf-8")
    assert "with a labels.txt of its own" in refusal(["demo", "--out", "demo"])


COMMANDS = [
    ["estimate", "s.tally"],
    ["survey", "tally", "s.tally"],
    [*PRIVATIZE, *LABELS],
    [*DISCOVER, "--epsilon", "3"],
    ["tally", "s.tally"],
]


@pytest.mark.parametrize("words", COMMANDS)
def test_a_folder_that_may_not_be_written_to_is_refused_before_any_work(
    words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The system is asked; as root it never says no, so that its answer is set here."""
    Path("closed").mkdir()
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path).name != "closed")
    said = refusal([*words, "--out=closed/x"])
    assert "closed/x must be in a folder that takes new files, got" in said
    assert "closed, which does not" in said


@pytest.mark.parametrize("words", COMMANDS)
@pytest.mark.parametrize(
    ("out", "message"),
    [
        ("", "a file to be written must have a name"),
        ("a", "a must lead to a file, got symbolic links in a circle"),
        ("missing/x", "must be in a folder that is there, got missing, which is not"),
        ("..", "must be a file to be written, got a folder"),
    ],
)
def test_what_can_be_no_file_is_refused_in_one_line(words: list[str], out: str, message: str) -> None:
    assert message in refusal([*words, f"--out={out}"])


WRITERS = [
    ["estimate", "s.tally"],
    [*PRIVATIZE, *LABELS],
    [*DISCOVER, "--epsilon", "3"],
    ["survey", "answer", "commute.json", "people.csv"],
    ["demo", "--users", "9"],
    ["reproduce", "beyond", "--quick", "--jobs", "2"],
]


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="this system has no folder that takes no files")
@pytest.mark.parametrize("words", WRITERS, ids=" ".join)
def test_a_folder_that_takes_no_files_is_not_called_a_missing_file(words: list[str]) -> None:
    Path("people.csv").write_text("late\nyes\n", encoding="utf-8")
    late = dn.OneOf("late", ["yes", "no"])
    dn.files.write_document(dn.Survey.plan("commute", [late], 1.0, 100), "commute.json")
    assert "must be in a folder that takes new files, got /proc, which does not" in refusal([*words, "--out=/proc/x"])


@pytest.mark.parametrize("written", ["a = " + "[" * 5000 + "]" * 5000, f"epsilon = {'9' * 5000}"])
def test_toml_that_cannot_be_read_is_refused_in_one_line(written: str) -> None:
    Path("deep.toml").write_text(written, encoding="utf-8")
    words = ["plan", "--guarantee", "deep.toml", "--users", "5"]
    assert "deep.toml must be TOML that can be read" in refusal(words)

"""What cannot be done is refused in one line, with exit code 2, and shows no respondent's value."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

import deniable as dn
from deniable.cli import app

SECRET = "Zaphod"
MECHANISM = ["--mechanism", "Subset", "--epsilon", "1", "--domain", "yes,no,maybe"]
PRIVATIZE = ["privatize", "answers.csv", "--column", "answer", *MECHANISM, "--out", "reports.parquet"]


@pytest.fixture(autouse=True)
def _survey(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with answers, one of which is no label, and a tally and files that are none."""
    monkeypatch.chdir(tmp_path)
    Path("answers.csv").write_text(f"id,answer\n1,yes\n2,{SECRET}\n3,no\n4,\n", encoding="utf-8")
    mechanism = dn.Subset(["yes", "no", "maybe"], 1.0)
    whole = mechanism.tally(mechanism.privatize_many(["yes", "no"], seed=1)).to_bytes()
    Path("survey.tally").write_bytes(whole)
    Path("short.tally").write_bytes(whole[:-1])
    Path("empty.tally").write_bytes(mechanism.tally([]).to_bytes())
    Path("later.tally").write_bytes(
        dn.Tally(0, mechanism.tally([]).counts, {"version": 1, "mechanism": "Later"}).to_bytes()
    )
    Path("bad.csv").write_text("label,share\nyes,0.5\nno,0.2\n", encoding="utf-8")
    Path("other.csv").write_text("label,share\nyes,0.5\nperhaps,0.5\n", encoding="utf-8")
    Path("wrong.csv").write_text("name,part\nyes,1\n", encoding="utf-8")
    Path("latin.txt").write_bytes(b"caf\xe9\nth\xe9\n")
    Path("folder").mkdir()


def refusal(words: list[str]) -> str:
    """The one line on the error stream of a command that is refused."""
    before = {path.name: path.read_bytes() for path in Path().iterdir() if path.is_file()}
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert result.stderr.startswith("deniable: ")
    assert result.stderr.count("\n") == 1
    assert SECRET not in result.stderr
    assert {path.name: path.read_bytes() for path in Path().iterdir() if path.is_file()} == before
    return result.stderr


def changed(words: list[str], *changes: str) -> list[str]:
    """The words with the values of some options replaced."""
    new = list(words)
    for option, value in zip(changes[::2], changes[1::2], strict=True):
        new[new.index(option) + 1] = value
    return new


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (PRIVATIZE, "no value may be blank, got 1 of 4"),
        ([*PRIVATIZE, "--skip-blank"], "got 1 of 3 that are not"),
        (changed(PRIVATIZE, "--column", "Answer"), "column must be one of the 2 names in the first row"),
        (changed(PRIVATIZE, "--epsilon", "0"), "epsilon must be a finite number above 0"),
        (changed(PRIVATIZE, "--epsilon", "nan"), "epsilon must be a finite number above 0"),
        (changed(PRIVATIZE, "--epsilon", "-1"), "epsilon must be a finite number above 0, got epsilon=-1"),
        (changed(PRIVATIZE, "--epsilon", "inf"), "epsilon must be a finite number above 0"),
        (changed(PRIVATIZE, "--epsilon", "40"), "epsilon must be between"),
        (changed(PRIVATIZE, "--domain", "1"), "domain must hold between 2 and"),
        (changed(PRIVATIZE, "--domain", "0"), "domain must hold between 2 and"),
        (changed(PRIVATIZE, "--domain", ""), "domain must hold between 2 and"),
        (changed(PRIVATIZE, "--domain", "yes,no,yes"), "must not repeat a label"),
        (changed(PRIVATIZE, "--domain", "yes,,no"), "must not have an empty label"),
        (changed(PRIVATIZE, "--domain", '"yes,no'), "--domain must be a number of labels"),
        ([*PRIVATIZE, "--labels-file", "labels.txt"], "either --domain or --labels-file"),
        (["plan", "--labels-file", "latin.txt", "--epsilon", "1", "--users", "5"], "latin.txt must be text in UTF-8"),
        (["plan", "--labels-file", "none.txt", "--epsilon", "1", "--users", "5"], "folder none.txt must exist"),
        (changed(PRIVATIZE, "--mechanism", "Magic"), "mechanism must be one of RandomizedResponse"),
        (changed(PRIVATIZE, "--mechanism", "highlowrappor"), "got HighLowRappor, which a level alone does not make"),
        (changed(PRIVATIZE, "--mechanism", "AskedItems"), "got AskedItems, which a level alone does not make"),
        ([*PRIVATIZE, "--parts", "2"], "--parts must go with Hadamard, got it with Subset"),
        ([*PRIVATIZE, "--max-bits", "2"], "--max-bits must go with Cyclic, got it with Subset"),
        ([*PRIVATIZE, "--size", "3"], 'size must be None, "information" or an int from 1 to 2'),
        ([*PRIVATIZE, "--size", "large"], "size must be None"),
        (changed(PRIVATIZE, "--out", "folder"), "folder must be a file to be written"),
        (changed(PRIVATIZE, "--out", "missing/r"), "missing/r must be in a folder that is there"),
        (["privatize", "none.csv", *PRIVATIZE[2:]], "folder none.csv must exist"),
        (["privatize", "folder", *PRIVATIZE[2:]], "folder must be a file, got a folder"),
        (["privatize", "latin.txt", *PRIVATIZE[2:]], "latin.txt must be CSV in UTF-8 or Parquet"),
        (["tally", "answers.csv", "--out", "t"], "answers.csv must be a file of reports, got a file that"),
        ([*PRIVATIZE, "--seed", "3", "--seed=4"], "--seed must be given once at most, got it 2 times"),
        (["tally", "answers.csv", "--spec", "a", "--spec", "b", "--out", "t"], "--spec must be given once at most"),
        (["tally", "folder", "--out", "t"], "a folder must hold report files, got none in folder"),
        (["tally", "none", "--out", "t"], "folder none must exist"),
        (["estimate", "short.tally"], "short.tally: a tally must"),
        (["estimate", "answers.csv"], "answers.csv must be a tally of reports, got a file that deniable did not write"),
        (["estimate", "later.tally"], "later.tally: a spec must name one of"),
        (["estimate", "empty.tally"], "the tally must hold at least one report"),
        (["estimate", "folder"], "folder must be a tally of reports, got an empty folder; deniable tally"),
        (["estimate", "survey.tally", "--decoder", "magic"], "decoder must be one of"),
        (["estimate", "survey.tally", "--level", "1.5"], "level must be"),
        (["estimate", "survey.tally", "--plot", "picture.gif"], "--plot must name a .png or .svg file"),
        (["estimate", "survey.tally", "--json", "--csv"], "--json and --csv must not be given together"),
        (["estimate", "survey.tally", "--truth", "bad.csv"], "bad.csv must have shares that add up to 1, got 0.7"),
        (["estimate", "survey.tally", "--truth", "other.csv"], "row 3 does not"),
        (["estimate", "survey.tally", "--truth", "wrong.csv"], "must have the columns label and share"),
        (["estimate", "survey.tally", "--truth", "latin.txt"], "latin.txt must be CSV in UTF-8"),
        (["estimate", "survey.tally", "--truth", "none.csv"], "folder none.csv must exist"),
        (["simulate", *MECHANISM, "--users", "0"], "users must be an int of at least 1"),
        (["simulate", *MECHANISM, "--users", "5", "--truth", "magic"], "got magic, which is neither"),
        (["simulate", *MECHANISM, "--users", "5", "--seed", "-1"], "seed must be between 0"),
        (["audit", *MECHANISM, "--trials", "1"], "trials must be"),
        (["plan", "--domain", "9", "--epsilon", "1"], "plan must be given two of"),
        (["plan", "--domain", "9", "--epsilon", "1", "--users", "5", "--max-bits", "1"], "max_bits must be an int"),
        (["demo", "--out", "answers.csv"], "answers.csv must be a folder or a new name, got a file"),
    ],
)  # fmt: skip
def test_refused_in_one_line(words: list[str], message: str) -> None:
    assert message in refusal(words)


def test_files_of_another_spec_do_not_merge() -> None:
    for name, epsilon in (("a", "1"), ("b", "2")):
        words = changed(["privatize", "-", *PRIVATIZE[2:]], "--out", name, "--epsilon", epsilon)
        assert CliRunner().invoke(app, words, input="answer\nyes\n").exit_code == 0
    said = refusal(["tally", "a", "b", "--out", "t"])
    assert "that of b is another than that of a: they differ in epsilon (2.0 and 1.0)" in said
    assert "counted twice" in refusal(["tally", "a", "a", "--out", "t"])


@pytest.mark.parametrize(
    "words", [["magic"], ["plan", "--magic"], ["tally"], ["privatize", "a.csv"], ["plan", "--users", "many"]]
)
def test_a_wrong_command_line_ends_with_2(words: list[str]) -> None:
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 2
    assert "Traceback" not in result.output


def test_memory_that_runs_out_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def exhausted(*_: object) -> dn.Tally:
        raise MemoryError

    monkeypatch.setattr(dn.Tally, "from_bytes", exhausted)
    assert "more memory than there is" in refusal(["estimate", "survey.tally"])


def test_an_interrupt_ends_with_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> dn.Tally:
        raise KeyboardInterrupt

    monkeypatch.setattr(dn.Tally, "from_bytes", interrupted)
    result = CliRunner().invoke(app, ["estimate", "survey.tally"])
    assert (result.exit_code, result.stderr) == (130, "deniable: interrupted\n")

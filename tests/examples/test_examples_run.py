"""The example scripts run as they stand, say what they should, and stand in their README."""

from __future__ import annotations

import json
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest
from tests.engines.spark_cluster import MINUTES, environment, require_spark

import deniable as dn

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = sorted((ROOT / "examples").glob("*.py"))
MOST_LINES = 70
STREAMED, GRACE = dn.Hadamard(100, epsilon=2.0), 1
"""What examples/streaming.py counts, and for how many days after its own an answer is taken."""


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def said(name: str, capsys: pytest.CaptureFixture[str]) -> str:
    """What a script prints; it leaves no file behind."""
    runpy.run_path(str(ROOT / "examples" / f"{name}.py"), run_name="__main__")
    assert list(Path().iterdir()) == []
    return capsys.readouterr().out


def percents(text: str) -> list[float]:
    """The percentages of a text in their order."""
    return [float(number) / 100 for number in re.findall(r"(\d+(?:\.\d+)?)%", text)]


def test_product_statistics(capsys: pytest.CaptureFixture[str]) -> None:
    output = said("product_statistics", capsys)
    assert re.search(r"^Subset\b.* is predicted to err least", output, re.MULTILINE)
    assert "claimed epsilon 1 holds" in output
    rows = [percents(line) for line in output.split("(truth)\n")[1].splitlines()]
    assert len(rows) == 8
    for share, low, high, truth in rows:
        assert low <= share <= high
        assert abs(share - truth) < 0.05  # above 6 standard errors: fixed seed for all but a thousand of 50,000


def test_report_files(capsys: pytest.CaptureFixture[str]) -> None:
    output = said("report_files", capsys)
    assert "6 files, 240000 reports of 10 bits" in output
    assert "two halves add up to all: True" in output
    assert len(re.findall(r"^page \d+: ", output, re.MULTILINE)) == 3
    assert "refused: the folder/day-2.parquet must be a whole file of reports" in output


def test_one_question(capsys: pytest.CaptureFixture[str]) -> None:
    output = said("one_question", capsys)
    assert "yes with probability 0.7500; if not, 0.2500" in output
    assert "For an error of 2%, whatever the share, ask 2500 people." in output
    widths = []
    rows = [percents(line) for line in output.splitlines() if line.startswith("  9")]
    for level, low, high, low_here, high_here in rows:
        assert low <= 0.18 <= high, level
        assert low <= low_here <= 0.146 <= high_here <= high, level
        widths.append(high - low)
    assert len(widths) == 3
    assert widths == sorted(widths)


def test_three_questions(capsys: pytest.CaptureFixture[str]) -> None:
    """Of 30% at night 55% sleep badly, of the others 25%: 16.5% and 17.5% of all; 60% at night make 9 points more."""
    output = said("three_questions", capsys)
    assert "it is at most 7.39 times likelier from yours than from anybody else's" in output
    assert "The promise is proven: True" in output
    assert "One answer is 3 bytes, fit to be counted: True" in output
    truths = {"day": (0.525, 0.175), "night": (0.135, 0.165), "doctor": (0.3,), "friends": (0.5,), "pills": (0.2,)}
    for name, shares in truths.items():
        found = percents(next(line for line in output.splitlines() if line.startswith(f" {name} ")))
        for truth, (share, low, high) in zip(
            shares, zip(found[::3], found[1::3], found[2::3], strict=False), strict=False
        ):
            assert low <= truth <= high, name  # fixed seeds
            assert low <= share <= high, name
    badly = next(line for line in output.splitlines() if line.startswith(" badly"))
    change, low, high = map(float, re.findall(r"\+(\d+\.\d)", badly))
    assert low <= 9 <= high
    assert abs(change - 9) < 4


def test_compare_mechanisms(capsys: pytest.CaptureFixture[str]) -> None:
    output = said("compare_mechanisms", capsys)
    assert len(re.findall(r"^ arc .* l2 ", output, re.MULTILINE)) == 3
    assert "Channel(13 labels, 13 reports, 1-LDP) passes" in output
    rows = re.findall(r" l2 +(\S+) +(\S+) +\S+ to ", output)
    assert len(rows) == 21
    for predicted, seen in rows:
        assert 0.6 < float(seen) / float(predicted) < 1.5  # fixed seeds; 40 surveys, of few free directions


def test_guarantee_pictures(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["guarantee_pictures.py"])
    output = said("guarantee_pictures", capsys)
    assert output.count(".png: ") == 3
    assert "one person's error is 0.7" in output


def streamed(files: list[Path]) -> list[dn.Tally]:
    """A tally for each file, with sets instead of Spark: each id once, and none whose day is over.

    Spark judges what is late by the days that it had seen two batches before.
    """
    seen, days, tallies = set[str](), [0, 0], list[dn.Tally]()
    for file in files:
        rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
        over = days[-2] - GRACE
        new = {row["id"]: row["report"] for row in rows if int(row["day"][-1]) > over and row["id"] not in seen}
        seen.update(new)
        days.append(max(days[-1], *(int(row["day"][-1]) for row in rows)))
        tallies.append(STREAMED.tally(list(new.values())))
    return tallies


def test_streaming(tmp_path: Path) -> None:
    """A stream that is killed in the middle of a batch and run again: each tally is what it must be."""
    require_spark()
    folder = tmp_path / "stream"
    folder.mkdir()
    command = [sys.executable, str(ROOT / "examples" / "streaming.py"), str(folder), "200"]
    ran = subprocess.run(
        command, check=False, capture_output=True, encoding="utf-8", timeout=MINUTES, env=environment(tmp_path)
    )
    assert ran.returncode == 0, ran.stderr
    assert "ended with -9, and 2 tallies are there" in ran.stdout
    assert "ended with 0, and " in ran.stdout
    assert "byte for byte: True" in ran.stdout
    files = sorted((folder / "answers").iterdir())
    found = [file.read_bytes() for file in sorted(folder.glob("*.tally"))]
    assert found == [tally.to_bytes() for tally in streamed(files)]
    assert sum(dn.Tally.from_bytes(each).n for each in found) == 3 * 200 - 2 * 20  # of two days a tenth is too late
    assert list(folder.glob("*.part")) == []


@pytest.mark.parametrize("late", [2, 3])
def test_the_rule_of_the_grace_drops_what_is_late_and_nothing_else(late: int, tmp_path: Path) -> None:
    """What ``streamed`` says of one answer a day, and one of the first day that comes so many days late."""
    days = [[{"id": f"{day}", "day": f"0{day + 1}", "report": 0}] for day in range(5)]
    days[late].append({"id": "late", "day": "01", "report": 1})
    for day, rows in enumerate(days):
        (tmp_path / f"{day}.json").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert sum(tally.n for tally in streamed(sorted(tmp_path.iterdir()))) == (6 if late == 2 else 5)


def test_every_example_is_tested_short_and_in_the_readme() -> None:
    readme = (ROOT / "examples" / "README.md").read_text(encoding="utf-8")
    assert {f"test_{script.stem}" for script in SCRIPTS} < set(globals())
    assert all(f"`python examples/{script.name}`" in readme for script in SCRIPTS)
    assert all(len(script.read_text(encoding="utf-8").splitlines()) <= MOST_LINES for script in SCRIPTS)


def test_the_whole_road(tmp_path: Path) -> None:
    """200 devices, half through a mixer, some twice, some offline, both servers killed: each answer is counted once."""
    command = [sys.executable, str(ROOT / "examples" / "whole_road"), str(tmp_path / "road"), "200"]
    ran = subprocess.run(command, check=False, capture_output=True, text=True, encoding="utf-8", timeout=300)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.count("100 devices answered, 100 answers were counted.") == 2
    assert ran.stdout.count("100 answers, counted again: the same to the byte") == 2
    assert "The collector is killed" in ran.stdout
    assert "The mixer is killed" in ran.stdout
    assert "only the first level holds" in ran.stdout
    for picture in ("commute.png", "commute-mixed.png"):
        assert (tmp_path / "road" / picture).read_bytes().startswith(b"\x89PNG")

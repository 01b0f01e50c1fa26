"""Fuzz all parsers, each for as long as is said, and print a table: `python -m tests.fuzz.campaign --seconds 600`."""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from tests.fuzz.parsers import PARSERS

ABREAST = 2
STATISTIC = re.compile(r"^stat::(\w+): +(\d+)$", re.MULTILINE)
COVERED = re.compile(r"\bcov: (\d+)")


@dataclass(frozen=True)
class Run:
    """What was done with one parser."""

    name: str
    said: str
    found: tuple[Path, ...]

    @property
    def row(self) -> str:
        """A row of the table."""
        counts = {name: int(value) for name, value in STATISTIC.findall(self.said)}
        executed, rate = counts.get("number_of_executed_units", 0), counts.get("average_exec_per_sec", 0)
        covered, memory = max(map(int, COVERED.findall(self.said)), default=0), counts.get("peak_rss_mb", 0)
        slowest = counts.get("slowest_unit_time_sec", 0)
        return f"| {self.name} | {executed:,} | {rate:,} | {covered:,} | {slowest} | {memory:,} | {len(self.found)} |"


def fuzzed(name: str, folder: Path, seconds: int) -> Run:
    """Fuzz one parser in a process and a folder of its own."""
    own = folder / name.replace(" ", "-")
    own.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "tests.fuzz.guided", name, str(own), str(seconds)]
    done = subprocess.run(command, check=False, capture_output=True)
    said = done.stderr.decode(errors="replace")
    found = tuple(sorted(own.glob("found-*")))
    if done.returncode and not found:
        raise SystemExit(said[-3000:])
    return Run(name, said, found)


def table(runs: list[Run]) -> Iterator[str]:
    """The table, and beneath it each finding with the end of what was said of it."""
    yield "| parser | inputs | a second | branches | slowest, s | MiB | findings |"
    yield "|---|---|---|---|---|---|---|"
    yield from (run.row for run in runs)
    yield from (f"\n{run.name}: {run.found}\n{run.said[-3000:]}" for run in runs if run.found)


def main() -> int:
    """Fuzz, print, and fail if anything was found."""
    parsed = argparse.ArgumentParser(description=__doc__)
    parsed.add_argument("--seconds", type=int, default=600, help="how long each parser is fuzzed")
    parsed.add_argument("--folder", type=Path, default=Path(".fuzz"), help="where inputs are kept from run to run")
    told = parsed.parse_args()
    if find_spec("atheris") is None:
        print("Atheris has no wheel for this machine: the tests of tests/fuzz were all.")
        return 0
    with ThreadPoolExecutor(ABREAST) as pool:
        runs = list(pool.map(lambda name: fuzzed(name, told.folder, told.seconds), PARSERS))
    print("\n".join(table(runs)))
    return int(any(run.found for run in runs))


if __name__ == "__main__":
    sys.exit(main())

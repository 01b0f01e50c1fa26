"""A large folder of reports: ``python -m benchmarks.large [--gigabytes 10] [--page FILE]``.

``deniable tally`` and a scan by PyArrow alone run as processes of their own, one after the other: seconds, and the most
memory that each held.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.datasets import store
from benchmarks.measure import EPSILON
from benchmarks.pages import replace_part
from deniable.mechanisms.unary import OptimizedUnary

if TYPE_CHECKING:
    from collections.abc import Sequence

LABELS = 1024
GIGABYTE = 10**9
SCAN = "import sys, pyarrow.dataset as d\nfor _ in d.dataset(sys.argv[1], format='parquet').to_batches(): pass"


@dataclass(frozen=True, slots=True)
class Taken:
    """What a process took."""

    seconds: float
    megabytes: float

    def __str__(self) -> str:
        return f"{self.seconds:.0f} seconds and at most {self.megabytes:,.0f} MB"


def run(words: Sequence[str]) -> Taken:
    """Run a process to its end, which must be a good one."""
    before = time.perf_counter()
    process = os.posix_spawn(words[0], words, os.environ)
    _, status, used = os.wait4(process, 0)
    if status:
        raise SystemExit(f"{words[0]} ended with status {status}")
    return Taken(time.perf_counter() - before, used.ru_maxrss * (1 if sys.platform == "darwin" else 1024) / 1e6)


def measure(gigabytes: float, folder: Path) -> str:
    """The sentence: one file after another until there is enough, the same reports in all of them."""
    stored = store(OptimizedUnary(LABELS, EPSILON), folder / "reports", GIGABYTE)
    rounds = max(1, round(gigabytes * GIGABYTE / sum(file.stat().st_size for file in stored.files)))
    for number in range(1, rounds):
        for file in stored.files:
            shutil.copy(file, file.with_name(f"{number}-{file.name}"))
    files = list((folder / "reports").iterdir())
    size, reports = sum(file.stat().st_size for file in files) / GIGABYTE, stored.reports * rounds
    tally = [sys.executable, "-m", "deniable", "tally", str(folder / "reports"), "--out", str(folder / "tally")]
    ours, alone = run(tally), run([sys.executable, "-c", SCAN, str(folder / "reports")])
    return (
        f"`deniable tally` of {reports / 1e6:.0f} million reports of {LABELS:,} bits, "
        f"{size:.1f} GB in {len(files)} files, took {ours}, all its libraries with it; "
        f"a scan of the same files by PyArrow alone {alone}."
    )


def main(words: Sequence[str] | None = None) -> None:
    """Measure, show, write."""
    parser = argparse.ArgumentParser(
        prog="benchmarks.large", description="a large folder of reports: seconds and memory"
    )
    parser.add_argument("--gigabytes", type=float, default=10, help="of report files")
    parser.add_argument("--page", type=Path, help="put the sentence into this page")
    args = parser.parse_args(words)
    with tempfile.TemporaryDirectory() as folder:
        said = measure(args.gigabytes, Path(folder))
    print(said)
    if args.page:
        replace_part(args.page, "large", said)


if __name__ == "__main__":
    main()

"""A large folder of reports: ``python -m benchmarks.large [--gigabytes 10] [--json FILE]``.

``deniable tally`` and a scan by PyArrow alone run as processes of their own, one after the other: seconds, and the most
memory that each held.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks import kept, machine
from benchmarks.datasets import GIGABYTE, store_large
from benchmarks.measure import EPSILON
from deniable.mechanisms.plain.unary import OptimizedUnary

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

LABELS = 1024
SCAN = "import sys, pyarrow.dataset as d\nfor _ in d.dataset(sys.argv[1], format='parquet').to_batches(): pass"


@dataclass(frozen=True, slots=True)
class Taken:
    """The time and the memory that a process took."""

    seconds: float
    megabytes: float

    def __str__(self) -> str:
        return f"{self.seconds:.0f} seconds and at most {self.megabytes:,.0f} MB"


def run(words: Sequence[str]) -> Taken:
    """Run a process to its end, which must be a success."""
    before = time.perf_counter()
    process = os.posix_spawn(words[0], list(words), os.environ)
    _, status, used = os.wait4(process, 0)
    if status:
        raise SystemExit(f"{words[0]} ended with status {status}")
    return Taken(time.perf_counter() - before, used.ru_maxrss * (1 if sys.platform == "darwin" else 1024) / 1e6)


def measure(gigabytes: float, folder: Path) -> dict[str, Any]:
    """Both processes over one file after another, the same reports in all of them."""
    stored = store_large(OptimizedUnary(LABELS, EPSILON), folder / "reports", gigabytes)
    tally = [sys.executable, "-m", "deniable", "tally", str(folder / "reports"), "--out", str(folder / "tally")]
    ours, alone = run(tally), run([sys.executable, "-c", SCAN, str(folder / "reports")])
    size = sum(file.stat().st_size for file in stored.files) / GIGABYTE
    found = {"reports": stored.reports, "gigabytes": size, "files": len(stored.files)}
    return {"machine": machine.brief(), **found, "tally": asdict(ours), "scan": asdict(alone)}


def said(found: Mapping[str, Any]) -> str:
    """The sentence of the documentation."""
    return (
        f"`deniable tally` of {found['reports'] / 1e6:.0f} million reports of {LABELS:,} bits,\n"
        f"{found['gigabytes']:.1f} GB in {found['files']} files, took {Taken(**found['tally'])}, libraries included;\n"
        f"a scan of the same files by PyArrow alone took {Taken(**found['scan'])}."
    )


def main(words: Sequence[str] | None = None) -> None:
    """Measure, show, keep."""
    parser = argparse.ArgumentParser(
        prog="benchmarks.large", description="a large folder of reports: seconds and memory"
    )
    parser.add_argument("--gigabytes", type=float, default=10, help="of report files")
    parser.add_argument("--json", type=Path, help="keep what was taken here")
    args = parser.parse_args(words)
    with tempfile.TemporaryDirectory() as folder:
        found = measure(args.gigabytes, Path(folder))
    print(said(found))
    if args.json:
        kept.write(args.json, found)


if __name__ == "__main__":
    main()

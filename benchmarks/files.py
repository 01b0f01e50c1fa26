"""From Parquet to tally: ``python -m benchmarks.files [--megabytes 64] [--json FILE] [--quick]``.

Ours takes turns with PyArrow alone, which reads the same column of the same files with as many threads.
"""

from __future__ import annotations

import argparse
import tempfile
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.dataset as arrow_dataset

from benchmarks import kept, machine
from benchmarks.catalogue import USUAL
from benchmarks.datasets import Stored, mechanisms, store
from benchmarks.measure import Contender, clock, take_turns
from benchmarks.pages import markdown_table
from deniable.engines.counting import count_dataset
from deniable.engines.dataset import open_dataset
from deniable.engines.local_workers import Threads
from deniable.values.values import closed_domain

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

READING, OURS, ONE = "PyArrow alone", "Parquet to tally", "Parquet to tally, one thread"
BILLION = 1e9
MOST_SECONDS = 5.0
HEADINGS = (
    "mechanism", "bytes per report", "reading alone, s per billion", "to tally, s per billion", "share of reading",
    "one thread, s per billion",
)  # fmt: skip
SHOWN = ("mechanism", "bytes per report", "to tally, s per billion", "share of reading")
FEW = ("RandomizedResponse", "OptimizedUnary", "Subset", "Hadamard", "BlockSubset")
"""What the page shows: all kinds of reports, the slowest among them."""


def contenders(stored: Stored) -> list[Contender]:
    """Reading alone, and counting with all threads and with one; each has run once before it is timed."""
    folder = str(stored.files[0].parent)

    def read() -> None:
        for _ in arrow_dataset.dataset([str(file) for file in stored.files]).to_batches():
            pass

    def count(threads: int | None) -> None:
        if count_dataset(open_dataset([folder]), workers=Threads(threads)).tally.n != stored.reports:
            raise AssertionError("not every report was counted")

    works: dict[str, Callable[[], None]] = {READING: read, OURS: lambda: count(None), ONE: lambda: count(1)}
    for work in works.values():
        work()
    return [
        Contender("limit" if name == READING else "ours", name, stored.reports, partial(clock, work))
        for name, work in works.items()
    ]


def measure(stored: Stored, repeats: int) -> dict[str, Any]:
    """One mechanism's rates, by the median of the turns."""
    timings, _ = take_turns(contenders(stored), repeats, MOST_SECONDS)
    rates = {timing.name: timing.rate for timing in timings}
    return {
        "mechanism": stored.mechanism.name,
        "d": len(closed_domain(stored.mechanism.domain)),
        "report_bits": stored.mechanism.report_bits,
        "bytes_a_report": stored.bytes_a_report,
        "reports": stored.reports,
        "share_of_reading": rates[OURS] / rates[READING],
        "timings": [timing.to_dict() for timing in timings],
        "seconds_a_billion": {name: BILLION / rate for name, rate in rates.items()},
    }


def row(found: Mapping[str, Any]) -> list[str]:
    """A mechanism's line of the table."""
    seconds = found["seconds_a_billion"]
    return [
        f"{found['mechanism']}, d = {found['d']:,}",
        f"{found['bytes_a_report']:.2f}",
        f"{seconds[READING]:.1f}",
        f"{seconds[OURS]:.1f}",
        f"{found['share_of_reading']:.0%}",
        f"{seconds[ONE]:.1f}",
    ]


def said(found: Mapping[str, Any]) -> str:
    """The table of the documentation."""
    few = [one for one in found["results"] if one["mechanism"] in FEW and one["d"] == USUAL]
    rows = [dict(zip(HEADINGS, row(one), strict=True)) for one in few]
    return markdown_table(SHOWN, [[each[name] for name in SHOWN] for each in rows])


def run(megabytes: int, repeats: int) -> dict[str, Any]:
    """All mechanisms, one after another, each with files of its own."""
    results = []
    with tempfile.TemporaryDirectory() as folder:
        for number, mechanism in enumerate(mechanisms()):
            stored = store(mechanism, Path(folder) / str(number), megabytes << 20)
            results.append(measure(stored, repeats))
            print(*row(results[-1]), sep="  ", flush=True)
            for file in stored.files:
                file.unlink()
    found = {**machine.brief(), "pyarrow": pa.__version__}
    return {"machine": found, "megabytes": megabytes, "results": results}


def main(words: Sequence[str] | None = None) -> None:
    """Measure, show, keep."""
    parser = argparse.ArgumentParser(prog="benchmarks.files", description="from Parquet to tally, beside PyArrow alone")
    parser.add_argument("--quick", action="store_true", help="few turns over small files: rougher")
    parser.add_argument("--megabytes", type=int, help="of reports for each mechanism (default: 64, quick 4)")
    parser.add_argument("--json", type=Path, help="keep every timing here")
    args = parser.parse_args(words)
    found = run(args.megabytes or (4 if args.quick else 64), 2 if args.quick else 5)
    if args.json:
        kept.write(args.json, found)


if __name__ == "__main__":
    main()

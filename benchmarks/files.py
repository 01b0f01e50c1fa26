"""From Parquet to tally: ``python -m benchmarks.files [--megabytes 64] [--json FILE] [--page FILE]``.

Ours takes turns with PyArrow alone, which reads the same column of the same files with as many threads.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.dataset as arrow_dataset

from benchmarks import machine
from benchmarks.datasets import Stored, mechanisms, store
from benchmarks.measure import Contender, clock, take_turns
from benchmarks.pages import markdown_table, replace_part
from deniable.engines.counting import count_dataset
from deniable.engines.dataset import open_dataset

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

READING, OURS, ONE = "PyArrow alone", "Parquet to tally", "Parquet to tally, one thread"
BILLION = 1e9
HEADINGS = (
    "mechanism", "bytes a report", "reading alone, s a billion", "to tally, s a billion", "share of reading",
    "one thread, s a billion",
)  # fmt: skip


def contenders(stored: Stored) -> list[Contender]:
    """Reading alone, and counting with all threads and with one; each has run once before it is timed."""
    folder = str(stored.files[0].parent)

    def read() -> None:
        for _ in arrow_dataset.dataset([str(file) for file in stored.files]).to_batches():
            pass

    def count(threads: int | None) -> None:
        if count_dataset(open_dataset([folder]), threads=threads).tally.n != stored.reports:
            raise AssertionError("not every report was counted")

    works: dict[str, Callable[[], None]] = {READING: read, OURS: lambda: count(None), ONE: lambda: count(1)}
    for work in works.values():
        work()
    kinds = {READING: "limit"}
    return [
        Contender("limit" if name in kinds else "ours", name, stored.reports, lambda work=work: clock(work))
        for name, work in works.items()
    ]


def measure(stored: Stored, repeats: int) -> dict[str, Any]:
    """One mechanism's rates, by the median of the turns."""
    timings, _ = take_turns(contenders(stored), repeats)
    rates = {timing.name: timing.rate for timing in timings}
    return {
        "mechanism": stored.mechanism.name,
        "d": len(stored.mechanism.domain),
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
    found = {"processor": machine.processor(), "processors": os.cpu_count(), "pyarrow": pa.__version__}
    return {"machine": {**found, "versions": machine.versions()}, "megabytes": megabytes, "results": results}


def main(words: Sequence[str] | None = None) -> None:
    """Measure, show, write."""
    parser = argparse.ArgumentParser(prog="benchmarks.files", description="from Parquet to tally, beside PyArrow alone")
    parser.add_argument("--megabytes", type=int, default=64, help="of reports for each mechanism")
    parser.add_argument("--repeats", type=int, default=7, help="how often the contenders take turns")
    parser.add_argument("--json", type=Path, help="write every timing here")
    parser.add_argument("--page", type=Path, help="put the table into this page")
    args = parser.parse_args(words)
    found = run(args.megabytes, args.repeats)
    if args.json:
        args.json.write_text(json.dumps(found, indent=1) + "\n")
    if args.page:
        replace_part(args.page, "files", markdown_table(HEADINGS, [row(one) for one in found["results"]]))


if __name__ == "__main__":
    main()

"""Kernels on a cluster: ``python -m benchmarks.spark [--master local[2]] [--json FILE] [--quick]``.

The seconds that a core spends in the kernels are clocked inside the partitions' tasks, and beside them inside the
threads that count the same files on one machine. Both are processor seconds, so other work on the machine adds
little to them. The whole job is clocked too.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import shutil
import statistics
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from benchmarks import kept, machine
from benchmarks.datasets import Stored, mechanisms, store
from benchmarks.measure import clock
from deniable.engines.counting import rows_at_once
from deniable.engines.spark import gathered, spark_session, tally_dataframe
from deniable.kernels.threads import work_alone
from deniable.mechanisms.registry import from_spec
from deniable.reports.report_file import ReportFile
from deniable.reports.spec import parse
from deniable.values.values import closed_domain

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from pyspark.sql import DataFrame, SparkSession

    from deniable.arrays import Column
    from deniable.mechanisms.mechanism import Mechanism

THREADS = 2
QUIET = "--conf spark.ui.showConsoleProgress=false pyspark-shell"
BILLION = 1e9
MOST_REPORTS = 1 << 23
"""Spark takes some seconds to move them."""
HEADINGS = ("mechanism", "kernel here, s a billion", "kernel on Spark, s a billion", "ratio", "whole job, s a billion")


def kernel_seconds(mechanism: Mechanism, columns: Iterable[Column]) -> float:
    """Processor seconds of this thread for checking and counting the columns as an engine does, reading left out."""
    spent, counts = 0.0, np.zeros(mechanism.layout.cells, np.int64)
    for reports in columns:
        before = time.thread_time()
        mechanism.layout.tally(reports, counts)
        spent += time.thread_time() - before
    return spent


def here(stored: Stored) -> float:
    """Kernel seconds of all files together, on as many threads as the cluster has cores."""

    def file_seconds(path: Path) -> float:
        file, mechanism = ReportFile.open(path), stored.mechanism
        parts = file.part(mechanism.layout, range(len(file.groups)), rows_at_once(mechanism))
        return kernel_seconds(mechanism, parts)

    with ThreadPoolExecutor(THREADS, initializer=work_alone) as pool:
        return sum(pool.map(file_seconds, stored.files))


def there(mechanism: Mechanism, frame: DataFrame) -> float:
    """Kernel seconds of all partitions together."""
    written = mechanism.spec_bytes

    def partition(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        work_alone()
        counting = from_spec(parse(written))
        counting.tally(counting.privatize_many([next(iter(closed_domain(counting.domain)))], seed=1))
        spent = kernel_seconds(counting, gathered(counting, (batch.column(0) for batch in batches)))
        yield pa.record_batch({"seconds": pa.array([spent])})

    rows = frame.select(frame["report"]).mapInArrow(partition, "seconds double").collect()
    return float(sum(row["seconds"] for row in rows))


def measure(stored: Stored, session: SparkSession, repeats: int) -> dict[str, Any]:
    """One mechanism's seconds, by the median of the turns; the job, which is long and steady, has every other one."""
    frame = session.read.parquet(str(stored.files[0].parent))
    seconds: dict[str, list[float]] = {"here": [], "there": [], "job": []}
    here(stored)  # what must be compiled and loaded is, before the first turn
    there(stored.mechanism, frame)
    tally_dataframe(stored.mechanism, frame)
    for turn in range(repeats):
        seconds["here"].append(here(stored))
        seconds["there"].append(there(stored.mechanism, frame))
        if turn % 2 == 0:
            seconds["job"].append(clock(lambda: tally_dataframe(stored.mechanism, frame)))
    medians = {name: statistics.median(values) for name, values in seconds.items()}
    return {
        "mechanism": stored.mechanism.name,
        "d": len(closed_domain(stored.mechanism.domain)),
        "reports": stored.reports,
        "seconds": seconds,
        "kernel_ratio": medians["there"] / medians["here"],
        "seconds_a_billion": {name: value / stored.reports * BILLION for name, value in medians.items()},
    }


def row(found: Mapping[str, Any]) -> list[str]:
    """A mechanism's line of the table."""
    seconds = found["seconds_a_billion"]
    numbers = [f"{seconds['here']:.1f}", f"{seconds['there']:.1f}", f"{found['kernel_ratio']:.2f}"]
    return [f"{found['mechanism']}, d = {found['d']:,}", *numbers, f"{seconds['job']:.0f}"]


def run(master: str, megabytes: int, repeats: int, every: int) -> dict[str, Any]:
    """All mechanisms on one session, or every so many of them."""
    results = []
    session = spark_session(master)
    try:
        with tempfile.TemporaryDirectory() as folder:
            for number, mechanism in enumerate(islice(mechanisms(), 0, None, every)):
                stored = store(mechanism, Path(folder) / str(number), megabytes << 20, MOST_REPORTS)
                results.append(measure(stored, session, repeats))
                print(*row(results[-1]), sep="  ", flush=True)
        spark = version("pyspark")
    finally:
        session.stop()
    return {
        "machine": {**machine.brief(), "spark": spark},
        "master": master,
        "megabytes": megabytes,
        "results": results,
    }


def missing() -> str | None:
    """What Spark would need and is not here."""
    if importlib.util.find_spec("pyspark") is None:
        return "pyspark is not installed (pip install 'deniable[spark]')"
    if "JAVA_HOME" not in os.environ and shutil.which("java") is None:
        return "no Java was found"
    return None


def main(words: Sequence[str] | None = None) -> None:
    """Measure, show, keep; a line where Spark cannot run."""
    parser = argparse.ArgumentParser(prog="benchmarks.spark", description="kernel seconds on a cluster and here")
    parser.add_argument("--master", default=f"local[{THREADS}]", help="the cluster")
    parser.add_argument("--quick", action="store_true", help="a few mechanisms, small files, few turns: rougher")
    parser.add_argument("--megabytes", type=int, help="of reports for each mechanism at most (default: 64, quick 4)")
    parser.add_argument("--json", type=Path, help="keep every timing here")
    args = parser.parse_args(words)
    if lacking := missing():
        print(f"Spark was left out: {lacking}.")
        return
    os.environ.setdefault("PYSPARK_SUBMIT_ARGS", QUIET)
    megabytes, repeats, every = (4, 1, 4) if args.quick else (64, 7, 1)
    found = run(args.master, args.megabytes or megabytes, repeats, every)
    if args.json:
        kept.write(args.json, found)


if __name__ == "__main__":
    main()

"""Report files on Spark and on one machine: ``python -m benchmarks.spark [--gigabytes 10] [--json FILE] [--quick]``.

One folder is counted by the threads of this machine and by Spark's workers, in turns, with one core and with two: what
else the machine does meanwhile slows both. Spark's start, which no amount of data changes, is told apart: the session,
and what the first job takes longer than later ones. Fewer of the same reports go through a DataFrame too.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import shutil
import statistics
import tempfile
import time
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks import kept, machine
from benchmarks.datasets import MANY, Stored, store, store_large
from benchmarks.measure import EPSILON, clock
from benchmarks.pages import markdown_table
from deniable.engines.counting import count_dataset
from deniable.engines.dataset import open_dataset
from deniable.engines.local_workers import Threads
from deniable.engines.spark import spark_session, tally_dataframe
from deniable.engines.spark_workers import SparkWorkers
from deniable.mechanisms.plain.cyclic import Cyclic
from deniable.mechanisms.plain.hadamard import Hadamard
from deniable.mechanisms.plain.unary import OptimizedUnary

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pyspark.sql import SparkSession

    from deniable.engines.counting import Workers
    from deniable.mechanisms.mechanism import Mechanism

LABELS = 1024
CORES = (1, 2)
QUIET = "--conf spark.ui.showConsoleProgress=false pyspark-shell"
BILLION = 1e9
FRAME_REPORTS = 1 << 26
"""A DataFrame takes some seconds to move them."""
FRAME_BYTES = 1 << 28
HEADINGS = (
    "mechanism", "reports, million", "files, GB", "cores", "one machine, s", "Spark, s", "ratio",
    "Spark, s per billion", "through a DataFrame, s per billion",
)  # fmt: skip
SHOWN = ("mechanism", "cores", "ratio", "Spark, s per billion", "through a DataFrame, s per billion")


def mechanisms() -> tuple[Mechanism, ...]:
    """Packed bits, small integers, and integers with many counts: all others are read and counted like one of them."""
    return OptimizedUnary(LABELS, EPSILON), Hadamard(LABELS, EPSILON), Cyclic(MANY, EPSILON)


def seconds_of(stored: Stored, workers: Workers) -> float:
    """The whole job, from the footers to the tally."""
    folder = stored.files[0].parent

    def count() -> None:
        if count_dataset(open_dataset([folder]), workers=workers).tally.n != stored.reports:
            raise AssertionError("not every report was counted")

    return clock(count)


def measure(stored: Stored, cores: int, repeats: int) -> dict[str, Any]:
    """One folder with so many cores, here and on Spark in turns."""
    before = time.perf_counter()
    session = spark_session(f"local[{cores}]")
    start = time.perf_counter() - before
    try:
        here, there = Threads(cores), SparkWorkers(session)
        seconds_of(stored, here)  # what must be compiled and loaded is, and the files are in memory
        first = seconds_of(stored, there)
        turns = [(seconds_of(stored, here), seconds_of(stored, there)) for _ in range(repeats)]
        frame = frame_seconds(stored.mechanism, session, repeats) if cores == max(CORES) else None
    finally:
        session.stop()
    ours, sparks = (statistics.median(turn[side] for turn in turns) for side in (0, 1))
    return {
        "mechanism": stored.mechanism.name,
        "d": stored.mechanism.domain.size,
        "reports": stored.reports,
        "gigabytes": stored.bytes_a_report * stored.reports / BILLION,
        "files": len(stored.files),
        "cores": cores,
        "turns": [list(turn) for turn in turns],
        "here": ours,
        "spark": sparks,
        "ratio": statistics.median(there / here for here, there in turns),
        "start": start + first - sparks,
        "frame_a_billion": frame,
    }


def frame_seconds(mechanism: Mechanism, session: SparkSession, repeats: int) -> float:
    """Seconds for a billion reports that are columns of a DataFrame, by the median of the turns."""
    with tempfile.TemporaryDirectory() as folder:
        stored = store(mechanism, Path(folder) / "reports", FRAME_BYTES, FRAME_REPORTS)
        frame = session.read.parquet(str(stored.files[0].parent))
        tally_dataframe(mechanism, frame)
        seconds = [clock(lambda: tally_dataframe(mechanism, frame)) for _ in range(repeats)]
    return statistics.median(seconds) / stored.reports * BILLION


def row(found: Mapping[str, Any]) -> list[str]:
    """A line of the table."""
    return [
        f"{found['mechanism']}, d = {found['d']:,}",
        f"{found['reports'] / 1e6:,.0f}",
        f"{found['gigabytes']:.1f}",
        str(found["cores"]),
        f"{found['here']:.1f}",
        f"{found['spark']:.1f}",
        f"{found['ratio']:.2f}",
        f"{found['spark'] / found['reports'] * BILLION:,.1f}",
        "" if found["frame_a_billion"] is None else f"{found['frame_a_billion']:,.0f}",
    ]


def said(found: Mapping[str, Any]) -> str:
    """The table of the documentation, and what goes before each job."""
    start = found["jobs"][0]["start"]  # of the first session: those after it find the Java machine running
    note = (
        f"The session and what its first job takes longer than later ones come before that, once: {start:.0f} seconds."
    )
    rows = [dict(zip(HEADINGS, row(one), strict=True)) for one in found["jobs"]]
    return markdown_table(SHOWN, [[each[name] for name in SHOWN] for each in rows]) + f"\n\n{note}"


def run(gigabytes: float, repeats: int) -> dict[str, Any]:
    """All folders, one after another, with each number of cores."""
    jobs = []
    for mechanism in mechanisms():
        with tempfile.TemporaryDirectory() as folder:
            stored = store_large(mechanism, Path(folder) / "reports", gigabytes)
            for cores in CORES:
                jobs.append(measure(stored, cores, repeats))
                print(*row(jobs[-1]), sep="  ", flush=True)
    found = {**machine.brief(), "spark": version("pyspark")}
    return {"machine": found, "gigabytes": gigabytes, "jobs": jobs}


def missing() -> str | None:
    """What Spark needs but is not installed here."""
    if importlib.util.find_spec("pyspark") is None:
        return "pyspark is not installed (pip install 'deniable[spark]')"
    if "JAVA_HOME" not in os.environ and shutil.which("java") is None:
        return "no Java was found"
    return None


def main(words: Sequence[str] | None = None) -> None:
    """Measure, show, keep; a line where Spark cannot run."""
    parser = argparse.ArgumentParser(prog="benchmarks.spark", description="files of reports on Spark and here")
    parser.add_argument("--quick", action="store_true", help="small folders and few turns: rougher")
    parser.add_argument("--gigabytes", type=float, help="of report files for each mechanism (default: 4, quick 0.3)")
    parser.add_argument("--json", type=Path, help="keep every timing here")
    args = parser.parse_args(words)
    if lacking := missing():
        print(f"Spark was left out: {lacking}.")
        return
    os.environ.setdefault("PYSPARK_SUBMIT_ARGS", QUIET)
    gigabytes, repeats = (0.3, 1) if args.quick else (4, 3)
    found = run(args.gigabytes or gigabytes, repeats)
    if args.json:
        kept.write(args.json, found)


if __name__ == "__main__":
    main()

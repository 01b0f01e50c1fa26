"""What happens inside a partition, without a cluster: small batches are gathered, and a fault is data."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import numpy as np
import pyarrow as pa
import pytest

import deniable as dn
from deniable.engines import accumulate, spark_workers
from deniable.engines.parts import RowGroups
from deniable.engines.spark import (
    SPARK_TYPES,
    count_partition,
    gathered,
    privatize_dataframe,
    spark_session,
    tally_dataframe,
)
from deniable.kernels import threads
from deniable.reports.arrow_columns import to_arrow
from deniable.reports.report_file import ReportFile

MECHANISMS = [
    dn.RandomizedResponse(5, 1.0),
    dn.Hadamard(700, 1.0),
    dn.Cyclic(1 << 17, 1.0),
    dn.Subset(21, 1.0),
    dn.HashedRappor(1.0, 20, 300, domain=50),
]


def as_spark_hands_over(mechanism: Any, n: int = 1000, size: int = 64) -> tuple[Any, list[pa.Array[Any]]]:
    """Reports, and the same as Arrow batches of the types that Spark has."""
    reports = mechanism.privatize_many([i % len(mechanism.domain) for i in range(n)], seed=1)
    if reports.ndim == 1:
        wider = to_arrow(reports.astype(SPARK_TYPES[reports.itemsize][1]))
    else:
        wider = to_arrow(reports).cast(pa.binary())
    return reports, [wider.slice(first, size) for first in range(0, n, size)]


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=lambda m: m.name)
def test_a_partition_is_counted_as_one_machine_counts_it(mechanism: Any) -> None:
    reports, batches = as_spark_hands_over(mechanism)
    assert count_partition(mechanism, batches) == (mechanism.tally(reports), None)
    assert count_partition(mechanism, []) == (mechanism.tally([]), None)


def test_small_batches_are_gathered_and_never_held_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(accumulate, "BATCH_BYTES", 150)
    monkeypatch.setattr(accumulate, "MOST_BATCH_BYTES", 150)
    reports, batches = as_spark_hands_over(MECHANISMS[3])
    columns = list(gathered(MECHANISMS[3], batches))
    assert [len(column) for column in columns] == [256, 256, 256, 232]
    assert np.array_equal(np.concatenate(columns), reports)


@pytest.mark.parametrize(
    ("mechanism", "bad", "message"),
    [
        (MECHANISMS[0], pa.array([1, 9], pa.int16()), "got 1 of 12 that are out of range"),
        (MECHANISMS[0], pa.array([1, None], pa.int16()), "got 1 of 2 that are null"),
        (MECHANISMS[0], pa.array(["1"]), "must be a column of uint8, got one of string"),
        (MECHANISMS[3], pa.array([b"\0\0\0"]), "another number of bits set"),
        (MECHANISMS[3], pa.array([b"\0\0"]), "of another length"),
    ],
)
def test_a_fault_is_told_and_nothing_is_counted(mechanism: Any, bad: pa.Array[Any], message: str) -> None:
    _, batches = as_spark_hands_over(mechanism, 10, 5)
    tally, fault = count_partition(mechanism, [*batches, bad])
    assert tally == mechanism.tally([])
    assert fault is not None
    assert message in fault


def test_without_spark_the_way_to_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspark.sql", None)
    with pytest.raises(dn.ParameterError, match=r"pip install 'deniable\[spark\]'"):
        spark_session("local[1]")


def test_without_java_one_line_says_what_is_missing(tmp_path: Path) -> None:
    mechanism = MECHANISMS[0]
    with dn.files.write_reports(tmp_path / "a.parquet", mechanism.spec(), mechanism.layout) as writer:
        writer.write(mechanism.privatize_many([1, 2], seed=1))
    words = ["tally", "a.parquet", "--master", "local[1]", "--out", "a.tally"]
    environment = {**os.environ, "JAVA_HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-m", "deniable", *words],
        cwd=tmp_path, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2, done.stderr
    assert "deniable: Spark must start at local[1], with Java 17 or newer, got PySparkRuntimeError: [" in done.stderr


@pytest.mark.parametrize("hand_over", [tally_dataframe, lambda m, df: privatize_dataframe(m, df, "page")])
def test_a_task_shares_its_work_with_no_other_thread(hand_over: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "processors", lambda: 2)
    frame = MagicMock(columns=["page"])
    frame.select.return_value = frame
    hand_over(MECHANISMS[0], frame)
    task, column = frame.mapInArrow.call_args.args[0], np.zeros(threads.ALONE * 4, np.uint8)
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(lambda: len(threads.cut(column))).result() > 1
        pool.submit(lambda: list(task(iter([])))).result()
        assert pool.submit(lambda: len(threads.cut(column))).result() == 1


def sources(*groups: tuple[int, ...], counts: str | None = "") -> list[ReportFile]:
    """Files with so many reports in each row group."""
    survey = MECHANISMS[0]
    return [
        ReportFile(Path(f"{number}.parquet"), survey.spec_bytes, rows, (0, 0, 0), "", counts)
        for number, rows in enumerate(groups)
    ]


def dealt(*files: ReportFile, cores: int = 2) -> list[list[tuple[str, tuple[int, ...]]]]:
    """The tasks, as names of files and row groups."""
    tasks = spark_workers.tasks_of(MECHANISMS[0], files, cores)
    return [[(part.source.path.name, part.groups) for part in task] for task in tasks]


def test_large_files_are_dealt_out_and_small_ones_put_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spark_workers, "PART_BYTES", 250)  # a report takes one byte, a tally's counts forty
    monkeypatch.setattr(spark_workers, "MOST_TASK_BYTES", 300)
    assert dealt(*sources((100, 100, 100, 100, 50))) == [[("0.parquet", (0, 1, 2))], [("0.parquet", (3, 4))]]
    assert [len(task) for task in dealt(*sources(*[(60,)] * 7))] == [3, 3, 1]
    assert dealt(*sources((100,) * 9, counts=None)) == [[("0.parquet", tuple(range(9)))]]  # undivided
    assert dealt(*sources(())) == [[("0.parquet", ())]]
    few, many = ([len(task) for task in dealt(*sources((100,) * 24), cores=cores)] for cores in (1, 100))
    assert len(few) == 8  # no task is larger than the most
    assert len(many) == 8  # nor smaller than a part


def test_waves_follow_the_cores_and_bound_what_the_driver_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    tasks, cores = [(RowGroups(file, (0,)),) for file in sources(*[(1,)] * 30)], iter([1, 1, 1, 1, *[4] * 40])
    sizes = [len(wave) for wave in spark_workers.waves_of(iter(tasks), lambda: next(cores), 8)]
    assert sizes == [4, 16, 10]  # more cores have come while the first wave was put together
    monkeypatch.setattr(spark_workers, "MOST_TALLY_BYTES", 800)
    assert [len(wave) for wave in spark_workers.waves_of(iter(tasks), lambda: 100, 100)] == [8, 8, 8, 6]


def test_what_spark_says_is_cut_to_the_line_that_says_what_went_wrong() -> None:
    said = "An error occurred\n  File x\nModuleNotFoundError: No module named 'deniable'\n\tat org.apache.SomeError: x"
    assert spark_workers._reason(Exception(said)) == "ModuleNotFoundError: No module named 'deniable'"
    assert spark_workers._reason(Exception("no route to host")) == "no route to host"
    assert spark_workers._reason(ValueError()) == "ValueError"

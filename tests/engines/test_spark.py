"""A cluster of a master and two workers counts to the same integers as one machine, also when a worker is killed."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from spark_cluster import Cluster, cluster, kill, require_spark, wait_for

import deniable as dn
from deniable.cli.tally import tally
from deniable.engines.counting import count_dataset
from deniable.engines.dataset import open_dataset
from deniable.engines.files import tally_files
from deniable.engines.spark import privatize_dataframe, spark_session, tally_dataframe, tally_paths
from deniable.reports.report_file import write_reports

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PARTITIONS = 6


@pytest.fixture(scope="module")
def two_workers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """The cluster."""
    with cluster(tmp_path_factory.mktemp("spark")) as started:
        yield started


@pytest.fixture(scope="module")
def session(two_workers: Cluster) -> Iterator[SparkSession]:
    """A session on both workers."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in two_workers.environment.items():
            patch.setenv(name, value)
        started = spark_session(two_workers.master)
        try:
            yield started
        finally:
            started.stop()


def write_week(folder: Path, mechanism: Any, people: int = 30_000) -> None:
    """Three files of reports."""
    folder.mkdir()
    labels = list(mechanism.domain)
    for day in range(3):
        chosen = np.random.default_rng(day).integers(0, len(labels), people)
        with write_reports(folder / f"{day}.parquet", mechanism.spec(), mechanism.layout) as writer:
            writer.write(mechanism.privatize_many([labels[i] for i in chosen], seed=day))


@pytest.mark.parametrize(
    "mechanism",
    [
        dn.RandomizedResponse(9, 1.0),
        dn.Cyclic(1 << 17, 1.0),
        dn.HashedRappor(1.0, 20, 300, domain=[f"w{i}" for i in range(50)]),
    ],
    ids=lambda m: m.name,
)
def test_the_cluster_counts_what_one_machine_counts(mechanism: Any, session: SparkSession, tmp_path: Path) -> None:
    write_week(tmp_path / "week", mechanism)
    frame = session.read.parquet(str(tmp_path / "week"))
    counted = tally_dataframe(mechanism, frame)
    assert counted.n == 90_000
    assert counted.to_bytes() == tally_files([tmp_path / "week"]).to_bytes()


def test_a_column_of_values_becomes_reports_where_it_lies(session: SparkSession, tmp_path: Path) -> None:
    mechanism = dn.Subset(["never", "once", "often"], 1.0)
    rows = [(i, ["never", "once", "often", "once"][i % 4]) for i in range(2000)]
    people = session.createDataFrame(rows, "id int, answer string")
    private = privatize_dataframe(mechanism, people, "answer", seed=7)
    assert private.columns == ["id", "report"]
    private.write.parquet(str(tmp_path / "private"))
    written = session.read.parquet(str(tmp_path / "private"))
    assert sorted(row["id"] for row in written.collect()) == list(range(2000))
    counted = tally_dataframe(mechanism, written)
    assert counted == count_dataset(open_dataset([tmp_path / "private"], mechanism.spec())).tally
    assert counted == tally_dataframe(mechanism, private)  # the seed repeats it
    anew = privatize_dataframe(mechanism, people, "answer", "noisy")
    first, second = ([row["noisy"] for row in anew.collect()] for _ in range(2))
    assert first != second  # each use draws anew: equal with a chance below 3^-1000


def test_reports_of_a_high_level_are_the_truth(session: SparkSession) -> None:
    certain = dn.RandomizedResponse(300, 32.0)  # a report is another label once in 10^11
    people = session.createDataFrame([(i * i % 300,) for i in range(1000)], "label int")
    counted = tally_dataframe(certain, privatize_dataframe(certain, people, "label"))
    assert counted.counts.tolist() == np.bincount([i * i % 300 for i in range(1000)], minlength=300).tolist()


def test_a_malformed_report_refuses_them_all_in_one_line(session: SparkSession) -> None:
    frame = session.createDataFrame([(i % 5,) for i in range(100)], "report int").repartition(3)
    with pytest.raises(dn.ReportError, match=r"^every report must be .* that are out of range; none was counted$"):
        tally_dataframe(dn.RandomizedResponse(4, 1.0), frame)


def test_a_value_that_is_no_label_fails_and_is_not_shown(session: SparkSession) -> None:
    from pyspark.errors import PySparkException

    frame = session.createDataFrame([("ja",), ("Zaphod",)], "answer string").coalesce(1)
    with pytest.raises(PySparkException, match="got 1 of 2 that are not") as caught:
        privatize_dataframe(dn.RandomizedResponse(["ja", "nein"], 1.0), frame, "answer").collect()
    assert "Zaphod" not in str(caught.value)


def test_the_column_of_reports_must_be_new(session: SparkSession) -> None:
    frame = session.createDataFrame([(1, 2)], "a int, report int")
    with pytest.raises(dn.ParameterError, match="out_column must be a new column, got out_column='report'"):
        privatize_dataframe(dn.RandomizedResponse(4, 1.0), frame, "a")


def gated(started: Path) -> Any:
    """Let partitions 0 and 1 pass, hold the others until they may go; each attempt leaves a mark."""
    folder = str(started)

    def gate(batches: Iterable[Any]) -> Iterator[Any]:
        import time
        from pathlib import Path

        from pyspark import TaskContext

        task = TaskContext.get()
        assert task is not None
        Path(folder, f"{task.partitionId()}-{task.taskAttemptId()}").touch()
        for _ in range(6000):
            if task.partitionId() < 2 or Path(folder, "go").exists():
                break
            time.sleep(0.05)
        yield from batches

    return gate


def test_a_worker_killed_in_the_middle_changes_nothing(
    session: SparkSession, two_workers: Cluster, tmp_path: Path
) -> None:
    mechanism = dn.Hadamard(700, 1.0)
    write_week(tmp_path / "week", mechanism)
    (tmp_path / "started").mkdir()

    def began() -> list[int]:
        return [int(mark.name.split("-")[0]) for mark in (tmp_path / "started").glob("*-*")]

    spread = session.read.parquet(str(tmp_path / "week")).repartition(PARTITIONS)
    held = spread.mapInArrow(gated(tmp_path / "started"), "report int")
    with ThreadPoolExecutor(1) as pool:
        counting = pool.submit(tally_dataframe, mechanism, held)
        wait_for(lambda: len(set(began()) - {0, 1}) == 2 or counting.done(), "both workers to be held")
        assert not counting.done()
        kill(two_workers.workers[0])
        (tmp_path / "started" / "go").touch()
        counted = counting.result(timeout=300)
    assert counted.to_bytes() == tally_files([tmp_path / "week"]).to_bytes()
    assert len(began()) > len(set(began())) == PARTITIONS  # some partitions were counted again


def test_what_spark_cannot_read_is_one_line(session: SparkSession, tmp_path: Path) -> None:
    with pytest.raises(dn.FormatError, match=r"but Spark says: .*PATH_NOT_FOUND"):
        tally_paths(dn.Rappor(9, 1.0), session, [str(tmp_path / "none")])


def test_one_machine_is_a_cluster_too(tmp_path: Path) -> None:
    """Without a word on which Python its workers take."""
    require_spark()
    mechanism, out = dn.Cyclic(30, 1.0), tmp_path / "week.tally"
    write_week(tmp_path / "week", mechanism, 500)
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("PYSPARK", "PYTHON", "SPARK"))}
    words = [
        sys.executable,
        "-m",
        "deniable",
        "tally",
        str(tmp_path / "week"),
        "--out",
        str(out),
        "--master",
        "local[1]",
    ]
    subprocess.run(words, check=True, capture_output=True, env=plain, timeout=300)
    assert dn.Tally.from_bytes(out.read_bytes()) == tally_files([tmp_path / "week"])


def test_the_command_counts_on_a_cluster(session: SparkSession, two_workers: Cluster, tmp_path: Path) -> None:
    """Last of all: it ends the session."""
    mechanism, out = dn.Rappor(9, 1.0), tmp_path / "week.tally"
    write_week(tmp_path / "week", mechanism, 500)
    assert session.sparkContext.master == two_workers.master
    with pytest.raises(dn.ParameterError, match="--skip-bad must go without --master"):
        tally([str(tmp_path / "week")], out, skip_bad=True, master=two_workers.master)
    tally([str(tmp_path / "week")], out, master=two_workers.master)
    assert dn.Tally.from_bytes(out.read_bytes()) == tally_files([tmp_path / "week"])

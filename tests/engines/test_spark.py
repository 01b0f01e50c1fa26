"""A cluster of a master and two workers counts to the same integers as one machine, also when a worker is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.engines.spark_cluster import BRISK, MINUTES, Cluster, cluster, kill, require_spark
from tests.waiting import until

import deniable as dn
from deniable.cli.tally import tally
from deniable.engines import spark_workers
from deniable.engines.checkpoint import Checkpoint
from deniable.engines.counting import count_dataset, count_into
from deniable.engines.dataset import Dataset, open_dataset
from deniable.engines.files import tally_files
from deniable.engines.spark import privatize_dataframe, spark_session, tally_dataframe, tally_paths
from deniable.engines.spark_workers import SparkWorkers
from deniable.reports import report_file
from deniable.reports.places import StorePath
from deniable.reports.report_file import ReportFile, write_reports

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PARTITIONS = 6


@pytest.fixture(scope="module")
def three_workers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """The cluster: a session has two of the workers, and the others when one of them is lost."""
    with cluster(tmp_path_factory.mktemp("spark"), workers=3) as started:
        yield started


@pytest.fixture(scope="module")
def session(three_workers: Cluster) -> Iterator[SparkSession]:
    """A session on both workers."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in three_workers.environment.items():
            patch.setenv(name, value)
        started = spark_session(three_workers.master)
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


MECHANISMS = [
    dn.RandomizedResponse(9, 1.0),
    dn.Cyclic(1 << 17, 1.0),
    dn.HashedRappor(1.0, 20, 300, domain=[f"w{i}" for i in range(50)]),
]


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=lambda m: m.name)
def test_a_data_frame_of_reports_is_counted_as_one_machine_counts_them(
    mechanism: Any, session: SparkSession, tmp_path: Path
) -> None:
    write_week(tmp_path / "week", mechanism)
    frame = session.read.parquet(str(tmp_path / "week"))
    counted = tally_dataframe(mechanism, frame)
    assert counted.n == 90_000
    assert counted.to_bytes() == tally_files([tmp_path / "week"]).to_bytes()


# --- files of reports, which the workers read -------------------------------------------------------------------------


def small_parts(patch: pytest.MonkeyPatch) -> None:
    """A part, and a task, of each row group, and two tasks to a wave."""
    patch.setattr(report_file, "MOST_ROWS", 4096)
    patch.setattr(spark_workers, "PART_BYTES", 1)
    patch.setattr(spark_workers, "MOST_TASK_BYTES", 1)
    patch.setattr(spark_workers, "TASKS_PER_CORE", 1)


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=lambda m: m.name)
@pytest.mark.parametrize("small", [False, True])
def test_the_cluster_counts_files_as_one_machine_does(
    mechanism: Any, small: bool, session: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if small:
        small_parts(monkeypatch)
    write_week(tmp_path / "week", mechanism)
    told = list[int]()
    counted = count_dataset(open_dataset([tmp_path / "week"]), told.append, SparkWorkers(session))
    assert counted.tally.to_bytes() == tally_files([tmp_path / "week"]).to_bytes()
    assert sum(told) == counted.tally.n == 90_000
    assert (counted.files, counted.resumed, counted.refused) == (3, 0, ())
    assert not small or len(told) > 20


def test_files_of_other_tools_and_of_earlier_releases_are_counted(session: SparkSession, tmp_path: Path) -> None:
    earlier = Path(__file__).with_name("earlier.parquet")  # 500 reports, without their counts
    survey = dn.Hadamard(700, 1.0)
    reports = survey.privatize_many([1] * 1000, seed=1)
    noisy = pa.table({"noisy": pa.array(reports.astype("int32"))})
    pq.write_table(noisy, tmp_path / "foreign.parquet", row_group_size=300)
    paths = [str(earlier), f"file://{tmp_path}/foreign.parquet"]
    counted = tally_paths(session, paths, survey.spec(), "noisy")
    assert counted == tally_files([earlier]) + survey.tally(reports)


def test_workers_read_from_a_store(session: SparkSession, tmp_path: Path) -> None:
    write_week(tmp_path / "week", dn.Hadamard(700, 1.0), 1000)
    store = StorePath(f"file://{tmp_path}/week")  # this machine, reached as any store of PyArrow's is
    assert tally_paths(session, [store]) == tally_files([tmp_path / "week"])


def spoil(path: Path, kind: str) -> None:
    """Make a bad file of a good one."""
    whole = bytearray(path.read_bytes())
    if kind == "altered":
        whole[300] ^= 1
        path.write_bytes(whole)
    elif kind == "another sum":  # well-formed, and every page has the checksum that fits it
        table, footer = pq.read_table(path), pq.read_metadata(path).metadata
        values = table.column(0).to_numpy().copy()
        values[7] ^= 1
        changed = pa.table([pa.array(values)], schema=table.schema.with_metadata(footer or {}))
        pq.write_table(changed, path, compression="none", use_dictionary=False)
    else:  # malformed, in a file of which nothing is known
        pq.write_table(pa.table({"report": pa.array([9999], pa.uint16())}), path)


@pytest.mark.parametrize("kind", ["altered", "another sum", "malformed"])
def test_a_bad_file_is_refused_as_on_one_machine_or_skipped(kind: str, session: SparkSession, tmp_path: Path) -> None:
    survey = dn.Hadamard(700, 1.0)
    write_week(tmp_path / "week", survey, 1000)
    good = tally_files([tmp_path / "week" / f"{day}.parquet" for day in (0, 2)])
    spoil(tmp_path / "week" / "1.parquet", kind)
    given = survey.spec() if kind == "malformed" else None
    here: list[Any] = []
    there: list[Any] = []
    for said, workers in ((here, None), (there, SparkWorkers(session))):
        with pytest.raises((dn.FormatError, dn.ReportError)) as caught:
            count_dataset(open_dataset([tmp_path / "week"], given), workers=workers)
        said += [type(caught.value), str(caught.value)]
        skipping = count_dataset(open_dataset([tmp_path / "week"], given, skip_bad=True), workers=workers)
        assert skipping.tally == good
        said += [skipping.refused]
    assert here == there


def test_an_interrupted_count_is_resumed_on_the_cluster(
    session: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small_parts(monkeypatch)
    survey, out = dn.Hadamard(700, 1.0), tmp_path / "week.tally"
    write_week(tmp_path / "week", survey)
    done = list[int]()

    def tell(more: int) -> None:
        done.append(more)
        if sum(done) > 70_000:  # in the third file
            raise KeyboardInterrupt

    workers = SparkWorkers(session)
    with pytest.raises(KeyboardInterrupt):
        count_into(open_dataset([tmp_path / "week"]), out, tell, workers)
    assert Checkpoint.beside(out).path.exists()
    told = list[int]()
    counted = count_into(open_dataset([tmp_path / "week"]), out, told.append, workers)
    assert (counted.resumed, counted.files, told[0]) == (2, 3, 60_000)
    assert dn.Tally.from_bytes(out.read_bytes()) == tally_files([tmp_path / "week"])
    assert not Checkpoint.beside(out).path.exists()


def held_back(source: Any, meet: Callable[[Path], None], started: Path) -> Any:
    """A file whose parts leave a mark when they are read, and then meet somebody, wherever that is."""
    fields = [getattr(source, name) for name in ReportFile.__slots__]
    folder, read = str(started), ReportFile.part

    class Held(ReportFile):
        def part(self, *words: Any) -> Iterator[Any]:
            Path(folder, f"{words[1][0]}-{os.getpid()}-{time.monotonic_ns()}").touch()
            meet(Path(folder))
            return read(self, *words)

    return Held(*fields)


def until_told() -> Callable[[Path], None]:
    """Wait until all may go. It is a function within one, like all that travels to workers that lack this file."""

    def wait(folder: Path) -> None:
        for _ in range(6000):
            if (folder / "go").exists():
                return
            time.sleep(0.05)

    return wait


def failure() -> Callable[[Path], None]:
    """What a worker may run into that is no file's fault."""

    def fail(_folder: Path) -> None:
        raise RuntimeError("the library is of another release")

    return fail


def held_week(folder: Path, meet: Callable[[Path], None], skip_bad: bool = False) -> Dataset:
    """The week's files, each of which is met."""
    week = open_dataset([folder / "week"])
    started = folder / "week-started"
    started.mkdir()
    return Dataset(week.mechanism, tuple(held_back(file, meet, started) for file in week.files), (), skip_bad)


def test_a_cluster_that_fails_is_told_in_one_line_and_no_file_is_skipped_for_it(
    session: SparkSession, tmp_path: Path
) -> None:
    write_week(tmp_path / "week", dn.Hadamard(700, 1.0), 500)
    with pytest.raises(dn.ParameterError, match=r"^the cluster must be able to count, but Spark says: .*release$"):
        count_dataset(held_week(tmp_path, failure(), skip_bad=True), workers=SparkWorkers(session))


@pytest.mark.parametrize("victim", ["process", "machine"])
def test_a_worker_killed_while_it_reads_changes_nothing(
    victim: str, session: SparkSession, three_workers: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The Python process of a task, or all that runs on its machine, is killed; its part is read again elsewhere."""
    small_parts(monkeypatch)
    write_week(tmp_path / "week", dn.Hadamard(700, 1.0))
    dataset = held_week(tmp_path, until_told())

    def began() -> list[int]:
        return [int(mark.name.split("-")[1]) for mark in (tmp_path / "week-started").glob("*-*")]

    with ThreadPoolExecutor(1) as pool:
        counting = pool.submit(count_dataset, dataset, None, SparkWorkers(session))
        until(lambda: len(began()) == 2 or counting.done(), patience=MINUTES)
        assert not counting.done()
        if victim == "process":
            os.kill(began()[0], signal.SIGKILL)
        else:
            kill(three_workers.machine_of(began()[0]))
        until(lambda: len(began()) > 2 or counting.done(), patience=MINUTES)
        (tmp_path / "week-started" / "go").touch()
        counted = counting.result(timeout=300)
    assert counted.tally.to_bytes() == tally_files([tmp_path / "week"]).to_bytes()
    assert len(began()) > sum(len(file.groups) for file in dataset.files)  # some part was read again


# --- columns of data frames -------------------------------------------------------------------------------------------


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
    for wrong, reason in ((4, "20 of 100 that are out of range"), (None, "20 of 100 that are null")):
        frame = session.createDataFrame([(i % 5 if i % 5 < 4 else wrong,) for i in range(100)], "report int")
        with pytest.raises(dn.ReportError, match=rf"^every report must be .* {reason}; none was counted$"):
            tally_dataframe(dn.RandomizedResponse(4, 1.0), frame.repartition(3))


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
        import os
        import time
        from pathlib import Path

        from pyspark import TaskContext

        task = TaskContext.get()
        assert task is not None
        Path(folder, f"{task.partitionId()}-{task.taskAttemptId()}-{os.getpid()}").touch()
        for _ in range(6000):
            if task.partitionId() < 2 or Path(folder, "go").exists():
                break
            time.sleep(0.05)
        yield from batches

    return gate


def test_a_machine_killed_under_a_data_frame_changes_nothing(
    session: SparkSession, three_workers: Cluster, tmp_path: Path
) -> None:
    mechanism = dn.Hadamard(700, 1.0)
    write_week(tmp_path / "week", mechanism)
    (tmp_path / "started").mkdir()

    def began() -> list[int]:
        return [int(mark.name.split("-")[0]) for mark in (tmp_path / "started").glob("*-*-*")]

    spread = session.read.parquet(str(tmp_path / "week")).repartition(PARTITIONS)
    held = spread.mapInArrow(gated(tmp_path / "started"), "report int")
    with ThreadPoolExecutor(1) as pool:
        counting = pool.submit(tally_dataframe, mechanism, held)
        until(lambda: len(set(began()) - {0, 1}) == 2 or counting.done(), patience=MINUTES)
        assert not counting.done()
        held_by = next(mark.name for mark in (tmp_path / "started").glob("[!01]-*"))
        kill(three_workers.machine_of(int(held_by.split("-")[2])))
        (tmp_path / "started" / "go").touch()
        counted = counting.result(timeout=300)
    assert counted.to_bytes() == tally_files([tmp_path / "week"]).to_bytes()
    assert len(began()) > len(set(began())) == PARTITIONS  # some partitions were counted again


def test_a_file_that_is_not_there_is_the_systems_error(session: SparkSession, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        tally_paths(session, [str(tmp_path / "none")])


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
    subprocess.run(words, check=True, capture_output=True, env={**plain, "JAVA_TOOL_OPTIONS": BRISK}, timeout=300)
    assert dn.Tally.from_bytes(out.read_bytes()) == tally_files([tmp_path / "week"])


def test_the_command_counts_on_a_cluster(session: SparkSession, three_workers: Cluster, tmp_path: Path) -> None:
    """Last of all: it ends the session."""
    mechanism, out = dn.Rappor(9, 1.0), tmp_path / "week.tally"
    write_week(tmp_path / "week", mechanism, 500)
    assert session.sparkContext.master == three_workers.master
    good = tally_files([tmp_path / "week"])
    (tmp_path / "week" / "3.parquet").write_bytes(b"PAR1")
    tally([str(tmp_path / "week")], out, skip_bad=True, master=three_workers.master)
    assert dn.Tally.from_bytes(out.read_bytes()) == good

"""A Spark cluster: files of reports become one tally, columns of a DataFrame become reports or a tally.

Files are dealt out to the workers, which read them: see spark_workers.py. Reports of a DataFrame that are integers are
counted by Spark's own code. Packed ones, and values, cross between Spark and Python as Arrow batches; each partition is
counted where it lies, with the kernels of one machine, in one thread since Spark gives every processor a task; the
tallies of partitions are added by a few tasks, and theirs by the driver. Whatever order that happens in, and however
often a lost worker's part is counted again, the integers are the same.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from deniable.arrays import Column, Counts
from deniable.arrow import pa
from deniable.engines.accumulate import Accumulator, empty_tally, merged, rows_at_once
from deniable.engines.counting import count_dataset
from deniable.engines.dataset import open_dataset
from deniable.engines.labels import label_indices
from deniable.engines.spark_workers import SparkWorkers, mechanism_of
from deniable.kernels.threads import work_alone
from deniable.mechanisms.mechanism import Mechanism
from deniable.privacy.entropy import Entropy, entropy_of
from deniable.protocol.errors import ParameterError, ReportError
from deniable.reports.arrow_columns import as_column, is_integer, to_arrow
from deniable.reports.index_layout import IndexLayout
from deniable.reports.layout import stored_bytes
from deniable.reports.places import Place
from deniable.reports.report_file import NAME
from deniable.reports.tally import Tally

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

SUMMING_TASKS = 8
"""Tasks that add the tallies of partitions: so many of them reach the driver."""
BATCHES_AT_ONCE = 4
"""Batches of one machine counted at once: between turns Spark fills the caches with data of its own."""
LOOPBACK = "127.0.0.1"
COUNTED = "tally binary, fault string"
INTEGERS = {"byte", "short", "integer", "long"}
SETTINGS = {
    "spark.sql.execution.arrow.maxRecordsPerBatch": "65536",
    "spark.sql.codegen.aggregate.fastHashMap.capacityBit": "20",
}
"""Batches that suit counting; compiled code for up to 2^20 different reports, where Spark's usual is 2^16."""
SPARK_TYPES: Mapping[int, tuple[str, type[np.integer[Any]]]] = {
    1: ("short", np.int16),
    2: ("integer", np.int32),
    4: ("long", np.int64),
}
"""By the bytes of an integer. Spark has no unsigned ones: reports take the next wider type, as those of Parquet do."""


def spark_session(master: str) -> SparkSession:
    """A session on the cluster at ``master``, with batches that suit counting."""
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        raise ParameterError("Spark must be installed to use a cluster: pip install 'deniable[spark]'") from None
    builder = SparkSession.builder.master(master).appName("deniable")
    if master.startswith("local"):  # on a cluster these are the cluster's affair
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        for name in ("spark.driver.bindAddress", "spark.driver.host"):
            builder = builder.config(name, LOOPBACK)
    for name, value in SETTINGS.items():
        builder = builder.config(name, value)
    try:
        return builder.getOrCreate()
    except Exception as error:  # of pyspark or of Py4J, or what the Java side throws
        said = next(iter(str(error).splitlines()), "")
        raise ParameterError(
            f"Spark must start at {master}, with Java 17 or newer, got {type(error).__name__}: {said}"
        ) from error


def tally_paths(
    session: SparkSession, paths: Sequence[Place | str], spec: Mapping[str, Any] | None = None, column: str = NAME
) -> Tally:
    """One tally of report files and folders on whatever storage all workers reach, read and checked as on one machine.

    Files that do not say what made them need a ``spec``; then ``column`` is read.
    """
    return count_dataset(open_dataset(paths, spec, column), workers=SparkWorkers(session)).tally


def tally_dataframe(mechanism: Mechanism, df: DataFrame, column: str = "report") -> Tally:
    """One tally of a column of reports, on whatever cluster the DataFrame is. A malformed report refuses them all."""
    reports, layout = df.select(df[column].alias(NAME)), mechanism.layout
    if isinstance(layout, IndexLayout) and reports.schema[NAME].dataType.typeName() in INTEGERS:
        return Tally(*layout.tally_of_times(*_counts_of_values(layout, reports)), mechanism.spec_bytes)
    spec = mechanism.spec_bytes

    def count(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        work_alone()
        yield _row(*count_partition(mechanism_of(spec), (batch.column(0) for batch in batches)))

    def add(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        yield _row(*_sum_of_tallies(mechanism_of(spec), _rows(batches)))

    counted = reports.mapInArrow(count, COUNTED)
    sums = counted.repartition(SUMMING_TASKS).mapInArrow(add, COUNTED)
    return merged(mechanism, _tallies((row["tally"], row["fault"]) for row in sums.collect()))


def _counts_of_values(layout: IndexLayout, reports: DataFrame) -> tuple[Column, Counts, int]:
    """How often each integer is there, by Spark's own code, for handing rows to Python takes longer than counting.

    With them, how many reports are missing.
    """
    groups = reports.groupBy(NAME).count().toArrow().combine_chunks()
    is_present, counts = np.asarray(groups.column(NAME).is_valid()), np.asarray(groups.column("count"), np.int64)
    column = groups.column(NAME).drop_null().combine_chunks()
    return as_column(layout, column), counts[is_present], int(counts[~is_present].sum())


def count_partition(mechanism: Mechanism, arrays: Iterable[pa.Array[Any]]) -> tuple[Tally, str | None]:
    """The tally of a partition, or what is wrong with it, as data: Spark would try what raises an error four times."""
    counting = Accumulator(mechanism)
    try:
        for reports in gathered(mechanism, arrays):
            counting.add(reports)
    except ReportError as error:
        return empty_tally(mechanism), str(error)
    return counting.tally(), None


def gathered(mechanism: Mechanism, arrays: Iterable[pa.Array[Any]]) -> Iterator[Column]:
    """Spark's small batches, put together to as many reports as are well counted at once."""
    most, n_pending, pending = BATCHES_AT_ONCE * rows_at_once(mechanism), 0, list[Column]()
    for array in arrays:
        pending.append(as_column(mechanism.layout, array))
        n_pending += len(array)
        if n_pending >= most:
            yield np.concatenate(pending)
            n_pending, pending = 0, []
    if pending:
        yield np.concatenate(pending)


def _sum_of_tallies(mechanism: Mechanism, rows: Iterable[tuple[bytes, str | None]]) -> tuple[Tally, str | None]:
    """The sum of tallies that travelled as bytes, or the first fault among them."""
    try:
        return merged(mechanism, _tallies(rows)), None
    except ReportError as error:
        return empty_tally(mechanism), str(error)


def _tallies(rows: Iterable[tuple[bytes, str | None]]) -> Iterator[Tally]:
    for written, fault in rows:
        if fault is not None:
            raise ReportError(fault)
        yield Tally.from_bytes(bytes(written))


def _row(tally: Tally, fault: str | None) -> pa.RecordBatch:
    columns: list[pa.Array[Any]] = [pa.array([tally.to_bytes()], pa.binary()), pa.array([fault], pa.string())]
    return pa.RecordBatch.from_arrays(columns, names=["tally", "fault"])


def _rows(batches: Iterable[pa.RecordBatch]) -> Iterator[tuple[bytes, str | None]]:
    for batch in batches:
        yield from zip(batch.column(0).to_pylist(), batch.column(1).to_pylist(), strict=True)


def privatize_dataframe(
    mechanism: Mechanism, df: DataFrame, column: str, out_column: str = "report", seed: int | None = None
) -> DataFrame:
    """The DataFrame with a column of reports in place of a column of values, drawn where the partitions lie.

    Spark computes a DataFrame again whenever it is used, with other noise each time: write the result down and use
    what was written, or people give several reports. A seed repeats the noise of each partition, for simulation only.
    """
    if out_column in df.columns and out_column != column:
        raise ParameterError(f"out_column must be a new column, got out_column={out_column!r}, which there is")
    spec, other_columns = mechanism.spec_bytes, [name for name in df.columns if name != column]
    entropy = entropy_of(seed)

    def draw(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        work_alone()
        yield from _with_reports(mechanism_of(spec), batches, out_column, _entropy_of_partition(entropy))

    kind = SPARK_TYPES[stored_bytes(mechanism.layout)][0] if is_integer(mechanism.layout) else "binary"
    schema = df.select(*[df[name] for name in other_columns]).schema.add(out_column, kind, nullable=False)
    return df.select(df[column], *[df[name] for name in other_columns]).mapInArrow(draw, schema)


def _entropy_of_partition(entropy: Entropy) -> Entropy:
    """The part of the randomness that belongs to the partition at hand."""
    from pyspark import TaskContext

    task = TaskContext.get()
    return entropy.part(0 if task is None else task.partitionId())


def _with_reports(
    mechanism: Mechanism, batches: Iterable[pa.RecordBatch], out_column: str, entropy: Entropy
) -> Iterator[pa.RecordBatch]:
    """Batches whose first column, of values, has become their last, of reports."""
    for index, batch in enumerate(batches):
        values = label_indices(mechanism.domain, batch.column(0), skip_blank=False)
        mechanism.domain.check(values)
        reports = _spark_array(mechanism.draw(values, entropy.part(index)))
        yield pa.RecordBatch.from_arrays([*batch.columns[1:], reports], names=[*batch.schema.names[1:], out_column])


def _spark_array(reports: Column) -> pa.Array[Any]:
    if reports.ndim == 1:
        return to_arrow(reports.astype(SPARK_TYPES[reports.itemsize][1]))
    return to_arrow(reports).cast(pa.binary())

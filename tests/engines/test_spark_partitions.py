"""What happens inside a partition, without a cluster: small batches are gathered, and a fault is data."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from unittest.mock import MagicMock

import numpy as np
import pyarrow as pa
import pytest

import deniable as dn
from deniable.engines import counting
from deniable.engines.spark import (
    SPARK_TYPES,
    count_partition,
    gathered,
    privatize_dataframe,
    spark_session,
    tally_dataframe,
)
from deniable.kernels import threads

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
    array = mechanism.layout.to_arrow(reports)
    wider = array.cast(SPARK_TYPES[array.type][1] if array.type in SPARK_TYPES else pa.binary())
    return reports, [wider.slice(first, size) for first in range(0, n, size)]


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=lambda m: m.name)
def test_a_partition_is_counted_as_one_machine_counts_it(mechanism: Any) -> None:
    reports, batches = as_spark_hands_over(mechanism)
    assert count_partition(mechanism, batches) == (mechanism.tally(reports), None)
    assert count_partition(mechanism, []) == (mechanism.tally([]), None)


def test_small_batches_are_gathered_and_never_held_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "BATCH_BYTES", 150)
    monkeypatch.setattr(counting, "MOST_BATCH_BYTES", 150)
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

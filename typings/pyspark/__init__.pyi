"""The part of Spark that deniable uses, so that types are checked without half a gigabyte of it."""

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

Item = TypeVar("Item")
Found = TypeVar("Found")

class TaskContext:
    partitionId: Callable[[], int]
    taskAttemptId: Callable[[], int]

    @classmethod
    def get(cls) -> TaskContext | None: ...

class RDD(Generic[Item]):
    def map(self, f: Callable[[Item], Found]) -> RDD[Found]: ...
    def collect(self) -> list[Item]: ...

class SparkContext:
    defaultParallelism: int
    setJobGroup: Callable[[str, str, bool], None]
    cancelJobGroup: Callable[[str], None]

    def parallelize(self, items: Sequence[Item], slices: int) -> RDD[Item]: ...

"""The part of Spark that deniable uses, so that types are checked without half a gigabyte of it."""

from collections.abc import Callable

class TaskContext:
    partitionId: Callable[[], int]
    taskAttemptId: Callable[[], int]

    @classmethod
    def get(cls) -> TaskContext | None: ...

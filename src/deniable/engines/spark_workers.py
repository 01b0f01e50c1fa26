"""Tasks of a Spark cluster that count files: the driver deals out row groups, the workers read and count them.

No report passes through the JVM. A task is a few parts of files; its worker reads them by PyArrow as one machine does,
with the same checks, and returns a tally of each. Tasks run in waves, two of them at a time: when a wave is done its
files are counted in and kept, so that an interrupted count goes on from there. A task that is run again, because its
worker was lost, counts the same integers again, and only one of its results arrives.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import groupby
from typing import TYPE_CHECKING, TypeAlias

from deniable.engines.accumulate import tally_bytes
from deniable.engines.chunks import Progress, unheard
from deniable.engines.parts import BAD, PART_BYTES, RowGroups, Source, check_unchanged, count_part, parts_of, submitted
from deniable.kernels.threads import work_alone
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.registry import from_spec
from deniable.protocol.errors import DenialError, ParameterError
from deniable.reports.layout import stored_bytes
from deniable.reports.spec import parse
from deniable.reports.tally import Tally

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

Task: TypeAlias = tuple[RowGroups, ...]
Wave: TypeAlias = list[Task]
Found: TypeAlias = bytes | DenialError | OSError
"""The tally of a part, or what is wrong with it: an error that is data is not tried again four times."""

MOST_TASK_BYTES = PART_BYTES << 4
"""To start a task costs Spark some tens of milliseconds, which reading so much should outweigh."""
TASKS_PER_CORE = 4
"""In all, and in a wave: enough that no core waits long for the last one."""
WAVES = 2
"""While the last tasks of a wave are still at work, those of the next one take the cores that are free."""
MOST_TALLY_BYTES = 1 << 28
"""What a wave may return; Spark's own limit for a driver is 1 GiB."""
SIZE_AND_TIME = 2
"""What a copy of a file has in common with it on another machine; the driver compares all that its system knows."""


@dataclass(frozen=True, slots=True)
class SparkWorkers:
    """The workers of a session. Each must reach the files by the same paths, and have this library."""

    session: SparkSession

    def count(
        self, mechanism: Mechanism, sources: Sequence[Source], progress: Progress
    ) -> Generator[tuple[Source, Iterator[Tally]]]:
        """Each file with the tallies of its parts, in order, wave by wave."""
        counted = self._waves(mechanism, sources)
        for source, group in groupby(counted, key=lambda each: each[0].source):
            yield source, (_received(each, progress) for _, each in group)

    def _waves(self, mechanism: Mechanism, sources: Sequence[Source]) -> Generator[tuple[RowGroups, Found]]:
        group, context = f"deniable-{secrets.token_hex(8)}", self.session.sparkContext
        tasks = tasks_of(mechanism, sources, context.defaultParallelism)
        waves = waves_of(tasks, lambda: context.defaultParallelism, tally_bytes(mechanism))
        with ThreadPoolExecutor(WAVES) as pool:
            try:
                for wave, found in submitted(pool, waves, partial(self._run, mechanism, group), WAVES - 1):
                    for task, outcomes in zip(wave, found.result(), strict=True):
                        yield from zip(task, outcomes, strict=True)
            except BaseException:  # nobody waits for the rest
                with suppress(AttributeError):  # a session that was stopped has no jobs left
                    context.cancelJobGroup(group)
                pool.shutdown(cancel_futures=True)
                raise

    def _run(self, mechanism: Mechanism, group: str, wave: Wave) -> list[list[Found]]:
        """One job of Spark. Where it fails no file is to blame, so that none may be skipped for it."""
        from py4j.protocol import Py4JError
        from pyspark.errors import PySparkException

        context, work = self.session.sparkContext, partial(count_task, mechanism.spec_bytes)
        context.setJobGroup(group, f"deniable: count {mechanism.name} reports", True)
        try:
            return context.parallelize(wave, len(wave)).map(work).collect()
        except (Py4JError, PySparkException) as error:
            raise ParameterError(f"the cluster must be able to count, but Spark says: {_reason(error)}") from error


def tasks_of(mechanism: Mechanism, sources: Iterable[Source], cores: int) -> Iterator[Task]:
    """Neighbouring parts of about the same weight: what is read of them, and what they return."""
    width, returned = stored_bytes(mechanism.layout), tally_bytes(mechanism)
    known_sources = list(sources)
    total = sum(source.n for source in known_sources) * width
    size = max(PART_BYTES, min(MOST_TASK_BYTES, total // (TASKS_PER_CORE * cores)))
    task, weight = list[RowGroups](), 0
    for source in known_sources:
        for part in parts_of(source, width, size):
            task.append(part)
            weight += returned + width * sum(source.groups[group] for group in part.groups)
            if weight >= size:
                yield tuple(task)
                task, weight = [], 0
    if task:
        yield tuple(task)


def waves_of(tasks: Iterable[Task], cores: Callable[[], int], returned: int) -> Iterator[Wave]:
    """Tasks in groups: a few for each core that there is by then, and no more than the driver can take tallies of."""
    wave, weight = Wave(), 0
    for task in tasks:
        wave.append(task)
        weight += returned * len(task)
        if len(wave) >= TASKS_PER_CORE * cores() or weight >= MOST_TALLY_BYTES:
            yield wave
            wave, weight = [], 0
    if wave:
        yield wave


def count_task(written: bytes, task: Task) -> list[Found]:
    """What a worker does, in a thread of its own: the parts of a task, one after another."""
    work_alone()
    mechanism = mechanism_of(written)
    return [_counted_part(mechanism, part) for part in task]


def _counted_part(mechanism: Mechanism, part: RowGroups) -> Found:
    try:
        check_unchanged(part.source, SIZE_AND_TIME)
        tally = count_part(mechanism, part, unheard)
        check_unchanged(part.source, SIZE_AND_TIME)
    except (*BAD, OSError) as error:
        return error
    return tally.to_bytes()


def _received(found: Found, progress: Progress) -> Tally:
    if isinstance(found, Exception):
        raise found
    tally = Tally.from_bytes(found)
    progress(tally.n)
    return tally


@lru_cache(maxsize=4)
def mechanism_of(written: bytes) -> Mechanism:
    """Made once in each process of a worker, which counts many parts."""
    return from_spec(parse(written))


def _reason(error: Exception) -> str:
    """The line of a long report that says what went wrong: the last that names an error."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    named = [line for line in lines if "Error:" in line and not line.startswith("at ")]
    return (named or lines or [type(error).__name__])[-1]

"""What a study is: tasks that fill tables, checks against the paper's values, and pictures with their findings."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

from studies.verdicts import Check

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Value: TypeAlias = str | int | float | None
Row: TypeAlias = dict[str, Value]
Table: TypeAlias = Sequence[Row]
Tables: TypeAlias = Mapping[str, Table]

MEASURED = "measurements"
"""The name of the table of times that were measured on the machine of the run."""


@dataclass(frozen=True)
class Task:
    """An independent piece of work: rows of one table from a seed and plain arguments.

    ``run`` is a module-level function, so that another process can call it; finished tasks are saved, so a task should
    take at most a minute.
    """

    table: str
    run: Callable[..., list[Row]]
    arguments: Mapping[str, Any]

    @cached_property
    def key(self) -> str:
        """The task as text; it does not depend on the file that its function is in."""
        return json.dumps([self.table, self.run.__name__, self.arguments], sort_keys=True)

    def seed(self, study_seed: int) -> int:
        """The task's own seed, derived from the study's, so that tasks can run in any order."""
        written = json.dumps([study_seed, self.key]).encode()
        return int.from_bytes(hashlib.sha256(written).digest()[:7], "big")


@dataclass(frozen=True, slots=True)
class Picture:
    """A figure and its finding in two sentences; ``measured`` if it shows times of the machine of the run."""

    name: str
    title: str
    takeaway: str
    draw: Callable[[Tables], Figure]
    measured: bool = False


@dataclass(frozen=True, slots=True)
class Study:
    """A paper's experiments, or our own.

    ``tasks`` lists the work of a full or a quick run; ``summaries`` computes more tables from those of the tasks;
    ``checks`` compares the paper's values with ours; ``remarks`` says in sentences, with numbers, where we differ;
    ``errata`` lists misprints that matter to a reader, ``left_out`` what is not run, and why. ``measured`` takes times
    in full and quick runs: they differ from run to run, so they are measured again each time, after the tasks, and are
    not stored as CSV. Pictures and remarks find them in the table MEASURED. ``quick_about`` takes the place of
    ``about`` in a quick run, where that makes other numbers of surveys. ``words`` follow ``deniable reproduce``, if not
    the name.
    """

    name: str
    title: str
    source: str
    about: str
    tasks: Callable[[bool], Sequence[Task]]
    checks: Callable[[Tables], Sequence[Check]]
    pictures: Sequence[Picture]
    summaries: Callable[[Tables], Tables] = lambda _tables: {}
    remarks: Callable[[Tables], Sequence[str]] = lambda _tables: ()
    errata: Sequence[str] = ()
    left_out: Sequence[str] = ()
    measured: Callable[[bool], Table] = lambda _quick: ()
    quick_about: str = ""
    words: str = ""


@dataclass(frozen=True, slots=True)
class Measured:
    """The times that were measured, and the machine of the run in words."""

    machine: str
    rows: Table


@dataclass(frozen=True, slots=True)
class Results:
    """The tables of a study, the checks and remarks that follow from them, and the measured times."""

    study: Study
    tables: Tables
    checks: Sequence[Check]
    remarks: Sequence[str]
    measured: Measured


def grid(table: str, run: Callable[..., list[Row]], cases: Sequence[Mapping[str, Any]]) -> list[Task]:
    """One task per case, where a case holds the arguments of ``run``."""
    return [Task(table, run, case) for case in cases]


def rows_with(rows: Sequence[Row], **where: Value) -> list[dict[str, Any]]:
    """The rows of a table that have these values.

    >>> rows_with([{"eps": 1, "l1": 0.5}, {"eps": 2, "l1": 0.3}], eps=2)
    [{'eps': 2, 'l1': 0.3}]
    """
    found = list(rows)
    for key, value in where.items():
        found = [row for row in found if row[key] == value]
    return found


def column(rows: Sequence[Row], name: str, **where: Value) -> list[Any]:
    """One column of the rows that have these values.

    >>> column([{"eps": 1, "l1": 0.5}, {"eps": 2, "l1": 0.3}], "l1", eps=2)
    [0.3]
    """
    return [row[name] for row in rows_with(rows, **where)]

"""Running a study: every task once, on several processors; an interrupted run is resumed."""

from __future__ import annotations

import json
import multiprocessing
import os
import platform
import signal
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, TypeAlias

from deniable.kernels.threads import processors
from deniable.protocol.checks import check_int
from deniable.protocol.errors import ParameterError
from deniable.reports.atomic_files import made_folder
from studies.pages import gallery, page
from studies.store import Store, csv_rows, csv_text
from studies.study import MEASURED, Measured, Results, Row, Study, Table, Tables, Task
from studies.verdicts import Check

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess

Progress: TypeAlias = Callable[[int], None]
"""A callback that is told how many more tasks are done."""


@dataclass(frozen=True, slots=True)
class Setting:
    """How a study is run. The results depend on the seed and on whether the run is quick, never on the jobs."""

    out: Path
    seed: int = 1
    quick: bool = False
    jobs: int = 1

    def __post_init__(self) -> None:
        check_int("seed", self.seed, 0)
        check_int("jobs", self.jobs, 1)

    def command(self, name: str) -> str:
        """The command line that repeats the run."""
        return f"deniable reproduce {name} --seed {self.seed}{' --quick' if self.quick else ''}"


def reproduce(study: Study, setting: Setting, progress: Progress | None = None) -> Results:
    """Run the tasks that are not yet done, then write tables, checks, pictures and the page into ``out``/name."""
    store = Store(setting.out / study.name)
    rows = _gather(study, setting, store, progress)
    found = results(study, rows, Measured(machine(), study.measured(setting.quick)))
    _write(found, setting, store)
    return found


def results(study: Study, rows: Tables, measured: Measured) -> Results:
    """The results of a study from the rows of its tasks, computed from the digits that its CSV files hold."""
    tables = _as_written(rows)
    tables = {**tables, **_as_written(study.summaries(tables))}
    remarks = study.remarks({**tables, MEASURED: measured.rows})
    return Results(study, tables, study.checks(tables), remarks, measured)


def _as_written(tables: Tables) -> Tables:
    return {name: csv_rows(csv_text(rows)) for name, rows in tables.items()}


def _gather(study: Study, setting: Setting, store: Store, progress: Progress | None) -> Mapping[str, Table]:
    """The rows of every task in the order of the list, whatever the order in which they ran."""
    tasks = study.tasks(setting.quick)
    if len({task.key for task in tasks}) < len(tasks):
        raise ParameterError(f"the tasks of {study.name} must differ from each other, got one twice")
    done = {task.key: rows for task in tasks if (rows := store.read(task, setting.seed)) is not None}
    if progress is not None:
        progress(len(done))
    made_folder(store.folder)  # before any work, in case that it cannot be
    with closing(_finished([task for task in tasks if task.key not in done], setting)) as finished:
        for task, rows in finished:
            store.keep(task, setting.seed, rows)
            done[task.key] = rows
            if progress is not None:
                progress(1)
    tables: dict[str, list[Row]] = {}
    for task in tasks:
        tables.setdefault(task.table, []).extend(done[task.key])
    return tables


def _finished(tasks: Sequence[Task], setting: Setting) -> Generator[tuple[Task, list[Row]]]:
    """Each task with its rows, in the order in which they finish."""
    if setting.jobs == 1 or len(tasks) < 2:
        yield from ((task, _rows(task, setting.seed)) for task in tasks)
        return
    context = multiprocessing.get_context("spawn")  # threads of this process make a fork unsafe
    with ProcessPoolExecutor(min(setting.jobs, len(tasks)), context, _begin_worker) as pool:
        running = {pool.submit(_rows, task, setting.seed): task for task in tasks}
        try:
            for future in as_completed(running):
                yield running[future], future.result()
        except BaseException:
            for worker in multiprocessing.active_children():  # do not wait for tasks that they have begun
                worker.terminate()
            pool.shutdown(cancel_futures=True)  # which leaves nothing of the pool to the system's own tidying
            raise


def _begin_worker() -> None:
    """Set up a worker to end at once and silently when it is interrupted or its parent is gone."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    parent = multiprocessing.parent_process()
    if parent is not None:
        Thread(target=_end_after, args=(parent,), daemon=True).start()


def _end_after(parent: BaseProcess) -> None:
    parent.join()
    os._exit(1)


def _rows(task: Task, study_seed: int) -> list[Row]:
    """Run a task; one thread for linear algebra, so that its sums have one order and processes do not wait."""
    from threadpoolctl import threadpool_limits  # an optional package

    with threadpool_limits(1):
        return task.run(task.seed(study_seed), **task.arguments)


def _write(found: Results, setting: Setting, store: Store) -> None:
    from deniable.estimation.shown_figure import picture_bytes  # loads Matplotlib, which takes a second

    study = found.study
    for name, rows in found.tables.items():
        store.write(f"{name}.csv", csv_text(rows).encode())
    if found.checks:
        store.write("checks.csv", checks_text(found.checks).encode())
    if found.measured.rows:
        store.write(f"{MEASURED}.json", f"{json.dumps(asdict(found.measured), indent=1)}\n".encode())
    for picture in study.pictures:
        figure = picture.draw({**found.tables, MEASURED: found.measured.rows})
        store.write(f"{picture.name}.svg", picture_bytes(figure, "svg"))
    store.write("index.md", page(found, setting.command(study.words or study.name), setting.quick).encode())


def write_gallery(results: Sequence[Results], out: Path) -> None:
    """Write the page with the pictures of all studies, in the folder above theirs."""
    Store(out).write("index.md", gallery(results).encode())


def checks_text(checks: Sequence[Check]) -> str:
    """The checks as CSV."""
    return csv_text([_check_row(check) for check in checks])


def _check_row(check: Check) -> Row:
    return {
        "group": check.group,
        "what": check.what,
        "origin": check.source.origin.value,
        "place": check.source.place,
        "reference": check.reference,
        "ours": check.ours,
        "error": check.error,
        "rule": check.rule,
        "power": check.power,
        "verdict": check.verdict.value,
        "note": check.note,
    }


def machine() -> str:
    """The machine in words, for pages with measured times; without its name."""
    return f"{platform.system()} on {platform.machine()}, {processors()} processors, Python {platform.python_version()}"

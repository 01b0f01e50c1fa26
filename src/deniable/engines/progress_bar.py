"""The progress bar that a person sees on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.text import Text


class _Rows(ProgressColumn):
    """A column of the progress bar: rows done, and rows per second."""

    def render(self, task: Task) -> Text:
        rows, seconds = task.fields["rows"], task.elapsed or 0.0
        rate = f", {rows / seconds:,.0f}/s" if seconds > 0 else ""
        return Text(f"{rows:,} {task.fields['unit']}{rate}", no_wrap=True)


@contextmanager
def progress_bar(
    title: str, unit: str, total: int | None, share: Callable[[], float | None] | None
) -> Iterator[Callable[[int], None]]:
    """A bar on the error stream, as ``chunks.terminal_bar`` tells of it."""
    columns = (TextColumn("{task.description}", markup=False), BarColumn(20), _Rows(), TimeRemainingColumn())
    rows = 0
    with Progress(*columns, console=Console(file=sys.stderr), transient=True) as bar:
        task = bar.add_task(title, total=None if total is None and share is None else 1.0, rows=0, unit=unit)

        def advance(more: int) -> None:
            nonlocal rows
            rows += more
            done = rows / total if total else share() if share is not None else None
            bar.update(task, completed=done, total=None if done is None else 1.0, rows=rows)

        yield advance

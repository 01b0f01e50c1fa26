"""The folder with a study's results: finished tasks, tables as CSV, pictures."""

from __future__ import annotations

import csv
import hashlib
import inspect
import io
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from deniable.protocol.errors import FormatError
from deniable.reports.atomic_files import made_folder, written_whole
from studies.study import Row, Table, Task, Value

DIGITS = 8
"""Significant digits of a number in a CSV file."""


@dataclass(frozen=True, slots=True)
class Store:
    """A folder for one study. All files are written atomically, so a killed process leaves no partial file."""

    folder: Path

    def read(self, task: Task, seed: int) -> list[Row] | None:
        """The rows of a finished task; None if it is not done."""
        try:
            rows: list[Row] = json.loads(self._part(task, seed).read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        except ValueError as error:
            raise FormatError(f"{self._part(task, seed)} must be a finished task, got something else") from error
        return rows

    def keep(self, task: Task, seed: int, rows: Sequence[Row]) -> None:
        """Save the rows of a finished task, so that it is not run again."""
        self.write(self._part(task, seed).relative_to(self.folder), json.dumps(rows).encode())

    def _part(self, task: Task, seed: int) -> Path:
        """The file of a task; another version of the package, or of the task's own function, has another file."""
        work = [version("deniable"), inspect.getsource(task.run), task.key, seed]
        return self.folder / "parts" / f"{hashlib.sha256(json.dumps(work).encode()).hexdigest()[:32]}.json"

    def write(self, name: str | Path, content: bytes) -> None:
        """Write one file of the folder atomically, and make subfolders as needed."""
        path = self.folder / name
        made_folder(path.parent)
        with written_whole(path) as file:
            file.write(content)


def csv_text(rows: Table) -> str:
    """Rows as CSV, with the columns in the order in which rows first name them.

    >>> csv_text([{"eps": 1, "l1": 0.5}, {"eps": 2, "l1": 1 / 3}]).split()
    ['eps,l1', '1,0.5', '2,0.33333333']
    """
    names = list(dict.fromkeys(name for row in rows for name in row))
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(names)
    writer.writerows([_written(row.get(name)) for name in names] for row in rows)
    return out.getvalue()


def csv_rows(text: str) -> list[Row]:
    """The rows that ``csv_text`` wrote, with numbers as int or float."""
    return [{name: _read(value) for name, value in row.items()} for row in csv.DictReader(io.StringIO(text))]


def _written(value: Value) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    return f"{value:.{DIGITS}g}" if isinstance(value, float) else str(value)


def _read(text: str) -> Value:
    if text == "":
        return None
    try:
        number = float(text)
    except ValueError:
        return text
    return int(text) if text.lstrip("-").isdigit() and math.isfinite(number) else number

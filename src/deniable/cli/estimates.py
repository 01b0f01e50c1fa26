"""An estimate for people, for spreadsheets and for programs."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from deniable.arrays import Vector
from deniable.cli.output import show, show_json
from deniable.errors import ParameterError
from deniable.estimation.estimate import Estimate
from deniable.estimation.table import footnotes, printable
from deniable.reports.atomic_files import written_whole
from deniable.theory.risk.variance import Target

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""First characters that make spreadsheets run a text as a formula, including full-width ones."""
NUMBER = re.compile(r"[+-]?[0-9]+([.,][0-9]+)?")
MOST_ROWS = 40
"""A longer table shows the largest shares only."""


@dataclass(frozen=True, slots=True)
class Shown:
    """An estimate, the intervals to show beside it, and the truth if it is known."""

    estimate: Estimate
    level: float = 0.95
    simultaneous: bool = False
    target: Target = "population"
    truth: Vector | None = None

    def to_dict(self) -> dict[str, Any]:
        """The estimate as plain values with these intervals, and with the truth if it is known."""
        low, high = self.estimate.interval(self.level, self.simultaneous, self.target).T
        asked = {"simultaneous": self.simultaneous, "target": self.target}
        known = {} if self.truth is None else {"truth": self.truth.tolist()}
        plain = self.estimate.to_dict(self.level)
        return {**plain, **asked, "low": low.tolist(), "high": high.tolist(), **known}

    def columns(self) -> dict[str, list[Any]]:
        """What ``to_dict`` has of each label."""
        found = self.to_dict()
        return {name: found[name] for name in found if isinstance(found[name], list) and name != "notes"}

    def to_csv(self) -> str:
        """CSV with one row per label; text that a spreadsheet would run as a formula gets an apostrophe in front."""
        columns = self.columns()
        columns["label"] = [_inert(label) for label in columns["label"]]
        return "".join(map(_line, [columns, *zip(*columns.values(), strict=True)]))

    def __str__(self) -> str:
        e, columns = self.estimate, self.columns()
        table = Table()
        table.add_column("label", overflow="fold")
        interval = f"{100 * self.level:.4g}% interval" + (", all at once" if self.simultaneous else "")
        for heading in ("share", interval, "people", *(["truth"] if "truth" in columns else [])):
            table.add_column(heading, justify="right")
        order = np.arange(len(e.labels))
        if len(order) > MOST_ROWS:
            order = np.argsort(-e.frequencies, kind="stable")[: MOST_ROWS // 2]
        rows = [{name: values[i] for name, values in columns.items()} for i in order.tolist()]
        for row in rows:
            table.add_row(*_cells(row))
        title = f"{e.mechanism!r}: {e.n} reports, decoder {e.decoder}\n"
        moved = any(not row["low"] <= row["frequency"] <= row["high"] for row in rows)
        return "\n".join([title + _printed(table), *self._notes(len(e.labels) - len(rows), moved)])

    def _notes(self, rest: int, moved: bool) -> list[str]:
        """What the table does not show, and how not to read it."""
        notes = footnotes(self.estimate)
        if moved:
            notes.append("Intervals belong to the unbiased shares; a share outside its own was moved by the decoder.")
        if rest:
            notes.append(f"... and {rest} more labels with smaller shares; --json lists them all.")
        if rest and not self.simultaneous:
            notes.append("Each interval holds on its own, and the largest of many shares are partly luck;")
            notes.append("deniable estimate --simultaneous allows for that.")
        return notes


def _line(fields: Iterable[Any]) -> str:
    """A row that ends in a line feed; a carriage return in a field is quoted, as Python does if rows end with one."""
    page = io.StringIO()
    csv.writer(page, lineterminator="\r\n").writerow(fields)
    return page.getvalue().removesuffix("\r\n") + "\n"


def _inert(label: Any) -> Any:
    """A label that a spreadsheet shows as it stands: numbers are no formulas, though they begin with a sign."""
    if isinstance(label, str) and label.lstrip(" ").startswith(FORMULA) and not NUMBER.fullmatch(label):
        return f"'{label}"
    return label


def _cells(row: Mapping[str, Any]) -> list[str]:
    cells = [printable(row["label"]), f"{row['frequency']:.2%}", f"{row['low']:.2%} to {row['high']:.2%}"]
    cells.append(f"{row['count']:,.0f}")
    return [*cells, f"{row['truth']:.2%}"] if "truth" in row else cells


def table_of(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of names and numbers."""
    table = Table()
    for place, heading in enumerate(headings):
        table.add_column(heading, justify="right" if place else "left", overflow="fold")
    for row in rows:
        table.add_row(*row)
    return _printed(table)


def _printed(table: Table) -> str:
    page = Console(file=io.StringIO(), width=110, record=True, markup=False)
    page.print(table)
    return page.export_text().rstrip("\n")


def show_estimate(shown: Shown, as_json: bool, as_csv: bool, out: Path | None) -> None:
    """As a table, as JSON or as CSV, on standard output or into a file."""
    if as_json:
        show_json(shown.to_dict(), out)
    else:
        show(shown.to_csv().rstrip("\n") if as_csv else str(shown), out)


def check_formats(as_json: bool, as_csv: bool) -> None:
    """One format at a time."""
    if as_json and as_csv:
        raise ParameterError("--json and --csv must not be given together")


def draw(shown: Shown, path: Path) -> None:
    """The picture, in the format of the file's name."""
    with written_whole(path) as file:
        picture = shown.estimate.plot(shown.truth, shown.level, shown.simultaneous, shown.target)
        picture.savefig(file, format=path.suffix[1:].lower())

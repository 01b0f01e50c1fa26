"""What a column of reports in somebody else's table tells, as commands show it: in all, and by groups of its rows."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from deniable.cli.output import plain_page, show, show_json
from deniable.engines.open_any import read_document
from deniable.engines.read_export import ReadExport
from deniable.surveys.field_column import ALTERED, FieldColumn

SHOWN = {ALTERED: "cut short, changed or no report"}
"""What programs read in one word."""


@dataclass(frozen=True)
class ExportResults:
    """What was read, for people or for programs."""

    export: ReadExport

    @classmethod
    def of(
        cls, path: Path, survey: Path, *, column: str | None, by: str | None, weights: str | None, decoder: str
    ) -> ExportResults:
        """The results of a column, and by the groups of another one."""
        terms, document = {"column": column, "by": by, "weights": weights}, read_document(survey)
        with path.open("rb") as file:
            return cls(ReadExport.of(file, path.name, document, **terms, decoder=decoder))

    def show(self, level: float, as_json: bool, out: Path | None, html: Path | None) -> None:
        """For people or for programs, and in a report to keep."""
        if html is not None:
            self.write_html(html)
        if as_json:
            show_json(self.to_dict(level), out)
        else:
            show(*self._parts(level), out=out)

    def to_dict(self, level: float) -> dict[str, Any]:
        """Counts of values, and results; of each group both."""
        groups = {name: self._counts_and_results(group, level) for name, group in self.export.groups.items()}
        by_group = {} if self.export.by is None else {"by": self.export.by, "groups": groups}
        return {**self._counts_and_results(self.export.whole, level), **by_group}

    def write_html(self, path: Path) -> None:
        """A report in one file, which looks like a page of results where what makes those is installed."""
        try:
            from deniable.pages.export_report import report
        except ImportError:
            page = plain_page(self.export.file, self.export.results(self.export.whole)._repr_html_())
        else:
            page = report(self.export, command=shlex.join(["deniable", *sys.argv[1:]]))
        show(page, out=path)

    def _parts(self, level: float) -> list[object]:
        named = {f"{self.export.by}: {name or 'not said'}": group for name, group in self.export.groups.items()}
        parts = [self._tables(head, column, level) for head, column in {"": self.export.whole, **named}.items()]
        return list(chain.from_iterable(parts))

    def _counts_and_results(self, column: FieldColumn, level: float) -> dict[str, Any]:
        results = self.export.results(column).to_dict(level) if column.tally.n else {}
        return {"counts": column.counts, **results}

    def _tables(self, head: str, column: FieldColumn, level: float) -> Iterator[object]:
        """How many rows count as what, and a table for each question."""
        counts = ", ".join(f"{n:,} {SHOWN.get(kind, kind)}" for kind, n in column.counts.items() if n)
        yield f"{head + ', ' if head else ''}{len(column.answers):,} rows: {counts}\n"
        if column.tally.n:
            results = self.export.results(column)
            for name in results:
                yield from (name, results.shown(name, level), "")

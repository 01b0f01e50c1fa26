"""What a column of reports in somebody else's table tells: in all, and by groups of its rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from deniable.cli.output import show, show_json
from deniable.engines.host_export import export_columns, groups_of
from deniable.engines.open_any import read_document
from deniable.surveys.field_column import FieldColumn
from deniable.surveys.results import Results


@dataclass(frozen=True)
class ExportResults:
    """What a column of reports tells, and what its values were."""

    column: FieldColumn
    decoder: str
    by: str | None
    groups: Mapping[str, FieldColumn]
    """The rows of each group."""

    @classmethod
    def of(cls, path: Path, survey: Path, column: str, by: str | None, decoder: str) -> ExportResults:
        """The results of a column, and by the groups of another one."""
        read = read_document(survey)
        table = export_columns(path, [column, *([] if by is None else [by])])
        whole = read.read_column(table[column])
        groups = {} if by is None else groups_of(table[by])
        return cls(whole, decoder, by, {name: whole.part(rows) for name, rows in groups.items()})

    def show(self, level: float, as_json: bool, out: Path | None) -> None:
        """For people or for programs."""
        if as_json:
            show_json(self.to_dict(level), out)
        else:
            show(*self._parts(level), out=out)

    def to_dict(self, level: float) -> dict[str, Any]:
        """Counts of values, and results; of each group both."""
        groups = {name: _told(group, self.decoder, level) for name, group in self.groups.items()}
        by_group = {} if self.by is None else {"by": self.by, "groups": groups}
        return {**_told(self.column, self.decoder, level), **by_group}

    def _parts(self, level: float) -> list[object]:
        named = {f"{self.by}: {name or 'not said'}": group for name, group in self.groups.items()}
        parts = [_tables(head, column, self.decoder, level) for head, column in {"": self.column, **named}.items()]
        return list(chain.from_iterable(parts))


def _told(column: FieldColumn, decoder: str, level: float) -> dict[str, Any]:
    results = Results(column.document, column.tally, decoder).to_dict(level) if column.tally.n else {}
    return {"counts": column.counts, **results}


def _tables(head: str, column: FieldColumn, decoder: str, level: float) -> Iterator[object]:
    """How many rows count as what, and a table for each question."""
    told = ", ".join(f"{number:,} {kind}" for kind, number in column.counts.items() if number)
    yield f"{head + ', ' if head else ''}{len(column.answers):,} rows: {told}\n"
    if column.tally.n:
        results = Results(column.document, column.tally, decoder)
        for name in results:
            yield from (name, results.shown(name, level), "")

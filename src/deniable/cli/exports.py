"""``deniable estimate`` of somebody else's table: a column of reports, in all and by groups of its rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from deniable.cli import options
from deniable.protocol.errors import ParameterError

if TYPE_CHECKING:
    from deniable.cli.export_results import ExportResults


@dataclass(frozen=True, slots=True)
class ExportOptions(options.OptionGroup):
    """A column of reports in an export of a questionnaire that is not ours."""

    survey: Annotated[
        Path | None,
        typer.Option("--survey", metavar="FILE", help="Of an export of a questionnaire, the survey of its reports."),
    ] = None
    column: Annotated[
        str | None,
        typer.Option("--column", metavar="NAME", help="With --survey, the column of reports, if there are several."),
    ] = None
    by: Annotated[
        str | None, typer.Option("--by", metavar="NAME", help="With --survey, a column whose groups are told apart.")
    ] = None
    weight_column: Annotated[
        str | None,
        typer.Option("--weight-column", metavar="NAME", help="A column of weights, of an export or of report files."),
    ] = None
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="With --survey, write a report to keep: one file.")
    ] = None

    @property
    def of_files(self) -> bool:
        """Whether weights stand beside the reports of files, and not in an export."""
        return self.weight_column is not None and self.survey is None

    @property
    def by_rows(self) -> dict[str, object]:
        """The options that need rows, which no tally holds, by flag."""
        return {"--weight-column": self.weight_column}

    @property
    def of_tables(self) -> dict[str, object]:
        """The options that mean something of exports alone, by flag."""
        return {"--column": self.column, "--by": self.by, "--html": self.html}

    def results(self, files: Sequence[Path], decoder: str, others: Mapping[str, object]) -> ExportResults:
        """What the export tells, without other options; what reads surveys is loaded only now."""
        from deniable.cli.export_results import ExportResults

        options.refuse(others, "for an export with --survey")
        if self.survey is None:
            raise ParameterError("--survey must be given with --column, --by and --html, got none")
        if len(files) != 1:
            raise ParameterError(f"an export must be one file, got {len(files)}")
        return ExportResults.of(
            files[0], self.survey, column=self.column, by=self.by, weights=self.weight_column, decoder=decoder
        )


NO_EXPORT = ExportOptions()

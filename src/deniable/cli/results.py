"""``deniable survey estimate``: results of a survey's tally, as tables, JSON or a picture."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from deniable.cli import options
from deniable.cli.findings import NOTHING, NOTHING_ASKED, FindingOptions, Findings, check_results, draw, named
from deniable.cli.output import show, show_json
from deniable.engines.open_any import open_any
from deniable.estimation.cross import CrossTable
from deniable.estimation.difference import Difference
from deniable.estimation.row_shares import RowShares
from deniable.protocol.errors import ParameterError
from deniable.reports.atomic_files import check_once
from deniable.surveys.document import Document
from deniable.surveys.results import Results
from deniable.surveys.tally import SurveyTally

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ONE_QUESTION = "--compare, --ranks, --error-sources and --people-needed must be asked of one question"
Picture: TypeAlias = "Callable[[], Figure]"
"""Draws a picture: of one that is not wanted nothing is loaded."""


@dataclass(frozen=True, slots=True)
class CrossOptions(options.OptionGroup):
    """What is asked of crossed questions."""

    cross: Annotated[
        list[str] | None, typer.Option("--cross", metavar="A,B", help="Two questions that the survey crosses.")
    ] = None
    within: Annotated[
        bool, typer.Option("--within", help="With --cross: B's answers among the people of each answer to A.")
    ] = False
    row_difference: Annotated[
        list[str] | None,
        typer.Option("--row-difference", metavar="X,Y", help="With --cross: among those of X less among those of Y."),
    ] = None

    def answers(self, estimates: Results) -> list[CrossAnswer]:
        """An answer for each pair of questions."""
        if (self.within or self.row_difference) and not self.cross:
            raise ParameterError("--within and --row-difference must go with --cross, got one of them alone")
        tables = [
            estimates.cross(*options.two_names(each, "--cross", "two questions, such as --cross way,late"))
            for each in self.cross or ()
        ]
        return [CrossAnswer(table, self.within, self._compared_rows(table)) for table in tables]

    def _compared_rows(self, table: CrossTable) -> list[tuple[Any, Any]]:
        wanted = "two answers, such as --row-difference bus,bike"
        pairs = [options.two_names(each, "--row-difference", wanted) for each in self.row_difference or ()]
        option = "each of --row-difference"
        return [(named(table.rows, one, option), named(table.rows, other, option)) for one, other in pairs]


@dataclass(frozen=True, slots=True)
class CrossAnswer:
    """Two crossed questions, as the table of pairs or within rows, and the rows that are compared."""

    table: CrossTable
    is_within: bool
    rows: Sequence[tuple[Any, Any]]

    @property
    def _main(self) -> CrossTable | RowShares:
        return self.table.within_rows() if self.is_within else self.table

    def parts(self, level: float) -> list[object]:
        """The tables for people, each above a blank line."""
        tables = [self._main.table(level), *(self.table.row_difference(*pair).table(level) for pair in self.rows)]
        return [part for table in tables for part in (table, "")]

    def to_dict(self, level: float) -> dict[str, Any]:
        """The table of pairs, and what else was asked for."""
        tables = self.table.to_dict(level)
        if self.is_within:
            tables["within_rows"] = self.table.within_rows().to_dict(level)
        if self.rows:
            tables["row_differences"] = [self.table.row_difference(*pair).to_dict(level) for pair in self.rows]
        return tables

    def plot(self, level: float) -> Figure:
        """A picture of the table that is shown."""
        return self._main.plot(level=level)


NOTHING_CROSSED = CrossOptions()


@options.with_groups
def results(
    tally: Annotated[list[Path], typer.Argument(metavar="TALLY", help="A survey's tally, or several of it to add.")],
    question: options.Questions = None,
    crossed: CrossOptions = NOTHING_CROSSED,
    difference: Annotated[
        Path | None, typer.Option("--difference", metavar="OTHER", help="Another tally, minus which this is shown.")
    ] = None,
    stayed: Annotated[
        float | None,
        typer.Option(
            "--stayed", metavar="SHARE", help="With --difference: how many of the same people kept their answer."
        ),
    ] = None,
    findings: FindingOptions = NOTHING_ASKED,
    level: options.Level = 0.95,
    decoder: options.Decoder = "projected",
    plot: options.Plot = None,
    as_json: options.Json = False,
    out: options.Out = None,
) -> None:
    """Show the results: each question's shares with intervals, tables of crossed questions, changes since another."""
    check_results(level, decoder, plot, out, [*tally, difference])
    estimates = _read_results(tally, decoder)
    names = [estimates.document.question(name).name for name in question or ([] if crossed.cross else estimates)]
    if difference is not None:
        if crossed.cross:
            raise ParameterError("--difference and --cross must not be given together")
        changes = _changes(estimates, _read_results([difference], decoder), names, stayed)
        _show_changes(changes, level, plot, as_json, out)
        return
    if stayed is not None:
        raise ParameterError("--stayed must go with --difference, got it alone")
    if findings and len(names) != 1:
        raise ParameterError(f"{ONE_QUESTION}, got {len(names)} of them; choose one with --question")
    more = findings.answers(estimates[names[0]], level) if findings else NOTHING
    _show_results(estimates, names, crossed.answers(estimates), level, plot, as_json, out, more)


def _show_results(
    estimates: Results,
    names: Sequence[str],
    tables: Sequence[CrossAnswer],
    level: float,
    plot: Path | None,
    as_json: bool,
    out: Path | None,
    more: Findings,
) -> None:
    """Show results of the named questions and tables, with what ``more`` was found of the only question."""
    figures: list[Picture] = [
        *(partial(_plotted, estimates, name, level) for name in names),
        *(partial(table.plot, level) for table in tables),
    ]
    _check_one(plot, figures)
    if as_json:
        everything = estimates.to_dict(level)
        questions = everything["questions"]
        questions = {name: {**questions[name], **more.to_dict()} for name in names or questions}
        show_json({**everything, "questions": questions, "cross": [table.to_dict(level) for table in tables]}, out)
    else:
        parts: list[object] = [part for name in names for part in (name, estimates.shown(name, level), "")]
        parts += [part for table in tables for part in table.parts(level)]
        show(*parts[:-1], *more.texts, out=out)
    _draw(plot, figures)


def _show_changes(
    changes: dict[str, Difference], level: float, plot: Path | None, as_json: bool, out: Path | None
) -> None:
    figures: list[Picture] = [partial(change.plot, level) for change in changes.values()]
    _check_one(plot, figures)
    if as_json:
        show_json({name: change.to_dict(level) for name, change in changes.items()}, out)
    else:
        parts = [part for name, change in changes.items() for part in (name, *change.tables(level), "")]
        show(*parts[:-1], out=out)
    _draw(plot, figures)


def _changes(estimates: Results, earlier: Results, names: Sequence[str], stayed: float | None) -> dict[str, Difference]:
    """The change of each question that has a result."""
    with_results = [name for name in names if not isinstance(estimates.shown(name), str)]
    return {name: earlier[name].difference(estimates[name], stayed) for name in with_results}


def _check_one(plot: Path | None, figures: Sequence[Picture]) -> None:
    """Refuse a picture of anything but one question or one table."""
    if plot is not None and len(figures) != 1:
        raise ParameterError(
            f"--plot must be of one question or table, got {len(figures)}; choose one with --question or --cross"
        )


def _plotted(estimates: Results, name: str, level: float) -> Figure:
    return estimates[name].plot(level=level)


def _draw(plot: Path | None, figures: Sequence[Picture]) -> None:
    if plot is not None:
        draw(figures[0](), plot)


def _read_results(paths: list[Path], decoder: str) -> Results:
    check_once(paths)
    files = [open_any(path) for path in paths]
    beside = [file.path for file in files if isinstance(file.content, Document)]
    if 0 < len(beside) < len(files):
        raise ParameterError(f"tallies must be named alone, for each holds its survey's document, got {beside[0]} too")
    tallies = [file.of_kind(SurveyTally) for file in files]
    tally = sum(tallies[1:], tallies[0])
    return Results(tally.document, tally, decoder)

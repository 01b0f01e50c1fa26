"""``deniable survey estimate``: results of a survey's tally, as tables, JSON or a picture."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from deniable.checks import check_level
from deniable.cli import options
from deniable.cli.crossing import Cross, CrossAnswer, CrossOptions, RowDifferences, Within
from deniable.cli.estimates import draw
from deniable.cli.findings import NOTHING, Compare, ErrorParts, FindingOptions, Findings, Margin, Ranks
from deniable.cli.output import check_files, check_picture, show, show_json
from deniable.engines.open_any import open_any
from deniable.estimation.decoders import DECODERS
from deniable.estimation.difference import Difference
from deniable.protocol.checks import check_choice
from deniable.protocol.errors import ParameterError
from deniable.reports.atomic_files import check_once
from deniable.surveys.results import Results
from deniable.surveys.tally import SurveyTally

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ONE_QUESTION = "--compare, --ranks, --error-sources and --people-needed must be asked of one question"
Picture: TypeAlias = "Callable[[], Figure]"
"""Draws a picture: of one that is not wanted nothing is loaded."""


def results(
    tally: Annotated[list[Path], typer.Argument(metavar="TALLY", help="A survey's tally, or several of it to add.")],
    question: options.Questions = None,
    cross: Cross = None,
    within: Within = False,
    row_difference: RowDifferences = None,
    difference: Annotated[
        Path | None, typer.Option("--difference", metavar="OTHER", help="Another tally, minus which this is shown.")
    ] = None,
    stayed: Annotated[
        float | None,
        typer.Option(
            "--stayed", metavar="SHARE", help="With --difference: how many of the same people kept their answer."
        ),
    ] = None,
    compare: Compare = None,
    ranks: Ranks = False,
    error_sources: ErrorParts = False,
    people_needed: Margin = None,
    level: Annotated[float, typer.Option("--level", metavar="L", help="The level of the intervals.")] = 0.95,
    decoder: options.Decoder = "projected",
    plot: options.Plot = None,
    as_json: options.Json = False,
    out: options.Out = None,
) -> None:
    """Show the results: each question's shares with intervals, tables of crossed questions, changes since another."""
    check_level(level)
    check_choice("decoder", decoder, DECODERS)
    check_picture(plot)
    check_files([out, plot], [*tally, difference])
    found = _read_results(tally, decoder)
    names = [found.document.question(name).name for name in question or ([] if cross else found)]
    if difference is not None:
        if cross:
            raise ParameterError("--difference and --cross must not be given together")
        changes = _changes(found, _read_results([difference], decoder), names, stayed)
        _show_changes(changes, level, plot, as_json, out)
        return
    if stayed is not None:
        raise ParameterError("--stayed must go with --difference, got it alone")
    asked = FindingOptions(compare, ranks, error_sources, people_needed)
    if asked and len(names) != 1:
        raise ParameterError(f"{ONE_QUESTION}, got {len(names)} of them; choose one with --question")
    more = asked.of(found[names[0]], level) if asked else NOTHING
    _show_results(found, names, CrossOptions(cross, within, row_difference).of(found), level, plot, as_json, out, more)


def _show_results(
    found: Results,
    names: Sequence[str],
    tables: Sequence[CrossAnswer],
    level: float,
    plot: Path | None,
    as_json: bool,
    out: Path | None,
    more: Findings,
) -> None:
    figures: list[Picture] = [
        *(partial(_plotted, found, name, level) for name in names),
        *(partial(table.plot, level) for table in tables),
    ]
    _check_one(plot, figures)
    if as_json:
        everything = found.to_dict(level)
        told = {name: {**everything["questions"][name], **more.to_dict()} for name in names or everything["questions"]}
        show_json({**everything, "questions": told, "cross": [table.to_dict(level) for table in tables]}, out)
    else:
        parts: list[object] = [part for name in names for part in (name, found.shown(name, level), "")]
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


def _changes(found: Results, earlier: Results, names: Sequence[str], stayed: float | None) -> dict[str, Difference]:
    """The change of each question that has a result."""
    told = [name for name in names if not isinstance(found.shown(name), str)]
    return {name: earlier[name].difference(found[name], stayed) for name in told}


def _check_one(plot: Path | None, figures: Sequence[Picture]) -> None:
    """A picture shows one question or one table."""
    if plot is not None and len(figures) != 1:
        raise ParameterError(
            f"--plot must be of one question or table, got {len(figures)}; choose one with --question or --cross"
        )


def _plotted(found: Results, name: str, level: float) -> Figure:
    return found[name].plot(level=level)


def _draw(plot: Path | None, figures: Sequence[Picture]) -> None:
    if plot is not None:
        draw(figures[0](), plot)


def _read_results(paths: list[Path], decoder: str) -> Results:
    check_once(paths)
    tallies = [open_any(path).of_kind(SurveyTally) for path in paths]
    tally = sum(tallies[1:], tallies[0])
    return Results(tally.document, tally, decoder)

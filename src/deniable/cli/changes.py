"""``deniable survey change``: what changed from a survey's first periods to its last ones."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from deniable.cli import options
from deniable.cli.findings import check_results, draw
from deniable.cli.output import show, show_json
from deniable.engines.open_any import open_any
from deniable.protocol.errors import ParameterError
from deniable.reports.atomic_files import check_once
from deniable.surveys.changing import Changes, change
from deniable.surveys.results import Results
from deniable.surveys.tally import SurveyTally


def changes(
    tally: Annotated[
        list[Path], typer.Argument(metavar="TALLY", help="A survey's tally of each period, in the order of time.")
    ],
    first: Annotated[
        int | None, typer.Option("--first", metavar="N", help="How many periods are compared with the last ones.")
    ] = None,
    last: Annotated[int | None, typer.Option("--last", metavar="N", help="How many periods the last ones are.")] = None,
    question: options.Questions = None,
    level: options.Level = 0.95,
    decoder: options.Decoder = "projected",
    plot: options.Plot = None,
    as_json: options.Json = False,
    out: options.Out = None,
) -> None:
    """Show what changed from the first periods to the last ones, with intervals that hold for all answers at once.

    Four periods are compared with four unless told, or halves where there are fewer than eight.
    """
    check_results(level, decoder, plot, out, tally)
    differences = change(_periods(tally, decoder), first, last)
    names = [differences.results.document.question(name).name for name in question or differences]
    if plot is not None and len(names) != 1:
        raise ParameterError(f"--plot must be of one question, got {len(names)}; choose one with --question")
    if as_json:
        everything = differences.to_dict(level)
        show_json({**everything, "questions": {name: everything["questions"][name] for name in names}}, out)
    else:
        parts = [part for name in names for part in (name, _table(differences, name, level), "")]
        show(*parts[:-1], out=out)
    if plot is not None:
        draw(differences[names[0]].plot(level), plot)


def _periods(paths: list[Path], decoder: str) -> dict[str, Results]:
    """The results of each file by its name; a path where two are called the same."""
    check_once(paths)
    tallies = [open_any(path).of_kind(SurveyTally) for path in paths]
    stems = [path.stem for path in paths]
    names = stems if len(set(stems)) == len(stems) else [str(path) for path in paths]
    return {name: Results(each.document, each, decoder) for name, each in zip(names, tallies, strict=True)}


def _table(differences: Changes, name: str, level: float) -> object:
    result = differences.shown(name)
    return result if isinstance(result, str) else result.table(level)

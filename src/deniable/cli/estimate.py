"""``deniable estimate``: from a tally to shares with error bars."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

import deniable as dn
from deniable.cli import options
from deniable.cli.estimates import check_formats, draw, show_reading
from deniable.cli.output import check_files, check_picture, show, show_json
from deniable.cli.questions import Asked, Question
from deniable.cli.truth import read_truth
from deniable.engines.open_any import open_any
from deniable.engines.tally_folder import TallyFolder
from deniable.estimation import picture
from deniable.estimation.grouped_readings import GroupedReadings
from deniable.mechanisms.mechanism import Mechanism
from deniable.protocol.errors import ParameterError
from deniable.reports.atomic_files import check_once
from deniable.theory.risk.variance import Target

Tallies: TypeAlias = Annotated[
    list[Path],
    typer.Argument(
        metavar="TALLY",
        help="A tally, several to add, or a folder of them by group; with --question also report files.",
    ),
]
AskedQuestion: TypeAlias = Annotated[
    Question | None,
    typer.Option("--question", help="For InformedResponse, a question of a curator who uses the prior."),
]
AskedLabel: TypeAlias = Annotated[
    str | None,
    typer.Option("--label", metavar="L", help="With --question survey, the label whose holders are counted."),
]
Values: TypeAlias = Annotated[
    Path | None,
    typer.Option("--values", metavar="FILE", help="With total or weighted, a CSV file: columns label and value."),
]
Truth: TypeAlias = Annotated[
    Path | None,
    typer.Option("--truth", metavar="FILE", help="A CSV file with the columns label and share, to show beside."),
]
Weights: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--weights", metavar="FILE", help="With weighted, a CSV file: columns weight and perhaps offset, a row each."
    ),
]


def estimate(
    tally: Tallies,
    candidates: Annotated[
        Path | None, typer.Option(metavar="FILE", help="For an open alphabet, the candidate texts, one per line.")
    ] = None,
    decoder: options.Decoder = "projected",
    level: Annotated[float, typer.Option(metavar="L", help="The level of the intervals.")] = 0.95,
    simultaneous: Annotated[
        bool, typer.Option("--simultaneous", help="Make all intervals hold at once, not each on its own.")
    ] = False,
    target: Annotated[
        Target, typer.Option(help="Intervals for the population, or for the people asked.")
    ] = "population",
    question: AskedQuestion = None,
    label: AskedLabel = None,
    values: Values = None,
    weights: Weights = None,
    plot: options.Plot = None,
    truth: Truth = None,
    as_json: options.Json = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="CSV on standard output, one row per label.")] = False,
    out: options.Out = None,
) -> None:
    """Remove the noise from a tally, or from the sum of several: shares with exact intervals."""
    check_formats(as_json, as_csv)
    check_picture(plot)
    check_files([out, plot], [*tally, candidates, truth, values, weights])
    if question is not None:
        _check_alone(candidates, plot, truth, as_csv or None, simultaneous or None, decoder != "projected" or None)
        _answer(Asked(question, label, values, weights), tally, as_json, out)
        return
    _check_alone(label, values, weights, what="--label, --values and --weights must go with --question")
    check_once(tally)
    files = [open_any(path) for path in tally]
    texts = None if candidates is None else options.read_lines(candidates)
    if isinstance(files[0].content, TallyFolder):
        if len(files) > 1 or plot is not None or truth is not None:
            raise ParameterError("a folder of tallies must be named alone, without --plot and --truth, got one of them")
        by_group = _by_group(files[0].mechanism, files[0].content, decoder, texts, (level, simultaneous, target))
        show_reading(by_group, as_json, as_csv, out)
        return
    tallies = [file.of_kind(dn.Tally) for file in files]
    found = files[0].mechanism.estimate(sum(tallies[1:], tallies[0]), decoder, texts)
    known = None if truth is None else read_truth(truth, found.labels)
    reading = found.reading(level, simultaneous, target, known)
    show_reading(reading, as_json, as_csv, out)
    if plot is not None:
        draw(picture.draw(reading), plot)


def _by_group(
    mechanism: Mechanism, folder: TallyFolder, decoder: str, texts: list[str] | None, asked: tuple[float, bool, Target]
) -> GroupedReadings:
    """One table of all groups of a folder of tallies."""
    estimates = {group: mechanism.estimate(tally, decoder, texts) for group, tally in folder.tallies.items()}
    return GroupedReadings(folder.by, {group: each.reading(*asked) for group, each in estimates.items()})


def _check_alone(
    *given: object, what: str = "--question must be given without options of shares and intervals"
) -> None:
    if any(value is not None for value in given):
        raise ParameterError(f"{what}, got another")


def _answer(asked: Asked, sources: list[Path], as_json: bool, out: Path | None) -> None:
    """A curator's question to tallies, or report files, of people with priors."""
    check_once(sources)
    found = asked.of(sources)
    if as_json:
        show_json(found.to_dict(), out)
    else:
        show(found, out=out)

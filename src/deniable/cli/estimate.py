"""``deniable estimate``: a tally becomes shares with error bars."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import deniable as dn
from deniable.cli import options
from deniable.cli.estimates import Shown, check_formats, draw, show_estimate
from deniable.cli.output import check_files, check_picture
from deniable.cli.truth import read_truth
from deniable.mechanisms.mechanism import Mechanism
from deniable.theory.variance import Target

PARQUET = b"PAR1"


def estimate(
    tally: Annotated[Path, typer.Argument(metavar="TALLY", help="A tally.")],
    candidates: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Over an open alphabet, the texts to look for, one a line.")
    ] = None,
    decoder: options.Decoder = "projected",
    level: Annotated[float, typer.Option(metavar="L", help="The level of the intervals.")] = 0.95,
    simultaneous: Annotated[
        bool, typer.Option("--simultaneous", help="Make all intervals hold at once, not each on its own.")
    ] = False,
    target: Annotated[
        Target, typer.Option(help="Intervals for the population, or for the people asked.")
    ] = "population",
    plot: options.Plot = None,
    truth: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A CSV file with the columns label and share, to show beside.")
    ] = None,
    as_json: options.Json = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="CSV on standard output, a row a label.")] = False,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write to a file instead of standard output.")
    ] = None,
) -> None:
    """Remove the noise from a tally: shares with exact intervals."""
    check_formats(as_json, as_csv)
    check_picture(plot)
    check_files([out, plot], [tally, candidates, truth])
    mechanism, counted = _read(tally)
    texts = None if candidates is None else options.read_lines(candidates)
    found = mechanism.estimate(counted, decoder, texts)
    known = None if truth is None else read_truth(truth, found.labels)
    shown = Shown(found, level, simultaneous, target, known)
    show_estimate(shown, as_json, as_csv, out)
    if plot is not None:
        draw(shown, plot)


def _read(path: Path) -> tuple[Mechanism, dn.Tally]:
    with path.open("rb") as file:
        if file.read(len(PARQUET)) == PARQUET:  # which may be large: not read any further
            raise dn.FormatError(
                f"{path} must be a tally, got Parquet; if it holds reports, count them first: deniable tally {path}"
            )
    try:
        counted = dn.Tally.from_bytes(path.read_bytes())
        return dn.from_spec(counted.spec), counted
    except dn.FormatError as error:
        raise dn.FormatError(f"{path}: {error}") from error

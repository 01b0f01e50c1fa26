"""``deniable discover``: frequent texts without a list of candidates, from reports or from the values themselves."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, BinaryIO

import typer

import deniable as dn
from deniable.cli import options
from deniable.cli.estimates import show_reading
from deniable.cli.output import STANDARD_INPUT, check_files, progress, show, show_json
from deniable.engines.discover import ALPHABET
from deniable.engines.group_files import read_survey, tally_groups, tally_values
from deniable.engines.labels import open_labels
from deniable.errors import ParameterError


def discover(
    sources: Annotated[
        list[str],
        typer.Argument(
            metavar="FILES...",
            help="Report files or tallies of a survey's groups; with --column a CSV or Parquet file.",
        ),
    ],
    survey: options.Survey = None,
    column: Annotated[
        str | None, typer.Option(metavar="NAME", help="Read values, not reports, and randomize them here.")
    ] = None,
    epsilon: Annotated[float | None, typer.Option(metavar="E", help="Instead of --survey, the privacy level.")] = None,
    longest: options.Longest = None,
    step: options.Step = None,
    alphabet: Annotated[str, typer.Option(metavar="TEXT", help="The characters that texts may have.")] = ALPHABET,
    fdr: Annotated[float, typer.Option(metavar="F", help="The share of false finds to allow, on average.")] = 0.01,
    skip_blank: Annotated[
        bool, typer.Option("--skip-blank", help="Leave out blank values and say how many, instead of refusing them.")
    ] = False,
    seed: options.Seed = None,
    as_json: options.Json = False,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write to a file instead of standard output.")
    ] = None,
) -> None:
    """Find the frequent texts of a survey by prefixes that grow over its groups."""
    check_files([out], [*sources, survey])
    asked = _survey(survey, epsilon, longest, step)
    if column is None:
        if skip_blank or seed is not None:
            raise ParameterError("--skip-blank and --seed must go with --column, got them with reports")
        with progress("tally", "reports") as advance:
            tallies = tally_groups(asked, sources, advance)
    else:
        tallies = _randomized(asked, sources, column, skip_blank, seed)
    with progress("discover", "groups", total=asked.levels) as advance:
        found = dn.discover(asked, tallies, alphabet, fdr, advance)
    people = sum(tally.n for tally in tallies)
    if found is not None:
        show_reading(found.reading(), as_json, as_csv=False, out=out)
    elif as_json:
        show_json({"label": [], "n": people}, out)
    else:
        show(f"nothing stands out among {people} reports; more people or a larger epsilon would show more", out)


def _survey(path: Path | None, epsilon: float | None, longest: int | None, step: int | None) -> dn.PrefixSurvey:
    """The survey, from its file or from the options."""
    if (path is None) == (epsilon is None):
        raise ParameterError("either --survey or --epsilon must be given, and not both")
    if path is None:
        return options.prefix_survey(0.0 if epsilon is None else epsilon, longest, step)
    if longest is not None or step is not None:
        raise ParameterError("--longest and --step must go with --epsilon, got them with --survey")
    return read_survey(path)


def _randomized(
    survey: dn.PrefixSurvey, sources: list[str], column: str, skip_blank: bool, seed: int | None
) -> list[dn.Tally]:
    """The tallies of values that are randomized here."""
    if len(sources) != 1:
        raise ParameterError(f"--column must go with one file of values, got {len(sources)}")
    options.warn_of_seed(seed)
    stream: Path | BinaryIO = sys.stdin.buffer if sources[0] == STANDARD_INPUT else Path(sources[0])
    with open_labels(stream, column) as values, progress("read", "values", share=lambda: values.share) as advance:
        return tally_values(survey, values, skip_blank, seed, advance)

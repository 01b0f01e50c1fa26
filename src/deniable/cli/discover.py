"""``deniable discover``: frequent texts of a column, without a list of candidates."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, BinaryIO

import typer

import deniable as dn
from deniable.cli import options
from deniable.cli.estimates import Shown, show_estimate
from deniable.cli.output import progress, show, show_json
from deniable.cli.privatize import STANDARD_INPUT
from deniable.engines.discover import ALPHABET
from deniable.engines.labels import label_texts, open_labels


def discover(
    source: Annotated[str, typer.Argument(metavar="INPUT", help="A CSV or Parquet file, or - for CSV from a pipe.")],
    column: Annotated[str, typer.Option(metavar="NAME", help="The column to read.")],
    epsilon: Annotated[float, typer.Option(metavar="E", help="The privacy level.")],
    longest: Annotated[int, typer.Option(metavar="N", help="Find texts of up to so many characters.")] = 16,
    step: Annotated[int, typer.Option(metavar="N", help="By how many characters prefixes grow.")] = 2,
    alphabet: Annotated[str, typer.Option(metavar="TEXT", help="The characters that texts may have.")] = ALPHABET,
    fdr: Annotated[float, typer.Option(metavar="F", help="The share of false finds to allow, on average.")] = 0.01,
    skip_blank: Annotated[
        bool, typer.Option("--skip-blank", help="Leave blank values out and count them, instead of refusing them.")
    ] = False,
    seed: options.Seed = None,
    as_json: options.Json = False,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write to a file instead of standard output.")
    ] = None,
) -> None:
    """Randomize a column of texts in groups, and find the frequent ones from the reports alone."""
    survey = dn.PrefixSurvey(epsilon, longest, step)
    stream: Path | BinaryIO = sys.stdin.buffer if source == STANDARD_INPUT else Path(source)
    texts: list[str] = []
    with open_labels(stream, column) as values, progress("read", "values", share=lambda: values.share) as advance:
        for batch in values.batches():
            texts += label_texts(batch, skip_blank)
            advance(len(batch))
    tallies = survey.privatize_many(texts, seed)
    with progress("discover", "groups", total=survey.levels) as advance:
        found = dn.discover(survey, tallies, alphabet, fdr, advance)
    if found is not None:
        show_estimate(Shown(found), as_json, as_csv=False, out=out)
    elif as_json:
        show_json({"label": [], "n": len(texts)}, out)
    else:
        show(f"nothing stands out among {len(texts)} values; more people or a larger epsilon would show more", out)

"""``deniable discover``: frequent texts without a list of candidates, from a survey's tally or from the values."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import deniable as dn
from deniable.cli import options
from deniable.cli.findings import show_reading
from deniable.cli.output import check_files, progress, show, show_json
from deniable.engines.answer_tables import answer_batches
from deniable.engines.open_any import open_any
from deniable.protocol.errors import ParameterError
from deniable.surveys.discovery import ALPHABET
from deniable.surveys.tally import SurveyTally


def discover(
    source: Annotated[
        Path, typer.Argument(metavar="TALLY", help="A survey's tally; with --column a CSV or Parquet file of values.")
    ],
    question: Annotated[
        str | None, typer.Option(metavar="NAME", help="The question in words, where the survey asks several.")
    ] = None,
    column: Annotated[
        str | None, typer.Option(metavar="NAME", help="Read values, not a tally, and randomize them here.")
    ] = None,
    epsilon: Annotated[float | None, typer.Option(metavar="E", help="With --column, the privacy level.")] = None,
    longest: options.Longest = None,
    alphabet: Annotated[str, typer.Option(metavar="TEXT", help="The characters that texts may have.")] = ALPHABET,
    fdr: Annotated[float, typer.Option(metavar="F", help="The share of false finds to allow, on average.")] = 0.01,
    skip_blank: options.SkipBlank = False,
    seed: options.Seed = None,
    as_json: options.Json = False,
    out: options.Out = None,
) -> None:
    """Find the frequent texts among answers in words, by prefixes that grow over groups of people."""
    check_files([out], [source])
    if column is None:
        if (epsilon, longest, seed, skip_blank) != (None, None, None, False):
            raise ParameterError(
                "--epsilon, --longest, --skip-blank and --seed must go with --column, got them with a tally"
            )
        tally = _read_tally(source)
    else:
        longest = options.LONGEST if longest is None else longest
        tally = _tally_of_values(source, column, epsilon, longest, skip_blank, seed)
    with progress("discover", "groups", total=len(tally.document.arms) - 1) as advance:
        estimate = dn.discover(tally.document, tally, column or question, alphabet, fdr, advance)
    if estimate is not None:
        show_reading(estimate.reading(), as_json, as_csv=False, out=out)
    elif as_json:
        show_json({"label": [], "n": tally.n}, out)
    else:
        show(f"nothing stands out among {tally.n} answers; more people or a larger epsilon would show more", out=out)


def _read_tally(path: Path) -> SurveyTally:
    """The tally of a survey that asks for words."""
    tally = open_any(path).of_kind(SurveyTally)
    if not any(question.own_words for question in tally.document.questions):
        raise ParameterError(
            f"{path} must be of a survey with a question in words, got one without; "
            f"go on with: deniable survey estimate {path}"
        )
    return tally


def _tally_of_values(
    path: Path, column: str, epsilon: float | None, longest: int, skip_blank: bool, seed: int | None
) -> dn.SurveyTally:
    """The tally of values that are randomized here, of a survey of one question."""
    if epsilon is None:
        raise ParameterError("--epsilon must be given with --column, got none")
    options.warn_of_seed(seed)
    # any number from 75 on will do: how a text is asked does not depend on it
    survey = dn.Survey.plan("discover", [dn.Text(column, longest=longest)], epsilon, people=1000)
    total = survey.tally()
    with progress("read", "values") as advance:
        for answers in answer_batches(survey, path, skip_blank=skip_blank, seed=seed):
            total += survey.tally(answers)
            advance(len(answers))
    return total

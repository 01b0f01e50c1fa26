"""``deniable privatize``: a column of values becomes a report file."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated, BinaryIO

import typer

import deniable as dn
from deniable.cli import options
from deniable.cli.choice import NONE, Choice, OwnOptions, with_own_options
from deniable.cli.output import STANDARD_INPUT, check_files, progress, show, show_json
from deniable.engines.files import Privatized, privatize_file
from deniable.engines.group_files import group_paths, privatize_groups, read_survey
from deniable.engines.labels import open_labels
from deniable.errors import ParameterError
from deniable.mechanisms.mechanism import Mechanism


@with_own_options
def privatize(
    source: Annotated[str, typer.Argument(metavar="INPUT", help="A CSV or Parquet file, or - for CSV from a pipe.")],
    column: Annotated[str, typer.Option(metavar="NAME", help="The column to read.")],
    out: Annotated[Path, typer.Option(metavar="FILE", help="The report file to write.")],
    mechanism: options.SomeMechanism = None,
    survey: options.Survey = None,
    epsilon: options.Epsilon = None,
    guarantee: options.GuaranteeFile = None,
    domain: options.Labels = None,
    labels_file: options.LabelsFile = None,
    own: OwnOptions = NONE,
    skip_blank: Annotated[
        bool, typer.Option("--skip-blank", help="Leave out blank values and say how many, instead of refusing them.")
    ] = False,
    seed: options.Seed = None,
    as_json: options.Json = False,
) -> None:
    """Randomize a column of values into a report file, or into one per group of a survey that discovers texts."""
    choice = Choice(mechanism or "", epsilon, guarantee, own)
    made: Mechanism | dn.PrefixSurvey
    if survey is None:
        made = choice.make(domain, labels_file)
        randomize: Callable[..., Privatized] = partial(privatize_file, made)
    else:
        _check_alone(choice, domain, labels_file)
        made = read_survey(survey)
        randomize = partial(privatize_groups, made)
    files = [out] if isinstance(made, Mechanism) else group_paths(made, out)
    check_files(files, [source, labels_file, guarantee, survey])
    options.warn_of_seed(seed)
    stream: Path | BinaryIO = sys.stdin.buffer if source == STANDARD_INPUT else Path(source)
    with open_labels(stream, column) as values, progress("privatize", "values", share=lambda: values.share) as advance:
        done = randomize(values, out, skip_blank, seed, advance)
    if as_json:
        show_json({"reports": done.reports, "skipped": done.skipped, "out": str(out), "spec": made.spec()})
        return
    skipped = f"; {done.skipped} blank values left out" if done.skipped else ""
    where = f"{files[0]}" if len(files) == 1 else f"{files[0]} ... {files[-1]}"
    show(f"{done.reports} reports of {made!r} written to {where}{skipped}")


def _check_alone(choice: Choice, domain: str | None, labels_file: Path | None) -> None:
    """Refuse a mechanism and its options together with a survey, which describes the reports itself."""
    given = [choice.name, choice.epsilon, choice.guarantee, domain, labels_file, *choice.own.values()]
    if any(value not in (None, "") for value in given):
        raise ParameterError("--survey must be given without a mechanism and its options, got some beside it")

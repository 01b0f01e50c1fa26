"""``deniable survey``: the description of a survey that discovers texts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from deniable.cli import options
from deniable.cli.output import show, show_json
from deniable.engines.group_files import write_survey
from deniable.engines.prefix_survey import COHORTS


def survey(
    epsilon: Annotated[float, typer.Option(metavar="E", help="The privacy level.")],
    out: Annotated[Path, typer.Option(metavar="FILE", help="The JSON file to write.")],
    longest: options.Longest = None,
    step: options.Step = None,
    cohorts: Annotated[int, typer.Option(metavar="C", help="The number of cohorts.")] = COHORTS,
    key: Annotated[str, typer.Option(metavar="TEXT", help="Gives the survey its own hashes.")] = "",
    as_json: options.Json = False,
) -> None:
    """Write the description of a survey that discovers texts, for devices and for collectors."""
    made = options.prefix_survey(epsilon, longest, step, cohorts=cohorts, key=key)
    write_survey(made, out)
    if as_json:
        show_json(made.spec())
        return
    bits = made.groups[0].report_bits
    show(f"{len(made.groups)} groups for texts of up to {made.longest} characters, {bits} bits per report, in {out}")

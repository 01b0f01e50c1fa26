"""``deniable plan``: which mechanism, how many people, what accuracy."""

from __future__ import annotations

from typing import Annotated

import typer

import deniable as dn
from deniable.cli import options
from deniable.cli.output import show, show_json


def plan(
    domain: options.Labels = None,
    labels_file: options.LabelsFile = None,
    epsilon: Annotated[float | None, typer.Option(metavar="E", help="The privacy level.")] = None,
    users: Annotated[int | None, typer.Option(metavar="N", help="How many people answer.")] = None,
    accuracy: Annotated[
        float | None, typer.Option(metavar="A", help="The error wanted in one label's share (root mean square).")
    ] = None,
    max_bits: Annotated[
        int | None, typer.Option(metavar="B", help="Only mechanisms whose reports fit so many bits.")
    ] = None,
    as_json: options.Json = False,
) -> None:
    """Rank the mechanisms for a survey. Of epsilon, users and accuracy give two; the third is solved."""
    labels = options.read_domain(domain, labels_file)
    made = dn.plan(labels, epsilon, users, max_bits=max_bits, accuracy=accuracy)
    if as_json:
        show_json(made.to_dict())
    else:
        show(str(made))

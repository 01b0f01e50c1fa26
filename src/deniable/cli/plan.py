"""``deniable plan``: which mechanism, how many people, what accuracy."""

from __future__ import annotations

from typing import Annotated

import typer

import deniable as dn
from deniable.cli import options
from deniable.cli.guarantee import draw_plan, read_guarantee
from deniable.cli.output import check_files, check_picture, show, show_json


def plan(
    domain: options.Labels = None,
    labels_file: options.LabelsFile = None,
    epsilon: Annotated[float | None, typer.Option(metavar="E", help="The privacy level.")] = None,
    users: Annotated[int | None, typer.Option(metavar="N", help="How many people answer.")] = None,
    accuracy: Annotated[
        float | None,
        typer.Option(metavar="A", help="The error wanted in one label's share (root mean square): 0.05, not 5."),
    ] = None,
    max_bits: Annotated[
        int | None, typer.Option(metavar="B", help="Only mechanisms whose reports have at most so many bits.")
    ] = None,
    candidates: Annotated[
        int | None,
        typer.Option(metavar="N", help="For an open alphabet, instead of labels: the number of candidate texts."),
    ] = None,
    guarantee: options.GuaranteeFile = None,
    plot: options.Plot = None,
    as_json: options.Json = False,
) -> None:
    """Rank the mechanisms for a survey. Give two of epsilon, users and accuracy; the third is computed."""
    check_picture(plot)
    check_files([plot], [labels_file, guarantee])
    given = domain is not None or labels_file is not None
    named = given or (guarantee is None and candidates is None)
    labels = options.read_domain(domain, labels_file) if named else None
    promise = None
    if guarantee is not None:
        promise, labels = read_guarantee(guarantee, labels)
    made = dn.plan(labels, epsilon, users, promise, max_bits, accuracy, candidates)
    if plot is not None:
        draw_plan(made, plot)
    if as_json:
        show_json(made.to_dict())
    else:
        show(made)

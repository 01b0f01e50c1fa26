"""``deniable explain``: what a survey or a mechanism promises the person asked, from whatever file names it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import deniable as dn
from deniable.cli import options
from deniable.cli.mechanism_options import (
    NONE,
    Choice,
    MechanismInstead,
    OwnOptions,
    file_or_mechanism,
    with_own_options,
)
from deniable.cli.output import show_result
from deniable.engines.open_any import open_any
from deniable.mechanisms.mechanism import Mechanism


@with_own_options
def explain(
    file: Annotated[
        Path | None,
        typer.Argument(metavar="[FILE]", help="A survey, a spec, a file or folder of reports, or a tally."),
    ] = None,
    mechanism: MechanismInstead = None,
    epsilon: options.Epsilon = None,
    guarantee: options.GuaranteeFile = None,
    domain: options.Labels = None,
    labels_file: options.LabelsFile = None,
    own: OwnOptions = NONE,
    as_json: options.Json = False,
) -> None:
    """Show the privacy label of a survey or a mechanism: what follows for the person asked."""
    named = file_or_mechanism(file, Choice(mechanism or "", epsilon, guarantee, own), domain, labels_file)
    label = dn.label(named if isinstance(named, Mechanism) else open_any(named).subject)
    show_result(label, as_json)

"""``deniable explain``: what a survey or a mechanism promises the person asked, from whatever file names it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import deniable as dn
from deniable.cli import options
from deniable.cli.mechanisms import NONE, MechanismInstead, MechanismTerms
from deniable.cli.output import show_result
from deniable.engines.open_any import open_any
from deniable.mechanisms.mechanism import Mechanism


@options.with_groups
def explain(
    file: Annotated[
        Path | None,
        typer.Argument(metavar="[FILE]", help="A survey, a spec, a file or folder of reports, or a tally."),
    ] = None,
    mechanism: MechanismInstead = None,
    terms: MechanismTerms = NONE,
    as_json: options.Json = False,
) -> None:
    """Show the privacy label of a survey or a mechanism: what follows for the person asked."""
    named = terms.instead_of(file, mechanism)
    label = dn.label(named if isinstance(named, Mechanism) else open_any(named).subject)
    show_result(label, as_json)

"""``deniable explain``: what a survey or a mechanism promises the person asked, from whatever file names it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import deniable as dn
from deniable.cli import options
from deniable.cli.output import show, show_json
from deniable.engines.open_any import open_any


def explain(
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="A survey, a spec, a file or folder of reports, or a tally."),
    ],
    as_json: options.Json = False,
) -> None:
    """Show the privacy label of a survey or a mechanism: what follows for the person asked."""
    label = dn.label(open_any(file).subject)
    if as_json:
        show_json(label.to_dict())
    else:
        show(label)

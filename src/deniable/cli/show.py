"""``deniable show``: what a file or folder is, and what can be done with it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from deniable.cli import options
from deniable.cli.output import show as write
from deniable.cli.output import show_json
from deniable.engines.open_any import open_any


def show(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Anything that deniable writes, a file or a folder.")],
    as_json: options.Json = False,
) -> None:
    """Show what a file or folder is: reports, a tally, a survey, a spec, a collector; and what to do with it next."""
    facts = open_any(file).facts
    if as_json:
        show_json(facts)
        return
    width = max(map(len, facts))
    write("\n".join(f"{name:<{width}}  {text}" for name, text in facts.items()))

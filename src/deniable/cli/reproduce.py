"""``deniable reproduce``: the papers' tables and figures from this code, in a copy of the project's source."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from deniable.cli import options
from deniable.kernels.threads import processors
from deniable.protocol.errors import ParameterError

SOURCE = Path(__file__).parents[3]
"""The copy of the project that this file is in; something else where the package was installed from a wheel."""
OUT, QUICK_OUT = Path("studies-output"), Path("studies-output-quick")


def reproduce(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="A paper's short name, or all; --list shows them.")
    ] = None,
    listed: Annotated[bool, typer.Option("--list", help="List the studies and end.")] = False,
    quick: Annotated[
        bool,
        typer.Option(
            "--quick", help="Fewer repeats and larger errors: all studies take about three minutes on two cores."
        ),
    ] = False,
    jobs: Annotated[
        int | None, typer.Option(metavar="N", help="How many processes work at once; one per processor unless given.")
    ] = None,
    seed: Annotated[int, typer.Option(metavar="S", help="Another seed draws different people.")] = 1,
    out: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help=f"Where results go; {OUT}, or {QUICK_OUT}.")
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Run what a paper ran on Gowalla or Kosarak, with the files in this folder.",
        ),
    ] = None,
    as_json: options.Json = False,
) -> None:
    """Run a paper's experiments again: tables, pictures, and the paper's values beside ours.

    It needs a copy of the project's source. Run the same command again to resume an interrupted run.
    """
    _find_studies()
    from studies.command import list_studies, run_studies
    from studies.run import Setting

    if listed or name is None:
        list_studies(as_json)
    else:
        setting = Setting(out or (QUICK_OUT if quick else OUT), seed, quick, processors() if jobs is None else jobs)
        run_studies(name, setting, as_json, data)


def _find_studies() -> None:
    """Let Python find the studies beside ``src``; no wheel holds them."""
    if not (SOURCE / "studies" / "catalogue.py").is_file():
        raise ParameterError(
            "reproduce needs a copy of the project's source, got an installed package, which holds no studies: "
            "in a copy, run pip install -e '.[studies]' and then deniable reproduce"
        )
    sys.path.insert(0, str(SOURCE))

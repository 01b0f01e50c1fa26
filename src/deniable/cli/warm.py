"""``deniable warm``: compile ahead what is otherwise compiled when it is first used."""

from __future__ import annotations

import os
from time import perf_counter
from typing import Annotated

import typer

from deniable.checks import check_choice
from deniable.cli.output import hint, progress, show
from deniable.engines.warm import kernels, samples
from deniable.engines.warm import warm as warm_up
from deniable.errors import ParameterError
from deniable.kernels.cache_folder import advice, cache_folder
from deniable.mechanisms.family import Family
from deniable.mechanisms.registry import FAMILIES, known_names


def warm(
    mechanism: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only what this mechanism needs; all of them unless given.")
    ] = None,
) -> None:
    """Compile ahead, as for the image of a container: later processes of this machine start at once."""
    if not kernels():
        raise ParameterError("NUMBA_DISABLE_JIT must be left out to compile anything, got it set")
    folder = cache_folder()
    if folder is None:
        given = f"NUMBA_CACHE_DIR={os.environ.get('NUMBA_CACHE_DIR')!r}"
        raise ParameterError(
            advice() or f"NUMBA_CACHE_DIR must be a folder that this user can write and others cannot, got {given}"
        )
    start, surveys = perf_counter(), [survey for family in _families(mechanism) for survey in samples(family)]
    with progress("compiling", "surveys", len(surveys)) as advance:
        done = warm_up(surveys, advance)
    seconds = perf_counter() - start
    show(f"{done.compiled} variants of kernels compiled in {seconds:.0f} s, {done.kept} were there: {folder}")
    if advice() is not None:
        hint(f"deniable: {advice()}")


def _families(name: str | None) -> list[Family]:
    """The families to compile for, whatever the capitals of their name."""
    chosen = [row for row in FAMILIES.values() if name is None or row.name.casefold() == name.casefold()]
    if not chosen:
        check_choice("mechanism", name, known_names())
    return chosen

"""Families of installed packages: installed by their entry points, and loaded when somebody names one."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from typing import TYPE_CHECKING

from deniable.mechanisms.family import Family
from deniable.protocol.errors import ParameterError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint, EntryPoints

GROUP = "deniable.mechanisms"
"""The group of entry points. Each has the name of its family, and names the module and the row in it."""


@cache
def installed() -> EntryPoints:
    """The entry points of all installed packages, looked for once in a process."""
    from importlib.metadata import entry_points  # reads e-mail's headers, which takes a while to load

    return entry_points(group=GROUP)


def offered() -> list[str]:
    """The names of the families that installed packages offer."""
    return sorted(installed().names)


def load(name: str, taken: Collection[str]) -> Family | None:
    """The family that an installed package offers under a name, whatever its capitals; None if none does.

    ``taken``: the names of other families, in small letters, which no entry point may have.
    """
    for entry in installed():
        if entry.name.casefold() in taken:
            raise ParameterError(f"an entry point must have a name of its own, got {_named(entry)}, which is taken")
    entries = [entry for entry in installed() if entry.name.casefold() == name.casefold()]
    if len(entries) > 1:
        raise ParameterError(
            f"a mechanism must be of one package, got {' and '.join(map(_named, entries))}: uninstall all but one"
        )
    return _loaded(entries[0]) if entries else None


def _loaded(entry: EntryPoint) -> Family:
    """The family that an entry point names; refused if it does not load, is none, or has another name."""
    try:
        family = entry.load()
    except Exception as error:
        raise ParameterError(
            f"an entry point must load, got {type(error).__name__} from {_named(entry)}: {error}"
        ) from error
    if not isinstance(family, Family):
        raise ParameterError(f"an entry point must be a Family, got {type(family).__name__} from {_named(entry)}")
    if family.name != entry.name:
        raise ParameterError(f"an entry point must have its family's name, got {_named(entry)} for {family.name}")
    return family


def _named(entry: EntryPoint) -> str:
    """The entry point, and the package that it is of."""
    return f"{entry.name} = {entry.value}" + (f" of {entry.dist.name}" if entry.dist is not None else "")

"""Takes the client from the library's room, under a name of its own; a source archive holds it so named.

What stands in the place of sentences there may be links, or the paths of these, so they are taken from where they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NAME: Final = "deniable_client"
SAID: Final = ("errors.json", "label.json", "language.json", "mechanism.json", "protection.json")
"""Of each language the files that a device needs; all others are of pages and results."""


class ClientHook(BuildHookInterface[Any]):
    """All files of the client, in a wheel and in a source archive."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Name each file, and where it goes."""
        here = Path(self.root)
        archived = (here / NAME).is_dir()
        build_data["force_include"].update(of_archive(here) if archived else of_checkout(here.parent.parent))


def of_archive(here: Path) -> Iterator[tuple[str, str]]:
    """Each file, where an archive has put it."""
    yield from ((str(file), file.relative_to(here).as_posix()) for file in sorted((here / NAME).rglob("*.*")))


def of_checkout(project: Path) -> Iterator[tuple[str, str]]:
    """Each file, and where it goes."""
    room = project / "src" / "deniable" / "protocol"
    for file in sorted(each for each in room.rglob("*") if each.is_file() and "__pycache__" not in each.parts):
        place = file.relative_to(room)
        if place.parts[0] != "sentences":
            yield str(file), f"{NAME}/{place.as_posix()}"
    for language in sorted((project / "wire" / "sentences").iterdir()):
        yield from ((str(language / name), f"{NAME}/sentences/{language.name}/{name}") for name in SAID)

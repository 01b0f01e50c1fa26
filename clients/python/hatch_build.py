"""Makes the package of the device's half: the files of one room of the library, and the sentences that a device says.

What stands in the place of the sentences there may be links, or the paths of these, so they are taken from where they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SAID: Final = ("errors.json", "label.json", "language.json", "mechanism.json", "protection.json")
"""Of each language the files that a device needs; all others are of pages and results."""


class DeviceHook(BuildHookInterface[Any]):
    """Each file of the package, and where it stands in the project."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Name them all."""
        build_data["force_include"].update(files(Path(self.root).parents[1]))


def files(root: Path) -> Iterator[tuple[str, str]]:
    """Each file, and where it goes."""
    room = root / "src" / "deniable" / "protocol"
    for file in sorted(each for each in room.rglob("*") if each.is_file() and "__pycache__" not in each.parts):
        place = file.relative_to(room)
        if place.parts[0] != "sentences":
            yield str(file), f"deniable_client/{place.as_posix()}"
    for language in sorted((root / "wire" / "sentences").iterdir()):
        yield from ((str(language / name), f"deniable_client/sentences/{language.name}/{name}") for name in SAID)

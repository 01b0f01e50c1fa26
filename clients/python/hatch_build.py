"""Takes the client from the library's room, under a name of its own; a source archive holds it so named."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NAME = "deniable_client"


class ClientHook(BuildHookInterface[Any]):
    """All files of the client, in a wheel and in a source archive."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Name each folder and file, and where it goes; in an archive the package is found where it lies."""
        here = Path(self.root)
        if not (here / NAME).is_dir():
            build_data["force_include"].update(of_checkout(here))


def of_checkout(here: Path) -> dict[str, str]:
    """The library's room, and the sentences themselves: in their place may be links, or nothing but paths."""
    project = here.parent.parent
    sentences = sorted((project / "wire" / "sentences").glob("*.json"))
    room = {str(project / "src" / "deniable" / "protocol"): NAME}
    return {**room, **{str(file): f"{NAME}/sentences/{file.name}" for file in sentences}}

"""Puts the sentences themselves into the wheel, for what stands in their place may be links, or the paths of these."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class SentencesHook(BuildHookInterface[Any]):
    """The files of `wire/sentences`, where a checkout without symbolic links has but their paths."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Name each file, and where it goes."""
        for file in sorted((Path(self.root).parents[1] / "wire" / "sentences").glob("*.json")):
            build_data["force_include"][str(file)] = f"deniable_client/sentences/{file.name}"

"""``deniable`` on a disk whose free bytes a file of the test says."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from deniable.cli import main
from deniable.intake.storage import sqlite

TOTAL = 1 << 40


class Usage(NamedTuple):
    """What the system says of a disk."""

    total: int
    used: int
    free: int


def usage_of(folder: Path) -> Usage:
    """What the file beside the folder says."""
    free = int((folder.parent / "free").read_text(encoding="ascii"))
    return Usage(TOTAL, TOTAL - free, free)


if __name__ == "__main__":
    vars(sqlite)["disk_usage"] = usage_of
    main()

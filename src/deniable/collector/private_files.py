"""Small files that only their owner can read."""

from __future__ import annotations

import os
from pathlib import Path

from deniable.reports.atomic_files import written_whole


def write_private(path: Path, written: bytes) -> None:
    """Write a file atomically, for its owner alone."""
    with written_whole(path) as file:
        os.fchmod(file.fileno(), 0o600)
        file.write(written)

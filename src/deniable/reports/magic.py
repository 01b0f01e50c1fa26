"""The first bytes of files, by which they are recognised."""

from __future__ import annotations

from pathlib import Path

PARQUET = b"PAR1"
TALLY = b"deniable tally\x00"
SURVEY_TALLY = b"deniable survey\x00"


def begins(path: Path, *magic: bytes) -> bool:
    """Whether a file begins with one of these; no more of it is read."""
    with path.open("rb") as file:
        return file.read(max(map(len, magic))).startswith(magic)


def is_parquet(path: Path) -> bool:
    """Whether a file begins like a Parquet file."""
    return begins(path, PARQUET)

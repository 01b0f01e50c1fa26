"""How long work is cut up: how many reports are held at a time, and who is told how many are done."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:  # commands draw their bars by this file, and load no mechanism for it
    from deniable.mechanisms.mechanism import Mechanism

Progress: TypeAlias = Callable[[int], None]
"""Told how many more people or reports were done."""

CHUNK_BYTES = 1 << 26


def reports_per_chunk(mechanism: Mechanism) -> int:
    """How many reports fit into a chunk; of those of a few bits no more than of those of 64."""
    return max(1, CHUNK_BYTES * 8 // max(64, mechanism.report_bits))


@contextmanager
def terminal_bar(
    title: str, unit: str, total: int | None = None, share: Callable[[], float | None] | None = None
) -> Iterator[Progress]:
    """A progress bar on the error stream, if that is a terminal; yields a function to call with rows newly done.

    How far the work is comes from ``total`` rows, or from ``share`` of the input read.
    """
    if not sys.stderr.isatty():
        yield unheard
        return
    from deniable.engines.progress_bar import progress_bar  # draws by a library that takes a while to load

    with progress_bar(title, unit, total, share) as shown:
        yield shown


def unheard(_more: int) -> None:
    """Where nobody looks at a bar."""

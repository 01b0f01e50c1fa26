"""One processor instead of all: the operating system is told to hold the work on a single one for a while."""

from __future__ import annotations

import os
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.measure import Contender

ONE = ", one processor"
AVAILABLE = hasattr(os, "sched_setaffinity")
"""Linux lets a thread choose its processors; elsewhere there are no timings on one processor."""


@contextmanager
def one_processor() -> Iterator[None]:
    """Keep this thread on one processor: then the kernels see no other, and do not share their work."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def on_one(contender: Contender) -> Contender:
    """The same work, kept on one processor."""

    def run() -> float:
        with one_processor():
            return contender.run()

    return replace(contender, name=contender.name + ONE, run=run)

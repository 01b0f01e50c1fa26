"""What the numbers were measured on: processor, versions and the machine's speeds. No names of hosts or paths."""

from __future__ import annotations

import platform
import statistics
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.limits import fills, read, words
from deniable.kernels.threads import processors

if TYPE_CHECKING:
    from collections.abc import Callable

PACKAGES = ("deniable", "numpy", "scipy")
REPEATS = 5
READ_BYTES = 1 << 26
WORDS = 1 << 22


def processor() -> str:
    """The processor's model name."""
    listing = Path("/proc/cpuinfo")
    lines = listing.read_text().splitlines() if listing.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def versions() -> dict[str, str]:
    """Python and the packages that our side runs on."""
    return {"python": platform.python_version()} | {name: version(name) for name in PACKAGES}


def speeds() -> dict[str, float]:
    """Random words a second of each source and bytes read a second, on all processors."""
    contenders = [words(name, WORDS, 1.0) for name in fills()]
    found = {one.name: one.count / _median(one.run) for one in contenders}
    column = read(np.ones(READ_BYTES // 8, np.uint64))  # zeros would be one page of memory, seen many times
    return found | {"bytes read": READ_BYTES / _median(column.run)}


def _median(run: Callable[[], float]) -> float:
    return statistics.median(run() for _ in range(REPEATS))


def brief() -> dict[str, Any]:
    """The processor and the versions, for benches that stand beside limits of their own."""
    return {"processor": processor(), "processors": processors(), "system": platform.system(), "versions": versions()}


def describe() -> dict[str, Any]:
    """All of it."""
    return {**brief(), "speeds": speeds()}

"""The limits of the machine, for the same bytes and the same number of random words as the cell beside them."""

from __future__ import annotations

import ctypes
import os
import subprocess
import tempfile
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from benchmarks.measure import SEED, Contender, clock
from deniable.kernels.threads import processors, share, spread
from deniable.privacy.entropy import SeededEntropy, SystemEntropy

if TYPE_CHECKING:
    from collections.abc import Callable

Fill: TypeAlias = "Callable[[int], object]"

BLOCK = 1 << 14
LARGEST = (1 << 64) - 1
SEEDED = "words, our seeded source"
SYSTEM = "words, the system's source"
READ = "reading the bytes"
HISTOGRAM = "a bare histogram"
ADDITIONS = "the additions"
MOST_WORDS = 1 << 25
LIMITS: dict[str, tuple[str, ...]] = {
    "seeded": (SEEDED,),
    "system entropy": (SYSTEM,),
    "tally": (HISTOGRAM, READ),
    "unbiased": (ADDITIONS,),
    "projected": (ADDITIONS,),
}
"""The limits that each of our timings is compared with: the first one that its cell has."""


BARE_LOOP = """
#include <stdint.h>
#define COUNT(TYPE) \\
    void count_##TYPE(const TYPE *reports, int64_t n, int64_t *counts) { \\
        for (int64_t i = 0; i < n; i++) counts[reports[i]]++; \\
    }
COUNT(uint8_t) COUNT(uint16_t) COUNT(uint32_t)
"""


@lru_cache(maxsize=1)
def bare_loop() -> ctypes.CDLL:
    """The simplest loop that counts, compiled as the kernels are."""
    with tempfile.TemporaryDirectory() as folder:
        source, made = Path(folder) / "loop.c", Path(folder) / "loop.so"
        source.write_text(BARE_LOOP, encoding="utf-8")
        compiler = os.environ.get("CC", "cc")
        subprocess.run([compiler, "-O3", "-shared", "-fPIC", str(source), "-o", str(made)], check=True)
        return ctypes.CDLL(str(made))


def bare_histogram(reports: npt.NDArray[Any], counts: npt.NDArray[np.int64]) -> None:
    """The bare loop over reports, which must lie one after another; Python's lock is released meanwhile."""
    count = bare_loop()[f"count_{reports.dtype.name}_t"]
    count(reports.ctypes.data_as(ctypes.c_void_p), ctypes.c_int64(len(reports)), counts.ctypes.data_as(ctypes.c_void_p))


def fills() -> dict[str, Callable[[int], Fill]]:
    """Sources of random words by name, one for each part of the work, so that threads can share it."""

    def numpy_source(bits: type[np.random.BitGenerator]) -> Callable[[int], Fill]:
        def part(index: int) -> Fill:
            source = np.random.Generator(bits(index))
            return lambda count: source.integers(0, LARGEST, count, np.uint64, endpoint=True)

        return part

    return {
        SEEDED: lambda index: SeededEntropy(SEED).part(index).words,
        SYSTEM: lambda index: SystemEntropy().part(index).words,
        "words, NumPy's PCG64": numpy_source(np.random.PCG64),
        "words, NumPy's Philox": numpy_source(np.random.Philox),
    }


def words(name: str, count: float, each: float) -> Contender:
    """Drawing the words that ``count`` reports of ``each`` words need, in blocks, on every processor."""
    workers = processors()
    count = min(count, max(1, int(MOST_WORDS / each)))
    blocks = max(1, round(count * each / workers / BLOCK))
    part = fills()[name]

    def draw(index: int) -> None:
        fill = part(index)
        for _ in range(blocks):
            fill(BLOCK)

    run = partial(clock, partial(share, draw, range(workers)))
    return Contender("limit", name, blocks * workers * BLOCK / each, run)


def read(reports: npt.NDArray[Any]) -> Contender:
    """Adding up the reports' bytes as 64-bit words, by as many threads as our tally: reading bounds them both."""
    flat = reports.reshape(-1).view(np.uint8)
    whole = flat[: len(flat) // 8 * 8].view(np.uint64)
    return Contender("limit", READ, len(reports), lambda: clock(lambda: spread(np.sum, whole)))


def shared_histogram(reports: npt.NDArray[Any], outputs: int) -> None:
    """The bare histogram by as many threads as our tally, each with counts of its own."""
    spread(lambda part: bare_histogram(part, np.zeros(outputs, np.int64)), reports, 8 * outputs)


def histogram(reports: npt.NDArray[Any], outputs: int) -> Contender:
    """The bare histogram of integer reports, compiled before it is timed."""
    bare_histogram(reports[:1], np.zeros(outputs, np.int64))
    return Contender("limit", HISTOGRAM, len(reports), lambda: clock(lambda: shared_histogram(reports, outputs)))


def additions(operations: float, d: int, count: float) -> Contender:
    """As many additions as a decoding needs, by NumPy in runs of ``d`` numbers, ``count`` times over."""
    left, right = np.zeros(d), np.ones(d)
    rounds = max(1, round(operations / d))

    def decode() -> None:
        for _ in range(round(rounds * count)):
            np.add(left, right, out=left)

    return Contender("limit", ADDITIONS, count, lambda: clock(decode))

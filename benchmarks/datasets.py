"""Datasets to count: real reports of each mechanism in a few Parquet files, a block of them written over and over."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.measure import EPSILON, SEED
from deniable.mechanisms.cyclic import Cyclic
from deniable.mechanisms.hadamard import Hadamard
from deniable.mechanisms.hashed_rappor import HashedRappor
from deniable.mechanisms.hashed_response import HashedResponse
from deniable.mechanisms.response import RandomizedResponse
from deniable.mechanisms.subset import Subset
from deniable.mechanisms.unary import OptimizedUnary, Rappor
from deniable.reports.columns import rows_per_batch, write_reports

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from deniable.mechanisms.mechanism import Mechanism

FILES = 4
BLOCK = 1 << 18


@dataclass(frozen=True, slots=True)
class Stored:
    """A mechanism, and the files that hold its reports."""

    mechanism: Mechanism
    files: tuple[Path, ...]
    reports: int

    @property
    def bytes_a_report(self) -> float:
        """What a report takes on disk, its share of heads and checksums with it."""
        return sum(file.stat().st_size for file in self.files) / self.reports


def mechanisms() -> Iterator[Mechanism]:
    """The mechanisms of the table."""
    yield RandomizedResponse(1024, EPSILON)
    yield Hadamard(1024, EPSILON)
    yield Cyclic(100_000, EPSILON)
    yield HashedResponse(EPSILON, 16, 64, domain=1024)
    yield Subset(256, EPSILON)
    yield Rappor(1024, EPSILON)
    yield OptimizedUnary(1024, EPSILON)
    yield HashedRappor(EPSILON, 128, 64, domain=1024)


def store(mechanism: Mechanism, folder: Path, size: int) -> Stored:
    """Report files of about ``size`` bytes of reports in all."""
    width = mechanism.layout.arrow_type.bit_width // 8
    labels = np.random.default_rng(SEED).integers(0, len(mechanism.domain), BLOCK)
    block = mechanism.privatize_many(labels, seed=SEED)
    rounds = max(1, size // (FILES * BLOCK * width))
    together = max(1, rows_per_batch(mechanism.layout) // BLOCK)
    folder.mkdir()
    files = tuple(folder / f"{number}.parquet" for number in range(FILES))
    for file in files:
        with write_reports(file, mechanism.spec(), mechanism.layout, mechanism.count) as writer:
            for first in range(0, rounds, together):
                writer.write(np.concatenate([block] * min(together, rounds - first)))
    return Stored(mechanism, files, FILES * rounds * BLOCK)

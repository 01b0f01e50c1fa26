"""Datasets to count: real reports of each mechanism in a few Parquet files, a block of them written over and over."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.catalogue import FAMILIES, usual_member
from benchmarks.measure import EPSILON, SEED
from deniable.mechanisms.plain.cyclic import Cyclic
from deniable.mechanisms.plain.hadamard import Hadamard
from deniable.mechanisms.plain.subset import Subset
from deniable.reports.layout import stored_bytes
from deniable.reports.report_file import rows_per_batch, write_reports
from deniable.values.values import closed_domain

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from deniable.mechanisms.mechanism import Mechanism

FILES = 4
BLOCK = 1 << 18
MANY = 100_000
GIGABYTE = 10**9


@dataclass(frozen=True, slots=True)
class Stored:
    """A mechanism, and the files that hold its reports."""

    mechanism: Mechanism
    files: tuple[Path, ...]
    reports: int

    @property
    def bytes_a_report(self) -> float:
        """The bytes per report on disk, its share of headers and checksums included."""
        return sum(file.stat().st_size for file in self.files) / self.reports


def mechanisms() -> Iterator[Mechanism]:
    """The mechanisms of the table: every family, and the short reports of many labels."""
    yield from map(usual_member, FAMILIES.values())
    yield Subset(256, EPSILON)
    yield Hadamard(MANY, EPSILON)
    yield Cyclic(MANY, EPSILON)


def store(mechanism: Mechanism, folder: Path, size: int, most: int | None = None) -> Stored:
    """Report files of about ``size`` bytes of reports in all, or of at most so many reports."""
    width = stored_bytes(mechanism.layout)
    size = size if most is None else min(size, most * width)
    rows = max(1, min(BLOCK, size // (FILES * width)))
    labels = np.random.default_rng(SEED).integers(0, len(closed_domain(mechanism.domain)), rows)
    block = mechanism.privatize_many(labels, seed=SEED)
    rounds = max(1, size // (FILES * rows * width))
    together = max(1, rows_per_batch(mechanism.layout) // rows)
    folder.mkdir()
    files = tuple(folder / f"{number}.parquet" for number in range(FILES))
    for file in files:
        with write_reports(file, mechanism.spec(), mechanism.layout) as writer:
            for first in range(0, rounds, together):
                writer.write(np.concatenate([block] * min(together, rounds - first)))
    return Stored(mechanism, files, FILES * rounds * rows)


def store_large(mechanism: Mechanism, folder: Path, gigabytes: float) -> Stored:
    """Files of so many gigabytes in all: those of about one, copied until there are enough."""
    stored = store(mechanism, folder, int(min(gigabytes, 1) * GIGABYTE))
    held = sum(file.stat().st_size for file in stored.files)
    rounds = max(1, round(gigabytes * GIGABYTE / held))
    files = list(stored.files)
    for number in range(1, rounds):
        for file in stored.files:
            files.append(file.with_name(f"{number}-{file.name}"))
            shutil.copy(file, files[-1])
    return Stored(mechanism, tuple(files), stored.reports * rounds)

"""Weeks of report files for tests to count: a folder of files of one survey, some as earlier releases wrote them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

import deniable as dn
from deniable.arrays import Column
from deniable.engines.counting import Counted, count_dataset, count_into
from deniable.engines.dataset import open_dataset
from deniable.engines.local_workers import Threads
from deniable.mechanisms.mechanism import Mechanism
from deniable.reports.report_file import write_reports

MECHANISMS = [
    dn.RandomizedResponse(5, 1.0),
    dn.Hadamard(700, 1.0),
    dn.Cyclic(1 << 17, 1.0),
    dn.Subset(21, 1.0),
    dn.HashedRappor(1.0, 20, 300, domain=[f"w{i}" for i in range(50)]),
]
SURVEY = MECHANISMS[1]


def some_reports(mechanism: Mechanism, n: int = 1000, seed: int = 1) -> Column:
    """Reports of labels drawn evenly."""
    labels = list(mechanism.domain)
    chosen = np.random.default_rng(seed).integers(0, len(labels), n)
    return mechanism.privatize_many([labels[i] for i in chosen], seed=seed)


def write(path: Path | str, mechanism: Mechanism, reports: Column, counted: bool = True) -> Path:
    """A report file; without ``counted`` as earlier releases wrote them."""
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    with write_reports(path, mechanism.spec(), mechanism.layout, counted) as writer:
        writer.write(reports)
    return Path(path)


def week(mechanism: Mechanism = SURVEY, files: int = 5) -> Column:
    """A folder of report files, and all their reports."""
    parts = [some_reports(mechanism, 400 + day, seed=day) for day in range(files)]
    for day, reports in enumerate(parts):
        write(f"week/day={day}/part-{day}.parquet", mechanism, reports, counted=day != 3)
    return np.concatenate(parts)


def count(
    *paths: Path | str,
    skip_bad: bool = False,
    threads: int | None = None,
    out: str | None = None,
    progress: Any = None,
) -> Counted:
    """Open and count, into a file if one is named."""
    dataset, workers = open_dataset(paths, skip_bad=skip_bad), Threads(threads)
    if out is None:
        return count_dataset(dataset, progress, workers)
    return count_into(dataset, out, progress, workers)

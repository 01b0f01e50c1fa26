"""The compact form of a channel in a spec: each column as runs of equal weights, the likeliest label first."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from deniable.arrays import Indices
from deniable.privacy.matrix import WORD, Rows, row_sums
from deniable.protocol.checks import is_int
from deniable.protocol.errors import CapacityError, ParameterError

MOST_WEIGHTS = 1 << 25
"""The most labels times reports of a channel that is stored as runs: a quarter of a gibibyte of weights."""


def check_weights(labels: int, reports: int) -> None:
    """Refuse a channel with more than ``MOST_WEIGHTS`` cells, before anything is allocated."""
    if labels * reports > MOST_WEIGHTS:
        raise CapacityError(
            f"a channel must have at most {MOST_WEIGHTS} weights, got {labels} labels times {reports} reports"
        )


def likeliest_first(prior: Iterable[float]) -> Indices:
    """The labels by falling prior: in this order the columns of an optimal channel have few runs."""
    return np.argsort(-np.array(list(prior)), kind="stable")


def packed(rows: Rows, order: Indices) -> list[list[int]]:
    """Each column as runs: a weight, how many labels have it, the next weight, and so on."""
    columns = []
    for column in rows.weights[order].T:
        starts = np.flatnonzero(np.diff(column.astype(object), prepend=-1) != 0)
        runs = np.diff(starts, append=len(column)).tolist()
        columns.append([number for pair in zip(column[starts].tolist(), runs, strict=True) for number in pair])
    return columns


def unpacked(columns: Any, order: Indices) -> Rows:
    """The weights from runs as ``packed`` writes them; anything else is refused."""
    check_weights(len(order), len(columns))
    if any(not is_int(number) or number < 0 for column in columns for number in column):
        raise ParameterError("columns must be runs of whole numbers of at least 0, got some that are not")
    if any(sum(column[1::2]) != len(order) for column in columns):  # before anything is allocated
        raise ParameterError(f"columns must have runs of {len(order)} labels in all, got more or fewer")
    weights = np.empty((len(order), len(columns)), np.uint64)
    for place, column in enumerate(columns):
        weights[order, place] = np.repeat(np.array(column[::2], np.uint64), column[1::2])
    sums = set(row_sums(weights))
    if len(sums) != 1 or not 0 < (total := sums.pop()) < WORD:
        raise ParameterError(f"columns must add up to one total in 64 bits for each label, got {len(sums)} totals")
    if np.gcd.reduce(weights, axis=None) != 1:
        raise ParameterError("columns must have no common divisor, got one")
    weights.flags.writeable = False
    return Rows(weights, total)

"""Simulated surveys by cohorts, the slow and obvious way."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from deniable.estimation.cohorts import CohortSurvey

Vector: TypeAlias = npt.NDArray[np.float64]
Table: TypeAlias = npt.NDArray[np.uint16]
Ints: TypeAlias = npt.NDArray[np.int64]
Rng: TypeAlias = np.random.Generator


def hashed(rng: Rng, *shape: int, r: int) -> Table:
    """A table [S, C] or [S, C, h] of uniform hashes."""
    return rng.integers(0, r, shape, dtype=np.uint16)


def permuted(rng: Rng, size: int, cohorts: int, r: int) -> Table:
    """The closed alphabet's: a permutation of the candidates modulo r, in each cohort."""
    return np.stack([rng.permutation(size) % r for _ in range(cohorts)], axis=1).astype(np.uint16)


def geometric(size: int) -> Vector:
    """The truth of kairouz2016's figures: geometric with mean S/5, cut off."""
    p = (1 - 5 / size) ** np.arange(size)
    return np.asarray(p / p.sum())


def responses(rng: Rng, table: Table, p: Vector, n: int, ratio: float, r: int) -> Ints:
    """O-RR counts of n people whose strings are rows of the table."""
    value, cohort = rng.choice(len(p), n, p=p / p.sum()), rng.integers(0, table.shape[1], n)
    own = table[value, cohort].astype(np.int64)
    lie = rng.random(n) >= ratio / (ratio + r - 1)
    said = np.where(lie, (own + rng.integers(1, r, n)) % r, own)
    return np.bincount(cohort * r + said, minlength=table.shape[1] * r).reshape(-1, r)


def bits(rng: Rng, table: Table, p: Vector, n: int, flip: float, r: int) -> tuple[Ints, Ints]:
    """O-RAPPOR counts and cohort sizes."""
    value, cohort = rng.choice(len(p), n, p=p / p.sum()), rng.integers(0, table.shape[1], n)
    filters = np.zeros((n, r), np.bool_)
    for k in range(table.shape[2]):
        filters[np.arange(n), table[value, cohort, k]] = True
    counts = np.zeros((table.shape[1], r), np.int64)
    np.add.at(counts, cohort, filters ^ (rng.random((n, r)) < flip))
    return counts, np.bincount(cohort, minlength=table.shape[1])


def open_survey(rng: Rng, table: Table, p: Vector, n: int, ratio: float, r: int, **unlisted: Any) -> CohortSurvey:
    """An O-RR survey where 1 - sum p of the people hold ``strings`` others, hashed afresh, in equal shares."""
    strings = unlisted.get("strings", 500)
    others = hashed(rng, strings, table.shape[1], r=r)
    shares = np.full(strings, max(1 - float(p.sum()), 0) / strings)
    counts = responses(rng, np.concatenate([table, others]), np.concatenate([p, shares]), n, ratio, r)
    return CohortSurvey.responses(table, counts, ratio)

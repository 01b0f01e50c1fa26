"""Slow readable twins of the kernels that count and decode; those that draw have theirs in deniable.protocol."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate

import numpy as np

from deniable.arrays import Counts, Packed


def walsh_hadamard(values: list[int], i: int) -> int:
    """Output i of the transform, by its definition."""
    return sum((-1) ** (i & y).bit_count() * value for y, value in enumerate(values))


def project_simplex(v: Sequence[float | Fraction]) -> list[Fraction]:
    """By sorting: any k entries ask for a level at least as high as leaves them 1 in all, the largest for the most."""
    largest = accumulate(sorted((Fraction(x) for x in v), reverse=True))
    level = max(((total - 1) / k for k, total in enumerate(largest, 1)), default=Fraction())
    return [max(Fraction(x) - level, Fraction()) for x in v]


def decayed(values: list[float], ratio: float) -> list[Fraction]:
    """The sums by their definition."""
    exact, powers = [Fraction(v) for v in values], [Fraction(ratio) ** k for k in range(len(values))]
    return [sum((powers[abs(x - y)] * v for y, v in enumerate(exact)), Fraction()) for x in range(len(exact))]


def common_zeros(prime: int, taps: list[int], lags: list[int], length: int, rows: int) -> list[int]:
    """The columns in which all rows of the recurrence are 0, after a start of 0, ..., 0, 1."""
    terms = [0] * 63 + [1]
    for _ in range(rows * length):
        terms.append(sum(tap * terms[-lag] for tap, lag in zip(taps, lags, strict=True)) % prime)
    return [column for column in range(length) if not any(terms[64 + column :: length])]


def bit_counts(rows: Packed) -> list[int]:
    """How many rows of bytes hold each bit."""
    held: list[int] = np.unpackbits(rows, axis=1, bitorder="little").sum(axis=0, dtype=np.int64).tolist()
    return held


def philox(key: int, stream: int, counter: int) -> tuple[int, int]:
    """Philox4x32-10 of one counter, as two words."""
    low = (1 << 32) - 1
    a, b, c, d, k, m = counter & low, counter >> 32, stream & low, stream >> 32, key & low, key >> 32
    for _ in range(10):
        left, right = 0xD2511F53 * a, 0xCD9E8D57 * c
        a, b, c, d = right >> 32 ^ b ^ k, right & low, left >> 32 ^ d ^ m, left & low
        k, m = k + 0x9E3779B9 & low, m + 0xBB67AE85 & low
    return a | b << 32, c | d << 32


def cohort_counts(reports: Packed, cohorts: int) -> tuple[Counts, Counts]:
    """The people of each cohort, and how many of them hold each bit."""
    chosen, counts = reports[:, :2].copy().view("<u2")[:, 0], np.zeros((cohorts, 8 * (reports.shape[1] - 2)), np.int64)
    np.add.at(counts, chosen, np.unpackbits(reports[:, 2:], axis=1, bitorder="little"))
    return np.bincount(chosen, minlength=cohorts), counts

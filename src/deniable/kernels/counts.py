"""Counting: histograms of integer reports, and how many packed reports hold each symbol.

Limits: a histogram is bound by one load, one add and one store a report; four tables keep equal neighbours from
waiting for each other. Packed counting is bound by reading the bytes: sixteen rows go through a carry-save adder
(Harley and Seal; Mula, Kurz and Lemire 2018 for the positional form), five operations a word.
"""

from __future__ import annotations

import math
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from numba import njit

from deniable.kernels.bits import Packed, ones
from deniable.kernels.draws import Reports

Counts: TypeAlias = npt.NDArray[np.int64]
WordRows: TypeAlias = npt.NDArray[np.uint64]
TILE = 256
ROWS = 16
FLUSHED = 255


def out_of_range(reports: Reports, size: int) -> int:
    """How many reports are not below ``size``; the maximum alone settles the usual case at memory speed."""
    if len(reports) == 0 or int(reports.max()) < size:
        return 0
    return int(np.count_nonzero(reports >= size))


@njit(cache=True, nogil=True)
def histogram(reports: Reports, counts: Counts) -> None:
    """Add one to the count of each report; all are known to be in range."""
    tables = np.zeros((4, len(counts)), np.int64) if len(counts) <= 1 << 14 else counts.reshape(1, -1)
    lanes = len(tables)
    whole = len(reports) // lanes * lanes
    for i in range(0, whole, lanes):
        for lane in range(lanes):
            tables[lane, reports[i + lane]] += 1
    for i in range(whole, len(reports)):
        tables[0, reports[i]] += 1
    if lanes > 1:
        for lane in range(lanes):
            counts += tables[lane]


@njit(cache=True, nogil=True)
def _word(row: Packed, at: int) -> np.uint64:
    """Eight bytes as one little-endian word; the compiler makes it one load."""
    low = np.uint64(row[at]) | np.uint64(row[at + 1]) << np.uint64(8)
    low |= np.uint64(row[at + 2]) << np.uint64(16) | np.uint64(row[at + 3]) << np.uint64(24)
    low |= np.uint64(row[at + 4]) << np.uint64(32) | np.uint64(row[at + 5]) << np.uint64(40)
    return low | np.uint64(row[at + 6]) << np.uint64(48) | np.uint64(row[at + 7]) << np.uint64(56)


@njit(cache=True, nogil=True)
def out_of_weight(reports: Packed, size: int) -> int:
    """How many packed reports do not hold exactly ``size`` symbols."""
    wrong, width = 0, reports.shape[1]
    whole = width // 8 * 8
    for i in range(len(reports)):
        held = np.int64(0)
        for at in range(0, whole, 8):
            held += ones(_word(reports[i], at))
        for at in range(whole, width):
            held += ones(np.uint64(reports[i, at]))
        wrong += held != size
    return wrong


@njit(cache=True, nogil=True)
def out_of_pad(reports: Packed, last: np.uint8) -> int:
    """How many packed reports have a bit outside ``last`` in their last byte."""
    wrong = 0
    for row in reports:
        wrong += (row[-1] & ~last) != 0
    return wrong


@njit(cache=True, nogil=True)
def _add(a: np.uint64, b: np.uint64, c: np.uint64) -> tuple[np.uint64, np.uint64]:
    """A full adder in each lane: sum and carry."""
    half = a ^ b
    return half ^ c, (a & b) | (half & c)


@njit(cache=True, nogil=True)
def _add_eight(
    one: np.uint64, two: np.uint64, four: np.uint64, rows: WordRows, i: int, j: int
) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64]:
    """Add eight rows to the lanes' three low binary digits; the last is the carry out of them."""
    one, a = _add(one, rows[i, j], rows[i + 1, j])
    one, b = _add(one, rows[i + 2, j], rows[i + 3, j])
    two, c = _add(two, a, b)
    one, a = _add(one, rows[i + 4, j], rows[i + 5, j])
    one, b = _add(one, rows[i + 6, j], rows[i + 7, j])
    two, d = _add(two, a, b)
    four, eight = _add(four, c, d)
    return one, two, four, eight


@njit(cache=True, nogil=True)
def _drain(plane: np.uint64, weight: int, counts: Counts) -> None:
    for bit in range(64):
        counts[bit] += weight * np.int64((plane >> np.uint64(bit)) & np.uint64(1))


@njit(cache=True, nogil=True)
def _flush(tallies: WordRows, counts: Counts) -> None:
    """Byte b of ``tallies[k, j]`` counted sixteens of bit 8 b + k of word j; empty it into ``counts``."""
    for k in range(8):
        for j in range(tallies.shape[1]):
            for b in range(8):
                sixteens = (tallies[k, j] >> np.uint64(8 * b)) & np.uint64(0xFF)
                counts[64 * j + 8 * b + k] += ROWS * np.int64(sixteens)
    tallies[:] = 0


@njit(cache=True, nogil=True)
def _count_tile(rows: WordRows, counts: Counts) -> None:
    width = rows.shape[1]
    digits = np.zeros((4, width), np.uint64)  # the running count of each lane, modulo 16
    tallies = np.zeros((8, width), np.uint64)
    carries = np.empty(width, np.uint64)
    whole, filled = len(rows) // ROWS * ROWS, 0
    for i in range(0, whole, ROWS):
        for j in range(width):
            one, two, four, a = _add_eight(digits[0, j], digits[1, j], digits[2, j], rows, i, j)
            one, two, four, b = _add_eight(one, two, four, rows, i + 8, j)
            digits[0, j], digits[1, j], digits[2, j] = one, two, four
            digits[3, j], carries[j] = _add(digits[3, j], a, b)
        for k in range(8):
            for j in range(width):
                tallies[k, j] += (carries[j] >> np.uint64(k)) & np.uint64(0x0101010101010101)
        filled += 1
        if filled == FLUSHED:
            _flush(tallies, counts)
            filled = 0
    _flush(tallies, counts)
    for j in range(width):
        for digit in range(4):
            _drain(digits[digit, j], 1 << digit, counts[64 * j : 64 * j + 64])
        for i in range(whole, len(rows)):
            _drain(rows[i, j], 1, counts[64 * j : 64 * j + 64])


@njit(cache=True, nogil=True)
def _count_words(rows: WordRows) -> Counts:
    counts = np.zeros(64 * rows.shape[1], np.int64)
    for first in range(0, rows.shape[1], TILE):
        last = min(first + TILE, rows.shape[1])
        _count_tile(rows[:, first:last], counts[64 * first : 64 * last])
    return counts


def count_packed(reports: Packed) -> Counts:
    """How many of the packed ``reports`` (n, bytes) hold each symbol, pad bits included.

    Narrow reports are read several side by side, as one row of about half a kilobyte whose counts are folded.
    """
    n, width = reports.shape
    aligned = 8 // math.gcd(8, width)
    beside = aligned * max(1, -(-512 // (aligned * width)))
    whole = n // beside * beside
    rows = np.ascontiguousarray(reports[:whole]).reshape(-1, beside * width).view(np.uint64)
    rest = np.unpackbits(reports[whole:], axis=1, bitorder="little").sum(axis=0, dtype=np.int64)
    counts: Counts = rest + _count_words(rows).reshape(beside, 8 * width).sum(axis=0)
    return counts

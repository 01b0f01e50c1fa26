"""How many packed reports hold each symbol, and which reports are malformed.

Limit: reading the bytes. Sixteen rows of 512 bytes at a time go through carry-save adders (Harley and Seal; Mula, Kurz
and Lemire 2018 for the positional form): fifteen full adders leave the rows' running count modulo 16 in four digits per
bit and one row of carries, each worth sixteen. Sixteen rows of carries are counted in the same way one level up, and so
on: a level costs a sixteenth of the one below. Bits are turned into numbers once, at the end.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from deniable.arrays import Counts, Packed, Words
from deniable.kernels.compiled import compiled
from deniable.kernels.early import SMALL, is_early
from deniable.kernels.threads import added, spread
from deniable.kernels.words import load_word, ones, prefetch

ROWS = 16
WIDE = 64
TILE = 8 * WIDE
"""Bytes of a row that go through the adders together."""
LINE = 64
DIGITS = 4
ANY = -1
FEW = 1 << 12
"""Up to so many bytes NumPy counts as quickly."""
"""Stands for any weight."""


@compiled(early=SMALL)
def _add(a: np.uint64, b: np.uint64, c: np.uint64) -> tuple[np.uint64, np.uint64]:
    """A full adder on 64 bits at once: sum and carry."""
    half = a ^ b
    return half ^ c, (a & b) | (half & c)


@compiled(early=SMALL)
def _absorb(rows: Words, digits: Words, carries: Words) -> None:
    """Add sixteen rows of 64 words to the four rows of digits; what they carry out goes to ``carries``."""
    for j in range(WIDE):
        one, two, four = digits[j], digits[j + 64], digits[j + 128]
        one, a = _add(one, rows[j], rows[j + 64])
        one, b = _add(one, rows[j + 128], rows[j + 192])
        two, c = _add(two, a, b)
        one, a = _add(one, rows[j + 256], rows[j + 320])
        one, b = _add(one, rows[j + 384], rows[j + 448])
        two, d = _add(two, a, b)
        four, e = _add(four, c, d)
        one, a = _add(one, rows[j + 512], rows[j + 576])
        one, b = _add(one, rows[j + 640], rows[j + 704])
        two, c = _add(two, a, b)
        one, a = _add(one, rows[j + 768], rows[j + 832])
        one, b = _add(one, rows[j + 896], rows[j + 960])
        two, d = _add(two, a, b)
        four, f = _add(four, c, d)
        digits[j], digits[j + 64], digits[j + 128] = one, two, four
        digits[j + 192], carries[j] = _add(digits[j + 192], e, f)


@compiled(early=SMALL)
def _drain(row: Words, weight: int, counts: Counts) -> None:
    """Add ``weight`` to the count of each bit that is set."""
    for j in range(WIDE):
        word, held = row[j], counts[64 * j : 64 * j + 64]
        for bit in range(64):
            held[bit] += weight * np.int64((word >> np.uint64(bit)) & np.uint64(1))


@compiled(early=SMALL)
def _fill(block: Packed, column: Packed, start: int, apart: int, run: int) -> None:
    """Sixteen runs of bytes, ``apart`` from each other, as the block's rows; 0 where there are none."""
    block[:] = 0
    for k in range(ROWS):
        row, first = block[TILE * k : TILE * (k + 1)], start + k * apart
        bytes_left = column[first : first + run]
        for at in range(len(bytes_left)):
            row[at] = bytes_left[at]


@compiled(early=SMALL)
def _carry(carries: Words, digits: Words, filled: npt.NDArray[np.int64]) -> None:
    """Note one more row of carries; whenever a level has sixteen, add them up into one row on the level above."""
    level = 0
    filled[0] += 1
    while filled[level] == ROWS:
        for tile in range(digits.shape[1]):
            above = carries[level + 1, tile, WIDE * filled[level + 1] :][:WIDE]
            _absorb(carries[level, tile], digits[level + 1, tile], above)
        filled[level] = 0
        level += 1
        filled[level] += 1


@compiled(early=SMALL)
def out_of_pad(reports: Packed, last: np.uint8) -> int:
    """How many packed reports have a bit outside ``last`` in their last byte."""
    wrong = 0
    for i in range(len(reports)):
        wrong += (reports[i, -1] & ~last) != 0
    return wrong


@compiled(early=SMALL)
def out_of_weight(reports: Packed, weight: int) -> int:
    """How many packed reports do not hold exactly ``weight`` symbols; the compiler makes eight bytes one load.

    The loop is written out so that every offset in a row is known in advance and the compiler can vectorize it.
    """
    wrong, width = 0, reports.shape[1]
    whole = width // 8 * 8
    for i in range(len(reports)):
        held = np.int64(0)
        for at in range(0, whole, 8):
            word = np.uint64(reports[i, at]) | np.uint64(reports[i, at + 1]) << np.uint64(8)
            word |= np.uint64(reports[i, at + 2]) << np.uint64(16) | np.uint64(reports[i, at + 3]) << np.uint64(24)
            word |= np.uint64(reports[i, at + 4]) << np.uint64(32) | np.uint64(reports[i, at + 5]) << np.uint64(40)
            word |= np.uint64(reports[i, at + 6]) << np.uint64(48) | np.uint64(reports[i, at + 7]) << np.uint64(56)
            held += ones(word)
        for at in range(whole, width):
            held += ones(np.uint64(reports[i, at]))
        wrong += held != weight
    return wrong


@compiled(early=SMALL)
def beyond_single(reports: Packed, first: int) -> int:
    """How many packed reports hold more than one symbol from ``first`` on."""
    wrong, before, (n, width) = 0, (first >> 3) + 1, reports.shape
    column, words = reports.reshape(n * width), (width - before) // 8
    for i in range(n):
        start = i * width + before
        held = ones(np.uint64(column[start - 1]) >> np.uint64(first & 7))
        for k in range(words):
            held += ones(load_word(column, start + 8 * k))
        for at in range(start + 8 * words, (i + 1) * width):
            held += ones(np.uint64(column[at]))
        wrong += int(held > 1)
    return wrong


@compiled(early=SMALL)
def _numbers(digits: Words, carries: Words, filled: npt.NDArray[np.int64], counts: Counts) -> None:
    """Add the digits and carries of all levels to the counts."""
    for level in range(len(digits)):
        for tile in range(digits.shape[1]):
            held = counts[64 * WIDE * tile :][: 64 * WIDE]
            for k in range(DIGITS):
                _drain(digits[level, tile, WIDE * k :][:WIDE], ROWS**level << k, held)
            for k in range(filled[level]):
                _drain(carries[level, tile, WIDE * k :][:WIDE], ROWS ** (level + 1), held)


@compiled(early=SMALL)
def _count(reports: Packed, words: Words, beside: int, weight: int, counts: Counts) -> int:
    """Add to the counts, of 4096 bits per tile, and return how many reports have another weight, unless it is ANY.

    ``words`` is the part of the column in which ``beside`` rows side by side fill whole tiles.
    """
    n, width = reports.shape
    column, run, tiles = reports.reshape(n * width), beside * width, -(-width // TILE)
    blocks, levels = -(-n // (ROWS * beside)), 2
    while ROWS ** (levels - 1) <= blocks:
        levels += 1
    digits = np.zeros((levels, tiles, DIGITS * WIDE), np.uint64)
    carries = np.zeros((levels, tiles, ROWS * WIDE), np.uint64)
    filled, spare = np.zeros(levels, np.int64), np.empty(ROWS * WIDE, np.uint64)
    wrong = 0
    for i in range(blocks):
        for line in range(0, ROWS * run, LINE):
            prefetch(column, (i + 1) * ROWS * run + line)
        for tile in range(tiles):
            out = carries[0, tile, WIDE * filled[0] :][:WIDE]
            if (i + 1) * ROWS * WIDE <= len(words):
                _absorb(words[i * ROWS * WIDE :][: ROWS * WIDE], digits[0, tile], out)
            else:
                start = i * ROWS * run + tile * TILE
                _fill(spare.view(np.uint8), column, start, run, min(TILE, run - tile * TILE))
                _absorb(spare, digits[0, tile], out)
        _carry(carries, digits, filled)
        if weight != ANY:  # while they are in the cache
            wrong += out_of_weight(reports[i * ROWS * beside : (i + 1) * ROWS * beside], weight)
    _numbers(digits, carries, filled, counts)
    return wrong


def _count_part(reports: Packed, weight: int) -> tuple[Counts, int]:
    """``count_packed`` of one part of a column, in one thread."""
    width = reports.shape[1]
    beside = max(1, TILE // width)
    reports = np.ascontiguousarray(reports)
    direct = beside * width == TILE and reports.ctypes.data % 8 == 0
    whole = reports.size // (ROWS * TILE) * (ROWS * TILE) if direct else 0
    counts = np.zeros(-(-width // TILE) * TILE * 8, np.int64)
    wrong = _count(reports, reports.reshape(-1)[:whole].view(np.uint64), beside, weight, counts)
    return counts[: 8 * beside * width].reshape(beside, 8 * width).sum(axis=0), wrong


def count_packed(reports: Packed, weight: int = ANY) -> tuple[Counts, int]:
    """How many of the packed ``reports`` (n, bytes) hold each bit, pad bits too, and how many have another weight.

    Example:
        >>> count_packed(np.array([[1], [3], [2]], np.uint8), weight=1)
        (array([2, 2, 0, 0, 0, 0, 0, 0]), 1)
    """
    if reports.size <= FEW and is_early():
        bits = np.unpackbits(np.ascontiguousarray(reports), axis=1, bitorder="little")
        wrong = 0 if weight == ANY else int((bits.sum(axis=1, dtype=np.int64) != weight).sum())
        return bits.sum(axis=0, dtype=np.int64), wrong
    found = spread(lambda part: _count_part(part, weight), reports, 64 * reports.shape[1])
    return added([counts for counts, _ in found]), sum(wrong for _, wrong in found)

"""How many packed reports hold each symbol, and which reports are malformed.

Limit: reading the bytes; what is done with them is in adders.py. Short reports stand side by side in one row of the
adders, and each thread takes some of the reports. Of long ones each thread takes some of the bytes: its digits stay in
the cache, and no other thread needs counts of the same symbols.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from deniable.arrays import Counts, Packed
from deniable.kernels.compiled import compiled
from deniable.kernels.count.adders import ROWS, TILE, Running, absorb, add_up, begin, carry, next_carries, room_to_count
from deniable.kernels.early import SMALL, is_early
from deniable.kernels.threads import added, parts, share, spread
from deniable.kernels.words import load_word, ones

PANEL = 16 * TILE
"""Bytes of a long report that are counted together, down all reports."""
SHARE = 1 << 19
"""How many bytes of short reports lengthen their rows of the adders by a tile."""
ANY = -1
"""Stands for any weight."""
FEW = 1 << 12
"""Up to so many bytes NumPy counts as quickly."""
UNWEIGHED = np.empty(0, np.int64)
START = np.zeros(1, np.int64)


@compiled(early=SMALL)
def _fill(block: Packed, column: Packed, first: int, apart: int, run: int) -> None:
    """Eight runs of bytes, ``apart`` from each other, as the block's rows; 0 where there are none."""
    block[:] = 0
    for k in range(ROWS):
        row, bytes_left = block[TILE * k : TILE * (k + 1)], column[first + k * apart :][:run]
        for at in range(len(bytes_left)):
            row[at] = bytes_left[at]


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
def _weigh(column: Packed, first: int, apart: int, run: int, held: Counts) -> None:
    """Add to each report's number of symbols those of ``run`` of its bytes; reports are ``apart`` from each other."""
    for k in range(len(held)):
        start, more = first + k * apart, np.int64(0)
        for at in range(start, start + run // 8 * 8, 8):
            more += ones(load_word(column, at))
        for at in range(start + run // 8 * 8, start + run):
            more += ones(np.uint64(column[at]))
        held[k] += more


@compiled(early=SMALL)
def _absorb_run(column: Packed, first: int, apart: int, run: int, running: Running, spare: Packed) -> None:
    """Count the bits of eight runs of bytes, ``apart`` from each other."""
    for tile in range(-(-run // TILE)):
        at, digits, out = first + tile * TILE, running.digits[0, tile], next_carries(running, 0, tile)
        if at + (ROWS - 1) * apart + TILE <= len(column):
            absorb(column, at, apart, digits, out)
        else:
            _fill(spare, column, at, apart, min(TILE, run - tile * TILE))
            absorb(spare, 0, TILE, digits, out)
    carry(running)


@compiled(early=SMALL)
def _count(reports: Packed, apart: int, starts: Counts, panel: int, weight: int, held: Counts, counts: Counts) -> int:
    """Add to the counts how many hold each bit of the ``panel`` bytes from each start on, and weigh the reports.

    A row of the adders starts every ``apart`` bytes and is as long; beyond it, in the last tile, counts say nothing.
    What the bytes weigh is added to ``held``; if that is empty, the number of reports with another weight is returned,
    unless it is ANY.
    """
    n, width = reports.shape
    column, beside, wrong = reports.reshape(n * width), apart // width, 0
    running, spare = room_to_count(-(-n // beside), -(-panel // TILE)), np.empty(ROWS * TILE, np.uint8)
    for start in starts:
        begin(running)
        run = min(panel, apart - start)
        for i in range(-(-n // (beside * ROWS))):
            first = start + i * ROWS * apart
            _absorb_run(column, first, apart, run, running, spare)
            if len(held):  # while they are in the cache
                _weigh(column, first, apart, run, held[i * ROWS : (i + 1) * ROWS])
            elif weight != ANY:
                wrong += out_of_weight(reports[i * ROWS * beside : (i + 1) * ROWS * beside], weight)
        add_up(running, counts[8 * start :][: 8 * TILE * -(-run // TILE)])
    return wrong


def _room(width: int) -> Counts:
    """Counts for so many bytes, in whole tiles."""
    return np.zeros(-(-width // TILE) * TILE * 8, np.int64)


def _row_of(size: int) -> int:
    """The bytes of short reports that stand side by side in a row of the adders, if there are ``size`` in all.

    Long rows are read faster; of few reports they would be mostly empty.
    """
    return TILE * min(max(1, size // SHARE), PANEL // TILE // 2)


def _count_rows(reports: Packed, weight: int) -> tuple[Counts, int]:
    """``count_packed`` of one part of a column, in one thread."""
    width = reports.shape[1]
    beside = max(1, _row_of(reports.nbytes) // width)
    counts = _room(beside * width)
    wrong = _count(reports, beside * width, START, beside * width, weight, UNWEIGHED, counts)
    return counts[: 8 * beside * width].reshape(beside, 8 * width).sum(axis=0), wrong


def _count_across(reports: Packed, weight: int) -> tuple[Counts, int]:
    """``count_packed`` of a column of long reports."""
    n, width = reports.shape
    counts = _room(width)

    def work(starts: npt.NDArray[np.intp]) -> Counts:
        held = np.zeros(0 if weight == ANY else n, np.int64)
        _count(reports, width, starts, PANEL, weight, held, counts)
        return held

    panels = np.array_split(np.arange(0, width, PANEL), parts(reports.nbytes, own=8 * PANEL))
    held = added(share(work, panels))
    return counts[: 8 * width], int((held != weight).sum())


def count_packed(reports: Packed, weight: int = ANY) -> tuple[Counts, int]:
    """How many of the packed ``reports`` (n, bytes) hold each bit, pad bits too, and how many have another weight.

    Example:
        >>> count_packed(np.array([[1], [3], [2]], np.uint8), weight=1)
        (array([2, 2, 0, 0, 0, 0, 0, 0]), 1)
    """
    reports = np.ascontiguousarray(reports)
    if reports.size <= FEW and is_early():
        bits = np.unpackbits(reports, axis=1, bitorder="little")
        wrong = 0 if weight == ANY else int((bits.sum(axis=1, dtype=np.int64) != weight).sum())
        return bits.sum(axis=0, dtype=np.int64), wrong
    if reports.shape[1] > PANEL:
        return _count_across(reports, weight)
    found = spread(lambda part: _count_rows(part, weight), reports, 64 * reports.shape[1])
    return added([counts for counts, _ in found]), sum(wrong for _, wrong in found)

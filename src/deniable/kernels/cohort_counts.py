"""How many packed reports of each cohort hold each bit; a report is a cohort in two bytes and then its bits.

Eight bytes of bits become 64 bytes of 0 and 1 and are added to the cohort's 64 counters of a byte each; before one of
them could overflow, the cohort's counters are emptied into wide ones. Whatever the order of the cohorts, no report is
moved.

Limit: a load, an expansion, an addition and a store for every 32 or 64 bits, as wide as the machine's vectors are.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic

from deniable.kernels.bits import Packed
from deniable.kernels.counts import Counts
from deniable.kernels.draws import ALL
from deniable.kernels.threads import added, spread
from deniable.kernels.words import load_word, prefetch

HEAD = 2
"""Bytes of the cohort, the lower one first."""
WORD = 8
LANES = 64
FULL = 255
"""Reports that a counter of one byte holds."""
AHEAD = 2048
"""Bytes between the report that is counted and the one that is asked for."""
COHORT_BITS, COHORT = np.uint64(16), np.uint64(0xFFFF)
"""Where the cohort is in a report that is one word."""

Bytes: TypeAlias = npt.NDArray[np.uint8]


@intrinsic
def _add_bits(typing_context: Any, counters: Any, at: Any, word: Any) -> Any:
    """Add the bits of a word to the 64 counters from ``at`` on, the lowest bit to the first."""
    signature = types.void(counters, types.intp, types.uint64)

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        lanes, bits = ir.VectorType(ir.IntType(8), LANES), ir.VectorType(ir.IntType(1), LANES)
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        place = builder.bitcast(builder.gep(data, [arguments[1]]), lanes.as_pointer())
        held = builder.load(place)
        held.align = 1
        added = builder.add(held, builder.zext(builder.bitcast(arguments[2], bits), lanes))
        builder.store(added, place, align=1)
        return context.get_dummy_value()

    return signature, emit


@njit(cache=True, nogil=True)
def _hold(cohort: np.uint64, held: Bytes, people: Counts, counters: Bytes, counts: Counts) -> None:
    """One report more is in the counters of its cohort: empty them before one could overflow."""
    held[cohort] += np.uint8(1)
    if held[cohort] == np.uint8(FULL):
        _settle(cohort, held, people, counters, counts)


@njit(cache=True, nogil=True)
def _settle(cohort: np.uint64, held: Bytes, people: Counts, counters: Bytes, counts: Counts) -> None:
    """All that is held of a cohort is moved into what is found of it."""
    people[cohort] += np.int64(held[cohort])
    held[cohort] = 0
    narrow, wide = counters[cohort], counts[cohort]
    for j in range(len(wide)):
        wide[j] += np.int64(narrow[j])
    narrow[:] = 0


@njit(cache=True, nogil=True)
def _bytes(column: Bytes, first: int, last: int) -> np.uint64:
    """A few bytes of a column as one word."""
    word = np.uint64(0)
    for at in range(first, last):
        word |= np.uint64(column[at]) << np.uint64(8 * (at - first))
    return word


@njit(cache=True, nogil=True)
def _short(column: Bytes, width: int, held: Bytes, people: Counts, counters: Bytes, counts: Counts) -> int:
    """Add up reports of at most eight bytes, each of them one load; how many are of no cohort."""
    n, row, wrong = len(column) // width, counters.shape[1], 0
    flat, cohorts = counters.reshape(counters.size), np.uint64(len(counters))
    mask = ALL >> np.uint64(8 * (WORD - width))
    whole = max(0, (len(column) - WORD) // width + 1)
    for i in range(n):
        prefetch(column, i * width + AHEAD)
        word = load_word(column, i * width) & mask if i < whole else _bytes(column, i * width, (i + 1) * width)
        cohort = word & COHORT
        if cohort >= cohorts:
            wrong += 1
            continue
        _add_bits(flat, np.intp(cohort) * row, word >> COHORT_BITS)
        _hold(cohort, held, people, counters, counts)
    return wrong


@njit(cache=True, nogil=True)
def _long(column: Bytes, width: int, held: Bytes, people: Counts, counters: Bytes, counts: Counts) -> int:
    """Add up reports of any width; how many are of no cohort."""
    n, row, wrong = len(column) // width, counters.shape[1], 0
    flat, cohorts = counters.reshape(counters.size), np.uint64(len(counters))
    tail = (width - HEAD) % WORD
    mask = (np.uint64(1) << np.uint64(8 * tail)) - np.uint64(1)
    for i in range(n):
        at = i * width + HEAD
        prefetch(column, at + AHEAD)
        cohort = np.uint64(column[at - 2]) | np.uint64(column[at - 1]) << np.uint64(8)
        if cohort >= cohorts:
            wrong += 1
            continue
        place = np.intp(cohort) * row
        for _ in range((width - HEAD) // WORD):
            _add_bits(flat, place, load_word(column, at))
            place, at = place + LANES, at + WORD
        if tail and at + WORD <= len(column):  # the next report's bytes come along and are cleared
            _add_bits(flat, place, load_word(column, at) & mask)
        elif tail:
            _add_bits(flat, place, _bytes(column, at, at + tail))
        _hold(cohort, held, people, counters, counts)
    return wrong


@njit(cache=True, nogil=True)
def _count(reports: Packed, people: Counts, counts: Counts) -> int:
    """Add to ``people`` [cohorts] and ``counts`` [cohorts, bits]; how many reports are of no cohort and left out."""
    (n, width), (cohorts, bits) = reports.shape, counts.shape
    row = -(-bits // LANES) * LANES
    room = np.zeros((cohorts + 1) * row, np.uint8)
    first = -room.ctypes.data % LANES  # a row of counters lies in one line of the cache
    counters, held = room[first : first + cohorts * row].reshape(cohorts, row), np.zeros(cohorts, np.uint8)
    column = reports.reshape(n * width)
    if width <= WORD:
        wrong = _short(column, width, held, people, counters, counts)
    else:
        wrong = _long(column, width, held, people, counters, counts)
    for cohort in range(cohorts):
        _settle(np.uint64(cohort), held, people, counters, counts)
    return wrong


def count_by_cohort(reports: Packed, cohorts: int) -> tuple[Counts, Counts, int]:
    """The people [cohorts], how many of them hold each bit [cohorts, bits], pad bits too, and how many are of none.

    Example:
        >>> count_by_cohort(np.array([[1, 0, 0b101], [1, 0, 0b100], [9, 0, 1]], np.uint8), 2)
        (array([0, 2]), array([[0, 0, 0, 0, 0, 0, 0, 0],
               [1, 0, 2, 0, 0, 0, 0, 0]]), 1)
    """

    def part(reports: Packed) -> tuple[Counts, Counts, int]:
        people = np.zeros(cohorts, np.int64)
        counts = np.zeros((cohorts, 8 * (reports.shape[1] - HEAD)), np.int64)
        return people, counts, _count(np.ascontiguousarray(reports), people, counts)

    own = 9 * cohorts * 8 * (reports.shape[1] - HEAD)  # a small and a wide counter for every bit
    people, counts, wrong = zip(*spread(part, reports, own), strict=True)
    return added(people), added(counts), sum(wrong)

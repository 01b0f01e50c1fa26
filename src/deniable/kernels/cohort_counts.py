"""How many packed reports of each cohort hold each bit; a report is a cohort in two bytes and then its bits.

Eight bytes of bits become 64 bytes of 0 and 1 and are added to the cohort's 64 counters of a byte each; before one of
them could overflow, the cohort's counters are emptied into wide ones. Whatever the order of the cohorts, no report is
moved.

Limit: a load, an expansion, an addition and a store for every 32 or 64 bits, as wide as the machine's vectors are.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic

from deniable.kernels.bits import Packed
from deniable.kernels.counts import Counts
from deniable.kernels.threads import added, spread
from deniable.kernels.words import load_word

HEAD = 2
"""Bytes of the cohort, the lower one first."""
WORD = 8
LANES = 64
FULL = 255
"""Reports that a counter of one byte holds."""


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
def _empty(counters: npt.NDArray[np.uint8], counts: Counts) -> None:
    """Move the counters of a cohort into its wide ones."""
    for j in range(len(counts)):
        counts[j] += np.int64(counters[j])
    counters[:] = 0


@njit(cache=True, nogil=True)
def _bytes(column: npt.NDArray[np.uint8], first: int) -> np.uint64:
    """The last bytes of a column, fewer than eight, as one word."""
    word = np.uint64(0)
    for at in range(first, len(column)):
        word |= np.uint64(column[at]) << np.uint64(8 * (at - first))
    return word


@njit(cache=True, nogil=True)
def _count(reports: Packed, people: Counts, counts: Counts) -> int:
    """Add to ``people`` [cohorts] and ``counts`` [cohorts, bits]; how many reports are of no cohort and left out."""
    n, width = reports.shape
    column, cohorts, bits = reports.reshape(n * width), *counts.shape
    words, wrong, tail = -(-bits // LANES), 0, (width - HEAD) % WORD
    mask = (np.uint64(1) << np.uint64(8 * tail)) - np.uint64(1)
    counters = np.zeros((cohorts, words * LANES), np.uint8)
    flat = counters.reshape(cohorts * words * LANES)
    for i in range(n):
        start = i * width
        cohort = np.int64(column[start]) | np.int64(column[start + 1]) << 8
        if cohort >= cohorts:
            wrong += 1
            continue
        place, at = cohort * words * LANES, start + HEAD
        for _ in range((width - HEAD) // WORD):
            _add_bits(flat, place, load_word(column, at))
            place, at = place + LANES, at + WORD
        if tail and at + WORD <= len(column):  # the next report's bytes come along and are cleared
            _add_bits(flat, place, load_word(column, at) & mask)
        elif tail:
            _add_bits(flat, place, _bytes(column, at))
        people[cohort] += 1
        if people[cohort] % FULL == 0:
            _empty(counters[cohort], counts[cohort])
    for each in range(cohorts):
        _empty(counters[each], counts[each])
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

    people, counts, wrong = zip(*spread(part, reports), strict=True)
    return added(people), added(counts), sum(wrong)

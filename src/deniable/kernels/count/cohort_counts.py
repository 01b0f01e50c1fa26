"""How many packed reports of each cohort hold each bit; a report is a cohort in two bytes and then its bits.

Eight bytes of bits become 64 bytes of 0 and 1 and are added to the cohort's 64 one-byte counters; before one of them
could overflow, the cohort's counters are emptied into wide ones. Reports may come in any order of cohorts; none is
moved.

Limit: a load, an expansion, an addition and a store for every 32 or 64 bits, as wide as the machine's vectors are.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types

from deniable.arrays import Counts, Packed
from deniable.kernels.compiled import compiled, instructions
from deniable.kernels.draw.draws import ALL
from deniable.kernels.early import SMALL
from deniable.kernels.threads import added, spread
from deniable.kernels.words import Place, load_word, prefetch

HEAD = 2
"""Bytes of the cohort, the lower one first."""
WORD = 8
LANES = 64
FULL = 255
"""The most reports that a one-byte counter can hold."""
AHEAD = 2048
"""How many bytes ahead reports are prefetched."""
COHORT = np.uint64(0xFFFF)
"""The bits of a report's first word that hold the cohort."""


def _bits_added(counters: Packed, at: Place, word: np.uint64) -> None:
    """``_add_bits`` in plain Python."""
    counters[at : at + LANES] += np.unpackbits(np.array([word]).view(np.uint8), bitorder="little")


@instructions(_bits_added)
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


@compiled(early=SMALL)
def _until_full(
    column: Packed, first: int, n: int, width: int, held: Packed, flat: Packed, row: int
) -> tuple[int, np.uint64]:
    """Add up reports from ``first`` on until the counters of a cohort are full: the next report, and that cohort.

    Returns ``n`` and the number of cohorts if none became full.
    """
    cohorts, words = np.uint64(len(held)), (width - HEAD - 1) // WORD
    mask = ALL >> np.uint64(8 * (HEAD + WORD * (words + 1) - width))
    for i in range(first, n):
        at = i * width
        prefetch(column, at + AHEAD)
        cohort = load_word(column, at) & COHORT
        if cohort >= cohorts:
            continue
        place, at = np.intp(cohort) * row, at + HEAD
        for _ in range(words):
            _add_bits(flat, place, load_word(column, at))
            place, at = place + LANES, at + WORD
        _add_bits(flat, place, load_word(column, at) & mask)  # the next report's bytes are loaded too and masked out
        held[cohort] += np.uint8(1)
        if held[cohort] == np.uint8(FULL):
            return i + 1, cohort
    return n, cohorts


@compiled(early=SMALL)
def _settle(cohort: np.uint64, held: Packed, people: Counts, counters: Packed, counts: Counts) -> None:
    """Empty a cohort's small counters into its wide ones."""
    people[cohort] += np.int64(held[cohort])
    held[cohort] = 0
    narrow, wide = counters[cohort], counts[cohort]
    for j in range(len(wide)):
        wide[j] += np.int64(narrow[j])
    narrow[:] = 0


@compiled(early=SMALL)
def _add_up(column: Packed, width: int, held: Packed, people: Counts, counters: Packed, counts: Counts) -> None:
    """Add up the reports of a column that has one more word after them; reports whose cohort is too large are left out.

    The loop over reports is a function of its own that returns when counters are full, so that its variables stay in
    registers. Loads from the stack can alias with stores to counters at similar addresses, which stalls some
    processors; whether it happens depends on the addresses and lasts as long as the process.
    """
    n, i = (len(column) - WORD) // width, 0
    flat, row = counters.reshape(counters.size), counters.shape[1]
    while i < n:
        i, full = _until_full(column, i, n, width, held, flat, row)
        if full < np.uint64(len(counters)):
            _settle(full, held, people, counters, counts)


@compiled(early=SMALL)
def _count(reports: Packed, people: Counts, counts: Counts) -> None:
    """Add to ``people`` [cohorts] and ``counts`` [cohorts, bits]; reports whose cohort is too large are left out."""
    (n, width), (cohorts, bits) = reports.shape, counts.shape
    row = -(-bits // LANES) * LANES
    room = np.zeros((cohorts + 1) * row, np.uint8)
    first = -room.ctypes.data % LANES  # every row of counters begins at a cache line
    counters, held = room[first : first + cohorts * row].reshape(cohorts, row), np.zeros(cohorts, np.uint8)
    column, last = reports.reshape(n * width), np.zeros(min(n, WORD) * width + WORD, np.uint8)
    whole = (n - min(n, WORD)) * width
    last[: len(column) - whole] = column[whole:]
    _add_up(column[: whole + WORD], width, held, people, counters, counts)
    _add_up(last, width, held, people, counters, counts)
    for cohort in range(cohorts):
        _settle(np.uint64(cohort), held, people, counters, counts)


def count_by_cohort(reports: Packed, cohorts: int) -> tuple[Counts, Counts, int]:
    """The people [cohorts], how many hold each bit [cohorts, bits], pad bits too, and the reports of no valid cohort.

    Example:
        >>> count_by_cohort(np.array([[1, 0, 0b101], [1, 0, 0b100], [9, 0, 1]], np.uint8), 2)
        (array([0, 2]), array([[0, 0, 0, 0, 0, 0, 0, 0],
               [1, 0, 2, 0, 0, 0, 0, 0]]), 1)
    """

    def part(reports: Packed) -> tuple[Counts, Counts]:
        people = np.zeros(cohorts, np.int64)
        counts = np.zeros((cohorts, 8 * (reports.shape[1] - HEAD)), np.int64)
        _count(np.ascontiguousarray(reports), people, counts)
        return people, counts

    own = 9 * cohorts * 8 * (reports.shape[1] - HEAD)  # a small and a wide counter for every bit
    found, counts = zip(*spread(part, reports, own), strict=True)
    people = added(found)
    return people, added(counts), len(reports) - int(people.sum())

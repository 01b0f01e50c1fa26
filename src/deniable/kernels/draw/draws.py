"""Draws of reports that are one integer each: response, Hadamard, cyclic, and a table of weights.

Every kernel reads a tape of random words and stops before a report that the tape cannot finish:
``(reports done, words used)``. The caller extends the tape from the first word of the unfinished report, so no word
is ever discarded and the distribution stays exact.

There is no branch on whether the report is truthful: both outcomes are drawn, then one is selected. Table look-ups do
depend on the value, so this does not protect against somebody who can observe the processor's cache.

Uniform integers are Lemire's (2019): the upper word of ``word * bound``, rejected while the lower word is below
``2^64 mod bound``.

Limit: the random words, one per report for randomized response, two for the others.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from deniable.arrays import Indices, Integers, Words
from deniable.kernels.compiled import compiled
from deniable.kernels.early import SMALL
from deniable.kernels.words import HALF, LOW, high_product, ones, opaque, prefetch

Table: TypeAlias = npt.NDArray[np.uint64]
AHEAD = 128
"""How many reports ahead values are prefetched."""
ONE, TWO, THREE, FOUR, EIGHT = np.uint64(1), np.uint64(2), np.uint64(3), np.uint64(4), np.uint64(8)
ALL = np.uint64(0xFFFFFFFFFFFFFFFF)


@compiled(early=SMALL)
def rejected_below(bound: np.uint64) -> np.uint64:
    """2^64 mod bound: words whose lower product is below it are rejected, or some integers would be likelier."""
    return (np.uint64(0) - bound) % bound


@compiled(early=SMALL)
def uniform(tape: Words, used: int, bound: np.uint64, floor: np.uint64) -> tuple[np.uint64, int]:
    """An exact uniform integer below ``bound`` and the number of words used so far; 0 and -1 if the tape ran out."""
    while used < len(tape):
        word = tape[used]
        used += 1
        if word * bound >= floor:
            return high_product(word, bound), used
    return np.uint64(0), -1


@compiled(early=SMALL)
def _accepted(tape: Words, used: np.uint64, bound: np.uint64, floor: np.uint64) -> np.uint64:
    """The place of the next word that gives an integer below ``bound``, or the end of the tape."""
    end = np.uint64(len(tape))
    while used < end and tape[used] * bound < floor:
        used += ONE
    return used


@compiled(early=SMALL)
def choose(chosen: bool | np.bool, yes: np.uint64, no: np.uint64) -> np.uint64:
    """``yes`` if chosen, else ``no``: the compiler must make both, and has no condition left to branch on."""
    mask: np.uint64 = opaque(np.uint64(0) - np.uint64(chosen))
    return no ^ ((yes ^ no) & mask)


@compiled(early=SMALL)
def _none_rejected(tape: Words, used: np.uint64, bound: np.uint64, floor: np.uint64) -> bool:
    """Whether none of the next EIGHT words is rejected, that is, each gives an integer below ``bound``."""
    rejected = False
    for k in range(8):
        rejected |= tape[used + np.uint64(k)] * bound < floor
    return not rejected


@compiled(early=SMALL)
def _response(word: np.uint64, value: np.uint64, bonus: np.uint64, total: np.uint64, shift: np.uint64) -> np.uint64:
    """The randomized response that one accepted word decides."""
    coin = high_product(word, total)
    return choose(coin < bonus, value, (coin - bonus) >> shift)


@compiled(early=SMALL)
def draw_response(
    tape: Words, done: int, values: Indices, bonus: np.uint64, total: np.uint64, shift: np.uint64, out: Integers
) -> tuple[int, int]:
    """k-RR: below ``bonus`` = A - B the truth, else a uniform label, ``total`` = bonus + d B, B = 2^shift.

    Eight reports are drawn at once unless one of their words is rejected, which is rare; then the next is drawn alone.
    """
    floor, end, count = rejected_below(total), np.uint64(len(tape)), np.uint64(len(values))
    used, i = np.uint64(0), np.uint64(done)
    while i < count:
        prefetch(values, np.int64(i) + AHEAD)
        if i + EIGHT <= count and used + EIGHT <= end and _none_rejected(tape, used, total, floor):
            for k in range(8):
                at, place = used + np.uint64(k), i + np.uint64(k)
                out[place] = _response(tape[at], np.uint64(values[place]), bonus, total, shift)
            i, used = i + EIGHT, used + EIGHT
            continue
        at = _accepted(tape, used, total, floor)
        if at >= end:
            break
        out[i] = _response(tape[at], np.uint64(values[i]), bonus, total, shift)
        i, used = i + ONE, at + ONE
    return int(i), int(used)


@compiled(early=SMALL)
def on_plus_half(word: np.uint64, row: np.uint64) -> np.uint64:
    """The word if the Hadamard row's sign is + there, else its neighbour across the row's lowest bit.

    Flipping that bit maps the halves onto each other. Multiplying puts the parity at that bit, without a branch.
    """
    low = row & (np.uint64(0) - row)
    return word ^ ((np.uint64(ones(word & row)) * low) & low)


@compiled(early=SMALL)
def draw_hadamard(
    tape: Words,
    done: int,
    values: Indices,
    bonus: np.uint64,
    total: np.uint64,
    part: np.uint64,
    parts: np.uint64,
    out: Integers,
) -> tuple[int, int]:
    """Below ``bonus`` a uniform output of the value's half part, else of all ``parts * part`` outputs.

    Value x has row ``x % (part - 1) + 1`` of part ``x // (part - 1)``; its half is where the row's sign is +.
    Division is by the product of x + 1 and the inverse rounded down: exact below 2^64 / part, and never slower.
    """
    floor, used, end = rejected_below(total), np.uint64(0), np.uint64(len(tape))
    rows, outputs = part - ONE, part * parts - ONE
    inverse = ALL // rows
    for i in range(done, len(values)):
        prefetch(values, i + AHEAD)
        at = _accepted(tape, used, total, floor)
        if at + ONE >= end:
            return i, int(used)
        used = at + ONE + ONE
        place, word = np.uint64(i), tape[at + ONE]
        value = np.uint64(values[place])
        home = high_product(value + ONE, inverse)
        own = on_plus_half(word & rows, value - home * rows + ONE) + home * part
        out[place] = choose(high_product(tape[at], total) < bonus, own, word & outputs)
    return len(values), int(used)


@compiled(early=SMALL)
def draw_coins(
    tape: Words, done: int, bonus: np.uint64, total: np.uint64, out: npt.NDArray[np.uint8]
) -> tuple[int, int]:
    """Coins that are 1 with probability ``bonus`` / ``total``, else 0."""
    floor, used = rejected_below(total), 0
    for i in range(done, len(out)):
        coin, after = uniform(tape, used, total, floor)
        if after < 0:
            return i, used
        used = after
        out[i] = coin < bonus
    return len(out), used


@compiled(early=SMALL)
def draw_rows(
    tape: Words,
    done: int,
    values: Indices,
    bonus: np.uint64,
    total: np.uint64,
    rows: npt.NDArray[np.uint64],
    out: Integers,
) -> tuple[int, int]:
    """With probability ``bonus`` / ``total`` one of the value's own outputs, else one of its noise; from the same word.

    ``rows[x]`` holds where x's noise starts and its mask, where its own outputs start and their mask, and the Hadamard
    row whose + half they are; row 0 is + everywhere.
    """
    floor, used, end = rejected_below(total), np.uint64(0), np.uint64(len(tape))
    column, width = rows.reshape(rows.size), np.uint64(rows.shape[1])
    for i in range(done, len(values)):
        prefetch(values, i + AHEAD)
        at = _accepted(tape, used, total, floor)
        if at + ONE >= end:
            return i, int(used)
        used = at + ONE + ONE
        place, word = np.uint64(i), tape[at + ONE]
        own_row = np.uint64(values[place]) * width
        noise, noise_mask, row = column[own_row], column[own_row + ONE], column[own_row + FOUR]
        own = column[own_row + TWO] + on_plus_half(word & column[own_row + THREE], row)
        out[place] = choose(high_product(tape[at], total) < bonus, own, noise + (word & noise_mask))
    return len(values), int(used)


@compiled(early=SMALL)
def draw_cyclic(
    tape: Words,
    done: int,
    values: Indices,
    bonus: np.uint64,
    total: np.uint64,
    block: npt.NDArray[np.int32],
    length: np.uint64,
    out: Integers,
) -> tuple[int, int]:
    """Below ``bonus`` = |D| (A - B) a uniform shift of D, else of all ``length`` residues; report value + shift.

    Both shifts come from the halves of one word, which is rejected if either half would be biased.
    """
    size, end = np.uint64(len(block)), np.uint64(len(tape))
    floor, used = rejected_below(total), np.uint64(0)
    block_floor, length_floor = (ONE << HALF) % size, (ONE << HALF) % length
    for i in range(done, len(values)):
        prefetch(values, i + AHEAD)
        at = _accepted(tape, used, total, floor)
        after, inside, outside = at, np.uint64(0), np.uint64(0)
        even = False
        while not even:
            after += ONE
            if after >= end:
                return i, int(used)
            inside, outside = (tape[after] & LOW) * size, (tape[after] >> HALF) * length
            even = (inside & LOW) >= block_floor and (outside & LOW) >= length_floor
        used = after + ONE
        place, own, noise = np.uint64(i), np.uint64(block[inside >> HALF]), outside >> HALF
        shifted = np.uint64(values[place]) + choose(high_product(tape[at], total) < bonus, own, noise)
        out[place] = min(shifted, shifted - length)  # unsigned: what is below the length wraps to far above it
    return len(values), int(used)


@compiled(early=SMALL)
def _place(
    coin: np.uint64, cell: np.uint64, shift: np.uint64, ends: Words, row: np.uint64, steps: np.uint64
) -> np.uint64:
    """How many running sums of the row from ``row`` on are at most the coin: what its cell says, then halvings."""
    lower, half = (ONE << shift) - ONE, ONE << steps >> ONE
    place = (cell >> shift) + np.uint64(cell & lower < coin & lower)
    while half:
        place += half & (np.uint64(0) - np.uint64(ends[row + place + half - ONE] <= coin))
        half >>= ONE
    return place


@compiled(early=SMALL)
def draw_table(
    tape: Words,
    done: int,
    values: Indices,
    cells: Table,
    shift: np.uint64,
    ends: Table,
    steps: np.uint64,
    out: Integers,
) -> tuple[int, int]:
    """Reports of any channel of integer weights: row ``ends[x]`` holds the running sums of row x, up to its total.

    ``cells[x, b]`` is of the words from b << ``shift`` on. Its upper bits say how many sums are at most its first word,
    its ``shift`` lower ones after how many more words the next sum comes, less one, or are all set if none does. What
    else may come is found in ``steps`` halvings, as many whichever it is, and none of them a branch. All rows have one
    total, which stands again behind each, 2^steps times. Eight reports are drawn at once, as in ``draw_response``.
    """
    cell_of, end_of, total = cells.reshape(cells.size), ends.reshape(ends.size), ends[0, ends.shape[1] - 1]
    width, length, floor = np.uint64(cells.shape[1]), np.uint64(ends.shape[1]), rejected_below(total)
    end, count, used, i = np.uint64(len(tape)), np.uint64(len(values)), np.uint64(0), np.uint64(done)
    while i < count:
        last = i + EIGHT
        if last > count or used + EIGHT > end or not _none_rejected(tape, used, total, floor):
            last, used = i + ONE, _accepted(tape, used, total, floor)
            if used >= end:
                break
        while i < last:
            coin, value = high_product(tape[used], total), np.uint64(values[i])
            out[i] = _place(coin, cell_of[value * width + (coin >> shift)], shift, end_of, value * length, steps)
            i, used = i + ONE, used + ONE
    return int(i), int(used)

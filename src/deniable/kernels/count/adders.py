"""Counting bits in many rows at once, without turning them into numbers first.

Eight rows of 512 bytes at a time go through carry-save adders (Harley and Seal; Mula, Kurz and Lemire 2018 for the
positional form): seven full adders leave the rows' running count modulo 8 in three digits per bit and one row of
carries, each worth eight. Eight rows of carries are counted in the same way one level up, and so on: a level costs an
eighth of the one below. Bits are turned into numbers once, at the end. Eight, because a processor reads ahead in no
more rows than about that many: with sixteen, long rows took half as long again to read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from llvmlite import ir
from numba import types

from deniable.arrays import Column, Counts, Words
from deniable.kernels.compiled import compiled, instructions
from deniable.kernels.early import SMALL
from deniable.kernels.words import Place

Add: TypeAlias = Callable[[Any, Any, Any], tuple[Any, Any]]
"""A full adder on all bits at once: sum and carry."""

ROWS = 8
WIDE = 64
TILE = 8 * WIDE
"""Bytes of a row that go through the adders together."""
DIGITS = 3
PLANES = 8
"""Digits that become numbers together: those of a byte."""
LANES = 8
"""How many words are added together."""
_NUMBER, _VECTOR, _BYTES = ir.IntType(64), ir.VectorType(ir.IntType(64), LANES), ir.IntType(8).as_pointer()


def _eight_added(digits: Sequence[Any], rows: Sequence[Any], add: Add) -> tuple[Any, Any, Any, Any]:
    """Add eight rows to the three digits; the last of the four is what they carry out."""
    ones, twos, fours = digits
    ones, a = add(ones, rows[0], rows[1])
    ones, b = add(ones, rows[2], rows[3])
    twos, c = add(twos, a, b)
    ones, a = add(ones, rows[4], rows[5])
    ones, b = add(ones, rows[6], rows[7])
    twos, d = add(twos, a, b)
    fours, out = add(fours, c, d)
    return ones, twos, fours, out


def _lanes_added(rows: Column, at: Place, apart: Place, digits: Words, carries: Words, place: Place) -> None:
    """``_add_lanes`` in plain Python."""
    flat = rows.view(np.uint8)
    words = [flat[at + k * apart :][: 8 * LANES].view(np.uint64) for k in range(ROWS)]
    held = [digits[place + WIDE * k :][:LANES].copy() for k in range(DIGITS)]
    for k, found in enumerate(_eight_added(held, words, lambda a, b, c: (a ^ b ^ c, (a & b) | ((a ^ b) & c)))):
        (digits[place + WIDE * k :] if k < DIGITS else carries[place:])[:LANES] = found


@instructions(_lanes_added)
def _add_lanes(typing_context: Any, rows: Any, at: Any, apart: Any, digits: Any, carries: Any, place: Any) -> Any:
    """Add eight words of eight rows, which need not be aligned, to the digits, and write what they carry out.

    The first row's words are at byte ``at``, and rows are ``apart`` bytes from each other. Written as vectors, for the
    compiler cannot know that eight rows and the digits do not overlap.
    """
    signature = types.void(rows, types.intp, types.intp, digits, carries, types.intp)

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        column, digits, carries = (
            context.make_array(signature.args[k])(context, builder, arguments[k]).data for k in (0, 3, 4)
        )
        column, (at, apart, place) = builder.bitcast(column, _BYTES), (arguments[k] for k in (1, 2, 5))

        def vector(base: Any, index: Any) -> Any:
            return builder.bitcast(builder.gep(base, [index]), _VECTOR.as_pointer())

        def digit(k: int) -> Any:
            return vector(digits, builder.add(place, _NUMBER(WIDE * k)))

        def add(a: Any, b: Any, c: Any) -> tuple[Any, Any]:
            half = builder.xor(a, b)
            return builder.xor(half, c), builder.or_(builder.and_(a, b), builder.and_(half, c))

        places = (builder.add(at, builder.mul(apart, _NUMBER(k))) for k in range(ROWS))
        words = [builder.load(vector(column, place), align=1) for place in places]
        held = [builder.load(digit(k), align=8) for k in range(DIGITS)]
        *found, out = _eight_added(held, words, add)
        for k, word in enumerate(found):
            builder.store(word, digit(k), align=8)
        builder.store(out, vector(carries, place), align=8)
        return context.get_dummy_value()

    return signature, emit


class Running(NamedTuple):
    """What was counted so far, by level and tile."""

    digits: Words
    """Three rows a tile: the digits of every bit's count."""
    carries: Words
    """Up to eight rows a tile, which are not yet added up on the level above."""
    filled: Counts
    """How many of those rows there are, for each level."""


@compiled(early=SMALL)
def room_to_count(rows: int, tiles: int) -> Running:
    """Room for counting so many rows, without a carry out of the last level."""
    levels = 1
    while ROWS**levels <= rows:
        levels += 1
    digits = np.empty((levels, tiles, DIGITS * WIDE), np.uint64)
    carries = np.empty((levels, tiles, ROWS * WIDE), np.uint64)
    return Running(digits, carries, np.empty(levels, np.int64))


@compiled(early=SMALL)
def begin(running: Running) -> None:
    """Nothing was counted so far."""
    running.digits[:] = 0
    running.filled[:] = 0


@compiled(early=SMALL)
def absorb(rows: Column, at: Place, apart: Place, digits: Words, out: Words) -> None:
    """Add eight rows of 64 words to a tile's digits; what they carry out goes to ``out``.

    The first row begins at byte ``at``, and rows are ``apart`` bytes from each other.
    """
    for j in range(0, WIDE, LANES):
        _add_lanes(rows, at + 8 * j, apart, digits, out, j)


@compiled(early=SMALL)
def next_carries(running: Running, level: int, tile: int) -> Words:
    """Where a tile's next row of carries goes."""
    return running.carries[level, tile, WIDE * running.filled[level] :][:WIDE]


@compiled(early=SMALL)
def carry(running: Running) -> None:
    """Note one more row of carries; whenever a level has eight, add them up into one row on the level above."""
    level = 0
    running.filled[0] += 1
    while running.filled[level] == ROWS:
        _rise(running, level)
        level += 1


@compiled(early=SMALL)
def _rise(running: Running, level: int) -> None:
    """Add up a level's carries into the digits above and one row of carries there."""
    for tile in range(running.digits.shape[1]):
        above = next_carries(running, level + 1, tile)
        absorb(running.carries[level, tile], 0, TILE, running.digits[level + 1, tile], above)
    running.filled[level] = 0
    running.filled[level + 1] += 1


@compiled(early=SMALL)
def _exchange(planes: Words, apart: int, shift: int, mask: int) -> None:
    """Exchange each row's bits that lie ``shift`` above the mask with those under the mask ``apart`` rows below it."""
    by, under = np.uint64(shift), np.uint64(mask)
    for k in range(PLANES):
        if k & apart == 0:
            upper, lower = planes[k], planes[k + apart]
            for j in range(WIDE):
                moved = (upper[j] >> by ^ lower[j]) & under
                lower[j] ^= moved
                upper[j] ^= moved << by


@compiled(early=SMALL)
def _add_numbers(planes: Words, shift: int, counts: Counts) -> None:
    """Add to the counts 2^shift times the number that each bit's eight digits write, one digit a row.

    First bits change places within the eight bytes above each other, so that each byte is a number; then bytes do
    within eight words, so that the numbers stand in the order of their bits (Warren 2012, Hacker's Delight, 7-3).
    """
    _exchange(planes, 4, 4, 0x0F0F0F0F0F0F0F0F)
    _exchange(planes, 2, 2, 0x3333333333333333)
    _exchange(planes, 1, 1, 0x5555555555555555)
    _exchange(planes, 4, 32, 0x00000000FFFFFFFF)
    _exchange(planes, 2, 16, 0x0000FFFF0000FFFF)
    _exchange(planes, 1, 8, 0x00FF00FF00FF00FF)
    numbers = planes.view(np.uint8)
    for j in range(WIDE):
        for k in range(PLANES):
            held, found = counts[64 * j + 8 * k :][:8], numbers[k, 8 * j :][:8]
            for bit in range(8):
                held[bit] += np.int64(found[bit]) << shift


@compiled(early=SMALL)
def add_up(running: Running, counts: Counts) -> None:
    """Add all that was counted to the counts, of 4096 bits per tile: the carries rise, then digits become numbers."""
    digits, carries, filled = running.digits, running.carries, running.filled
    for level in range(len(digits) - 1):
        if filled[level]:
            carries[level, :, WIDE * filled[level] :] = 0
            _rise(running, level)
    planes = np.empty((PLANES, WIDE), np.uint64)
    for tile in range(len(counts) // (64 * WIDE)):
        for first in range(0, len(digits) * DIGITS, PLANES):
            planes[:] = 0
            for k in range(min(PLANES, len(digits) * DIGITS - first)):
                level, digit = divmod(first + k, DIGITS)
                planes[k] = digits[level, tile, WIDE * digit :][:WIDE]
            _add_numbers(planes, first, counts[64 * WIDE * tile :][: 64 * WIDE])

"""Counting bits in many rows at once, without turning them into numbers first.

Sixteen rows of 512 bytes at a time go through carry-save adders (Harley and Seal; Mula, Kurz and Lemire 2018 for the
positional form): fifteen full adders leave the rows' running count modulo 16 in four digits per bit and one row of
carries, each worth sixteen. Sixteen rows of carries are counted in the same way one level up, and so on: a level costs
a sixteenth of the one below. Bits are turned into numbers once, at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import types

from deniable.arrays import Column, Counts, Words
from deniable.kernels.compiled import compiled, instructions
from deniable.kernels.early import SMALL
from deniable.kernels.words import Place

Add: TypeAlias = Callable[[Any, Any, Any], tuple[Any, Any]]
"""A full adder on all bits at once: sum and carry."""

ROWS = 16
WIDE = 64
TILE = 8 * WIDE
"""Bytes of a row that go through the adders together."""
DIGITS = 4
LANES = 8
"""How many words are added together."""
_NUMBER, _VECTOR, _BYTES = ir.IntType(64), ir.VectorType(ir.IntType(64), LANES), ir.IntType(8).as_pointer()
ONE, TWO = np.uint64(1), np.uint64(2)


def _eight_added(ones: Any, twos: Any, fours: Any, rows: Sequence[Any], add: Add) -> tuple[Any, Any, Any, Any]:
    """Add eight rows to the three lowest digits; the last of the four is what they carry out."""
    ones, a = add(ones, rows[0], rows[1])
    ones, b = add(ones, rows[2], rows[3])
    twos, c = add(twos, a, b)
    ones, a = add(ones, rows[4], rows[5])
    ones, b = add(ones, rows[6], rows[7])
    twos, d = add(twos, a, b)
    fours, out = add(fours, c, d)
    return ones, twos, fours, out


def _sixteen_added(digits: Sequence[Any], rows: Sequence[Any], add: Add) -> tuple[Any, ...]:
    """Add sixteen rows to the four digits; what they carry out is the last."""
    one, two, four, eight = digits
    one, two, four, e = _eight_added(one, two, four, rows[:8], add)
    one, two, four, f = _eight_added(one, two, four, rows[8:], add)
    eight, out = add(eight, e, f)
    return one, two, four, eight, out


def _lanes_added(rows: Column, at: Place, apart: Place, digits: Words, carries: Words, place: Place) -> None:
    """``_add_lanes`` in plain Python."""
    flat = rows.view(np.uint8)
    words = [flat[at + k * apart :][: 8 * LANES].view(np.uint64) for k in range(ROWS)]
    held = [digits[place + WIDE * k :][:LANES].copy() for k in range(DIGITS)]
    for k, found in enumerate(_sixteen_added(held, words, lambda a, b, c: (a ^ b ^ c, (a & b) | ((a ^ b) & c)))):
        (digits[place + WIDE * k :] if k < DIGITS else carries[place:])[:LANES] = found


@instructions(_lanes_added)
def _add_lanes(typing_context: Any, rows: Any, at: Any, apart: Any, digits: Any, carries: Any, place: Any) -> Any:
    """Add eight words of sixteen rows, which need not be aligned, to the digits, and write what they carry out.

    The first row's words are at byte ``at``, and rows are ``apart`` bytes from each other. Written as vectors, for the
    compiler cannot know that sixteen rows and the digits do not overlap.
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
        *found, out = _sixteen_added(held, words, add)
        for k, word in enumerate(found):
            builder.store(word, digit(k), align=8)
        builder.store(out, vector(carries, place), align=8)
        return context.get_dummy_value()

    return signature, emit


@compiled(early=SMALL)
def absorb(rows: Column, at: Place, apart: Place, digits: Words, carries: Words) -> None:
    """Add sixteen rows of 64 words to the four rows of digits; what they carry out goes to ``carries``.

    The first row begins at byte ``at``, and rows are ``apart`` bytes from each other.
    """
    for j in range(0, WIDE, LANES):
        _add_lanes(rows, at + 8 * j, apart, digits, carries, j)


@compiled(early=SMALL)
def levels_for(rows: int) -> int:
    """How many levels count so many rows without a carry out of the last one."""
    levels = 1
    while ROWS**levels <= rows:
        levels += 1
    return levels


@compiled(early=SMALL)
def carry(carries: Words, digits: Words, filled: npt.NDArray[np.int64]) -> None:
    """Note one more row of carries; whenever a level has sixteen, add them up into one row on the level above."""
    level = 0
    filled[0] += 1
    while filled[level] == ROWS:
        _rise(carries, digits, filled, level)
        level += 1


@compiled(early=SMALL)
def _rise(carries: Words, digits: Words, filled: npt.NDArray[np.int64], level: int) -> None:
    """Add up a level's carries into the digits above and one row of carries there."""
    for tile in range(digits.shape[1]):
        above = carries[level + 1, tile, WIDE * filled[level + 1] :][:WIDE]
        absorb(carries[level, tile], 0, TILE, digits[level + 1, tile], above)
    filled[level] = 0
    filled[level + 1] += 1


@compiled(early=SMALL)
def _numbers(digits: Words, level: int, counts: Counts) -> None:
    """Add to the counts 16^level times the number that each bit's four digits write; a vector of bits at a time."""
    shift = np.uint64(DIGITS * level)
    for j in range(WIDE):
        one, two, four, eight = digits[j], digits[j + 64], digits[j + 128], digits[j + 192]
        if one | two | four | eight == 0:
            continue
        held = counts[64 * j :][:64]
        for bit in range(64):
            place = np.uint64(bit)
            low = (one >> place & ONE) | (two >> place & ONE) << ONE
            high = (four >> place & ONE) | (eight >> place & ONE) << ONE
            held[bit] += np.int64((low | high << TWO) << shift)


@compiled(early=SMALL)
def add_up(carries: Words, digits: Words, filled: npt.NDArray[np.int64], counts: Counts) -> None:
    """Add all that was counted to the counts, of 4096 bits per tile: the carries rise, then digits become numbers."""
    for level in range(len(digits) - 1):
        carries[level, :, WIDE * filled[level] :] = 0
        _rise(carries, digits, filled, level)
    for tile in range(digits.shape[1]):
        for level in range(len(digits)):
            _numbers(digits[level, tile], level, counts[64 * WIDE * tile :][: 64 * WIDE])

"""Counting bits in many rows at once, without turning them into numbers first.

Sixteen rows of 512 bytes at a time go through carry-save adders (Harley and Seal; Mula, Kurz and Lemire 2018 for the
positional form): fifteen full adders leave the rows' running count modulo 16 in four digits per bit and one row of
carries, each worth sixteen. Sixteen rows of carries are counted in the same way one level up, and so on: a level costs
a sixteenth of the one below. Bits are turned into numbers once, at the end.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from deniable.arrays import Counts, Words
from deniable.kernels.compiled import compiled
from deniable.kernels.early import SMALL

ROWS = 16
WIDE = 64
TILE = 8 * WIDE
"""Bytes of a row that go through the adders together."""
DIGITS = 4
ONE, TWO = np.uint64(1), np.uint64(2)


@compiled(early=SMALL)
def _add(a: np.uint64, b: np.uint64, c: np.uint64) -> tuple[np.uint64, np.uint64]:
    """A full adder on 64 bits at once: sum and carry."""
    half = a ^ b
    return half ^ c, (a & b) | (half & c)


@compiled(early=SMALL)
def _absorb_eight(
    rows: Words, j: int, one: np.uint64, two: np.uint64, four: np.uint64
) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64]:
    """Add a word of eight rows to the three lowest digits; the last word is what they carry out."""
    one, a = _add(one, rows[j], rows[j + 64])
    one, b = _add(one, rows[j + 128], rows[j + 192])
    two, c = _add(two, a, b)
    one, a = _add(one, rows[j + 256], rows[j + 320])
    one, b = _add(one, rows[j + 384], rows[j + 448])
    two, d = _add(two, a, b)
    four, out = _add(four, c, d)
    return one, two, four, out


@compiled(early=SMALL)
def absorb(rows: Words, digits: Words, carries: Words) -> None:
    """Add sixteen rows of 64 words to the four rows of digits; what they carry out goes to ``carries``."""
    for j in range(WIDE):
        one, two, four, e = _absorb_eight(rows, j, digits[j], digits[j + 64], digits[j + 128])
        one, two, four, f = _absorb_eight(rows, j + 8 * WIDE, one, two, four)
        digits[j], digits[j + 64], digits[j + 128] = one, two, four
        digits[j + 192], carries[j] = _add(digits[j + 192], e, f)


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
        absorb(carries[level, tile], digits[level + 1, tile], above)
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

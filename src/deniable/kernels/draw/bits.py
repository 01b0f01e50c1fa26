"""Draws of packed bits: Bernoulli words, unary reports and subsets of exact size.

Bits are little-endian: symbol j is bit j & 7 of byte j >> 3, so on a little-endian machine also bit j & 63 of
word j >> 6. The tape convention is that of kernels/draw/draws.py.

Limit: random words. A Bernoulli word costs about 9 (256 coins are decided together, and each round halves the
undecided ones: 8 rounds and 1.3 more), a subset about 9 for 64 symbols and a dozen or so for its exact size.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types

from deniable.arrays import Indices, Packed, Words
from deniable.kernels.compiled import compiled, instructions
from deniable.kernels.draw.draws import ALL, ONE
from deniable.kernels.early import SMALL
from deniable.kernels.words import spread

GROUP = 4
_WORD = ir.IntType(64)
_GROUP = ir.VectorType(_WORD, GROUP)


def _settle(builder: Any, tape: Any, end: Any, start: Any, below: Any) -> tuple[Any, Any]:
    """Emit the loop over the bound's bits: the lanes below the bound, and the tape's position, -1 if it ran out."""
    before = builder.block
    loop, more, bit, short, after = (builder.append_basic_block() for _ in range(5))
    builder.branch(loop)
    builder.position_at_end(loop)
    equal, smaller = builder.phi(_GROUP), builder.phi(_GROUP)  # lanes equal to the bound's leading bits, and below it
    bound, bits, at = builder.phi(_WORD), builder.phi(_WORD), builder.phi(_WORD)
    some = builder.bitcast(builder.icmp_unsigned("!=", equal, _GROUP(None)), ir.IntType(GROUP))
    open_still = builder.and_(builder.icmp_unsigned("!=", some, some.type(0)), builder.icmp_signed(">", bits, _WORD(0)))
    builder.cbranch(open_still, more, after)
    builder.position_at_end(more)
    beyond = builder.add(at, _WORD(GROUP))
    builder.cbranch(builder.icmp_signed("<=", beyond, end), bit, short)
    builder.position_at_end(bit)
    words = builder.load(builder.bitcast(builder.gep(tape, [at]), _GROUP.as_pointer()), align=8)
    one = spread(builder, builder.ashr(bound, _WORD(63)), GROUP)
    same = builder.xor(words, builder.not_(one))
    below_now = builder.or_(smaller, builder.and_(one, builder.and_(equal, builder.not_(same))))
    state: list[tuple[Any, Any]] = [(equal, builder.and_(equal, same)), (smaller, below_now), (at, beyond)]
    state += [(bound, builder.shl(bound, _WORD(1))), (bits, builder.sub(bits, _WORD(1)))]
    builder.branch(loop)
    first = {equal: _GROUP([-1] * GROUP), smaller: _GROUP(None), at: start, bound: below, bits: _WORD(64)}
    for phi, following in state:
        phi.add_incoming(first[phi], before)
        phi.add_incoming(following, bit)
    builder.position_at_end(short)
    builder.branch(after)
    builder.position_at_end(after)
    used = builder.phi(_WORD)
    used.add_incoming(at, loop)
    used.add_incoming(_WORD(-1), short)
    return smaller, used


def _group_drawn(tape: Words, at: int, below: np.uint64, out: Words, place: int) -> int:
    """``_draw_group`` in plain Python."""
    equal, smaller = np.full(GROUP, ALL), np.zeros(GROUP, np.uint64)
    bound, bits = below, 64
    while equal.any() and bits > 0 and at + GROUP <= len(tape):
        same = tape[at : at + GROUP] if bound >> np.uint64(63) else ~tape[at : at + GROUP]
        smaller |= equal & ~same if bound >> np.uint64(63) else np.uint64(0)
        equal &= same
        bound, bits, at = bound << ONE, bits - 1, at + GROUP
    out[place : place + GROUP] = smaller
    return -1 if equal.any() and bits > 0 else at


@instructions(_group_drawn)
def _draw_group(typing_context: Any, tape: Any, at: Any, below: Any, out: Any, place: Any) -> Any:
    """Write one group of Bernoulli words into ``out`` from ``place`` on; the tape's new position, -1 if it ran out."""
    signature = types.intp(tape, types.intp, types.uint64, out, types.intp)

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        read, written = (context.make_array(signature.args[k])(context, builder, arguments[k]) for k in (0, 3))
        smaller, used = _settle(builder, read.data, read.nitems, arguments[1], arguments[2])
        target = builder.bitcast(builder.gep(written.data, [arguments[4]]), _GROUP.as_pointer())
        builder.store(smaller, target, align=8)  # if the tape ran out, this is overwritten later
        return used

    return signature, emit


@compiled(early=SMALL)
def draw_bernoulli(tape: Words, done: int, below: np.uint64, out: Words) -> tuple[int, int]:
    """Words whose bits are 1 with probability ``below`` / 2^64 exactly; ``len(out)`` is a multiple of GROUP.

    Each lane compares its own 64-bit uniform with ``below``, most significant bit first, until all are decided. The
    lanes of a group form one vector, written in LLVM because the compiler would not vectorize scalars.
    """
    used = 0
    for first in range(done, len(out), GROUP):
        after = _draw_group(tape, used, below, out, first)
        if after < 0:
            return first, used
        used = after
    return len(out), used


@compiled(early=SMALL)
def flip_own(reports: Packed, values: Indices, last: np.uint8) -> None:
    """Turn noise into Rappor reports: the own bit is inverted, pad bits (outside ``last``) are cleared."""
    for i in range(len(values)):
        reports[i, -1] &= last
        reports[i, values[i] >> 3] ^= np.uint8(1 << (values[i] & 7))


@compiled(early=SMALL)
def toss_own(reports: Packed, values: Indices, last: np.uint8, coins: Words) -> None:
    """Turn noise into OptimizedUnary reports: the own bit becomes a fair coin, bit i & 63 of word i >> 6."""
    for i in range(len(values)):
        reports[i, -1] &= last
        byte, bit = values[i] >> 3, np.uint8(values[i] & 7)
        coin = np.uint8((coins[i >> 6] >> np.uint64(i & 63)) & ONE)
        reports[i, byte] = (reports[i, byte] & ~np.uint8(1 << bit)) | np.uint8(coin << bit)

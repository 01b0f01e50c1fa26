"""Random words: the counter-based source for simulation, and the widening product for exact integers.

Philox4x32-10 (Salmon, Moraes, Dror and Shaw 2011) enciphers a counter, so any part of a stream can be computed
without the part before it. Not for devices: anyone who knows the seed knows the noise.

Limit: twenty 32-bit products for two words. Eight counters are enciphered at once, as vectors; a machine with narrower
vectors splits them.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from llvmlite import ir
from numba import types

from deniable.arrays import Column, Words
from deniable.kernels.compiled import compiled, instructions
from deniable.kernels.early import SMALL

Place: TypeAlias = int | np.signedinteger[Any]

LOW = np.uint64(0xFFFFFFFF)
HALF = np.uint64(32)
ABREAST = 8
ROUNDS = 10
_LANES = ir.VectorType(ir.IntType(64), ABREAST)
_PAIRS = [lane + side for lane in range(ABREAST) for side in (0, ABREAST)]


def _lanes(number: int) -> Any:
    """The same number in every lane."""
    return ir.Constant(_LANES, [number] * ABREAST)


def spread(builder: Any, word: Any, lanes: int) -> Any:
    """One word in every lane of a vector."""
    vector, places = ir.VectorType(word.type, lanes), ir.VectorType(ir.IntType(32), lanes)
    first = builder.insert_element(ir.Constant(vector, ir.Undefined), word, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(first, first, ir.Constant(places, [0] * lanes))


def _rounds(builder: Any, a: Any, b: Any, c: Any, d: Any, key: Any, other: Any) -> tuple[Any, Any]:
    """The words after the ten rounds, which work on 32-bit halves, each in a lane of 64 bits."""
    low, half = _lanes(0xFFFFFFFF), _lanes(32)
    for _ in range(ROUNDS):
        left = builder.mul(_lanes(0xD2511F53), a)
        right = builder.mul(_lanes(0xCD9E8D57), c)
        a, b, c, d = (
            builder.xor(builder.xor(builder.lshr(right, half), b), key),
            builder.and_(right, low),
            builder.xor(builder.xor(builder.lshr(left, half), d), other),
            builder.and_(left, low),
        )
        key = builder.and_(builder.add(key, _lanes(0x9E3779B9)), low)
        other = builder.and_(builder.add(other, _lanes(0xBB67AE85)), low)
    return builder.or_(a, builder.shl(b, half)), builder.or_(c, builder.shl(d, half))


def _enciphered(key: np.uint64, stream: np.uint64, counter: np.uint64, out: Words, at: int) -> None:
    """``_encipher`` in plain Python."""
    counters = counter + np.arange(ABREAST, dtype=np.uint64)
    a, b = counters & LOW, counters >> HALF
    c, d = (np.full(ABREAST, half) for half in (stream & LOW, stream >> HALF))
    first, second = key & LOW, key >> HALF
    for _ in range(ROUNDS):
        left, right = np.uint64(0xD2511F53) * a, np.uint64(0xCD9E8D57) * c
        a, b, c, d = (right >> HALF) ^ b ^ first, right & LOW, (left >> HALF) ^ d ^ second, left & LOW
        first, second = (first + np.uint64(0x9E3779B9)) & LOW, (second + np.uint64(0xBB67AE85)) & LOW
    out[at : at + 2 * ABREAST : 2] = a | (b << HALF)
    out[at + 1 : at + 2 * ABREAST : 2] = c | (d << HALF)


@instructions(_enciphered)
def _encipher(typing_context: Any, key: Any, stream: Any, counter: Any, out: Any, at: Any) -> Any:
    """Write the words of ``counter`` and the seven after it into ``out`` from ``at`` on: sixteen words."""
    signature = types.void(types.uint64, types.uint64, types.uint64, out, types.intp)

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        low, half = _lanes(0xFFFFFFFF), _lanes(32)
        key, stream, counter = (spread(builder, argument, ABREAST) for argument in arguments[:3])
        counter = builder.add(counter, ir.Constant(_LANES, list(range(ABREAST))))
        halves = [f for word in (counter, stream, key) for f in (builder.and_(word, low), builder.lshr(word, half))]
        first, second = _rounds(builder, *halves)
        data = context.make_array(signature.args[3])(context, builder, arguments[3]).data
        for step in range(2):
            order = _PAIRS[step * ABREAST : (step + 1) * ABREAST]
            mask = ir.Constant(ir.VectorType(ir.IntType(32), ABREAST), order)
            place = builder.gep(data, [builder.add(arguments[4], ir.Constant(ir.IntType(64), step * ABREAST))])
            words = builder.shuffle_vector(first, second, mask)
            builder.store(words, builder.bitcast(place, _LANES.as_pointer()), align=8)
        return context.get_dummy_value()

    return signature, emit


@compiled(early=SMALL)
def philox(key: np.uint64, stream: np.uint64, first: np.uint64, out: Words) -> None:
    """Fill ``out``, of even length, with words of ``stream``: counter ``first`` gives the first two, and so on."""
    whole = len(out) // (2 * ABREAST) * (2 * ABREAST)
    for at in range(0, whole, 2 * ABREAST):
        _encipher(key, stream, first + np.uint64(at // 2), out, at)
    if whole < len(out):
        rest = np.empty(2 * ABREAST, np.uint64)
        _encipher(key, stream, first + np.uint64(whole // 2), rest, 0)
        out[whole:] = rest[: len(out) - whole]


def _upper_half(a: np.uint64, b: np.uint64) -> np.uint64:
    """``high_product`` in plain Python."""
    return np.uint64(int(a) * int(b) >> 64)


@instructions(_upper_half)
def high_product(typing_context: Any, a: Any, b: Any) -> Any:
    """The upper 64 bits of the 128-bit product of two words: one machine instruction."""
    signature = types.uint64(types.uint64, types.uint64)

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        wide = ir.IntType(128)
        left, right = (builder.zext(argument, wide) for argument in arguments)
        product = builder.lshr(builder.mul(left, right), ir.Constant(wide, 64))
        return builder.trunc(product, ir.IntType(64))

    return signature, emit


@compiled(early=SMALL)
def ones(word: np.uint64) -> np.int64:
    """The number of set bits; the compiler recognises this pattern and uses one instruction, also for whole vectors."""
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


def _same(word: np.uint64) -> np.uint64:
    """``opaque`` in plain Python, which does not look ahead."""
    return word


@instructions(_same)
def opaque(typing_context: Any, word: Any) -> Any:
    """The same word, hidden from the compiler's analysis, so that it cannot turn arithmetic on it into a branch."""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        word = ir.IntType(64)
        return builder.asm(ir.FunctionType(word, [word]), "", "=r,0", arguments, False)

    return types.uint64(types.uint64), emit


def _not_asked(column: Column, at: Place) -> None:
    """``prefetch`` in plain Python: nothing, for it changes no result."""


@instructions(_not_asked)
def prefetch(typing_context: Any, column: Any, at: Any) -> Any:
    """Prefetch the cache line of an element, which may lie beyond the end.

    In a loop with much work per element the processor does not look far enough ahead to hide the latency of memory.
    """
    signature = types.void(column, types.intp)

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        number, place = ir.IntType(32), ir.IntType(8).as_pointer()
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        ask = ir.FunctionType(ir.VoidType(), [place, number, number, number])
        wanted = builder.bitcast(builder.gep(data, [arguments[1]]), place)
        function = builder.module.declare_intrinsic("llvm.prefetch", [place], ask)
        builder.call(function, [wanted, number(0), number(3), number(1)])  # to read, to keep, data
        return context.get_dummy_value()

    return signature, emit


def _eight_bytes(column: Column, at: Place) -> np.uint64:
    """``load_word`` in plain Python."""
    return np.uint64(column[at : at + 8].view(np.uint64)[0])


@instructions(_eight_bytes)
def load_word(typing_context: Any, column: Any, at: Any) -> Any:
    """Eight bytes from index ``at``, which need not be aligned, as one word."""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        place = builder.bitcast(builder.gep(data, [arguments[1]]), ir.IntType(64).as_pointer())
        word = builder.load(place)
        word.align = 1
        return word

    return types.uint64(column, types.intp), emit

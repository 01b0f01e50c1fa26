"""Random words: the counter-based source for simulation, and the widening product for exact integers.

Philox4x32-10 (Salmon, Moraes, Dror and Shaw 2011) enciphers a counter, so any part of a stream can be had without
what came before. Not for devices: whoever knows the seed knows the noise.

Limit: about twenty 32-bit multiplications a pair of words; memory is not the bound.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic

Words: TypeAlias = npt.NDArray[np.uint64]
State: TypeAlias = tuple[np.uint64, np.uint64, np.uint64, np.uint64, np.uint64, np.uint64]

LOW = np.uint64(0xFFFFFFFF)
HALF = np.uint64(32)


@njit(cache=True, nogil=True)
def _two_rounds(a: np.uint64, b: np.uint64, c: np.uint64, d: np.uint64, k: np.uint64, m: np.uint64) -> State:
    left, right = np.uint64(0xD2511F53) * a, np.uint64(0xCD9E8D57) * c
    a, b, c, d = (right >> HALF) ^ b ^ k, right & LOW, (left >> HALF) ^ d ^ m, left & LOW
    k, m = (k + np.uint64(0x9E3779B9)) & LOW, (m + np.uint64(0xBB67AE85)) & LOW
    left, right = np.uint64(0xD2511F53) * a, np.uint64(0xCD9E8D57) * c
    a, b, c, d = (right >> HALF) ^ b ^ k, right & LOW, (left >> HALF) ^ d ^ m, left & LOW
    return a, b, c, d, (k + np.uint64(0x9E3779B9)) & LOW, (m + np.uint64(0xBB67AE85)) & LOW


@njit(cache=True, nogil=True)
def philox(key: np.uint64, stream: np.uint64, first: np.uint64, out: Words) -> None:
    """Fill ``out``, of even length, with words of ``stream``: counter ``first`` gives the first two, and so on."""
    stream_low, stream_high = stream & LOW, stream >> HALF
    key_low, key_high = key & LOW, key >> HALF
    for i in range(len(out) // 2):
        counter = first + np.uint64(i)
        a, b, c, d, k, m = _two_rounds(counter & LOW, counter >> HALF, stream_low, stream_high, key_low, key_high)
        a, b, c, d, k, m = _two_rounds(a, b, c, d, k, m)
        a, b, c, d, k, m = _two_rounds(a, b, c, d, k, m)
        a, b, c, d, k, m = _two_rounds(a, b, c, d, k, m)
        a, b, c, d, k, m = _two_rounds(a, b, c, d, k, m)
        out[2 * i] = a | (b << HALF)
        out[2 * i + 1] = c | (d << HALF)


@intrinsic
def high_product(typing_context: Any, a: Any, b: Any) -> Any:
    """The upper 64 bits of the 128-bit product of two words: one machine instruction."""
    signature = types.uint64(types.uint64, types.uint64)

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        wide = ir.IntType(128)
        left, right = (builder.zext(argument, wide) for argument in arguments)
        product = builder.lshr(builder.mul(left, right), ir.Constant(wide, 64))
        return builder.trunc(product, ir.IntType(64))

    return signature, emit

"""Sources of random words, and the tape that feeds the words to the kernels."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import local
from typing import Any, Protocol, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from deniable.arrays import Indices, Words
from deniable.kernels._kernels import draw_below, philox
from deniable.protocol.checks import check_int
from deniable.protocol.errors import ParameterError

Integer = TypeVar("Integer", np.uint32, np.int64, np.uint64)
Step: TypeAlias = Callable[[Words, int], tuple[int, int]]
"""A kernel with its inputs bound: from a tape and the number done so far to the number done now and the words used."""

_CHUNK = 1 << 16
"""Words of a tape: more would not fit in the L2 cache, fewer would make threads contend for Python's lock."""
_ROOM = 1 << 10
"""Extra room for words of an unfinished report, kept for the next round; if it is too small, a longer tape is made."""
_FEW = 1 << 8
"""So many words are had as soon from the system itself as from a cipher that must first be made."""
_MASK = (1 << 64) - 1
_MOST = {np.dtype(kind): int(np.iinfo(kind).max) for kind in (np.uint32, np.int64, np.uint64)}
_KEPT = local()
"""Per thread: the tape that it reuses for seeded words."""


class Entropy(Protocol):
    """A source of uniform 64-bit words."""

    def words(self, count: int) -> Words:
        """The next ``count`` words of the source, as uint64."""
        ...

    def part(self, index: int) -> Entropy:
        """A source for the ``index``-th part of a column, independent of the others."""
        ...


@dataclass(frozen=True, slots=True)
class SystemEntropy:
    """The operating system's generator, asked on every call: nothing is kept that a fork could copy.

    Many words are AES-256 in counter mode under a key that the system gives for this call alone, which is thirty times
    as fast as asking it for every word.

    >>> import deniable as dn
    >>> dn.RandomizedResponse(2, epsilon=1.0).privatize(0, entropy=dn.SystemEntropy()) in (0, 1)
    True
    """

    def words(self, count: int) -> Words:
        """The next ``count`` words of the source, as uint64."""
        out = np.empty(count, np.uint64)
        self.write(out)
        return out

    def write(self, out: Words) -> None:
        """Write new words into ``out``."""
        if len(out) <= _FEW:
            out[:] = np.frombuffer(os.urandom(out.nbytes), np.uint64)
            return
        from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes  # loads OpenSSL

        out[:] = 0
        cipher = Cipher(algorithms.AES256(os.urandom(32)), modes.CTR(bytes(16))).encryptor()
        place = out.data.cast("B")
        cipher.update_into(place, place)

    def part(self, index: int) -> SystemEntropy:
        """The same source, since the operating system's words are independent anyway."""
        return self


@dataclass(slots=True)
class SeededEntropy:
    """Philox words of a seed: repeatable, so for simulation and tests only, never on a device.

    >>> SeededEntropy(7).words(2).tolist() == SeededEntropy(7).words(2).tolist()
    True
    """

    seed: int
    path: tuple[int, ...] = ()
    _counter: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        if isinstance(self.seed, bool) or not isinstance(self.seed, int | np.integer):
            raise ParameterError(f"seed must be an int, got {type(self.seed).__name__}")
        if not 0 <= self.seed <= _MASK:
            raise ParameterError(f"seed must be between 0 and 2^64 - 1, got seed={self.seed}")

    def words(self, count: int) -> Words:
        """The next ``count`` words; an odd count leaves one word of its last pair unused."""
        out = np.empty(count + (count & 1), np.uint64)
        self.write(out)
        return out[:count]

    def write(self, out: Words) -> None:
        """Write the next words into ``out``, whose length must be even."""
        philox(np.uint64(self.seed), np.uint64(_stream(self.path)), np.uint64(self._counter), out)
        self._counter += len(out) // 2

    def part(self, index: int) -> SeededEntropy:
        """A separate stream of the same seed for every path of part numbers; parts may have parts."""
        return SeededEntropy(self.seed, (*self.path, index))


def entropy_of(seed: int | None) -> Entropy:
    """The seeded source, for simulation, or the operating system's if ``seed`` is None.

    >>> entropy_of(7).words(2).tolist() == SeededEntropy(7).words(2).tolist()
    True
    """
    return SystemEntropy() if seed is None else SeededEntropy(seed)


def checked_entropy(entropy: Any) -> Entropy:
    """``entropy`` if it is a source of words, or the operating system's source if it is None."""
    if entropy is not None and not hasattr(entropy, "words"):
        raise ParameterError(f"entropy must be a source such as SeededEntropy(7), got {type(entropy).__name__}")
    source: Entropy = SystemEntropy() if entropy is None else entropy
    return source


def _stream(path: tuple[int, ...]) -> int:
    """The stream number of a path: 0 for the root, otherwise a hash; two paths collide with probability 2^-64."""
    if not path:
        return 0
    return int.from_bytes(hashlib.sha256(repr(path).encode()).digest()[:8], "little")


def _tape(entropy: Entropy, first: int) -> Words:
    """Memory for words; for seeded words each thread reuses its own, as allocating takes as long as filling.

    Memory that held the operating system's words is never kept.
    """
    if not isinstance(entropy, SeededEntropy):
        return np.empty(first + _ROOM, np.uint64)
    if not hasattr(_KEPT, "tape"):
        _KEPT.tape = np.empty(_CHUNK + _ROOM, np.uint64)
    tape: Words = _KEPT.tape
    return tape


def _extend(tape: Words, held: int, entropy: Entropy, wanted: int) -> tuple[Words, int]:
    """The tape filled with new words after its first ``held``, and how many words it holds now."""
    if not isinstance(entropy, SeededEntropy | SystemEntropy):
        words = entropy.words(wanted)
        return np.concatenate((tape[:held], words)), held + len(words)
    count = wanted + (wanted & 1)  # seeded words come in pairs
    if len(tape) < held + count:
        tape = np.concatenate((tape[:held], np.empty(count, np.uint64)))
    entropy.write(tape[held : held + count])
    return tape, held + wanted


def feed(entropy: Entropy, step: Step, count: int, words_each: float) -> None:
    """Run ``step``, which tells the draws done and words used, until ``count`` are done, of some ``words_each`` each.

    When a tape ends inside a draw, the draw is repeated on the same words followed by new ones: no word is discarded
    because of its value. Words left over at the end have not been used.
    """
    wanted, held, done = _wanted(count, words_each), 0, 0
    tape = _tape(entropy, wanted)
    while done < count:
        wanted = _wanted(count - done, words_each)
        tape, held = _extend(tape, held, entropy, wanted)
        done, used = step(tape[:held], done)
        tape[: held - used] = tape[used:held]
        held -= used


def _wanted(count: int, words_each: float) -> int:
    """How many words are drawn at a time for so many draws: a few more than they take on average."""
    return min(int(count * words_each * 1.02) + 32, _CHUNK)


def draw_uniform(people: int, below: int, entropy: Entropy) -> Indices:
    """An exactly uniform integer below ``below`` for each person, such as their cohort or group.

    >>> draw_uniform(3, 1, SystemEntropy()).tolist()
    [0, 0, 0]
    """
    return fill_uniform(np.empty(people, np.int64), below, entropy)


def fill_uniform(out: npt.NDArray[Integer], below: int, entropy: Entropy) -> npt.NDArray[Integer]:
    """``out``, filled with exactly uniform integers below ``below``; all of these must fit into its type."""
    bound = np.uint64(check_int("below", below, 1, _MOST[out.dtype]))
    feed(entropy, lambda tape, done: draw_below(tape, done, bound, out), len(out), 1 + below / 2**64)
    return out

"""Entropy: the system's is fresh in every process, the seeded one is addressed and repeatable."""

from __future__ import annotations

import os
from threading import Thread
from typing import Any

import numpy as np
import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

import deniable as dn
from deniable.kernels import threads
from deniable.privacy import entropy
from deniable.privacy.entropy import SeededEntropy, SystemEntropy, feed
from deniable.protocol.errors import ParameterError

FEW, MANY = 8, 5000
"""So many words come from the system itself, and from a cipher."""


@pytest.mark.parametrize("count", [FEW, MANY])
def test_forked_processes_do_not_share_noise(count: int) -> None:
    """A child forked after use draws other words than its parent and its siblings."""
    entropy = SystemEntropy()
    drawn = [entropy.words(count)[:8].tolist()]
    for _ in range(3):
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.write(writing, entropy.words(count)[:8].tobytes())
            os._exit(0)
        os.waitpid(child, 0)
        drawn.append(np.frombuffer(os.read(reading, 64), np.uint64).tolist())
    drawn.append(entropy.words(count)[:8].tolist())
    assert len({tuple(words) for words in drawn}) == 5


def test_many_words_are_a_keystream_under_a_key_of_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    """The blocks are the enciphered numbers 0, 1, 2 and so on; every call has a key of its own, of 32 bytes."""
    keys = [bytes([call]) * 32 for call in range(2)]
    asked: list[int] = []

    def given(size: int) -> bytes:
        asked.append(size)
        return keys[len(asked) - 1]

    monkeypatch.setattr(os, "urandom", given)
    for key in keys:
        blocks = Cipher(algorithms.AES256(key), modes.ECB()).encryptor()
        counted = b"".join(number.to_bytes(16, "big") for number in range(MANY // 2))
        assert SystemEntropy().words(MANY).tobytes() == blocks.update(counted)
    assert asked == [32, 32]


def test_no_word_of_the_system_comes_twice() -> None:
    """Two of 400,000 words are equal with a chance below 5e-9; words of one key repeated would be seen."""
    words = np.concatenate([SystemEntropy().words(100_000) for _ in range(4)])
    assert len(np.unique(words)) == len(words)


def test_seeded_streams_differ() -> None:
    root = SeededEntropy(5)
    parts = [tuple(root.part(i).part(j).words(4).tolist()) for i in range(10) for j in range(10)]
    parts += [tuple(root.part(i).words(4).tolist()) for i in range(10)] + [tuple(SeededEntropy(5).words(4).tolist())]
    assert len(set(parts)) == 111
    assert root.part(3).words(5).tolist() == SeededEntropy(5).part(3).words(5).tolist()


def test_seeded_words_continue() -> None:
    whole, pieces = SeededEntropy(1).words(10), SeededEntropy(1)
    assert np.array_equal(np.concatenate([pieces.words(4), pieces.words(6)]), whole)
    assert len(SeededEntropy(1).words(3)) == 3


def test_columns_do_not_depend_on_the_number_of_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    m, values = dn.OptimizedUnary(20000, 1.0), np.arange(6000) % 20000
    many = m.privatize_many(values, seed=3)
    monkeypatch.setattr(threads, "processors", lambda: 1)
    assert np.array_equal(m.privatize_many(values, seed=3), many)


def test_words_are_fair() -> None:
    """Each bit of a million words, fixed seed: within 6 standard deviations, false alarm 64 * 2e-9 < 1.3e-7."""
    bits = np.unpackbits(SeededEntropy(2).words(1_000_000).view(np.uint8)).reshape(-1, 64)
    assert np.abs(bits.sum(axis=0, dtype=np.int64) - 500_000).max() < 6 * 500


@pytest.mark.parametrize("seed", [-1, 1 << 64, 1.5, "1", True])
def test_bad_seed(seed: Any) -> None:
    with pytest.raises(dn.ParameterError, match="seed must"):
        SeededEntropy(seed)


def test_feed_survives_a_tape_that_ends_in_the_middle() -> None:
    """A step that wants ever more words gets them; the words of an unfinished draw come back first."""
    seen: list[list[int]] = []

    def step(tape: np.ndarray[Any, np.dtype[np.uint64]], done: int) -> tuple[int, int]:
        seen.append(tape[:3].tolist())
        return (1, 100) if len(tape) >= 100 else (0, 0)

    feed(SeededEntropy(4), step, 1, 1.0)
    assert len(seen) > 1
    assert all(start == seen[0] for start in seen)


def test_only_the_words_of_seeds_are_kept() -> None:
    """A thread of its own draws by the system's words, then by those of a seed."""
    m, found = dn.RandomizedResponse(4, 1.0), []

    def draw() -> None:
        m.draw(np.zeros(100, np.int64), SystemEntropy())
        found.append(hasattr(entropy._KEPT, "tape"))
        m.draw(np.zeros(100, np.int64), SeededEntropy(1))
        found.append(hasattr(entropy._KEPT, "tape"))

    thread = Thread(target=draw)
    thread.start()
    thread.join()
    assert found == [False, True]


def test_a_kept_tape_changes_nothing() -> None:
    """Short and long draws of several seeds, in any order: each as it is alone."""
    m, values = dn.Rappor(700, 1.0), np.arange(900) % 700
    alone = {seed: m.draw(values[: 300 * seed], SeededEntropy(seed)) for seed in (1, 2, 3)}
    for seed in (3, 1, 2, 1, 3):
        assert np.array_equal(m.draw(values[: 300 * seed], SeededEntropy(seed)), alone[seed])


@pytest.mark.parametrize("below", [4, 2**32 - 1, 2**32, 2**32 + 1, 3 * 2**40, 2**63 - 1])
def test_uniform_integers_reach_all_quarters_below_any_bound(below: int) -> None:
    """A bound that did not fit would leave quarters empty; false alarm below 1e-100."""
    drawn = entropy.draw_uniform(1000, below, SeededEntropy(below))
    assert drawn.min() >= 0
    assert drawn.max() < below
    share, quarters = drawn / below, np.arange(4) / 4
    assert all(((share >= low) & (share < low + 0.34)).any() for low in quarters)


@pytest.mark.parametrize("below", [0, -1, 2**63, 1.0])
def test_a_bound_that_has_no_uniform_integers_is_refused(below: Any) -> None:
    with pytest.raises(ParameterError, match="below must be"):
        entropy.draw_uniform(1, below, SystemEntropy())

"""Noise of packed bits: many Bernoulli coins at once."""

from __future__ import annotations

import numpy as np

from deniable.arrays import Packed, Words
from deniable.kernels._kernels import GROUP, draw_bernoulli
from deniable.privacy.entropy import Entropy, feed

ROUNDS = 9.4
"""Random words per Bernoulli word: 256 lanes are decided after log2(256) + 1.33 halvings."""


def noise(n: int, width: int, below: int, entropy: Entropy) -> Packed:
    """``n`` rows of ``width`` bytes whose bits are 1 with probability ``below`` / 2^64."""
    words: Words = np.empty(-(-n * width // (8 * GROUP)) * GROUP, np.uint64)
    chance = np.uint64(below)
    feed(entropy, lambda tape, done: draw_bernoulli(tape, done, chance, words), len(words), ROUNDS)
    return words.view(np.uint8)[: n * width].reshape(n, width)

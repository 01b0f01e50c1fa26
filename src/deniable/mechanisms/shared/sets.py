"""Drawing sets of one size as packed bits: random words or nothing, then the exchange that lets the value in."""

from __future__ import annotations

import math

import numpy as np

from deniable.arrays import Column, Indices, Words
from deniable.kernels._kernels import settle_subsets
from deniable.mechanisms.shared.noise import ROUNDS, noise
from deniable.privacy.entropy import Entropy, feed
from deniable.protocol.words import WORD

SPARSE = 8
"""Sets of less than one label in eight are built from nothing; larger ones start from random words."""


def draw_sets(values: Indices, labels: int, size: int, inside: int, total: int, entropy: Entropy) -> Column:
    """A uniform set of the size that holds the value in ``inside`` cases of ``total``, for each value.

    With ``size`` cases of ``labels`` it is a uniform set of all labels, whatever the value.
    """
    n, words = len(values), -(-labels // 64)
    rows: Words = np.zeros((n, words), np.uint64)
    if _from_noise(labels, size):
        rows = noise(n, 8 * words, size * WORD // labels, entropy).view(np.uint64)
    weights = np.uint64(labels), size, np.uint64(inside), np.uint64(total)
    feed(
        entropy,
        lambda tape, done: settle_subsets(tape, done, values, *weights, rows),
        n,
        words_per_set(labels, size),
    )
    return np.ascontiguousarray(rows.view(np.uint8)[:, : -(-labels // 8)])


def words_per_set(labels: int, size: int) -> float:
    """Random words for the start, then uniform symbols until the size is right, a rank and a coin."""
    if not _from_noise(labels, size):
        return labels * math.log(labels / (labels - size)) + 2 if size < labels else labels + 2
    spread = 0.8 * math.sqrt(size * (1 - size / labels))
    tries = 0.5 * (labels / size + labels / (labels - size))
    return ROUNDS * -(-labels // 64) + spread * tries + 2


def _from_noise(labels: int, size: int) -> bool:
    return size * SPARSE >= labels

"""Draws that several families share: coins, noise of packed bits, sets of one size, responses, halves of rows."""

from __future__ import annotations

import math

import numpy as np

from deniable.arrays import Column, Flags, Indices, Packed, Words
from deniable.kernels._kernels import GROUP, draw_bernoulli, draw_coins, draw_response, draw_rows, settle_subsets
from deniable.mechanisms.drawing import draw_indices
from deniable.privacy.entropy import Entropy, feed
from deniable.protocol.odds import Odds, weighted_odds
from deniable.protocol.words import WORD
from deniable.reports.index_layout import IndexLayout

ROUNDS = 9.4
"""Random words per Bernoulli word: 256 lanes are decided after log2(256) + 1.33 halvings."""
SPARSE = 8
"""Sets of less than one label in eight are built from nothing; larger ones start from random words."""


def noise(n: int, width: int, below: int, entropy: Entropy) -> Packed:
    """``n`` rows of ``width`` bytes whose bits are 1 with probability ``below`` / 2^64."""
    words: Words = np.empty(-(-n * width // (8 * GROUP)) * GROUP, np.uint64)
    chance = np.uint64(below)
    feed(entropy, lambda tape, done: draw_bernoulli(tape, done, chance, words), len(words), ROUNDS)
    return words.view(np.uint8)[: n * width].reshape(n, width)


def coins(people: int, cases: int, total: int, entropy: Entropy) -> Flags:
    """True with probability ``cases`` / ``total``, exactly.

    >>> from deniable.privacy.entropy import SystemEntropy
    >>> coins(3, 5, 5, SystemEntropy()).tolist()
    [True, True, True]
    """
    shown = np.empty(people, np.uint8)
    weights = np.uint64(cases), np.uint64(total)
    feed(entropy, lambda tape, done: draw_coins(tape, done, *weights, shown), people, 1 + total / 2**64)
    return shown.view(np.bool_)


def draw_sets(values: Indices, labels: int, size: int, inside: int, total: int, entropy: Entropy) -> Column:
    """A uniform set of the size that holds the value in ``inside`` cases of ``total``, for each value.

    With ``size`` cases of ``labels`` it is a uniform set of all labels, whatever the value.
    """
    n, words = len(values), -(-labels // 64)
    rows: Words = np.zeros((n, words), np.uint64)
    if _from_noise(labels, size):
        rows = noise(n, 8 * words, size * WORD // labels, entropy).view(np.uint64)
    weights = np.uint64(labels), size, np.uint64(inside), np.uint64(total)
    each = words_per_set(labels, size)
    feed(entropy, lambda tape, done: settle_subsets(tape, done, values, *weights, rows), n, each)
    return np.ascontiguousarray(rows.view(np.uint8)[:, : -(-labels // 8)])


def words_per_set(labels: int, size: int) -> float:
    """The words that a set is expected to need: for the start, symbols until the size is right, a rank and a coin."""
    if not _from_noise(labels, size):
        return labels * math.log(labels / (labels - size)) + 2 if size < labels else labels + 2
    spread = 0.8 * math.sqrt(size * (1 - size / labels))
    tries = 0.5 * (labels / size + labels / (labels - size))
    return ROUNDS * -(-labels // 64) + spread * tries + 2


def _from_noise(labels: int, size: int) -> bool:
    return size * SPARSE >= labels


def response_words(total: int) -> float:
    """The random words per report: one, rarely rejected."""
    return 1 + total / 2**64


def draw_responses(layout: IndexLayout, values: Indices, odds: Odds, total: int, entropy: Entropy) -> Column:
    """Reports from one word each: of ``total`` weights the value has A, any other one B."""
    excess, shift = np.uint64(odds.above - odds.below), np.uint64(odds.below.bit_length() - 1)
    return draw_indices(draw_response, layout, values, entropy, response_words(total), excess, np.uint64(total), shift)


def half_odds(epsilon: float) -> Odds:
    """The odds A:B of the two halves of a row's outputs."""
    return weighted_odds(epsilon, 1, 1)


def half_words(odds: Odds) -> float:
    """The random words per report: a coin and an output."""
    return 2 + (odds.above + odds.below) / 2**64


def draw_halves(sources: Words, odds: Odds, layout: IndexLayout, values: Indices, entropy: Entropy) -> Column:
    """Reports from two words each; ``sources`` holds the row of ``draw_rows`` for each label."""
    excess, total = np.uint64(odds.above - odds.below), np.uint64(odds.above + odds.below)
    return draw_indices(draw_rows, layout, values, entropy, half_words(odds), excess, total, sources)

"""Symbols of strings in cohorts: hashes of a 64-bit base for open alphabets, permutations for closed ones.

A string's base is expanded by SplitMix64 (Steele, Lea and Flood 2014): its k-th word, k = 0, 1, ..., is

    z = base + (k + 1) * 0x9E3779B97F4A7C15        all modulo 2^64
    z = (z xor z >> 30) * 0xBF58476D1CE4E5B9
    z = (z xor z >> 27) * 0x94D049BB133111EB
    word = z xor z >> 31

and the symbol of hash j in cohort c is the upper word of word(c * hashes + j) * symbols.

Limit: some ten operations per word; a table of 100,000 strings in 256 cohorts takes a third of a second.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from deniable.arrays import Indices, Integers, Symbols, Words
from deniable.kernels.compiled import compiled
from deniable.kernels.draw.draws import choose, rejected_below, uniform
from deniable.kernels.early import SMALL
from deniable.kernels.words import high_product

GAMMA = np.uint64(0x9E3779B97F4A7C15)
FIRST, SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


@compiled(early=SMALL)
def split_mix(base: np.uint64, k: np.uint64) -> np.uint64:
    """The k-th word of a base."""
    z = base + (k + np.uint64(1)) * GAMMA
    z = (z ^ (z >> np.uint64(30))) * FIRST
    z = (z ^ (z >> np.uint64(27))) * SECOND
    return z ^ (z >> np.uint64(31))


@compiled(early=SMALL)
def hash_symbol(base: np.uint64, place: np.uint64, symbols: np.uint64) -> np.uint64:
    """The symbol below ``symbols`` that a base is hashed to at place cohort * hashes + hash."""
    symbol: np.uint64 = high_product(split_mix(base, place), symbols)
    return symbol


@compiled(early=SMALL)
def hash_table(bases: Words, cohorts: int, hashes: int, symbols: int) -> Symbols:
    """The symbols [strings, cohorts, hashes] of many bases."""
    out = np.empty((len(bases), cohorts, hashes), np.uint16)
    for s in range(len(bases)):
        for c in range(cohorts):
            for j in range(hashes):
                out[s, c, j] = hash_symbol(bases[s], np.uint64(c * hashes + j), np.uint64(symbols))
    return out


def permuted_table(base: np.uint64, labels: int, cohorts: int, symbols: int) -> Symbols:
    """The symbols [labels, cohorts, 1] of a closed domain: in each cohort a label's random rank modulo ``symbols``.

    In cohort c label i has word c * labels + i of the base and is ranked by it, ties by i.
    """
    out = np.empty((labels, cohorts, 1), np.uint16)
    dealt = (np.arange(labels) % symbols).astype(np.uint16)
    for cohort in range(cohorts):  # one at a time, since sorting takes more memory than the result
        out[np.argsort(_words(base, cohort * labels, labels), kind="stable"), cohort, 0] = dealt
    return out


@compiled(early=SMALL)
def _words(base: np.uint64, first: int, count: int) -> Words:
    out = np.empty(count, np.uint64)
    for k in range(count):
        out[k] = split_mix(base, np.uint64(first + k))
    return out


@compiled(early=SMALL)
def draw_below(tape: Words, done: int, bound: np.uint64, out: npt.NDArray[np.integer[Any]]) -> tuple[int, int]:
    """A uniform integer below ``bound`` for each person, into ``out``; returns how many, and the words used."""
    floor, used = rejected_below(bound), 0
    for i in range(done, len(out)):
        drawn, after = uniform(tape, used, bound, floor)
        if after < 0:
            return i, used
        used = after
        out[i] = drawn
    return len(out), used


@compiled(early=SMALL)
def hash_own(bases: Words, cohorts: npt.NDArray[np.uint32], symbols: np.uint64, out: Indices) -> None:
    """Write the symbol of each person's text in their cohort into ``out``; for a single hash."""
    for i in range(len(bases)):
        out[i] = np.int64(hash_symbol(bases[i], np.uint64(cohorts[i]), symbols))


@compiled(early=SMALL)
def flip_filters(
    reports: npt.NDArray[np.uint8], bases: Words, cohorts: npt.NDArray[np.uint32], hashes: int, symbols: int
) -> None:
    """Turn noise into noisy Bloom filters: each of a string's symbols is inverted once, without a branch on it."""
    for i in range(len(bases)):
        for j in range(hashes):
            place = np.uint64(cohorts[i]) * np.uint64(hashes) + np.uint64(j)
            symbol = hash_symbol(bases[i], place, np.uint64(symbols))
            again = False
            for k in range(j):
                earlier = np.uint64(cohorts[i]) * np.uint64(hashes) + np.uint64(k)
                again |= hash_symbol(bases[i], earlier, np.uint64(symbols)) == symbol
            bit = np.uint64(1) << (symbol & np.uint64(7))
            reports[i, symbol >> np.uint64(3)] ^= np.uint8(choose(again, np.uint64(0), bit))


@compiled(early=SMALL)
def join_cohorts(cohorts: npt.NDArray[np.uint32], symbols: Integers, count: int, out: Integers) -> None:
    """Cohort times ``count`` plus symbol."""
    for i in range(len(cohorts)):
        out[i] = cohorts[i] * np.uint32(count) + symbols[i]

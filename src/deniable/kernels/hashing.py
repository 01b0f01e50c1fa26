"""Symbols of strings in cohorts: hashes of a 64-bit base for open alphabets, permutations for closed ones."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from deniable.arrays import Integers, Symbols, Words
from deniable.kernels import _kernels
from deniable.kernels.threads import cut, share


def hash_table(bases: Words, cohorts: int, hashes: int, symbols: int) -> Symbols:
    """The symbols [strings, cohorts, hashes] of many bases.

    >>> hash_table(np.array([1, 2], np.uint64), 3, 1, 1).tolist()
    [[[0], [0], [0]], [[0], [0], [0]]]
    """
    out = np.empty((len(bases), cohorts, hashes), np.uint16)
    parts = cut(out)
    words = np.split(np.ascontiguousarray(bases), np.cumsum([len(part) for part in parts[:-1]]))
    share(lambda part: _kernels.hash_table(part[0], symbols, part[1]), list(zip(words, parts, strict=True)))
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


def _words(base: np.uint64, first: int, count: int) -> Words:
    out = np.empty(count, np.uint64)
    _kernels.split_words(base, first, out)
    return out


def join_cohorts(cohorts: npt.NDArray[np.uint32], symbols: Integers, count: int, out: Integers) -> None:
    """Write cohort times ``count``, which is how many symbols each has, plus symbol into ``out``.

    >>> out = np.zeros(2, np.uint8)
    >>> join_cohorts(np.array([0, 2], np.uint32), np.array([3, 1], np.uint8), 5, out)
    >>> out.tolist()
    [3, 11]
    """
    np.multiply(cohorts, np.uint32(count), out=out, casting="unsafe")
    out += symbols

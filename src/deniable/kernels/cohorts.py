"""Tables of hashed candidates: symbols[s, c, :] are the symbols of r that candidate s has in cohort c.

A plain hash has one symbol per cohort, a Bloom filter several, of which a repeated symbol counts once: the tables are
sorted (``sorted_filters``), so that equal symbols are neighbours.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from deniable.arrays import Matrix, Vector
from deniable.kernels import _kernels
from deniable.kernels.contiguous import reals
from deniable.kernels.threads import cut, parts, share, spread

Symbols: TypeAlias = npt.NDArray[np.unsignedinteger[Any]]


def sorted_filters(symbols: Symbols) -> Symbols:
    """The table as [S, C, h], sorted along h; equal filters become equal rows, whichever of their symbols came twice.

    >>> sorted_filters(np.array([[[2, 1, 2]], [[1, 2, 1]]], np.uint16)).tolist()
    [[[1, 1, 2]], [[1, 1, 2]]]
    """
    if symbols.ndim == 2 or symbols.shape[2] == 1:
        return np.ascontiguousarray(symbols.reshape(*symbols.shape[:2], 1))
    table = np.sort(symbols, axis=2)
    repeats = table[:, :, 1:] == table[:, :, :-1]
    table[:, :, 1:][repeats] = np.broadcast_to(table[:, :, :1], repeats.shape)[repeats]
    return np.sort(table, axis=2)


def mass(symbols: Symbols, p: Vector, r: int) -> Matrix:
    """The total ``p`` of the candidates that have each symbol in each cohort: [C, r].

    >>> mass(np.array([[[0], [1]], [[1], [1]]], np.uint16), np.array([0.25, 0.5]), 2).tolist()
    [[0.25, 0.5], [0.0, 0.75]]
    """
    table, shares = _table(symbols), reals(p)
    out = np.zeros((symbols.shape[1], r))
    rows = np.array_split(out, parts(table.nbytes))  # a cohort is one processor's, and its sums the same
    share(lambda part: _kernels.mass(table, shares, *part), _from_first(rows))
    return out


def collect(symbols: Symbols, weights: Matrix) -> Vector:
    """For each candidate, the sum of the weights [C, r] of its symbols.

    >>> collect(np.array([[[0], [1]], [[1], [1]]], np.uint16), np.array([[0.25, 0.5], [1.0, 2.0]])).tolist()
    [2.25, 2.5]
    """
    field = reals(weights)

    def collected(rows: npt.NDArray[np.uint16]) -> Vector:
        out = np.zeros(len(rows))
        _kernels.collect(rows, field, out)
        return out

    return np.concatenate(spread(collected, _table(symbols)))  # a candidate is one processor's, and its sum the same


def pairs_held(symbols: Symbols, p: Vector, sizes: Vector, field: Matrix) -> float:
    """Sum over cohorts and candidates of n_c p times the field's products over ordered pairs of a filter's symbols."""
    return _kernels.pairs_held(_table(symbols), reals(p), reals(sizes), reals(field))


def overlaps(symbols: Symbols, weights: Vector, r: int) -> Matrix:
    """For each pair of candidates, the sum over the cohorts of ``weights`` times the symbols that they share."""
    table, people = _table(symbols), reals(weights)
    out = np.zeros((len(symbols), len(symbols)))
    share(lambda part: _kernels.overlaps(table, people, r, *part), _from_first(cut(out, own=table.nbytes)))
    return out


def quadratic_forms(
    symbols: Symbols, directions: Matrix, beta: float, sizes: Vector, squares: Matrix, line: Matrix
) -> Matrix:
    """Figures [3, k] of the columns of ``directions`` [S, k], with z a column's mass in cohort c less beta of its sum.

    Sum_c n_c (sum_y squares z^2 - (sum_y line z)^2); sum_c n_c^2 sum_y z^2; the widest range of z in a cohort.
    """
    table, cohorts = _table(symbols), (reals(sizes), reals(squares), reals(line))

    def figures(columns: Matrix) -> Matrix:
        out = np.zeros((3, len(columns)))
        _kernels.quadratic_forms(table, reals(columns.T), beta, *cohorts, out)
        return out

    return np.concatenate(spread(figures, directions.T, own=1), axis=1)


def _from_first(parts: Sequence[Matrix]) -> list[tuple[int, Matrix]]:
    """Consecutive parts of a matrix, each with the index of its first row."""
    ends = itertools.accumulate(map(len, parts))
    return [(end - len(part), part) for end, part in zip(ends, parts, strict=True)]


def _table(symbols: Symbols) -> npt.NDArray[np.uint16]:
    return np.ascontiguousarray(symbols, np.uint16)

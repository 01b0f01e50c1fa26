"""Tables of hashed candidates: symbols[s, c, :] are the symbols of r that candidate s has in cohort c.

A plain hash has one symbol per cohort, a Bloom filter several, of which a repeated symbol counts once: the tables are
sorted (``sorted_filters``), so that equal symbols are neighbours. The kernels share no state; rows of a table may be
given to several threads and the masses added up.

Limits: reading the table once, and per symbol one load or addition in a tile of cohorts that stays in the L1 cache; a
cache line of the table holds 32 cohorts, so a tile is never narrower. Overlaps only touch pairs that share a symbol.
The quadratic forms take C S k additions, vectorized along k.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from deniable.arrays import Matrix, Vector
from deniable.kernels.compiled import compiled
from deniable.kernels.early import SMALL, TINY

Symbols: TypeAlias = npt.NDArray[np.unsignedinteger[Any]]
LINE, CELLS, COLUMNS = 32, 4096, 64


def sorted_filters(symbols: Symbols) -> Symbols:
    """The table as [S, C, h], sorted along h; equal filters become equal rows, whichever of their symbols came twice.

    >>> sorted_filters(np.array([[[2, 1, 2]], [[1, 2, 1]]], np.uint16)).tolist()
    [[[1, 1, 2]], [[1, 1, 2]]]
    """
    if symbols.ndim == 2 or symbols.shape[2] == 1:
        return np.ascontiguousarray(symbols.reshape(*symbols.shape[:2], 1))
    table = np.sort(symbols, axis=2)
    again = table[:, :, 1:] == table[:, :, :-1]
    table[:, :, 1:][again] = np.broadcast_to(table[:, :, :1], again.shape)[again]
    return np.sort(table, axis=2)


@compiled(early=SMALL)
def mass(symbols: Symbols, p: Vector, r: int) -> Matrix:
    """The total ``p`` of the candidates that have each symbol in each cohort: [C, r]."""
    candidates, cohorts, hashes = symbols.shape
    out = np.zeros((cohorts, r))
    tile = max(LINE, CELLS // r)
    for first in range(0, cohorts, tile):
        last = min(first + tile, cohorts)
        for s in range(candidates):
            if p[s] != 0:
                for c in range(first, last):
                    out[c, symbols[s, c, 0]] += p[s]
                    for k in range(1, hashes):
                        if symbols[s, c, k] != symbols[s, c, k - 1]:
                            out[c, symbols[s, c, k]] += p[s]
    return out


@compiled(early=SMALL)
def collect(symbols: Symbols, weights: Matrix) -> Vector:
    """For each candidate, the sum of the weights [C, r] of its symbols."""
    candidates, cohorts, hashes = symbols.shape
    out = np.zeros(candidates)
    tile = max(LINE, CELLS // weights.shape[1])
    for first in range(0, cohorts, tile):
        last = min(first + tile, cohorts)
        for s in range(candidates):
            total = 0.0
            for c in range(first, last):
                total += weights[c, symbols[s, c, 0]]
                for k in range(1, hashes):
                    if symbols[s, c, k] != symbols[s, c, k - 1]:
                        total += weights[c, symbols[s, c, k]]
            out[s] += total
    return out


@compiled(early=SMALL)
def pairs_held(symbols: Symbols, p: Vector, sizes: Vector, field: Matrix) -> float:
    """Sum over cohorts and candidates of n_c p times the field's products over ordered pairs of a filter's symbols."""
    candidates, cohorts, hashes = symbols.shape
    out = 0.0
    for s in range(candidates):
        for c in range(cohorts):
            total, squares = 0.0, 0.0
            for k in range(hashes):
                if k == 0 or symbols[s, c, k] != symbols[s, c, k - 1]:
                    value = field[c, symbols[s, c, k]]
                    total += value
                    squares += value * value
            out += sizes[c] * p[s] * (total * total - squares)
    return out


@compiled(early=SMALL)
def _holders(symbols: Symbols, c: int, starts: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The candidates with each symbol of cohort c, one list after the other; ``starts`` receives where each begins."""
    candidates, _, hashes = symbols.shape
    starts[:] = 0
    for s in range(candidates):
        for k in range(hashes):
            if k == 0 or symbols[s, c, k] != symbols[s, c, k - 1]:
                starts[np.int64(symbols[s, c, k]) + 1] += 1
    for y in range(1, len(starts)):
        starts[y] += starts[y - 1]
    heads, lists = starts[:-1].copy(), np.empty(starts[-1], np.int64)
    for s in range(candidates):
        for k in range(hashes):
            if k == 0 or symbols[s, c, k] != symbols[s, c, k - 1]:
                y = symbols[s, c, k]
                lists[heads[y]] = s
                heads[y] += 1
    return lists


@compiled(early=TINY)
def overlaps(symbols: Symbols, weights: Vector, r: int) -> Matrix:
    """For each pair of candidates, the sum over the cohorts of ``weights`` times the symbols that they share."""
    candidates, cohorts, _ = symbols.shape
    out = np.zeros((candidates, candidates))
    starts = np.zeros(r + 1, np.int64)
    for c in range(cohorts):
        lists = _holders(symbols, c, starts)
        for y in range(r):
            for i in range(starts[y], starts[y + 1]):
                row = out[lists[i]]
                for j in range(starts[y], i + 1):
                    row[lists[j]] += weights[c]
    for s in range(candidates):
        for other in range(s):
            out[other, s] = out[s, other]
    return out


@compiled(fastmath={"reassoc", "contract"}, early=SMALL)
def _field(symbols: Symbols, c: int, block: Matrix, beta: float, sums: Vector, out: Matrix) -> None:
    """The centred mass [r, k] that each column of a block of directions puts on the symbols of cohort c."""
    candidates, width = block.shape
    hashes = symbols.shape[2]
    for y in range(len(out)):
        for j in range(width):
            out[y, j] = -beta * sums[j]
    for s in range(candidates):
        for k in range(hashes):
            if k == 0 or symbols[s, c, k] != symbols[s, c, k - 1]:
                y = symbols[s, c, k]
                for j in range(width):
                    out[y, j] += block[s, j]


@compiled(fastmath={"reassoc", "contract"}, early=SMALL)
def _forms(field: Matrix, squares: Vector, line: Vector, size: float, out: Matrix) -> None:
    """Add a cohort's three figures of every column: see ``quadratic_forms``."""
    for j in range(field.shape[1]):
        bent, lean, plain = 0.0, 0.0, 0.0
        low, high = field[0, j], field[0, j]
        for y in range(len(field)):
            z = field[y, j]
            bent += squares[y] * z * z
            lean += line[y] * z
            plain += z * z
            low, high = min(low, z), max(high, z)
        out[0, j] += size * (bent - lean * lean)
        out[1, j] += size * size * plain
        out[2, j] = max(out[2, j], high - low)


@compiled(early=SMALL)
def quadratic_forms(
    symbols: Symbols, directions: Matrix, beta: float, sizes: Vector, squares: Matrix, line: Matrix
) -> Matrix:
    """Figures [3, k] of the columns of ``directions`` [S, k], with z_c the centred mass of a column in cohort c.

    Sum_c n_c (sum_y squares z^2 - (sum_y line z)^2); sum_c n_c^2 sum_y z^2; the widest range of z in a cohort.
    """
    total = directions.shape[1]
    out = np.zeros((3, total))
    for first in range(0, total, COLUMNS):
        last = min(first + COLUMNS, total)
        block = directions[:, first:last].copy()
        sums, field = block.sum(axis=0), np.empty((squares.shape[1], last - first))
        for c in range(len(sizes)):
            _field(symbols, c, block, beta, sums, field)
            _forms(field, squares[c], line[c], sizes[c], out[:, first:last])
    return out

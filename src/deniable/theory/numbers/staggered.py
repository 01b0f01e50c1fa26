"""Staggered blocks: shares of ranges from blocks of several sizes, each laid out with several offsets (numbers.md 2).

Cells 0..d-1 are in order. A part is a size b and an offset o: a person of that part reports the block (x + o) div b of
their cell x, with all of epsilon. Sizes are 1, 4, 16 and so on below d, and a size has up to 8 offsets. Sizes share the
people evenly, and so do the offsets of a size. Best subsets are assumed for the reports.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from deniable.arrays import Indices, Matrix
from deniable.protocol.errors import ParameterError
from deniable.theory.numbers.network import Network
from deniable.theory.risk.support import Support, marginals
from deniable.theory.sizes import best_l2_size

GROWTH, OFFSETS = 4, 8
LARGE = 3.0
"""The epsilon from which on the largest blocks may not be worth their people."""
COMPARED = 4096
"""The most cells for which that is computed; with more of them the largest blocks are worth their people."""


class BlockPart(NamedTuple):
    """Blocks of ``size`` cells, the first of which begins ``offset`` before the scale; its people's ``weight``."""

    size: int
    offset: int
    weight: int


class Risks(NamedTuple):
    """Variances of one report at uniform people: of prefixes and of ranges in the mean, and of the worst prefix."""

    prefix: float
    range: float
    worst_prefix: float


def parts(cells: int) -> tuple[BlockPart, ...]:
    """The parts of a scale.

    >>> parts(5)
    (BlockPart(size=1, offset=0, weight=4), BlockPart(size=4, offset=0, weight=1), \
BlockPart(size=4, offset=1, weight=1), BlockPart(size=4, offset=2, weight=1), BlockPart(size=4, offset=3, weight=1))
    """
    if cells < 2:
        raise ParameterError(f"cells must be at least 2, got {cells}")
    sizes = [GROWTH**level for level in range(cells.bit_length()) if GROWTH**level < cells]
    most = min(sizes[-1], OFFSETS)
    counts = [min(size, OFFSETS) for size in sizes]
    return tuple(
        BlockPart(size, size * i // count, most // count)
        for size, count in zip(sizes, counts, strict=True)
        for i in range(count)
    )


def best_parts(cells: int, epsilon: float) -> tuple[BlockPart, ...]:
    """The parts of a scale, for large epsilon without the largest blocks if prefixes are then told better.

    >>> len(parts(16)), len(best_parts(16, 1.0)), len(best_parts(16, 5.0))
    (5, 5, 1)
    """
    all_parts = parts(cells)
    largest = all_parts[-1].size
    if epsilon < LARGE or largest == 1 or cells > COMPARED:
        return all_parts
    smaller = tuple(part for part in all_parts if part.size < largest)
    unit = smaller[-1].weight
    fewer = tuple(BlockPart(size, offset, weight // unit) for size, offset, weight in smaller)
    return min(all_parts, fewer, key=lambda design: risks(cells, design, epsilon).prefix)


def cuts(cells: int, size: int, offset: int) -> Indices:
    """Where the blocks begin and end, from 0 to ``cells``.

    >>> cuts(10, 4, 1).tolist()
    [0, 3, 7, 10]
    """
    return np.concatenate([[0], np.arange(size - offset, cells, size), [cells]]).astype(np.int64)


def labels(cells: int, size: int, offset: int) -> int:
    """How many blocks there are."""
    return (cells - 1 + offset) // size + 1


def mode_variance(labels: int, epsilon: float) -> float:
    """V(D): the variance of a unit mode of the shares of D labels from one report, by the best subsets.

    >>> round(mode_variance(2, 1.0), 6), round(mode_variance(1 << 20, 1.0), 4)
    (2.341347, 3.6827)
    """
    s = Support.subset(labels, best_l2_size(labels, epsilon), epsilon)
    m = float(marginals(s, np.array([1 / labels]))[0])
    return m * (1 - m) / s.gap**2 * labels / (labels - 1)


def least_variance(epsilon: float) -> float:
    """V0 = 4E/(E-1)^2 = 1/sinh(epsilon/2)^2: what V(D) comes to with many labels."""
    return 1 / math.sinh(epsilon / 2) ** 2


def network(cells: int, design: tuple[BlockPart, ...], epsilon: float) -> Network:
    """The network of one report on average."""
    people = sum(part.weight for part in design)
    chains = []
    for size, offset, weight in design:
        bounds = cuts(cells, size, offset)
        chains.append((bounds, weight / people / mode_variance(len(bounds) - 1, epsilon)))
    return Network.of(cells, chains)


@lru_cache(maxsize=1024)
def risks(cells: int, design: tuple[BlockPart, ...], epsilon: float) -> Risks:
    """What a design costs, over all prefixes and all ranges.

    >>> [round(risk, 6) for risk in risks(16, parts(16), 1.0)]
    [5.886656, 7.008642, 7.117095]
    """
    return network_risks(network(cells, design, epsilon))


def network_risks(found: Network) -> Risks:
    """What any network costs. The resistances of all pairs of nodes add up to nodes tr Z - 1'Z1, Z the covariance."""
    cells, of_nodes = found.cells, found.resistances
    together = float(found.potentials(np.ones(cells + 1)).sum())
    ranges = ((cells + 1) * float(of_nodes.sum()) - together) * 2 / (cells * (cells + 1))
    return Risks(float(of_nodes[1:-1].mean()), ranges, float(of_nodes.max()))


def query_bound(queries: Matrix, epsilon: float) -> float:
    """What the mean variance of queries (rows) of the cells' shares cannot be below, whatever the reports.

    V0 (sum of the singular values of W(I - 11'/d))^2 / (d rows): a report's column of likelihoods has, over its mean, a
    variance of at most 1/V0.
    """
    centred = queries - queries.mean(axis=1, keepdims=True)
    total = float(np.linalg.svd(centred, compute_uv=False).sum())
    return least_variance(epsilon) * total**2 / queries.size


def prefix_bound(cells: int, epsilon: float) -> float:
    """``query_bound`` for the prefixes 1..d-1, whose singular values are 1/(2 sin(pi j/2d)).

    >>> [round(prefix_bound(d, 1.0) / least_variance(1.0), 6) for d in (64, 256, 1024)]
    [2.537729, 4.115624, 6.090743]
    """
    total = float((0.5 / np.sin(np.pi * np.arange(1, cells) / (2 * cells))).sum())
    return least_variance(epsilon) * total**2 / (cells * (cells - 1))

"""Others' reports and decoders of numbers in NumPy: whole columns at once and in floating point, as papers have them.

Numbers are from -1 to 1 for means, from 0 to 1 or whole cells for ranges.
"""

from __future__ import annotations

import math

import numpy as np

from deniable.arrays import Counts, Indices, Vector
from studies.numbers.baselines import BELOW_HYBRID, tree_sizes
from studies.numbers.square_wave import half_width

AT_ONCE = 1 << 23
"""So many coins of a tree are tossed at a time: more would fill the memory."""


def laplace(numbers: Vector, epsilon: float, rng: np.random.Generator) -> Vector:
    """Laplace noise."""
    return numbers + rng.laplace(0, 2 / epsilon, len(numbers))


def duchi(numbers: Vector, epsilon: float, rng: np.random.Generator) -> Vector:
    """One of two outputs (Duchi, Jordan and Wainwright 2013)."""
    reach = 1 / math.tanh(epsilon / 2)
    return np.where(rng.random(len(numbers)) < 0.5 + numbers / (2 * reach), reach, -reach)


def piecewise(numbers: Vector, epsilon: float, rng: np.random.Generator) -> Vector:
    """The piecewise mechanism of Wang and others (2019): near the number with a chance, else anywhere else."""
    root = math.exp(epsilon / 2)
    reach = (root + 1) / (root - 1)
    low = (reach + 1) / 2 * numbers - (reach - 1) / 2
    near = rng.random(len(numbers)) < root / (root + 1)
    inside = low + rng.random(len(numbers)) * (reach - 1)
    outside = rng.random(len(numbers)) * (reach + 1) - reach
    return np.where(near, inside, outside + np.where(outside > low, reach - 1, 0))


def hybrid(numbers: Vector, epsilon: float, rng: np.random.Generator) -> Vector:
    """Piecewise or Duchi's, by a coin (Wang and others 2019)."""
    heads = 1 - math.exp(-epsilon / 2) if epsilon > BELOW_HYBRID else 0.0
    own = rng.random(len(numbers)) < heads
    return np.where(own, piecewise(numbers, epsilon, rng), duchi(numbers, epsilon, rng))


def waves(numbers: Vector, epsilon: float, rng: np.random.Generator) -> Vector:
    """The Square Wave of Li and others (2020)."""
    b, odds = half_width(epsilon), math.exp(epsilon)
    near = rng.random(len(numbers)) < 2 * b * odds / (2 * b * odds + 1)
    inside = numbers - b + 2 * b * rng.random(len(numbers))
    outside = rng.random(len(numbers)) - b
    return np.where(near, inside, outside + np.where(outside > numbers - b, 2 * b, 0))


def tree_counts(column: Indices, cells: int, arity: int, epsilon: float, rng: np.random.Generator) -> list[Counts]:
    """A tree's reports by optimized unary encoding, added up: of each level the ones of its nodes, the leaves first."""
    sizes = tree_sizes(cells, arity)
    levels = rng.integers(0, len(sizes), len(column))
    return [_ones(column[levels == k] // size, -(-cells // size), epsilon, rng) for k, size in enumerate(sizes)]


def _ones(nodes: Indices, count: int, epsilon: float, rng: np.random.Generator) -> Counts:
    total, step = np.zeros(count, np.int64), max(1, AT_ONCE // count)
    for start in range(0, len(nodes), step):
        own = nodes[start : start + step]
        bits = rng.random((len(own), count), dtype=np.float32) < 1 / (math.exp(epsilon) + 1)
        bits[np.arange(len(own)), own] = rng.random(len(own)) < 0.5
        total += bits.sum(axis=0)
    return total


def tree_shares(ones: list[Counts], people: list[int], arity: int, epsilon: float) -> Vector:
    """The leaves' shares, consistent in the two passes of Hay and others (2010): up, then down."""
    low = 1 / (math.exp(epsilon) + 1)
    told = [(own / n - low) / (0.5 - low) for own, n in zip(ones, people, strict=True)]
    up = [told[0]]
    for k, own in enumerate(told[1:], 1):
        power = float(arity ** (k + 1))
        weight = (power - power / arity) / (power - 1)
        up.append(weight * own + (1 - weight) * _added(up[-1], arity))
    down: Vector = up[-1] + (1 - up[-1].sum()) / len(up[-1])
    for own in reversed(up[:-1]):
        down = own + np.repeat((down - _added(own, arity)) / arity, arity)[: len(own)]
    return down


def _added(children: Vector, arity: int) -> Vector:
    return np.asarray(children.reshape(-1, arity).sum(axis=1), np.float64)

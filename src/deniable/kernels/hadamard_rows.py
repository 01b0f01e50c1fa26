"""Labels that each own the + half of one set of outputs, by a Hadamard row: label i has row i + 1 of ``size``."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
import numpy.typing as npt

from deniable.arrays import Counts, Vector
from deniable.kernels._kernels import walsh_hadamard
from deniable.kernels.aggregate import over_half_rows

Number = TypeVar("Number", np.int64, np.float64)


def size_for(labels: int) -> int:
    """The least power of two with a row for every label besides row 0, which is + everywhere."""
    return 1 << labels.bit_length()


def _transformed(values: npt.NDArray[Number]) -> npt.NDArray[Number]:
    out = values.copy(order="C")
    walsh_hadamard(out)
    return out


def signs(counts: Counts, labels: int) -> tuple[Counts, Counts]:
    """How many reports of the set are in each label's half, and in the other half.

    >>> plus, minus = signs(np.array([4, 3, 2, 1]), 3)
    >>> plus.tolist(), minus.tolist()
    ([6, 7, 5], [4, 3, 5])
    """
    transformed = _transformed(counts)
    return split(transformed[0], transformed[1 : labels + 1])


def split(total: Counts, difference: Counts) -> tuple[Counts, Counts]:
    """Two numbers from their sum and the first less the second, without overflow.

    >>> split(np.array([5, 2**63 - 1]), np.array([-3, 2**63 - 1]))[0].tolist()
    [1, 9223372036854775807]
    """
    first = (total >> 1) + (difference >> 1) + (total & 1)  # half of what may pass 2^63; both are even, or both odd
    return first, total - first


def mass(p: Vector, size: int) -> Vector:
    """For each output, the total ``p`` of the labels whose half contains it."""
    padded = np.zeros(size)
    padded[1 : len(p) + 1] = p
    return np.asarray((p.sum() + _transformed(padded)) / 2)


def collect(weights: Vector, labels: int) -> Vector:
    """For each label, the sum of the weights of the outputs in its half."""
    found = _transformed(weights)
    return np.asarray((found[0] + found[1 : labels + 1]) / 2)


def over_halves(people: Counts, size: int, generator: np.random.Generator) -> Counts:
    """Draw how often each output is reported if each label's people report uniformly from its half."""
    rows = np.zeros(size, np.int64)
    rows[1 : len(people) + 1] = people
    return over_half_rows(rows, generator)

"""Slow references for the formulas: exponentials of 60 digits, and channels listed message by message."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from deniable.theory.levels import check_levels

Array: TypeAlias = npt.NDArray[np.float64]
Sets: TypeAlias = npt.NDArray[np.bool_]

EPSILONS = (1e-6, 1e-4, 0.01, 0.1, 0.5, 1.0, 2.0, 3.5, 8.0, 20.0, 32.0)


def exponential(epsilon: float | Fraction) -> Fraction:
    """e^epsilon to 60 digits."""
    with localcontext() as context:
        context.prec = 60
        exact = Fraction(epsilon)
        return Fraction((Decimal(exact.numerator) / Decimal(exact.denominator)).exp())


def logarithm(value: Fraction) -> Fraction:
    """The natural logarithm to 60 digits."""
    with localcontext() as context:
        context.prec = 60
        return Fraction((Decimal(value.numerator) / Decimal(value.denominator)).ln())


def error(value: float, exact: Fraction) -> float:
    """The relative error of a float."""
    return abs(float(Fraction(value) / exact - 1))


@dataclass(frozen=True)
class Messages:
    """Every message of a mechanism: the labels that it holds (a row), and its probability from each (a column)."""

    held: Sets
    channel: Array

    @property
    def information(self) -> float:
        """Mutual information with a uniform value, by its definition."""
        mean = self.channel.mean(axis=0)
        ratio = np.where(self.channel > 0, self.channel, mean) / mean
        return float((self.channel * np.log(ratio)).sum() / len(self.channel))

    @property
    def support(self) -> Array:
        """The probability that each label (column) is supported by a report of each value (row)."""
        return self.channel @ self.held


def weighted(held: Sets, epsilon: float) -> Messages:
    """Messages that are e^epsilon times likelier from the labels that they hold, otherwise alike."""
    weight = np.where(held.T, np.exp(epsilon), 1.0)
    return Messages(held, weight / weight.sum(axis=1, keepdims=True))


def subset(d: int, k: int, epsilon: float) -> Messages:
    """All sets of k labels."""
    sets = itertools.combinations(range(d), k)
    return weighted(np.array([np.isin(np.arange(d), chosen) for chosen in sets]), epsilon)


def unary(d: int, own: float, other: float) -> Messages:
    """All vectors of d bits; the own one is set with probability ``own``, any other with ``other``."""
    held = np.array(list(itertools.product([False, True], repeat=d)))
    chance = np.where(np.eye(d, dtype=bool), own, other)[:, None, :]
    return Messages(held, np.where(held, chance, 1 - chance).prod(axis=2))


def rappor(d: int, epsilon: float) -> Messages:
    """Every bit flipped with probability 1/(1 + e^(epsilon/2))."""
    flip = 1 / (1 + np.exp(epsilon / 2))
    return unary(d, 1 - flip, flip)


def optimized_unary(d: int, epsilon: float) -> Messages:
    """The own bit a coin, the others set with probability 1/(1 + e^epsilon)."""
    return unary(d, 0.5, 1 / (1 + np.exp(epsilon)))


def cyclic(d: int, epsilon: float) -> Messages:
    """The first d of 7 labels on the circle of the Fano plane."""
    held = [[(y - x) % 7 in (0, 1, 3) for x in range(d)] for y in range(7)]
    return weighted(np.array(held), epsilon)


def hadamard(d: int, parts: int, epsilon: float) -> Messages:
    """Label x holds the outputs y of part x // (b-1) where row x % (b-1) + 1 of a Sylvester matrix has a +."""
    size = 2
    while size - 1 < -(-d // parts):
        size *= 2
    held = [
        [y // size == x // (size - 1) and ((y % size) & (x % (size - 1) + 1)).bit_count() % 2 == 0 for x in range(d)]
        for y in range(parts * size)
    ]
    return weighted(np.array(held), epsilon)


def random_levels(d: int, seed: int, infinite: float = 0.0) -> Array:
    """Levels of all sizes, some of them infinite."""
    rng = np.random.default_rng(seed)
    levels = rng.uniform(0.3, 2, (d, d))
    levels[rng.random((d, d)) < infinite] = np.inf
    return check_levels(levels)

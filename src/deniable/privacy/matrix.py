"""A matrix of probabilities, one row a value, exactly: whole-number weights with one total for all rows."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from deniable.domain import is_int
from deniable.errors import ParameterError

Ratio: TypeAlias = Fraction | float
"""A ratio of two probabilities: a Fraction, or infinity."""
SLACK = 1e-6
"""How far from 1 a row of floats may add up; a row of integers and Fractions must be exact."""
GRAIN = 1 << 60
"""A probability given as a float becomes a whole number of this grain."""
WORD = 1 << 64


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Weights [inputs, outputs] that add up to ``total`` in every row, without a common divisor.

    One total for all rows: a draw is then rejected as often from one value as from another.

    >>> rows = Rows.read([[0.5, 0.5], [0.25, 0.75]])
    >>> rows.weights.tolist(), rows.total
    ([[2, 2], [1, 3]], 4)
    """

    weights: npt.NDArray[Any]
    """uint64 where the total fits a word, Python's integers where it does not; never negative."""
    total: int

    @classmethod
    def read(cls, matrix: Any) -> Rows:
        """Integers and Fractions exactly, floats rounded to multiples of 2^-60; what is no channel is refused."""
        rows, rounded = _read_rows(matrix)
        if rounded:
            return cls.of([_rounded(row) for row in rows])
        common = math.lcm(*(p.denominator for row in rows for p in row))
        return cls.of([[p.numerator * (common // p.denominator) for p in row] for row in rows])

    @classmethod
    def of(cls, weights: Sequence[Sequence[int]]) -> Rows:
        """From weights that add up to one total in every row."""
        divisor = math.gcd(*(w for row in weights for w in row))
        total = sum(weights[0]) // divisor
        least = [[w // divisor for w in row] for row in weights]
        array = np.array(least, np.uint64 if total < WORD else object)
        array.flags.writeable = False
        return cls(array, total)

    def fractions(self) -> npt.NDArray[np.object_]:
        """The probabilities as Fractions."""
        exact = [[Fraction(w, self.total) for w in row] for row in self.weights.tolist()]
        return np.array(exact, object).reshape(self.weights.shape)

    def floats(self) -> npt.NDArray[np.float64]:
        """The probabilities, each correctly rounded."""
        if self.total <= 1 << 53:
            return np.asarray(self.weights.astype(np.float64) / self.total)
        return np.array([[w / self.total for w in row] for row in self.weights.tolist()])

    def worst_ratio(self, above: Any = slice(None), below: Any = slice(None)) -> Ratio:
        """The largest ratio of a probability in the rows ``above`` to one of the same output in the rows ``below``.

        Infinity where the first is positive and the second is not.
        """
        highest = self.weights[above].max(axis=0).tolist()
        lowest = self.weights[below].min(axis=0).tolist()
        return largest(zip(highest, lowest, strict=True))


def largest(pairs: Iterable[tuple[int, int]]) -> Ratio:
    """The largest of the ratios above/below with above > 0, and no less than 1.

    >>> largest([(3, 2), (0, 0), (5, 3)]), largest([(1, 0)])
    (Fraction(5, 3), inf)
    """
    worst, over = 1, 1
    for above, below in pairs:
        if above > 0 and below == 0:
            return math.inf
        if above * over > worst * below:
            worst, over = above, below
    return Fraction(worst, over)


def _read_rows(matrix: Any) -> tuple[list[list[Fraction]], bool]:
    """The rows as Fractions, and whether any entry was a float."""
    try:
        entries = [[entry.item() if isinstance(entry, np.generic) else entry for entry in row] for row in matrix]
    except TypeError:
        raise ParameterError("matrix must be rows of probabilities, one a label, got something else") from None
    widths = {len(row) for row in entries}
    if len(widths) != 1 or 0 in widths:
        raise ParameterError(
            f"matrix must have rows of one length, got {len(entries)} rows of {sorted(widths)} entries"
        )
    rounded = any(isinstance(entry, float) for row in entries for entry in row)
    return [_read_row(row, SLACK if rounded else 0) for row in entries], rounded


def _read_row(row: list[Any], slack: float) -> list[Fraction]:
    try:
        exact = [Fraction(entry) for entry in row if is_int(entry) or isinstance(entry, float | Fraction)]
    except (ValueError, OverflowError):  # NaN and infinity
        exact = []
    if len(exact) < len(row) or min(exact) < 0:
        raise ParameterError("matrix must hold finite probabilities of at least 0, got an entry that is not")
    if abs(sum(exact, Fraction(0)) - 1) > slack:
        raise ParameterError(f"each row of matrix must add up to 1, got {float(sum(exact, Fraction(0))):.9g}")
    return exact


def _rounded(row: list[Fraction]) -> list[int]:
    """Weights that add up to GRAIN: what rounding leaves over goes to the largest; only 0 becomes 0."""
    added = sum(row)
    weights = [max(1, round(p * GRAIN / added)) if p else 0 for p in row]
    weights[weights.index(max(weights))] += GRAIN - sum(weights)
    return weights

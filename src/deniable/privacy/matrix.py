"""A matrix of probabilities, one row per value, in exact form: integer weights with one total for all rows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from deniable.protocol.checks import is_int
from deniable.protocol.errors import ParameterError
from deniable.protocol.privacy.rows import Places, Ratio, largest
from deniable.protocol.privacy.rows import Rows as JudgedRows

SLACK = Fraction(1, 10**6)
"""How far from 1 the sum of a row of floats may be; rows of integers and Fractions must be exact."""
FAR = 10**9
GRAIN = 1 << 60
"""Probabilities given as floats are rounded to multiples of 1 over this."""
WORD = 1 << 64
FAINT = 1e-290
"""Probabilities below this lose digits when they are converted to floats."""
HALF = 32
"""Bits of half a word: sums of so many halves do not overflow."""


@dataclass(frozen=True, slots=True, eq=False)
class Rows(JudgedRows):
    """Weights [inputs, outputs] that add up to ``total`` in every row.

    With one total for all rows, a draw is rejected equally often from every value. Rows that do not add up to it are
    always refused.

    >>> rows = Rows.read([[0.5, 0.5], [0.25, 0.75]])
    >>> rows.weights.tolist(), rows.total
    ([[2, 2], [1, 3]], 4)
    """

    slack: ClassVar[Fraction] = Fraction(0)
    """How far the sum of a row may be from the total, as a share of it."""

    weights: npt.NDArray[Any]
    """Nonnegative integers: uint64 if the total fits in a word, otherwise Python's integers."""
    total: int

    def __post_init__(self) -> None:
        if self.weights.flags.writeable:  # checked weights must not change
            copied = self.weights.copy()
            copied.flags.writeable = False
            object.__setattr__(self, "weights", copied)
        self.check()

    def check(self) -> Self:
        """The rows themselves if they are valid weights; audits and guarantees check them again."""
        weights = self.weights
        if weights.dtype not in (np.uint64, object) or weights.ndim != 2 or not weights.size or weights.min() < 0:
            raise ParameterError(f"weights must be rows of whole numbers of at least 0, got {weights.dtype}")
        worst = max(abs(row_sum - self.total) for row_sum in row_sums(weights))
        if worst > self.slack * self.total or self.total < 1:
            raise ParameterError("each row of weights must add up to the total of all rows, got one that does not")
        return self

    @classmethod
    def read(cls, matrix: Any) -> Rows:
        """The rows of a matrix: integers and Fractions exactly, floats rounded to multiples of 2^-60."""
        rows, rounded = _read_rows(matrix)
        return Rows.of([_rounded(row) for row in rows] if rounded else _over_one(rows)[0])

    @classmethod
    def of(cls, weights: Sequence[Sequence[int]]) -> Rows:
        """Rows from integer weights with the same sum in every row; a common divisor is removed."""
        return cls(*_reduced(weights, sum(weights[0])))

    def fractions(self) -> npt.NDArray[np.object_]:
        """The probabilities [inputs, outputs] as Fractions."""
        exact = [[Fraction(w, self.total) for w in row] for row in self.weights.tolist()]
        return np.array(exact, object).reshape(self.weights.shape)

    def floats(self) -> npt.NDArray[np.float64]:
        """The probabilities [inputs, outputs] as floats, each correctly rounded."""
        if self.total <= 1 << 53:
            return np.asarray(self.weights.astype(np.float64) / self.total)
        return np.array([[w / self.total for w in row] for row in self.weights.tolist()])

    def __len__(self) -> int:
        return len(self.weights)

    def listed(self, places: Places = None) -> list[list[int]]:
        found: list[list[int]] = self.weights[_selected(places)].tolist()
        return found

    def sorted(self, places: Sequence[int]) -> Rows:
        return Rows(self.weights[_selected(places)], self.total)

    def worst_ratio(self, above: Places = None, below: Places = None) -> Ratio:
        """The largest ratio of a report's chances, from the largest and the smallest weight of each column."""
        highest = self.weights[_selected(above)].max(axis=0).tolist()
        lowest = self.weights[_selected(below)].min(axis=0).tolist()
        return largest(zip(highest, lowest, strict=True))

    def log_ratios(self) -> list[list[float]]:
        """The logarithm of the largest ratio of each row to each other row, infinite where floats would lose digits."""
        chances, is_possible = self.floats(), self.weights > 0
        faint = is_possible & (chances < FAINT)
        logs = np.empty((len(chances), len(chances)))
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            for x, row in enumerate(chances):
                ratios = np.where(is_possible[x] & ~is_possible, math.inf, np.where(row > 0, row / chances, 0))
                ratios[:, faint.any(axis=0)] = math.inf
                logs[x] = np.log(ratios.max(axis=1))
        listed: list[list[float]] = logs.tolist()
        return listed

    def square(self, levels: list[list[float]]) -> npt.NDArray[np.float64]:
        return np.array(levels)


@dataclass(frozen=True, slots=True, eq=False)
class FloatRows(Rows):
    """The rows of a plain matrix exactly as given, floats too: to be judged, never to be drawn from.

    Rows of floats rarely add up to exactly 1, so they may differ from it by rounding.

    >>> tiny = FloatRows.read([[1e-30, 1.0], [1e-20, 1.0]])
    >>> float(tiny.worst_ratio()) > 9e9, Rows.read([[1e-30, 1.0], [1e-20, 1.0]]).worst_ratio()
    (True, Fraction(1, 1))
    """

    slack: ClassVar[Fraction] = SLACK

    @classmethod
    def read(cls, matrix: Any) -> Rows:
        """Every entry at its exact value; rows whose sum differs from 1 by more than rounding are refused."""
        rows, rounded = _read_rows(matrix)
        weights, common = _over_one(rows)
        return cls(*_reduced(weights, common)) if rounded else Rows.of(weights)


def _selected(places: Places) -> Any:
    return slice(None) if places is None else np.fromiter(places, np.int64)


JudgedRows.reader = FloatRows.read


def row_sums(weights: npt.NDArray[Any]) -> list[int]:
    """The exact sum of each row, as Python integers, since sums of uint64 would wrap.

    >>> row_sums(np.full((1, 2), 2**63, np.uint64)) == [2**64]
    True
    """
    if weights.dtype == object:
        return [int(added) for added in weights.sum(axis=1)]
    high, low = (weights >> np.uint64(HALF)).sum(axis=1), (weights & np.uint64((1 << HALF) - 1)).sum(axis=1)
    return [(above << HALF) + below for above, below in zip(high.tolist(), low.tolist(), strict=True)]


def _read_rows(matrix: Any) -> tuple[list[list[Fraction]], bool]:
    """The rows as Fractions, and whether any entry was a float."""
    try:
        entries = [[entry.item() if isinstance(entry, np.generic) else entry for entry in row] for row in matrix]
    except TypeError:
        raise ParameterError(
            f"matrix must be rows of probabilities, one per label, got {type(matrix).__name__}"
        ) from None
    widths = {len(row) for row in entries}
    if len(widths) != 1 or 0 in widths:
        raise ParameterError(
            f"matrix must have rows of one length, got {len(entries)} rows of {sorted(widths)} entries"
        )
    rounded = any(isinstance(entry, float) for row in entries for entry in row)
    return [_read_row(row, SLACK if rounded else Fraction(0)) for row in entries], rounded


def _over_one(rows: list[list[Fraction]]) -> tuple[list[list[int]], int]:
    """The numerators over the least common denominator, and that denominator."""
    common = math.lcm(*(p.denominator for row in rows for p in row))
    return [[p.numerator * (common // p.denominator) for p in row] for row in rows], common


def _reduced(weights: Sequence[Sequence[int]], total: int) -> tuple[npt.NDArray[Any], int]:
    """Weights and total without their common divisor, as uint64 if the total fits."""
    divisor = math.gcd(total, *(w for row in weights for w in row)) or 1
    reduced = [[w // divisor for w in row] for row in weights]
    fits = all(0 <= w < WORD for row in reduced for w in row) and total // divisor < WORD
    return np.array(reduced, np.uint64 if fits else object), total // divisor


def _read_row(row: list[Any], slack: Fraction) -> list[Fraction]:
    """The exact probabilities of a row; refused unless they add up to 1, but for this slack."""
    try:
        exact = [_exact(entry) for entry in row]
    except (TypeError, ValueError, OverflowError):  # NaN and infinity
        exact = []
    if not exact or any(p.numerator < 0 for p in exact):
        raise ParameterError("matrix must hold finite probabilities of at least 0, got an entry that is not")
    [weights], common = _over_one([exact])
    row_sum = Fraction(sum(weights), common)
    if abs(row_sum - 1) > slack:
        shown = f"{float(row_sum):.9g}" if row_sum < FAR else "far more"  # than a float can hold, perhaps
        raise ParameterError(f"each row of matrix must add up to 1, got {shown}")
    return exact


def _exact(entry: Any) -> Fraction:
    if type(entry) is Fraction:  # asked for its class, which is quicker, since there are many
        return entry
    if is_int(entry) or isinstance(entry, float | Fraction):
        return Fraction(entry)
    raise TypeError


def _rounded(row: list[Fraction]) -> list[int]:
    """Weights that add up to GRAIN: the largest takes up the rounding; only 0 becomes 0."""
    row_sum = sum(row)
    weights = [max(1, round(p * GRAIN / row_sum)) if p else 0 for p in row]
    weights[weights.index(max(weights))] += GRAIN - sum(weights)
    return weights

"""Reading a matrix of probabilities, one row a value, exactly."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np

from deniable.domain import is_int
from deniable.errors import ParameterError

Rows: TypeAlias = list[list[Fraction]]
SLACK = 1e-6
"""How far from 1 a row of floats may add up; a row of integers and Fractions must be exact."""


def read_rows(matrix: Any) -> tuple[Rows, bool]:
    """The rows as Fractions, and whether any entry was a float; what is no channel is refused.

    >>> read_rows([[0.5, 0.5], [0, 1]])
    ([[Fraction(1, 2), Fraction(1, 2)], [Fraction(0, 1), Fraction(1, 1)]], True)
    """
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


def _read_row(row: Iterable[Any], slack: float) -> list[Fraction]:
    try:
        exact = [Fraction(entry) for entry in row if is_int(entry) or isinstance(entry, float | Fraction)]
    except (ValueError, OverflowError):  # NaN and infinity
        exact = []
    if len(exact) < len(list(row)) or min(exact) < 0:
        raise ParameterError("matrix must hold finite probabilities of at least 0, got an entry that is not")
    if abs(sum(exact, Fraction(0)) - 1) > slack:
        raise ParameterError(f"each row of matrix must add up to 1, got {float(sum(exact, Fraction(0))):.9g}")
    return exact

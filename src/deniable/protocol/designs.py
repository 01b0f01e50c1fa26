"""Singer difference sets, by which Cyclic mechanisms shift; see wire/draws.md, "The block of a Cyclic design"."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from .checks import is_int
from .errors import ParameterError

LONGEST = 1 << 24
"""The longest circle of the table."""


@dataclass(frozen=True)
class Design:
    """``block`` points on a circle of ``length``; any shift but 0 meets ``overlap`` of them. No q and t: one point."""

    length: int
    block: int
    overlap: int
    q: int | None = None
    t: int | None = None

    @property
    def points(self) -> tuple[int, ...]:
        """The points, ascending."""
        return (0,) if self.q is None or self.t is None else _points(self.q, self.t)


def read_design(q: Any, t: Any, labels: int) -> Design:
    """The design that a spec names by q and t, which must have room for so many labels; null and null is a point."""
    if q is None and t is None:
        return Design(labels, 1, 0)
    if not is_int(q) or not is_int(t) or labels < 2 or (q, t) not in _rows():
        raise ParameterError(f"q and t must name a design with room for {labels} labels, got others")
    length, block, overlap = ((q**i - 1) // (q - 1) for i in (t, t - 1, t - 2))
    if length < labels:
        raise ParameterError(f"q and t must name a design with room for {labels} labels, got a smaller one")
    return Design(length, block, overlap, q, t)


@dataclass(frozen=True)
class _Row:
    """A recurrence modulo ``prime``, of which ``rows`` rows make one symbol of the field of q = prime^rows."""

    prime: int
    rows: int
    coefficients: tuple[int, ...]


@lru_cache(maxsize=1)
def _rows() -> dict[tuple[int, int], _Row]:
    """The recurrence of every design of length up to 2^24, by its q and t."""
    found = {}
    with (Path(__file__).parent / "primitive.csv").open(encoding="ascii", newline="") as lines:
        for row in csv.DictReader(lines):
            prime, degree = int(row["prime"]), int(row["degree"])
            coefficients = tuple(map(int, row["coefficients"].split()))
            for rows in (m for m in range(1, degree // 3 + 1) if degree % m == 0):
                q, t = prime**rows, degree // rows
                if (q**t - 1) // (q - 1) <= LONGEST:
                    padded = coefficients + (0,) * (degree - len(coefficients))
                    found[q, t] = _Row(prime, rows, padded)
    return found


@lru_cache(maxsize=16)
def _points(q: int, t: int) -> tuple[int, ...]:
    """The places i below K where s[i], s[i + K], ... are all 0, for the recurrence s of the row."""
    row, length = _rows()[q, t], (q**t - 1) // (q - 1)
    taps = [(row.prime - c, j) for j, c in enumerate(row.coefficients) if c]
    degree = len(row.coefficients)
    terms = [0] * (degree - 1) + [1]
    for i in range(length * row.rows):
        terms.append(sum(weight * terms[i + j] for weight, j in taps) % row.prime)
    columns = range(degree, degree + length)
    return tuple(i - degree for i in columns if not any(terms[i + r * length] for r in range(row.rows)))

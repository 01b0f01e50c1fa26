"""Singer difference sets, by which Cyclic mechanisms shift; see wire/draws.md, "The block of a Cyclic design"."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from .checks import is_int, shown
from .errors import ParameterError

LONGEST = 1 << 24
"""The longest circle of the table."""


@dataclass(frozen=True)
class Design:
    """``block`` points on a circle of ``length``; every non-zero shift of them meets them ``overlap`` times.

    A Singer design also has its field size q and dimension t; the single point, which is k-RR, has neither.
    """

    length: int
    block: int
    overlap: int
    q: int | None = None
    t: int | None = None

    @classmethod
    def point(cls, d: int) -> Design:
        """The design of k-ary randomized response: one point on a circle of d."""
        return cls(d, 1, 0)

    @classmethod
    def singer(cls, q: int, t: int) -> Design:
        """The Singer design of the hyperplanes of the projective space of dimension t - 1 over F_q.

        >>> Design.singer(4, 3)
        Design(length=21, block=5, overlap=1, q=4, t=3)
        """
        length, block, overlap = ((q**i - 1) // (q - 1) for i in (t, t - 1, t - 2))
        return cls(length, block, overlap, q, t)

    @property
    def bits(self) -> int:
        """The bits of a report, which is an index on the circle."""
        return (self.length - 1).bit_length()

    @property
    def points(self) -> tuple[int, ...]:
        """The points, ascending."""
        return (0,) if self.q is None or self.t is None else _points(self.q, self.t)


@dataclass(frozen=True)
class Recurrence:
    """s[i + degree] = -sum_j coefficients[j] s[i + j] mod ``prime`` generates a design, in rows of its length.

    ``rows`` terms below one another make a symbol of F_q, q = prime^rows.
    """

    prime: int
    rows: int
    degree: int
    coefficients: tuple[int, ...]


def read_design(q: Any, t: Any, labels: int) -> Design:
    """The design that a spec names by q and t, which must have room for so many labels; null and null is a point."""
    if q is None and t is None:
        return Design.point(labels)
    if not is_int(q) or not is_int(t) or labels < 2 or (q, t) not in _by_name():
        raise ParameterError(f"q and t must name a design with room for {labels} labels, got {shown(q)} and {shown(t)}")
    design = _by_name()[q, t]
    if design.length < labels:
        raise ParameterError(f"q and t must name a design with room for {labels} labels, got a smaller one")
    return design


@lru_cache(maxsize=1)
def recurrences() -> dict[Design, Recurrence]:
    """Every Singer design of length up to 2^24 with its recurrence, shortest first; read once from primitive.csv."""
    by_design = {}
    with (Path(__file__).parent / "primitive.csv").open(encoding="ascii", newline="") as lines:
        for row in csv.DictReader(lines):
            prime, degree = int(row["prime"]), int(row["degree"])
            coefficients = tuple(map(int, row["coefficients"].split()))
            for rows in (m for m in range(1, degree // 3 + 1) if degree % m == 0):
                design = Design.singer(prime**rows, degree // rows)
                if design.length <= LONGEST:
                    by_design[design] = Recurrence(prime, rows, degree, coefficients)
    return dict(sorted(by_design.items(), key=lambda entry: entry[0].length))


@lru_cache(maxsize=1)
def _by_name() -> dict[tuple[int | None, int | None], Design]:
    return {(design.q, design.t): design for design in recurrences()}


@lru_cache(maxsize=16)
def _points(q: int, t: int) -> tuple[int, ...]:
    """The places i below the length K where s[i], s[i + K], ... are all 0, s the terms of the design's recurrence."""
    design = _by_name()[q, t]
    recurrence, length = recurrences()[design], design.length
    taps = [(recurrence.prime - c, j) for j, c in enumerate(recurrence.coefficients) if c]
    terms = [0] * (recurrence.degree - 1) + [1]
    for i in range(length * recurrence.rows):
        terms.append(sum(weight * terms[i + j] for weight, j in taps) % recurrence.prime)
    columns = range(recurrence.degree, recurrence.degree + length)
    return tuple(
        i - recurrence.degree for i in columns if not any(terms[i + r * length] for r in range(recurrence.rows))
    )

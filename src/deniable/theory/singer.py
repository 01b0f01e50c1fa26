"""Singer difference sets, the designs of ``Cyclic`` (a cyclic projective geometry response), and their choice.

For a prime power q and t >= 3, the multiples delta of a primitive alpha in F_{q^t} with Tr(alpha^delta) = 0 form a set
D on the circle of K = (q^t - 1)/(q - 1) points that every non-zero shift meets equally often. Computing it needs no
arithmetic of F_q, q = p^m: alpha^K generates F_q, so its first m powers are a basis of it over F_p, and

    D = { i < K : s[i] = s[i + K] = ... = s[i + (m - 1)K] = 0 }

for any non-zero recurrence s over F_p of a primitive polynomial of degree m t. primitive.csv holds the polynomials
(scripts/primitive_polynomials.py writes it); they determine what a report means, so its rows never change.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from importlib.resources import files

import numpy as np

from deniable.arrays import Positions
from deniable.kernels.arithmetic import common_zeros
from deniable.protocol.errors import FormatError, ParameterError
from deniable.theory.risk.designs import Hiding, worst_high_low
from deniable.theory.risk.support import Support, l2_sample

LONGEST = 1 << 24  # the longest circle of the table
SPARE_BITS = 3  # a default report may exceed a plain label's bits by this much
TIE = 1.001  # variances within this factor count as equal: the shorter circle decodes faster


@dataclass(frozen=True, slots=True)
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

        Example:
            >>> Design.singer(4, 3)
            Design(length=21, block=5, overlap=1, q=4, t=3)
        """
        length, block, overlap = ((q**i - 1) // (q - 1) for i in (t, t - 1, t - 2))
        return cls(length, block, overlap, q, t)

    @property
    def bits(self) -> int:
        """The bits of a report, which is an index on the circle."""
        return (self.length - 1).bit_length()


@dataclass(frozen=True, slots=True)
class Recurrence:
    """The linear recurrence over F_prime that generates a design, and how many rows of it make one symbol of F_q."""

    prime: int
    rows: int
    degree: int
    coefficients: tuple[int, ...]

    def zeros(self, length: int) -> Positions:
        """The columns, ascending, where all ``rows`` rows of ``length`` terms are zero: the points of the design."""
        taps = [(self.prime - c, self.degree - j) for j, c in enumerate(self.coefficients) if c]
        weights, lags = np.array(taps, np.uint32).T.copy()
        return common_zeros(self.prime, weights, lags, length, self.rows)


@lru_cache(maxsize=1)
def recurrences() -> dict[Design, Recurrence]:
    """Every Singer design of length up to 2^24 with its recurrence, shortest first; read once from primitive.csv."""
    table = {}
    with files("deniable.theory").joinpath("primitive.csv").open(encoding="ascii") as lines:
        for row in csv.DictReader(lines):
            prime, degree = int(row["prime"]), int(row["degree"])
            coefficients = tuple(map(int, row["coefficients"].split()))
            for rows in (m for m in range(1, degree // 3 + 1) if degree % m == 0):
                design = Design.singer(prime**rows, degree // rows)
                if design.length <= LONGEST:
                    table[design] = Recurrence(prime, rows, degree, coefficients)
    return dict(sorted(table.items(), key=lambda entry: entry[0].length))


@lru_cache(maxsize=8)
def positions(design: Design) -> Positions:
    """The points of the design, ascending, in a read-only array that is cached; takes up to a second for the longest.

    Example:
        >>> positions(Design.singer(4, 3)).tolist()
        [0, 1, 6, 8, 18]
    """
    points = np.zeros(1, np.int32)
    if design != Design.point(design.length):
        recurrence = recurrences().get(design)
        if recurrence is None:
            raise ParameterError(f"design must be a point or a Singer design of length up to {LONGEST}, got {design}")
        points = recurrence.zeros(design.length)
        if len(points) != design.block:
            raise FormatError(f"primitive.csv was altered: its row for q={design.q}, t={design.t} is not primitive")
    points.setflags(write=False)
    return points


def designs_for(d: int) -> tuple[Design, ...]:
    """The designs whose circle has room for d labels, shortest first, the single point among them.

    A label alone has nothing to hide among: for it there is only the point.

    Example:
        >>> [design.length for design in designs_for(10)][:5]
        [10, 13, 15, 21, 31]
    """
    return (Design.point(d), *(design for design in recurrences() if design.length >= d > 1))


def designs_by_name(d: int) -> dict[tuple[int | None, int | None], Design]:
    """The same by the q and t that name them in a spec."""
    return {(design.q, design.t): design for design in designs_for(d)}


def support(design: Design, odds: float | Fraction) -> Support:
    """The g and h of the design, whose points have ``odds`` times the weight of others; the gap does not cancel.

    A report in the block of the sender's own label is in another label's block ``overlap`` times out of ``block``.
    """
    excess = float(odds - 1)
    weight = excess * design.block + design.length
    return Support(
        g=(excess + 1) * design.block / weight,
        h=(excess * design.overlap + design.block) / weight,
        gap=excess * (design.block - design.overlap) / weight,
        miss=(design.length - design.block) / weight,
    )


def variance(design: Design, d: int, odds: float | Fraction) -> float:
    """The total squared error of d frequencies against the people's own shares, times n (wang2016, sect. 3)."""
    return float(l2_sample(support(design, odds), 1, d))


def choose(d: int, epsilon: float, max_bits: int | None = None) -> Design:
    """The design of least variance whose reports fit ``max_bits``; the shortest of those within 0.1% of it.

    By default a report takes at most three bits more than a label would. This limit costs most if e^epsilon exceeds
    every q of such short circles: at d = 16384 and epsilon = 8 the variance is 41 with 14 bits, and 23 with 23 bits.

    Example:
        >>> choose(1000, 2.0)
        Design(length=4681, block=585, overlap=73, q=8, t=5)
        >>> choose(1000, 2.0, max_bits=11)
        Design(length=1464, block=133, overlap=12, q=11, t=4)
    """
    bits = _bits_allowed(d, max_bits)
    if not 0 < epsilon < math.inf:
        raise ParameterError(f"epsilon must be a finite number above 0, got epsilon={epsilon!r}")
    odds = math.exp(epsilon)
    return _cheapest(d, bits, lambda design: variance(design, d, odds))


def choose_high_low(sensitive: int, d: int, epsilon: float) -> Design:
    """The same for the sensitive labels of a high-low survey, by the squared error of all labels at the worst truth.

    Example:
        >>> choose_high_low(100, 1000, 1.0)
        Design(length=341, block=85, overlap=21, q=4, t=5)
    """
    odds = Fraction(math.exp(epsilon))

    def error(design: Design) -> float:
        return worst_high_low(Hiding(design.length, design.block, odds), sensitive, d)

    return _cheapest(sensitive, _bits_allowed(sensitive, None), error)


def _cheapest(d: int, bits: int, price: Callable[[Design], float]) -> Design:
    priced = [(price(design), design) for design in designs_for(d) if design.bits <= bits]
    least = min(price for price, _ in priced)
    return next(design for price, design in priced if price <= least * TIE)


def _bits_allowed(d: int, max_bits: int | None) -> int:
    """The limit on the bits of a report; refused if d labels, and so the single point, need more."""
    if not 2 <= d <= LONGEST:
        raise ParameterError(f"a cyclic design needs between 2 and {LONGEST} labels, got d={d!r}")
    least = (d - 1).bit_length()
    if max_bits is None:
        return least + SPARE_BITS
    if type(max_bits) is not int or max_bits < least:
        raise ParameterError(
            f"max_bits must be an integer of at least {least} for {d} labels, got max_bits={max_bits!r}"
        )
    return max_bits

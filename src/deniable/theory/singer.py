"""Singer difference sets, the designs of ``Cyclic`` (a cyclic projective geometry response), and their choice.

For a prime power q and t >= 3, the multiples delta of a primitive alpha in F_{q^t} with Tr(alpha^delta) = 0 form a set
D on the circle of K = (q^t - 1)/(q - 1) points that every non-zero shift meets equally often. Computing it needs no
arithmetic of F_q, q = p^m: alpha^K generates F_q, so its first m powers are a basis of it over F_p, and

    D = { i < K : s[i] = s[i + K] = ... = s[i + (m - 1)K] = 0 }

for any non-zero recurrence s over F_p of a primitive polynomial of degree m t. protocol/primitive.csv holds the
polynomials (scripts/primitive_polynomials.py writes it); they determine what a report means, so its rows never change.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache

import numpy as np

from deniable.arrays import Positions
from deniable.kernels.arithmetic import common_zeros
from deniable.protocol.designs import LONGEST, Design, Recurrence, recurrences
from deniable.protocol.errors import FormatError, ParameterError
from deniable.theory.risk.designs import Hiding, worst_high_low
from deniable.theory.risk.support import Support, l2_sample

SPARE_BITS = 3  # a default report may exceed a plain label's bits by this much
TIE = 1.001  # variances within this factor count as equal: the shorter circle decodes faster


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
        points = _zero_columns(recurrence, design.length)
        if len(points) != design.block:
            raise FormatError(f"primitive.csv was altered: its row for q={design.q}, t={design.t} is not primitive")
    points.setflags(write=False)
    return points


def _zero_columns(recurrence: Recurrence, length: int) -> Positions:
    """The columns, ascending, where all rows of ``length`` terms are zero."""
    prime, degree = recurrence.prime, recurrence.degree
    taps = [(prime - c, degree - j) for j, c in enumerate(recurrence.coefficients) if c]
    weights, lags = np.array(taps, np.uint32).T.copy()
    return common_zeros(prime, weights, lags, length, recurrence.rows)


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
    return _shortest_of_best(d, bits, lambda design: variance(design, d, odds))


def choose_high_low(sensitive: int, d: int, epsilon: float) -> Design:
    """The design for the sensitive labels of a high-low survey: of least squared error of all, at the worst truth.

    Example:
        >>> choose_high_low(100, 1000, 1.0)
        Design(length=341, block=85, overlap=21, q=4, t=5)
    """
    odds = Fraction(math.exp(epsilon))

    def error(design: Design) -> float:
        return worst_high_low(Hiding(design.length, design.block, odds), sensitive, d)

    return _shortest_of_best(sensitive, _bits_allowed(sensitive, None), error)


def _shortest_of_best(d: int, bits: int, price: Callable[[Design], float]) -> Design:
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

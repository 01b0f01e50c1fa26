"""From a channel that an optimizer found, in floats, to integer weights that provably keep a guarantee.

The optimizer is asked for a level slightly below the promised one. Its entries are rounded up to integer weights, so
that no ratio to a small entry grows; a share of each row is withheld for one more report, which fills the row up to the
common total and is nearly equal for all rows. Then the guarantee is tested in exact arithmetic.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from deniable.privacy.matrix import Rows, row_sums
from deniable.protocol.errors import CapacityError, ParameterError
from deniable.protocol.privacy.guarantees import Guarantee

SHARES = (1e-9, 1e-8, 1e-7, 5e-7)
"""The relative reductions of the level that are tried, one after another."""
WITHHELD = 2.0**-24
"""The share of each row that is withheld for the last report."""
FAINTEST = 1e-13
"""Reports that an optimizer makes less likely than this are rounding errors and dropped."""
TOTAL = 1 << 63
"""The sum of the weights of a row, before common divisors are removed."""


def certified(solve: Callable[[float], npt.NDArray[np.float64]], guarantee: Guarantee) -> Rows:
    """Integer weights proven to keep the guarantee, from ``solve(share)``, a channel for that share of its level.

    >>> from deniable.protocol.privacy.guarantees import LDP
    >>> def warner(share):
    ...     keep = 1 / (1 + math.exp(-share))
    ...     return np.array([[keep, 1 - keep], [1 - keep, keep]])
    >>> LDP(1.0).holds(certified(warner, LDP(1.0)).fractions())
    True
    """
    for share in SHARES:
        matrix = solve(1 - share)
        for candidate in (matrix, matrix / matrix.sum(axis=1, keepdims=True)):  # the first has fewer different entries
            if _has_room(candidate) and guarantee.judge(rows := integer_weights(candidate)).holds:
                return rows
    raise CapacityError(f"a channel must have weights in 64 bits that keep {guarantee}, got none; take another level")


def _has_room(matrix: npt.NDArray[np.float64]) -> bool:
    """Whether rounding up leaves a positive weight of every row for the last report."""
    return bool((matrix.sum(axis=1) <= 1 + WITHHELD / 2).all())


def integer_weights(matrix: npt.NDArray[np.float64]) -> Rows:
    """The probabilities rounded up to multiples of 2^-63, with one more report for the rest of each row; 0 stays 0.

    Rows that then add up to more than 1 are refused.
    """
    chances = matrix[:, ~(matrix.max(axis=0) <= FAINTEST)]
    if not _has_room(chances) or chances.min(initial=0) < 0:
        raise ParameterError("each row of matrix must be probabilities that add up to 1, got one that is not")
    weights = np.ceil(chances * ((1 - WITHHELD) * TOTAL)).astype(np.uint64)
    remainders = [TOTAL - row_sum for row_sum in row_sums(weights)]  # in Python's integers: unsigned ones would wrap
    if min(remainders) < 0:
        raise CapacityError(f"a channel must have fewer reports to have weights in 64 bits, got {chances.shape[1]}")
    weights = np.column_stack((weights, np.array(remainders, np.uint64)))
    divisor = math.gcd(int(np.gcd.reduce(weights, axis=None)), TOTAL)
    return Rows(weights // np.uint64(divisor), TOTAL // divisor)

"""From a channel that an optimizer found, in floats, to whole-number weights that provably keep a guarantee.

The optimizer is asked for a level a hair below the one that is promised. Its entries are rounded up to whole weights,
so that no ratio to a small entry grows; a share of each row is withheld for one more report, which takes what the row
lacks of the common total and is nearly the same for all rows. Then the guarantee is tested in exact arithmetic.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from deniable.errors import CapacityError
from deniable.privacy.guarantees import Guarantee
from deniable.privacy.matrix import Rows

SHARES = (1e-9, 1e-8, 1e-7, 5e-7)
"""How far below its level the optimizer may be sent, relatively."""
WITHHELD = 2.0**-24
FAINTEST = 1e-13
"""Reports that an optimizer leaves less likely than this are rounding."""
TOTAL = 1 << 63
"""What the weights of a row add up to, before common divisors are taken out."""


def certified(solve: Callable[[float], npt.NDArray[np.float64]], guarantee: Guarantee) -> Rows:
    """The weights of ``solve(share)``, a channel for that share of the guarantee's level, proven to keep the whole.

    >>> from deniable.privacy.guarantees import LDP
    >>> def warner(share):
    ...     keep = 1 / (1 + math.exp(-share))
    ...     return np.array([[keep, 1 - keep], [1 - keep, keep]])
    >>> LDP(1.0).holds(certified(warner, LDP(1.0)).fractions())
    True
    """
    for share in SHARES:
        matrix = solve(1 - share)
        sums = matrix.sum(axis=1, keepdims=True)
        for rows in (whole(matrix), whole(matrix / sums)):  # the first has fewer different entries
            if guarantee.judge(rows).holds:
                return rows
    raise CapacityError(f"a channel must have weights in 64 bits that keep {guarantee}, got none; take another level")


def whole(matrix: npt.NDArray[np.float64]) -> Rows:
    """Weights of a grain of 2^-63, with one more report for what is left; 0 stays 0."""
    kept = matrix[:, matrix.max(axis=0) > FAINTEST]
    weights = np.ceil(kept * ((1 - WITHHELD) * TOTAL)).astype(np.uint64)
    rest = np.uint64(TOTAL) - weights.sum(axis=1, dtype=np.uint64)
    weights = np.column_stack((weights, rest))
    divisor = math.gcd(int(np.gcd.reduce(weights, axis=None)), TOTAL)
    least = weights // np.uint64(divisor)
    least.flags.writeable = False
    return Rows(least, TOTAL // divisor)

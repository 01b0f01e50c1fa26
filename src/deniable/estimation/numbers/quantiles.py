"""Between which cuts a quantile lies, from bounds on F (numbers.md 2)."""

from __future__ import annotations

import numpy as np

from deniable.estimation.numbers.cumulative import Bounds
from deniable.protocol.errors import ParameterError


def quantile_cuts(bounds: Bounds, share: float) -> tuple[int, int]:
    """The first and the last cut between which the quantile of this share lies.

    It lies in the cell c with F(c) < share <= F(c+1): of all cells that the bounds allow, these are the outer cuts.
    With pointwise bounds that holds at their level for one quantile; with a band for all of them at once.

    >>> quantile_cuts(Bounds(np.array([0, 0.1, 0.4, 0.8, 1]), np.array([0, 0.3, 0.6, 1, 1])), 0.5)
    (1, 3)
    """
    if not 0 < share < 1:
        raise ParameterError(f"share must be above 0 and below 1, got {share}")
    cells = np.flatnonzero((bounds.lower[:-1] < share) & (share <= bounds.upper[1:]))
    return int(cells[0]), int(cells[-1]) + 1

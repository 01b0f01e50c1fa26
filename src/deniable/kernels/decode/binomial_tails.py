"""Exact tails of a sum of two binomials: x people support a label with probability g, the n - x others with h."""

from __future__ import annotations

import numpy as np

from deniable.arrays import Counts
from deniable.kernels import _kernels
from deniable.kernels.contiguous import integers


def least_holders(
    counts: Counts, people: Counts, g: float, not_g: float, h: float, not_h: float, error: float, guesses: Counts
) -> Counts:
    """For each count the smallest x, at most ``people``, whose upper tail exceeds ``error``; searched from a guess.

    ``not_g`` is 1 - g and ``not_h`` 1 - h. A tail is never too small, so an interval from x can only be too wide.

    >>> three, none = np.array([3]), np.array([0])
    >>> least_holders(three, np.array([5]), 1.0, 0.0, 0.0, 1.0, 0.5, none)
    array([3])
    """
    found = np.empty(len(counts), np.int64)
    _kernels.least_holders(integers(counts), integers(people), integers(guesses), g, not_g, h, not_h, error, found)
    return found

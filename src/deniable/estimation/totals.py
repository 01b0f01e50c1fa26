"""Shares of groups that are known without noise: every distribution that is decoded keeps them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from deniable.arrays import Indices, Vector
from deniable.kernels.arithmetic import project_simplex


@dataclass(frozen=True, slots=True, eq=False)
class Totals:
    """``shares`` of the groups, whose labels' places ``order`` lists group after group, ``sizes`` of them each.

    >>> known = Totals(np.array([0, 2, 1]), np.array([2, 1]), np.array([0.75, 0.25]))
    >>> known.kept(lambda part: part / part.sum(), np.array([1.0, 0.5, 2.0])).tolist()
    [0.25, 0.25, 0.5]
    """

    order: Indices
    sizes: Indices
    shares: Vector

    def projected(self, shares: Vector) -> Vector:
        """The nearest shares that keep those of the groups."""
        return self.kept(project_simplex, shares)

    def kept(self, decoder: Callable[[Vector], Vector], shares: Vector) -> Vector:
        """What a decoder makes of each group, taken for everybody, times the group's share; 0 in an empty group."""
        found = np.zeros(len(shares))
        places = np.split(self.order, np.cumsum(self.sizes)[:-1])
        for members, share in zip(places, self.shares.tolist(), strict=True):
            if share > 0:
                found[members] = share * decoder(shares[members] / share)
        return found

"""Shares of ranges of a scale as evidence: so many linear sums of F, each with its exact variance."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from deniable.arrays import Matrix, Vector
from deniable.estimation.numbers.cumulative import Cumulative
from deniable.estimation.sources import SQUARES, less_spread
from deniable.protocol.say import Phrase, Statement
from deniable.theory.risk.variance import Target

NOTE = Statement("intervals_why", intervals=SQUARES, why=Statement("ranges_are_put_together"))
ROUNDED = 9
"""Edges are whole cells to so many decimals."""


@dataclass(frozen=True, eq=False)
class RangeEvidence:
    """The shares between ``edges``, which are places in cells and may lie within a cell, along which F then is even."""

    cumulative: Cumulative
    edges: Vector

    @property
    def n(self) -> int:
        """How many people reported."""
        return self.cumulative.n

    @property
    def notes(self) -> tuple[Phrase, ...]:
        """What to say of the intervals."""
        return (NOTE,)

    @cached_property
    def _query(self) -> tuple[Vector, Vector]:
        """The shares and their variances."""
        return self.cumulative.query(np.diff(at_places(self.edges, self.cumulative.cells), axis=0))

    def unbiased(self) -> Vector:
        """The shares, which may be negative."""
        return self._query[0]

    def stderr(self, target: Target = "population") -> Vector:
        """Their standard errors; against the sample at most so large, as if one kind of report had told of all."""
        errors = np.asarray(np.sqrt(self._query[1]), np.float64)
        left = 1 / self.n - 1 / self.cumulative.size  # of people who are drawn, what a census has not taken off
        return errors if target == "population" or left <= 0 else less_spread(errors, self._query[0], 1 / left)

    def contrast_variance(self, weights: Vector) -> float:
        """Of a sum of ranges as of any sum of F."""
        between = np.diff(at_places(self.edges, self.cumulative.cells), axis=0)
        return float(self.cumulative.query((weights @ between)[None])[1][0])

    def interval(self, alpha: float, target: Target = "population") -> Matrix:
        """Bounds of the shares; of edges within a cell, of all that may lie between them.

        At least are those in the cells that are wholly between the edges, at most those in all that touch them.
        """
        edges, cells = np.round(self.edges, ROUNDED), self.cumulative.cells
        first, last = np.ceil(edges[:-1]), np.floor(edges[1:])
        outer = at_places(np.ceil(edges[1:]), cells) - at_places(np.floor(edges[:-1]), cells)
        inner = at_places(np.maximum(last, first), cells) - at_places(first, cells)
        bounds = self.cumulative.bounds(outer, alpha)
        if not np.array_equal(inner, outer):
            bounds[:, 0] = np.where(last > first, self.cumulative.bounds(inner, alpha)[:, 0], 0.0)
        return bounds


def at_places(places: Vector, cells: int) -> Matrix:
    """The weights [places, cuts] of F at some places: of the cut there, or of the two around it.

    >>> at_places(np.array([1.0, 1.25]), 2).tolist()
    [[0.0, 1.0, 0.0], [0.0, 0.75, 0.25]]
    """
    inside = np.clip(places, 0, cells)
    below = np.minimum(np.floor(inside), cells - 1).astype(np.int64)
    weights = np.zeros((len(inside), cells + 1))
    rows = np.arange(len(inside))
    weights[rows, below] = 1 - (inside - below)
    weights[rows, below + 1] = inside - below
    return weights

"""The parts of a mechanism with an explicit channel: one integer weight per value and report."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from deniable.arrays import Column, Counts, Indices, Vector, Words
from deniable.estimation.laws.linear_law import LinearLaw
from deniable.kernels._kernels import draw_table
from deniable.kernels.aggregate import by_rows
from deniable.mechanisms.composed import Parts
from deniable.mechanisms.drawing import Cost, draw_indices
from deniable.privacy.entropy import Entropy
from deniable.privacy.exact_channel import ExactChannel
from deniable.privacy.matrix import WORD
from deniable.protocol.errors import CapacityError
from deniable.protocol.privacy.guarantees import Guarantee
from deniable.reports.index_layout import IndexLayout


class Search(NamedTuple):
    """Running sums as a word's place in them is found: by a cell for its highest bits, then by halving what is left.

    A cell holds the number of sums up to its first word, and below that, in ``shift`` bits, how far the next sum is: a
    word that is no further has been found. Else it is among the sums from there on, in ``steps`` halvings. There are
    as many cells as sums or up to twice as many, so that mostly one comparison is all.
    """

    cells: Words
    shift: np.uint64
    ends: Words
    """The sums, row by row, with the total repeated, so that no halving leaves the row."""
    steps: np.uint64

    @classmethod
    def of(cls, sums: Words) -> Search:
        """The search in rows of running sums, which end with one total.

        >>> search = Search.of(np.array([[3, 5, 8]], np.uint64))
        >>> [(cell >> int(search.shift), cell % 2) for cell in search.cells[0].tolist()]
        [(0, 1), (0, 0), (1, 0), (2, 1), (3, 1)]
        """
        total, columns = int(sums[0, -1]), sums.shape[1]
        shift = np.uint64(max(0, total.bit_length() - (columns - 1).bit_length() - 1))
        begins = np.arange((total >> int(shift)) + 1, dtype=np.uint64) << shift
        passed = np.array([np.searchsorted(row, begins, side="right") for row in sums])
        ends = np.pad(sums, ((0, 0), (0, 1)), mode="edge")
        to_next = np.take_along_axis(ends, passed, axis=1) - begins - np.uint64(1)
        last = (np.uint64(1) << shift) - np.uint64(1)  # the last word of a cell, counted from its first
        cells = passed.astype(np.uint64) << shift | np.minimum(to_next, last)
        most_in_cell = int(np.diff(passed, axis=1, append=columns).max())
        steps = max(0, most_in_cell - 1).bit_length()
        return cls(cells, shift, np.pad(sums, ((0, 0), (0, 1 << steps)), mode="edge"), np.uint64(steps))


@dataclass(frozen=True, eq=False)
class Table(Parts[LinearLaw]):
    """How reports are drawn from a channel's weights, stored as the index of a column, and read by its inverse."""

    channel: ExactChannel
    guarantee: Guarantee
    prior: Vector | None = None
    """In whose metric the inverse is taken."""

    @cached_property
    def layout(self) -> IndexLayout:
        """One integer per report, the index of a column; columns that no value sends are refused."""
        weights = self.channel.rows.weights
        return IndexLayout(weights.shape[1], tuple(np.flatnonzero(~weights.any(axis=0)).tolist()))

    @cached_property
    def law(self) -> LinearLaw:
        """A linear estimator, from the inverse of the matrix."""
        return LinearLaw(len(self.channel.rows), self.channel, self.guarantee, self.prior)

    @cached_property
    def _search(self) -> Search:
        """How a random word finds its column in the running sums of a row of weights."""
        rows = self.channel.rows
        if rows.total >= WORD:
            raise CapacityError(
                "a channel's weights must add up to less than 2^64 to be sampled, got more; "
                "privatize with the mechanism that the channel was written out from"
            )
        return Search.of(np.cumsum(rows.weights, axis=1, dtype=np.uint64))

    @property
    def cost(self) -> Cost:
        """One word per report, rarely rejected; one binomial draw per cell in aggregate."""
        return Cost(1 + self.channel.rows.total / WORD, float(self.channel.rows.weights.size))

    def draw(self, values: Indices, entropy: Entropy) -> Column:
        """One word per report, looked up in the running sums of its row."""
        return draw_indices(draw_table, self.layout, values, entropy, self.cost.words_per_report, *self._search)

    def draw_counts(self, people: Counts, generator: np.random.Generator) -> Counts:
        """The counts of reports: one multinomial draw per label, over its row of the channel."""
        return by_rows(people, self.channel.probabilities, generator)

"""Drawing from an explicit channel: one integer weight per value and report."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from deniable.arrays import Column, Counts, Indices, Integers, Words
from deniable.errors import CapacityError
from deniable.kernels.draw.aggregate import by_rows
from deniable.kernels.draw.draws import draw_table
from deniable.mechanisms.drawing import Cost, draw_indices
from deniable.privacy.entropy import Entropy
from deniable.privacy.exact_channel import ExactChannel
from deniable.privacy.matrix import WORD
from deniable.reports.index_layout import IndexLayout

GUIDED = 8
"""The bits of a word by which the guide is read: a guide of 256 places a row stays in the cache."""


class Search(NamedTuple):
    """Running sums as a word's place in them is found: by its highest bits, then by halving what is left."""

    ends: Words
    guide: Integers
    shift: np.uint64
    steps: int

    @classmethod
    def of(cls, sums: Words) -> Search:
        """The search in rows of running sums, which end with one total.

        >>> Search.of(np.array([[3, 5, 8]], np.uint64)).guide.tolist()
        [[0, 0, 0, 1, 1, 2, 2, 2, 3]]
        """
        total = int(sums[0, -1])
        shift = max(0, total.bit_length() - GUIDED)
        begins = np.arange((total >> shift) + 1, dtype=np.uint64) << np.uint64(shift)
        kind = np.min_scalar_type(sums.shape[1])
        guide = np.array([np.searchsorted(row, begins, side="right") for row in sums], kind)
        after = np.concatenate([guide[:, 1:], np.full((len(guide), 1), sums.shape[1])], axis=1)
        steps = int((after.astype(np.int64) - guide).max()).bit_length()
        return cls(np.pad(sums, ((0, 0), (0, 1 << steps)), mode="edge"), guide, np.uint64(shift), steps)


@dataclass(frozen=True, eq=False)
class Table:
    """How reports are drawn from a channel's weights, and stored as the index of a column."""

    channel: ExactChannel

    @cached_property
    def layout(self) -> IndexLayout:
        """One integer per report, the index of a column; columns that no value sends are refused."""
        weights = self.channel.rows.weights
        return IndexLayout(weights.shape[1], tuple(np.flatnonzero(~weights.any(axis=0)).tolist()))

    @cached_property
    def _search(self) -> Search:
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

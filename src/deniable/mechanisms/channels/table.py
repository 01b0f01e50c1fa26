"""Drawing from an explicit channel: one integer weight per value and report."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from deniable.arrays import Column, Counts, Indices, Words
from deniable.errors import CapacityError
from deniable.kernels.draw.aggregate import by_rows
from deniable.kernels.draw.draws import draw_table
from deniable.mechanisms.drawing import Cost, draw_indices
from deniable.privacy.entropy import Entropy
from deniable.privacy.exact_channel import ExactChannel
from deniable.privacy.matrix import WORD
from deniable.reports.index_layout import IndexLayout


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
    def _ends(self) -> Words:
        rows = self.channel.rows
        if rows.total >= WORD:
            raise CapacityError(
                "a channel's weights must add up to less than 2^64 to be sampled, got more; "
                "privatize with the mechanism that the channel was written out from"
            )
        return np.cumsum(rows.weights, axis=1, dtype=np.uint64)

    @property
    def cost(self) -> Cost:
        """One word per report, rarely rejected; one binomial draw per cell in aggregate."""
        return Cost(1 + self.channel.rows.total / WORD, float(self.channel.rows.weights.size))

    def draw(self, values: Indices, entropy: Entropy) -> Column:
        """One word per report, looked up in the running sums of its row."""
        return draw_indices(draw_table, self.layout, values, entropy, self.cost.words_per_report, self._ends)

    def draw_counts(self, people: Counts, generator: np.random.Generator) -> Counts:
        """The counts of reports: one multinomial draw per label, over its row of the channel."""
        return by_rows(people, self.channel.probabilities, generator)

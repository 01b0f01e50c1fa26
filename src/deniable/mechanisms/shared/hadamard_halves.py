"""What mechanisms share that answer with a half of a Hadamard row, or with noise: the coin, the words, the draw."""

from __future__ import annotations

from abc import abstractmethod
from functools import cached_property

import numpy as np
import numpy.typing as npt

from deniable.arrays import Column, Indices
from deniable.kernels.draw.draws import draw_rows
from deniable.mechanisms.shared.stored import IndexReports
from deniable.privacy.entropy import Entropy
from deniable.privacy.odds import Odds, weighted_odds
from deniable.theory.risk import context
from deniable.values.domain import Domain


class HalfRows(IndexReports):
    """A for one half of a row's outputs, B for the other."""

    domain: Domain
    epsilon: float

    @cached_property
    def odds(self) -> Odds:
        """A for one half of a row's outputs, B for the other."""
        return weighted_odds(self.epsilon, 1, 1)

    @property
    def total(self) -> int:
        """What the coin is drawn below."""
        return self.odds.above + self.odds.below

    @property
    @abstractmethod
    def sources(self) -> npt.NDArray[np.uint64]:
        """What ``draw_rows`` needs of each label."""

    @property
    def words_per_report(self) -> float:
        """A coin and an output."""
        return 2 + self.total / 2**64

    def draw(self, values: Indices, entropy: Entropy) -> Column:
        """Two words a report."""
        bonus, total = np.uint64(self.odds.above - self.odds.below), np.uint64(self.total)
        return self.drawn_by(draw_rows, values, entropy, bonus, total, self.sources)

    @property
    def leverage(self) -> float:
        """r, for every label."""
        return context.reach(self.odds.ratio)

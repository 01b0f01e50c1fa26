"""Drawing for mechanisms that answer with half of a Hadamard row, or with noise: the coin and its words."""

from __future__ import annotations

import numpy as np

from deniable.arrays import Column, Indices, Words
from deniable.kernels.draw.draws import draw_rows
from deniable.mechanisms.drawing import draw_indices
from deniable.privacy.entropy import Entropy
from deniable.privacy.odds import Odds, weighted_odds
from deniable.reports.index_layout import IndexLayout


def half_odds(epsilon: float) -> Odds:
    """A for one half of a row's outputs, B for the other."""
    return weighted_odds(epsilon, 1, 1)


def half_words(odds: Odds) -> float:
    """A coin and an output."""
    return 2 + (odds.above + odds.below) / 2**64


def draw_halves(sources: Words, odds: Odds, layout: IndexLayout, values: Indices, entropy: Entropy) -> Column:
    """Two words per report; ``sources`` holds what ``draw_rows`` needs of each label."""
    bonus, total = np.uint64(odds.above - odds.below), np.uint64(odds.above + odds.below)
    return draw_indices(draw_rows, layout, values, entropy, half_words(odds), bonus, total, sources)

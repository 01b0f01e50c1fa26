"""Drawing for mechanisms that report an output of half a Hadamard row, or noise: odds, words and draw."""

from __future__ import annotations

import numpy as np

from deniable.arrays import Column, Indices, Words
from deniable.kernels._kernels import draw_rows
from deniable.mechanisms.drawing import draw_indices
from deniable.privacy.entropy import Entropy
from deniable.protocol.odds import Odds, weighted_odds
from deniable.reports.index_layout import IndexLayout


def half_odds(epsilon: float) -> Odds:
    """The odds A:B of the two halves of a row's outputs."""
    return weighted_odds(epsilon, 1, 1)


def half_words(odds: Odds) -> float:
    """The random words per report: a coin and an output."""
    return 2 + (odds.above + odds.below) / 2**64


def draw_halves(sources: Words, odds: Odds, layout: IndexLayout, values: Indices, entropy: Entropy) -> Column:
    """Reports from two words each; ``sources`` holds the row of ``draw_rows`` for each label."""
    bonus, total = np.uint64(odds.above - odds.below), np.uint64(odds.above + odds.below)
    return draw_indices(draw_rows, layout, values, entropy, half_words(odds), bonus, total, sources)

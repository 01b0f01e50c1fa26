"""Drawing for mechanisms whose report names the value, or any of the values alike: words and draw."""

from __future__ import annotations

import numpy as np

from deniable.arrays import Column, Indices
from deniable.kernels._kernels import draw_response
from deniable.mechanisms.drawing import draw_indices
from deniable.privacy.entropy import Entropy
from deniable.protocol.odds import Odds
from deniable.reports.index_layout import IndexLayout


def response_words(total: int) -> float:
    """The random words per report: one, rarely rejected."""
    return 1 + total / 2**64


def draw_responses(layout: IndexLayout, values: Indices, odds: Odds, total: int, entropy: Entropy) -> Column:
    """Reports from one word each: of ``total`` weights the value has A, any other one B."""
    bonus, shift = np.uint64(odds.above - odds.below), np.uint64(odds.below.bit_length() - 1)
    return draw_indices(draw_response, layout, values, entropy, response_words(total), bonus, np.uint64(total), shift)

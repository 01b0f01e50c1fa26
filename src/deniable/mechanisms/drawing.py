"""The cost of a draw, and columns of integers that a kernel draws."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from deniable.arrays import Column, Indices
from deniable.privacy.entropy import Entropy, feed
from deniable.reports.index_layout import IndexLayout


class Cost(NamedTuple):
    """The cost of drawing, for planners and simulators."""

    words_per_report: float
    """The random 64-bit words that a report is expected to need."""
    aggregate_draws: float
    """About how many binomial draws ``draw_counts`` makes; for one candidate over an open alphabet."""


def draw_indices(
    kernel: Callable[..., tuple[int, int]],
    layout: IndexLayout,
    values: Indices,
    entropy: Entropy,
    words: float,
    *inputs: Any,
) -> Column:
    """A column of integer reports from a kernel that draws one per value from a tape, of about so many words each."""
    out = np.empty(len(values), layout.dtype)
    feed(entropy, lambda tape, done: kernel(tape, done, values, *inputs, out), len(values), words)
    return out

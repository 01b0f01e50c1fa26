"""Drawing whole columns of reports on all processors, and the cost of a draw."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import numpy as np

from deniable.arrays import Column, Indices
from deniable.kernels.contiguous import integers
from deniable.kernels.threads import share
from deniable.privacy.entropy import Entropy, feed
from deniable.protocol.errors import LabelError
from deniable.reports.index_layout import IndexLayout
from deniable.reports.layout import Layout

BLOCK_BYTES = 1 << 22
"""A column is drawn in blocks of about this many bytes, each from its own part of the entropy, so that threads
can share the work and the result does not depend on their number."""


class Cost(NamedTuple):
    """The cost of drawing, for planners and simulators."""

    words_per_report: float
    """The random 64-bit words that a report is expected to need."""
    aggregate_draws: float
    """About how many binomial draws ``draw_counts`` makes; for one candidate over an open alphabet."""


class Draws(Protocol):
    """The protocol of everything that can draw a column; every mechanism has it."""

    @property
    def domain(self) -> Any:
        """The values that people may hold."""
        ...

    @property
    def layout(self) -> Layout:
        """How reports are stored."""
        ...

    def draw(self, values: Indices, entropy: Entropy) -> Column:
        """One report for each index."""
        ...


def draw_column(mechanism: Draws, values: Indices, entropy: Entropy) -> Column:
    """Check indices and draw their reports, block by block, on all processors."""
    layout, check, values = mechanism.layout, mechanism.domain.check, integers(values)
    size = max(1, BLOCK_BYTES * 8 // max(64, layout.report_bits))
    column = layout.empty(len(values))

    def draw(index: int) -> None:
        place = slice(index * size, (index + 1) * size)
        check(values[place])  # before a kernel trusts them
        column[place] = mechanism.draw(values[place], entropy.part(index))

    try:
        share(draw, range(max(1, -(-len(values) // size))))
    except LabelError:  # raised for a block: count over the whole column
        check(values)
        raise
    return column


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

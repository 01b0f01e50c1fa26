"""What follows from how reports are stored: one integer each, or one bit a label."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from deniable.arrays import Column, Counts, Indices, Matrix
from deniable.estimation.decoders import Messages, support_messages
from deniable.kernels.count.packed import collect_packed, mass_packed
from deniable.kernels.draw.aggregate import by_rows
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.shared.support import SupportCounting
from deniable.privacy.entropy import Entropy, feed
from deniable.reports.layout import IndexLayout, PackedLayout
from deniable.values.values import closed_domain


class IndexReports(Mechanism):
    """Reports that are one integer; a tally is their histogram, which keeps all that they say."""

    @property
    @abstractmethod
    def layout(self) -> IndexLayout:
        """One integer below the number of outputs."""

    @abstractmethod
    def messages(self, counts: Counts) -> Messages:
        """The likelihood of a histogram."""

    @property
    def outputs(self) -> int:
        """How many different reports there are."""
        return self.layout.outputs

    def drawn_by(
        self, kernel: Callable[..., tuple[int, int]], values: Indices, entropy: Entropy, *inputs: Any
    ) -> Column:
        """A column of reports by a kernel that draws an integer for each value from a tape."""
        out = np.empty(len(values), self.layout.dtype)
        feed(entropy, lambda tape, done: kernel(tape, done, values, *inputs, out), len(values), self.words_per_report)
        return out

    @property
    def marks(self) -> int:
        """Each report is counted once."""
        return 1

    @property
    def cells(self) -> int:
        """One count an output."""
        return self.outputs

    @cached_property
    def probabilities(self) -> Matrix:
        """The realised channel as floats, inputs by outputs; only where it is small."""
        chances = self.rows.floats()
        chances.flags.writeable = False
        return chances

    def draw_counts(self, people: Counts, generator: np.random.Generator) -> Counts:
        """A multinomial a label, over its row of the channel; where that is large, a family has a way of its own."""
        return by_rows(people, self.probabilities, generator)

    @property
    def aggregate_draws(self) -> float:
        """One a cell of the channel."""
        return float(len(closed_domain(self.domain)) * self.outputs)

    def report_messages(self, reports: Column) -> Messages:
        """The likelihood of the histogram."""
        return self.messages(self.count(reports))

    def all_reports(self) -> Column:
        """0, 1, ..., outputs - 1."""
        return np.arange(self.outputs).astype(self.layout.dtype)

    def report_index(self, reports: Column) -> Indices:
        """A report is its own column."""
        return reports.astype(np.int64)


class PackedReports(SupportCounting):
    """Reports of one bit a label; a tally counts each bit and forgets which came together."""

    @property
    @abstractmethod
    def layout(self) -> PackedLayout:
        """Packed bits."""

    @property
    def marks(self) -> int | None:
        """Its number of bits, where that is fixed."""
        return self.layout.weight

    @property
    def cells(self) -> int:
        """One count a label."""
        return len(self.domain)

    def supports(self, reports: Column) -> npt.NDArray[np.bool_]:
        """The set bits."""
        return np.unpackbits(reports, axis=1, count=len(self.domain), bitorder="little").view(np.bool_)

    def messages(self, counts: Counts) -> Messages | None:
        """None: the joint law of the bits is not in a tally."""
        return None

    def report_messages(self, reports: Column) -> Messages:
        """Equal reports are counted together; each is then one message."""
        d = len(self.domain)
        distinct, counts = np.unique(reports, axis=0, return_counts=True)
        return support_messages(
            counts.astype(np.int64),
            float(self.exact_ratio()),
            mass=lambda p: mass_packed(distinct, p),
            collect=lambda weights: collect_packed(distinct, weights, d),
        )

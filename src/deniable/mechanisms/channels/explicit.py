"""Mechanisms whose channel is written out: one whole-number weight for each value and report."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from deniable.arrays import Column, Counts, Indices, Matrix
from deniable.errors import CapacityError, ParameterError, ReportError, TallyError
from deniable.estimation.decoders import Messages
from deniable.estimation.evidence import LinearEvidence
from deniable.kernels.draw.draws import draw_table
from deniable.mechanisms.shared.stored import IndexReports
from deniable.privacy.entropy import Entropy
from deniable.privacy.matrix import WORD, Rows
from deniable.reports.layout import IndexLayout
from deniable.reports.tally import Tally
from deniable.theory.risk import information
from deniable.theory.risk.variance import Loss, Target, VarianceLaw
from deniable.values.domain import Domain

REFINEMENTS = 2
CLOSED = 1e-6
"""How far from 1 the estimates from one report may add up and still be said to add up to 1."""


class Explicit(IndexReports):
    """Everything that follows from a matrix of weights."""

    domain: Domain
    rows: Rows

    @cached_property
    def exact(self) -> npt.NDArray[np.object_]:
        """The realised probabilities as Fractions, inputs by outputs."""
        return _fixed(self.rows.fractions())

    def exact_ratio(self) -> Fraction | float:
        """The ratio that comes nearest to what is promised, or exceeds it."""
        return self.guarantee.judge(self.rows).ratio

    def exact_rows(self) -> npt.NDArray[np.object_]:
        """The matrix itself."""
        return self.exact

    @property
    def layout(self) -> IndexLayout:
        """The number of a column."""
        return IndexLayout(self.rows.weights.shape[1])

    @cached_property
    def _ends(self) -> npt.NDArray[np.uint64]:
        if self.rows.total >= WORD:
            raise CapacityError(
                "a channel's weights must add up to less than 2^64 to be sampled, got more; "
                "privatize with the mechanism that the channel was written out from"
            )
        return np.cumsum(self.rows.weights, axis=1, dtype=np.uint64)

    @property
    def words_per_report(self) -> float:
        """One word, and a rejection now and then."""
        return 1 + self.rows.total / WORD

    def draw(self, values: Indices, entropy: Entropy) -> Column:
        """One word a report, looked up in the running sums of its row."""
        return self.drawn_by(draw_table, values, entropy, self._ends)

    @cached_property
    def _silent(self) -> npt.NDArray[np.intp]:
        """The reports that no value sends."""
        return np.flatnonzero(~self.rows.weights.any(axis=0))

    def add_up(self, reports: Any, onto: Counts | None = None) -> tuple[int, Counts]:
        """The histogram; a report that no value sends refuses the batch."""
        n, counts = super().add_up(reports, onto)
        if impossible := int(counts[self._silent].sum()):
            raise ReportError(f"reports must be ones that some label sends, got {impossible} that none does")
        return n, counts

    def check_tally(self, tally: Tally) -> Tally:
        """A tally without reports that no value sends."""
        checked = super().check_tally(tally)
        if checked.counts[self._silent].any():
            raise TallyError("the tally must be of reports that some label sends, got others")
        return checked

    @cached_property
    def inverse(self) -> Matrix:
        """The linear estimator: unbiased for every truth, of least variance at the uniform one."""
        rows = self.probabilities
        marginal = rows.mean(axis=0)
        scaled = rows / np.where(marginal > 0, marginal, 1)
        gram = scaled @ rows.T
        if np.linalg.matrix_rank(gram) < len(gram):
            raise ParameterError(
                "a channel's rows must be linearly independent to estimate, got a matrix whose are not; "
                'of an optimal_channel the goals "squared", "minimax" and "minimax-l1" have them so'
            )
        inverse = np.linalg.solve(gram, scaled)
        for _ in range(REFINEMENTS):  # Newton's step, its residual in more digits: weak channels are ill-conditioned
            residual = np.eye(len(rows)) - rows.astype(np.longdouble) @ inverse.T
            inverse = inverse + (residual.T.astype(np.float64) @ inverse)
        return _fixed(np.asarray(inverse, np.float64))

    @property
    def leverage(self) -> float:
        """The most that one report counts for a label."""
        return float(self.inverse.max())

    @property
    def decode_operations(self) -> float:
        """A matrix times a vector."""
        return 2.0 * self.inverse.size

    def evidence(self, tally: Tally) -> LinearEvidence:
        """The histogram with its linear estimator."""
        return LinearEvidence(tally.n, tally.counts, self.inverse)

    def messages(self, counts: Counts) -> Messages:
        """The channel itself."""
        rows = self.probabilities
        return Messages(counts, forward=lambda p: p @ rows, backward=lambda weights: rows @ weights)

    @cached_property
    def variance_law(self) -> VarianceLaw:
        """From the squared contributions of each report to each label, given each input."""
        second = self.probabilities @ (self.inverse**2).T
        told = self.inverse[:, self.probabilities.any(axis=0)].sum(axis=0)
        closed = bool(np.abs(told - 1).max() < CLOSED)
        return VarianceLaw(np.zeros(len(second)), lambda p: p @ second, lambda weights: second @ weights, closed)

    def risk(
        self, n: int, loss: Loss = "l2", truth: Iterable[float] | None = None, target: Target = "population"
    ) -> float:
        """The predicted error of the unbiased decoder (l1, linf: asymptotic); without a truth, the worst case."""
        p = self.check_risk(n, loss, truth, target)
        return self.variance_law.risk(n, loss, self.variance_law.worst_truth(loss, target) if p is None else p, target)

    def mutual_information(self) -> float:
        """From the matrix, in nats."""
        seen = self.rows.weights[:, self.rows.weights.any(axis=0)].astype(object)
        added, d = seen.sum(axis=0), len(seen)
        # an exact difference first: nearly constant channels would lose all digits
        excess = np.array([[w * d - s for w, s in zip(row, added, strict=True)] for row in seen]) / added
        marginal = np.array([s / (self.rows.total * d) for s in added])
        return float((marginal * information.surprise(excess.astype(np.float64))).sum() / d)


def _fixed(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """What is computed once and handed out must not be changed by whom it is handed to."""
    array.flags.writeable = False
    return array

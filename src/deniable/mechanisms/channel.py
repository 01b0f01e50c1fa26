"""Any explicit channel: what it promises is computed from the matrix, never claimed."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from deniable.domain import Domain, DomainLike, Indices, is_int
from deniable.errors import CapacityError, ParameterError
from deniable.estimation.evidence import LinearEvidence
from deniable.estimation.simplex import project
from deniable.kernels.counts import Counts
from deniable.kernels.draws import draw_table
from deniable.mechanisms.decoding import Messages
from deniable.mechanisms.mechanism import Loss, Matrix, Target
from deniable.mechanisms.stored import IndexReports
from deniable.privacy.entropy import Entropy, feed
from deniable.privacy.guarantees import LDP, level, worst_ratio
from deniable.privacy.matrix import read_rows
from deniable.privacy.odds import WORD
from deniable.reports.layout import Column, IndexLayout
from deniable.reports.spec import Spec
from deniable.reports.tally import Tally

GRAIN = 1 << 60
"""A probability given as a float becomes an integer weight of this grain."""
REFINEMENTS = 2
WIDEST = 1 << 1000
"""Beyond the weights of any channel that is written out here."""
Weights: TypeAlias = tuple[tuple[int, ...], ...]


class Channel(IndexReports):
    """A matrix of probabilities, one row a label, one column a report.

    Integers and Fractions are taken exactly. Floats are rounded to multiples of 2^-60, and what holds afterwards is
    the rounded channel: that is what is sampled, audited and inverted.

    >>> round(Channel(["sick", "well"], [[0.9, 0.1], [0.3, 0.7]]).guarantee.epsilon, 9)
    1.945910149
    """

    title = "any explicit matrix"

    weights: Weights

    def __init__(self, domain: DomainLike, matrix: Any) -> None:
        labels = Domain.of(domain)
        self._fix(domain=labels, weights=_read(matrix, len(labels)))

    @classmethod
    def from_parameters(cls, domain: Domain, parameters: Spec) -> Channel:
        """Read a spec, which holds integer weights."""
        weights = parameters["weights"]
        if any(not is_int(w) for row in weights for w in row) or not 0 < sum(weights[0]) < WIDEST:
            raise ParameterError("weights must be rows of whole numbers that add up to less than 2^1000, got others")
        return cls(domain, [[Fraction(w, sum(weights[0])) for w in row] for row in weights])

    def parameters(self) -> Spec:
        """The rows as integer weights without a common divisor."""
        return {"weights": [list(row) for row in self.weights]}

    def __repr__(self) -> str:
        return f"Channel({self.domain!r}, {self.outputs} reports, {self.guarantee})"

    @cached_property
    def exact(self) -> npt.NDArray[np.object_]:
        """The realised probabilities as Fractions, inputs by outputs."""
        rows = [[Fraction(w, self.total) for w in row] for row in self.weights]
        return _fixed(np.array(rows, object).reshape(len(self.domain), -1))

    @cached_property
    def probabilities(self) -> Matrix:
        """The realised probabilities as floats, inputs by outputs."""
        return _fixed(np.array(self.exact, np.float64))

    @cached_property
    def guarantee(self) -> LDP:
        """The level that the matrix keeps: computed, and infinite where one report rules a label out."""
        return LDP.measured(level(self.exact_ratio()))

    def exact_ratio(self) -> Fraction | float:
        """The largest ratio within a column."""
        return worst_ratio(self.exact)

    @property
    def layout(self) -> IndexLayout:
        """The number of a column."""
        return IndexLayout(len(self.weights[0]))

    @property
    def total(self) -> int:
        """What the weights of each row add up to."""
        return sum(self.weights[0])

    @cached_property
    def _ends(self) -> npt.NDArray[np.uint64]:
        if self.total >= WORD:
            raise CapacityError(
                "a channel's weights must add up to less than 2^64 to be sampled, got more; "
                "privatize with the mechanism that the channel was written out from"
            )
        return np.cumsum(np.array(self.weights, np.uint64), axis=1, dtype=np.uint64)

    @property
    def words_per_report(self) -> float:
        """One word, and a rejection now and then."""
        return 1 + self.total / WORD

    def draw(self, values: Indices, entropy: Entropy) -> Column:
        """One word a report, looked up in the running sums of its row."""
        out, ends = np.empty(len(values), self.layout.dtype), self._ends
        feed(
            entropy,
            lambda tape, done: draw_table(tape, done, values, ends, out),
            len(values),
            self.words_per_report,
        )
        return out

    def exact_rows(self) -> npt.NDArray[np.object_]:
        """The matrix itself."""
        return self.exact

    @cached_property
    def inverse(self) -> Matrix:
        """The linear estimator: unbiased for every truth, of least variance at the uniform one."""
        rows = self.probabilities
        marginal = rows.mean(axis=0)
        scaled = rows / np.where(marginal > 0, marginal, 1)
        gram = scaled @ rows.T
        if np.linalg.matrix_rank(gram) < len(gram):
            raise ParameterError(
                "a channel's rows must be linearly independent to estimate, got a matrix whose are not"
            )
        inverse = np.linalg.solve(gram, scaled)
        for _ in range(REFINEMENTS):  # Newton's step, its residual in more digits: weak channels are ill-conditioned
            residual = np.eye(len(rows)) - rows.astype(np.longdouble) @ inverse.T
            inverse = inverse + (residual.T.astype(np.float64) @ inverse)
        return np.asarray(inverse, np.float64)

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

    def risk(
        self, n: int, loss: Loss = "l2", truth: Iterable[float] | None = None, target: Target = "population"
    ) -> float:
        """The predicted error of the unbiased decoder (l1: asymptotic); without a truth, of l2 the worst case.

        For l1 without a truth the uniform one is taken.
        """
        p = self.check_risk(n, loss, truth, target)
        second = self.probabilities @ (self.inverse**2).T  # E of the squared contribution to label j, given input x
        if p is None:
            p = _worst_truth(second.sum(axis=1), target) if loss == "l2" else np.full(len(second), 1 / len(second))
        squared_mean = p if target == "sample" else p**2  # unbiased: the mean contribution of x to j is [x = j]
        variance = np.maximum(p @ second - squared_mean, 0) / n
        return float(variance.sum() if loss == "l2" else np.sqrt(2 * variance / math.pi).sum())

    def mutual_information(self) -> float:
        """From the matrix, in nats."""
        seen = self.exact[:, self.probabilities.any(axis=0)]
        marginal = seen.sum(axis=0) / len(seen)
        excess = (seen / marginal - 1).astype(np.float64)
        return float((marginal.astype(np.float64) * _divergence(excess)).sum() / len(seen))


def _divergence(excess: Matrix) -> Matrix:
    """(1 + x) ln(1 + x) - x: what a probability 1 + x times the marginal adds; a series where the terms cancel."""
    with np.errstate(divide="ignore", invalid="ignore"):
        direct = np.where(excess > -1, (1 + excess) * np.log1p(excess), 0) - excess
    series = excess**2 * (0.5 - excess / 6 + excess**2 / 12)
    return np.where(np.abs(excess) < 1e-4, series, direct)


def _fixed(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """What is computed once and handed out must not be changed by whom it is handed to."""
    array.flags.writeable = False
    return array


def _worst_truth(second: npt.NDArray[np.float64], target: Target) -> npt.NDArray[np.float64]:
    """Where the l2 risk is largest: it is c.p - |p|^2 for the population, c.p - constant for the people sampled."""
    if target == "population":
        truth: npt.NDArray[np.float64] = project(second / 2)
        return truth
    worst = np.zeros(len(second))
    worst[np.argmax(second)] = 1
    return worst


def _read(matrix: Any, d: int) -> Weights:
    """The rows as integer weights with a common total and no common divisor.

    One total for all rows: a draw is then rejected as often from one value as from another.
    """
    rows, rounded = read_rows(matrix)
    if len(rows) != d:
        raise ParameterError(f"matrix must have {d} rows, one a label, got {len(rows)}")
    if rounded:
        weights = [_rounded(row) for row in rows]
    else:
        common = math.lcm(*(p.denominator for row in rows for p in row))
        weights = [[int(p * common) for p in row] for row in rows]
    divisor = math.gcd(*(w for row in weights for w in row))
    return tuple(tuple(w // divisor for w in row) for row in weights)


def _rounded(row: list[Fraction]) -> list[int]:
    """Weights that add up to GRAIN: what rounding leaves over goes to the largest; only 0 becomes 0."""
    weights = [max(1, round(p * GRAIN / sum(row))) if p else 0 for p in row]
    weights[weights.index(max(weights))] += GRAIN - sum(weights)
    return weights

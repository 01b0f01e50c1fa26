"""Shares from rows with weights, which are no counts and never enter a tally (numbers.md 6, regression.md 5).

The estimate is the weighted mean of what each report counts for a label. Its error is by linearization: rows are drawn,
and each moves the mean by its weight times what its report differs from it, widened as if it had no part in the mean.
Intervals are those of so many reports that count alike as have this error (Korn and Graubard 1998).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy

from deniable.arrays import Flags, Indices, Matrix, Sparse, Vector
from deniable.checks import as_vector
from deniable.estimation.binomial import quantile
from deniable.estimation.evidence import LinearEvidence
from deniable.estimation.sources import SingleSource, less_spread
from deniable.estimation.words import precise
from deniable.protocol.errors import ParameterError
from deniable.protocol.say import Statement
from deniable.theory.risk.variance import Target


def check_weights(column: Any, rows: int, kept: Flags | None = None) -> Vector:
    """Weights as an array, one for each row, those of the rows that are ``kept``: finite and above 0."""
    found = as_vector(column)
    if found is None or len(found) != rows:
        got = "something else" if found is None else f"{len(found)} numbers"
        raise ParameterError(f"weights must be a column of {rows} numbers, one for each row, got {got}")
    own = found if kept is None else found[kept]
    if not np.isfinite(own).all() or (own.size and own.min() <= 0):
        raise ParameterError("weights must be finite numbers above 0, got some that are not")
    return own


@dataclass(frozen=True, slots=True, eq=False)
class WeightedEvidence:
    """``worth`` [labels, different reports] is what each report counts; each has the weights of its rows, added up.

    >>> worth = np.array([[1.5, -0.5], [-0.5, 1.5]])
    >>> evidence = WeightedEvidence.of(worth, np.array([0, 0, 1, 1]), np.array([1.0, 1.0, 1.0, 5.0]))
    >>> evidence.unbiased().tolist(), evidence.stderr().round(2).tolist()
    ([0.0, 1.0], [0.89, 0.89])
    """

    n: int
    """How many rows there are."""
    worth: Matrix
    weights: Vector
    squares: Vector
    """Of each different report the squares of how much its rows move a mean of all, times all weights."""
    least: float = 0.0
    """What a report about a label varies by at least, whatever the truth and whatever these reports show of it."""

    @classmethod
    def of(cls, worth: Matrix, places: Indices, weights: Vector, least: float = 0.0) -> WeightedEvidence:
        """From the place of each row's report among the different ones."""
        kinds, total = worth.shape[1], float(weights.sum())
        moved = weights / np.maximum(1 - weights / total, 1e-9)
        sums, squares = (np.bincount(places, each, kinds) for each in (weights, moved**2))
        return cls(len(places), worth, np.asarray(sums, np.float64), np.asarray(squares, np.float64), least)

    @property
    def alike(self) -> float:
        """How many rows that count alike have weights that tell as much as these."""
        return self._total**2 / float(self.squares.sum())

    @property
    def notes(self) -> tuple[Statement, ...]:
        """What the weights cost."""
        effect = self.n / self.alike
        told = {"rows": self.n, "alike": max(1, int(self.alike)), "effect": precise(effect, 0.02 * effect)}
        return (Statement("rows_are_weighted", **told),)

    @property
    def _total(self) -> float:
        return float(self.weights.sum())

    def unbiased(self) -> Vector:
        """The weighted mean of what reports count for each label."""
        return np.asarray(self.worth @ self.weights / self._total, np.float64)

    @property
    def away(self) -> Matrix:
        """How far what each report counts is from the mean, over all weights."""
        return np.asarray((self.worth - self.unbiased()[:, None]) / self._total, np.float64)

    def stderr(self, target: Target = "population") -> Vector:
        """By linearization; against the rows' own people without the luck of who they are."""
        errors = np.sqrt(np.maximum(self.away**2 @ self.squares, self.least / self.alike))
        return errors if target == "population" else less_spread(errors, self.unbiased(), self.alike)

    def contrast_variance(self, weights: Vector) -> float:
        """The variance of the shares' sum with these weights."""
        return float((weights @ self.away) ** 2 @ self.squares)

    def interval(self, alpha: float, target: Target = "population") -> Matrix:
        """Those of as many reports that count alike as have the same error: fewer than rows, for errors are estimates.

        For the people asked they are the same, which is more than these need.
        """
        shares, variances = self.weights / self._total, self.stderr() ** 2
        of_one = (self.worth - self.unbiased()[:, None]) ** 2 @ shares
        people = np.divide(of_one, variances, out=np.full(len(of_one), self.alike), where=variances > 0)
        tail = max(alpha / 2, 1e-300)
        few = quantile(tail) / -float(scipy.special.stdtrit(max(self.alike - 1, 1), tail))
        known = np.maximum(np.minimum(people, self.n) * few**2, 1)
        bounds = np.tile(self.unbiased()[:, None], 2)
        for row in np.flatnonzero(np.ptp(self.worth, axis=1)).tolist():  # what is the same for all reports is certain
            n = int(known[row])
            bounds[row] = LinearEvidence(n, shares * n, self.worth[row, None]).interval(alpha)[0]
        return bounds


@dataclass(frozen=True, slots=True, eq=False)
class WeightedSums:
    """Weighted sums of the shares, which are weighted means too."""

    evidence: WeightedEvidence

    @property
    def variances(self) -> Vector:
        """By linearization."""
        return self.evidence.stderr() ** 2

    @property
    def exact(self) -> Flags:
        """None."""
        return np.zeros(len(self.evidence.worth), np.bool_)

    def reaches(self, alpha: float) -> Matrix:
        """As intervals of shares have it; at least the normal ones."""
        bounds, found = self.evidence.interval(alpha), self.evidence.unbiased()
        normal = quantile(alpha / 2) * self.evidence.stderr()
        return np.maximum(np.stack([found - bounds[:, 0], bounds[:, 1] - found], axis=1), normal[:, None])


@dataclass(frozen=True, slots=True, eq=False)
class WeightedSource(SingleSource):
    """Shares of which it is known how they vary together, whatever the mechanism."""

    evidence: WeightedEvidence

    def sums(self, weights: Matrix | Sparse) -> WeightedSums:
        """What reports count for a sum is the sum of what they count."""
        own = self.evidence
        return WeightedSums(WeightedEvidence(own.n, np.asarray(weights @ own.worth), own.weights, own.squares))

    def covary(self, weights: Matrix, truths: Matrix) -> Matrix:
        """By the rows themselves, whatever the truth."""
        away = self.evidence.away
        return np.asarray((weights @ away * self.evidence.squares) @ away.T, np.float64)

    def draws(self, truth: Vector, rounds: int, generator: np.random.Generator) -> Matrix:
        """Normal errors that vary together as shares do."""
        values, vectors = np.linalg.eigh(self.covary(np.eye(len(truth)), truth[None]))
        noise = generator.standard_normal((rounds, len(truth))) * np.sqrt(np.maximum(values, 0))
        return np.asarray(truth + noise @ vectors.T, np.float64)

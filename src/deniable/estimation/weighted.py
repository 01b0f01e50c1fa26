"""Shares from rows with weights, which are no counts and never enter a tally (numbers.md 6, regression.md 5).

The estimate is the weighted mean of what each report counts for a label. Its error is by linearization: rows are drawn,
and each moves the mean by its weight times what its report differs from it, widened as if it had no part in the mean;
where clusters were drawn, in strata, these do so with all their rows together. Intervals are those of so many reports
that count alike as have this error (Korn and Graubard 1998).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import scipy

from deniable.arrays import Flags, Indices, Matrix, Sparse, Vector
from deniable.checks import as_vector
from deniable.estimation.binomial import quantile
from deniable.estimation.evidence import LinearEvidence
from deniable.estimation.sources import CombinedEvidence, SingleSource, less_spread
from deniable.estimation.survey_design import SurveyDesign, codes
from deniable.estimation.words import precise
from deniable.protocol.errors import ParameterError
from deniable.protocol.say import Statement
from deniable.theory.risk.variance import Target
from deniable.values.columns import is_column, is_missing, values_at


def check_weights(column: Any, rows: int, kept: Flags | None = None) -> Vector:
    """Weights as an array, one for each row, those of the rows that are ``kept``: finite and above 0."""
    numbers = as_vector(column)
    if numbers is None or len(numbers) != rows:
        got = "something else" if numbers is None else f"{len(numbers)} numbers"
        raise ParameterError(f"weights must be a column of {rows} numbers, one for each row, got {got}")
    weights = numbers if kept is None else numbers[kept]
    if not np.isfinite(weights).all() or (weights.size and weights.min() <= 0):
        raise ParameterError("weights must be finite numbers above 0, got some that are not")
    return weights


class DrawnRows(NamedTuple):
    """What each row counts, and how rows were drawn if not one by one."""

    weights: Vector
    design: SurveyDesign | None

    @classmethod
    def of(cls, weights: Any, strata: Any, clusters: Any, rows: int, kept: Flags | None = None) -> DrawnRows:
        """From columns of all rows, for the rows that are ``kept``; without weights all count alike."""
        used = np.ones(rows, np.bool_) if kept is None else kept
        layers, groups, people = _codes(strata, "strata", used), _codes(clusters, "clusters", used), int(used.sum())
        design = None if layers is None and groups is None else SurveyDesign.of(layers, groups, people)
        return cls(np.ones(people) if weights is None else check_weights(weights, rows, used), design)

    def only(self, rows: Indices) -> DrawnRows:
        """Some of the rows."""
        return DrawnRows(self.weights[rows], self.design and self.design.only(rows))

    @classmethod
    def together(cls, parts: Sequence[DrawnRows]) -> DrawnRows:
        """The rows of several columns of reports, one after another."""
        designs = [each.design for each in parts if each.design is not None]
        design = replace(designs[0], clusters=np.concatenate([each.clusters for each in designs])) if designs else None
        return cls(np.concatenate([each.weights for each in parts]), design)


def _codes(column: Any, what: str, kept: Flags) -> Indices | None:
    """The group of each row that is kept, which must have one."""
    if column is None:
        return None
    if not is_column(column) or len(column) != len(kept):
        got = f"{len(column)} values" if is_column(column) else type(column).__name__
        raise ParameterError(f"{what} must be a column of {len(kept)} values, one for each row, got {got}")
    values = values_at(column, np.flatnonzero(kept))
    if lost := sum(map(is_missing, values)):
        raise ParameterError(f"{what} must be known of every row with a report, got {lost} rows without")
    return codes(values)


@dataclass(frozen=True, slots=True, eq=False)
class ClusterSums:
    """The weights of each cluster's rows by what they reported [clusters, different reports]."""

    sums: Sparse
    design: SurveyDesign

    def influences(self, deviations: Matrix) -> Matrix:
        """How much clusters move means, from the deviation of each report [labels, different reports]."""
        return self.design.influences(self.sums @ deviations.T).T


@dataclass(frozen=True, slots=True, eq=False)
class WeightedEvidence:
    """``worth`` [labels, different reports] is what each report counts; each has the weights of its rows, added up.

    >>> worth = np.array([[1.5, -0.5], [-0.5, 1.5]])
    >>> rows = DrawnRows.of([1, 1, 1, 5], None, None, 4)
    >>> evidence = WeightedEvidence.of(worth, np.array([0, 0, 1, 1]), rows)
    >>> evidence.unbiased().tolist(), evidence.stderr().round(2).tolist()
    ([0.0, 1.0], [0.89, 0.89])
    """

    n: int
    """How many rows there are."""
    worth: Matrix
    weights: Vector
    squares: Vector
    """Of each different report the sum of (w / (1 - w/W))^2 over its rows, w the weight of a row, W that of all."""
    least: float = 0.0
    """What a report about a label varies by at least, whatever the truth and whatever these reports show of it."""
    drawn: ClusterSums | None = None
    """How rows were drawn, if not one by one."""

    @classmethod
    def of(cls, worth: Matrix, places: Indices, rows: DrawnRows, least: float = 0.0) -> WeightedEvidence:
        """From ``worth``, the place of each row's report among its columns, and how rows weigh and were drawn."""
        kinds, (weights, design), drawn = worth.shape[1], rows, None
        widened = weights / np.maximum(1 - weights / float(weights.sum()), 1e-9)
        sums, squares = (np.bincount(places, each, kinds) for each in (weights, widened**2))
        if design is not None:
            cells = (weights, (design.clusters, places))
            drawn = ClusterSums(scipy.sparse.csr_array(cells, shape=(len(design.strata), kinds)), design)
        return cls(len(places), worth, np.asarray(sums, np.float64), np.asarray(squares, np.float64), least, drawn)

    @property
    def alike(self) -> float:
        """How many rows that count alike have weights that tell as much as these."""
        return self._total**2 / float(self.squares.sum())

    @property
    def notes(self) -> tuple[Statement, ...]:
        """What the weights cost; or the weights and the clusters, for the label that they cost most."""
        people = self._people
        alike = self.alike if self.drawn is None else float(people[people > 0].min(initial=self.n))
        effect = self.n / alike
        figures = {"rows": self.n, "alike": max(1, int(alike)), "effect": precise(effect, 0.02 * effect)}
        if self.drawn is None:
            return (Statement("rows_are_weighted", **figures),)
        clusters, strata = len(self.drawn.design.strata), int(self.drawn.design.strata.max()) + 1
        return (Statement("rows_are_of_clusters", clusters=clusters, strata=strata, **figures),)

    @property
    def _total(self) -> float:
        return float(self.weights.sum())

    def unbiased(self) -> Vector:
        """The weighted mean of what reports count for each label."""
        return np.asarray(self.worth @ self.weights / self._total, np.float64)

    @property
    def deviations(self) -> Matrix:
        """How far what each report counts is from the mean, over the sum of all weights."""
        return np.asarray((self.worth - self.unbiased()[:, None]) / self._total, np.float64)

    def stderr(self, target: Target = "population") -> Vector:
        """By linearization; against the rows' own people without the luck of who they are."""
        rows = self if target == "population" else replace(self, drawn=None)  # clusters are such luck
        errors = np.sqrt(np.maximum((rows.influences(rows.deviations) ** 2).sum(axis=1), self.least / self.alike))
        return errors if target == "population" else less_spread(errors, self.unbiased(), self.alike)

    def influences(self, deviations: Matrix) -> Matrix:
        """How much reports of each kind, or clusters, move sums: sums of products of these are variances."""
        return deviations * np.sqrt(self.squares) if self.drawn is None else self.drawn.influences(deviations)

    def contrast_variance(self, weights: Vector) -> float:
        """The variance of the shares' sum with these weights."""
        return float((self.influences((weights @ self.deviations)[None]) ** 2).sum())

    @property
    def freedom(self) -> float:
        """Degrees of freedom of Student's t."""
        return max(self.alike - 1, 1) if self.drawn is None else float(self.drawn.design.freedom)

    @property
    def _people(self) -> Vector:
        """How many rows that are drawn one by one and count alike tell as much of each label."""
        variances = self.stderr() ** 2
        of_one = (self.worth - self.unbiased()[:, None]) ** 2 @ (self.weights / self._total)
        return np.asarray(np.divide(of_one, variances, out=np.full(len(of_one), self.alike), where=variances > 0))

    def interval(self, alpha: float, target: Target = "population") -> Matrix:
        """The intervals of as many reports that count alike as err as much: fewer than rows, for errors are estimates.

        For the people asked they are the same, which is more than these need.
        """
        shares, tail = self.weights / self._total, max(alpha / 2, 1e-300)
        few = quantile(tail) / -float(scipy.special.stdtrit(self.freedom, tail))
        people = np.maximum(np.minimum(self._people, self.n) * few**2, 1)
        bounds = np.tile(self.unbiased()[:, None], 2)
        for row in np.flatnonzero(np.ptp(self.worth, axis=1)).tolist():  # what is the same for all reports is certain
            n = int(people[row])
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
        """How far the intervals of shares reach; at least as far as normal ones."""
        bounds, shares = self.evidence.interval(alpha), self.evidence.unbiased()
        normal = quantile(alpha / 2) * self.evidence.stderr()
        return np.maximum(np.stack([shares - bounds[:, 0], bounds[:, 1] - shares], axis=1), normal[:, None])


@dataclass(frozen=True, slots=True, eq=False)
class WeightedSource(SingleSource):
    """Shares of which it is known how they vary together, whatever the mechanism."""

    evidence: WeightedEvidence

    def sums(self, weights: Matrix | Sparse) -> WeightedSums:
        """What reports count for a sum is the sum of what they count."""
        worth = np.asarray(weights @ self.evidence.worth)
        return WeightedSums(replace(self.evidence, worth=worth, least=0.0))

    def covary(self, weights: Matrix, truths: Matrix) -> Matrix:
        """By the rows themselves, whatever the truth."""
        influences = self.evidence.influences(self.evidence.deviations)
        return np.asarray(weights @ influences @ influences.T, np.float64)

    def draws(self, truth: Vector, rounds: int, generator: np.random.Generator) -> Matrix:
        """Normal errors that vary together as shares do."""
        values, vectors = np.linalg.eigh(self.covary(np.eye(len(truth)), truth[None]))
        noise = generator.standard_normal((rounds, len(truth))) * np.sqrt(np.maximum(values, 0))
        return np.asarray(truth + noise @ vectors.T, np.float64)


def of_all_rows(evidence: CombinedEvidence) -> WeightedEvidence:
    """Weighed sums of several kinds of reports as the evidence of all rows: in a cluster these vary together."""
    parts, deviations = [], []
    for source, weights in zip(evidence.sources, evidence.weights, strict=True):
        part = source.evidence
        assert isinstance(part, WeightedEvidence)
        parts.append(part)
        deviations.append(weights @ part.deviations)
    drawn, total = parts[0].drawn, sum(float(part.weights.sum()) for part in parts)
    sums = scipy.sparse.hstack([part.drawn.sums for part in parts if part.drawn], format="csr")
    return WeightedEvidence(
        evidence.n, evidence.unbiased()[:, None] + total * np.hstack(deviations),
        np.concatenate([part.weights for part in parts]), np.concatenate([part.squares for part in parts]),
        drawn=drawn and replace(drawn, sums=sums),
    )  # fmt: skip

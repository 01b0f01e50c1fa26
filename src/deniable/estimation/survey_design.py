"""How people were drawn, and by how much sums over them vary for it: strata and clusters (regression.md 5).

A sum over all people is one of the sums of clusters, which vary within their strata: its variance is, over strata,
n_h/(n_h - 1) sum (u - mean)(u - mean)' of the sums u of n_h clusters (Taylor linearization; Binder 1983).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from deniable.arrays import Flags, Indices, Matrix
from deniable.protocol.errors import ParameterError


@dataclass(frozen=True, eq=False)
class SurveyDesign:
    """The cluster of each row and the stratum of each cluster, as numbers from 0 on."""

    clusters: Indices
    strata: Indices

    @classmethod
    def of(cls, strata: Indices | None, clusters: Indices | None, rows: int) -> SurveyDesign:
        """Without clusters each row is one, without strata all are of one; clusters of different strata are others."""
        groups = np.arange(rows) if clusters is None else clusters
        layers = np.zeros(rows, np.int64) if strata is None else strata
        pairs, places = np.unique(np.column_stack([layers, groups]), axis=0, return_inverse=True)
        if lone := int((np.bincount(pairs[:, 0]) == 1).sum()):
            raise ParameterError(
                f"every stratum must have two clusters or more, got {lone} with a single one; put strata together"
            )
        return cls(places.ravel(), pairs[:, 0])

    @property
    def freedom(self) -> int:
        """Clusters less strata: the degrees of freedom of Student's t."""
        return len(self.strata) - int(self.strata.max()) - 1

    def only(self, rows: Indices | Flags) -> SurveyDesign:
        """The design of some rows: clusters without any of them have sums of 0, and count in their strata."""
        return SurveyDesign(self.clusters[rows], self.strata)

    def influences(self, sums: Matrix) -> Matrix:
        """How much each cluster's sum [clusters, ...] moves the sum of all: the squares add up to its variance.

        >>> design = SurveyDesign.of(np.array([0, 0, 1, 1, 1]), None, 5)
        >>> (design.influences(np.array([[1.0], [3.0], [0.0], [0.0], [6.0]])) ** 2).sum().round(9)
        np.float64(40.0)
        """
        sizes = np.bincount(self.strata)
        totals = np.zeros((len(sizes), sums.shape[1]))
        np.add.at(totals, self.strata, sums)
        deviations = sums - (totals / sizes[:, None])[self.strata]
        return np.asarray(deviations * np.sqrt(sizes / (sizes - 1))[self.strata, None], np.float64)

    def meat(self, scores: Matrix) -> Matrix:
        """The variance of the sum of scores [people, ...]."""
        sums = np.zeros((len(self.strata), scores.shape[1]))
        np.add.at(sums, self.clusters, scores)
        influences = self.influences(sums)
        return np.asarray(influences.T @ influences, np.float64)


def codes(column: Sequence[Hashable]) -> Indices:
    """Groups as numbers from 0 on, in the order in which they come."""
    known: dict[Hashable, int] = {}
    return np.array([known.setdefault(value, len(known)) for value in column], np.int64)

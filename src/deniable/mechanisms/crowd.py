"""People with priors of their own: each answers by the channel that is best for theirs."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from deniable.domain import Domain, DomainLike, Indices, Labels
from deniable.errors import LabelError, ParameterError, ReportError
from deniable.mechanisms.curator import Curator
from deniable.mechanisms.informed import InformedResponse
from deniable.mechanisms.mechanism import Matrix
from deniable.privacy.entropy import entropy_of
from deniable.theory.arguments import Vector, check_epsilon

Reports = npt.NDArray[np.int64]


class InformedCrowd(Curator):
    """One row of ``priors`` for each person, known to the curator. Equal rows share a channel.

    >>> crowd = InformedCrowd(["yes", "no"], [[0.2, 0.8], [0.5, 0.5], [0.2, 0.8]], 1.0)
    >>> len(crowd), len(crowd.channels)
    (3, 2)
    """

    def __init__(self, domain: DomainLike, priors: Any, epsilon: float, goal: str = "histogram") -> None:
        self.domain, self.values = Domain.of(domain), None
        rows = _read_priors(priors, len(self.domain))
        distinct, kinds = np.unique(rows, axis=0, return_inverse=True)
        self.kinds: Indices = kinds.reshape(-1).astype(np.int64)
        """Which channel each person has."""
        level = check_epsilon(epsilon)
        self.channels = [InformedResponse(self.domain, prior, level, goal) for prior in distinct]

    def __len__(self) -> int:
        return len(self.kinds)

    @cached_property
    def _people(self) -> list[Indices]:
        """Of each channel the people who have it."""
        return [np.flatnonzero(self.kinds == kind) for kind in range(len(self.channels))]

    def privatize_many(self, labels: Labels, seed: int | None = None) -> Reports:
        """One report for each person, in their order. A seed is for simulation only."""
        values = self.domain.indices(labels)
        if len(values) != len(self):
            raise LabelError(f"labels must be one for each of {len(self)} people, got {len(values)}")
        entropy = entropy_of(seed)
        reports = np.empty(len(self), np.int64)
        for kind, (channel, people) in enumerate(zip(self.channels, self._people, strict=True)):
            reports[people] = channel.draw_column(values[people], entropy.part(kind))
        return reports

    def _checked(self, reports: Any) -> Reports:
        try:
            column = np.asarray(reports)
        except ValueError:  # a ragged list
            column = np.empty(0)
        if column.shape != (len(self),) or column.dtype.kind not in "iu":
            raise ReportError(f"reports must be one integer for each of {len(self)} people, got something else")
        return column.astype(np.int64)

    def each(self, reports: Any, goals: Matrix) -> Matrix:
        """The posterior means of each person's goals, by their own prior."""
        column, found = self._checked(reports), np.empty((len(self), goals.shape[1]))
        for channel, people in zip(self.channels, self._people, strict=True):
            found[people] = channel.each(column[people], goals)
        return found

    def sums(self, reports: Any, goals: Matrix) -> tuple[int, Vector]:
        """Channel by channel, so that nothing is kept of each person."""
        column, found = self._checked(reports), np.zeros(goals.shape[1])
        for channel, people in zip(self.channels, self._people, strict=True):
            found += channel.sums(column[people], goals)[1]
        return len(self), found

    def mean_losses(self, goals: Matrix) -> Vector:
        """The mean over the people."""
        losses = [channel.mean_losses(goals) for channel in self.channels]
        return np.asarray(np.bincount(self.kinds, minlength=len(losses)) @ np.array(losses) / len(self))

    def person_losses(self, reports: Any, goals: Matrix) -> Matrix:
        """Each person's, by their own prior."""
        return np.array([channel.mean_losses(goals) for channel in self.channels])[self.kinds]


def _read_priors(priors: Any, d: int) -> npt.NDArray[np.float64]:
    try:
        given: npt.NDArray[Any] = np.empty(0) if isinstance(priors, np.ma.MaskedArray) else np.asarray(priors)
    except ValueError:  # rows of several lengths
        given = np.empty(0)
    rows = given.astype(np.float64) if given.dtype.kind in "iuf" else np.empty(0)
    if rows.ndim != 2 or rows.shape[1] != d or not len(rows):
        raise ParameterError(f"priors must be a row of {d} probabilities for each person, got something else")
    return rows

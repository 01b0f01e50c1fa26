"""Evidence about checklists: of some labels that each person was asked for, and of lists that were cut to a length."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from deniable.arrays import Counts, Matrix, Vector
from deniable.estimation.binomial import clopper_pearson
from deniable.estimation.evidence import SupportEvidence
from deniable.estimation.intervals import two_binomials
from deniable.protocol.say import Figure, Phrase, Statement
from deniable.theory.risk.support import Support
from deniable.theory.risk.variance import Target


@dataclass(frozen=True, slots=True, eq=False)
class AskedEvidence:
    """Of how many people each label was asked, and how many said yes: holders with probability g, others with h.

    >>> evidence = AskedEvidence(100, np.array([50, 0]), np.array([25, 0]), Support(0.75, 0.25, 0.5))
    >>> evidence.unbiased().tolist(), evidence.interval(0.05).round(2).tolist()[1]
    ([0.5, 0.0], [-0.5, 1.5])
    """

    n: int
    asked: Counts
    yes: Counts
    support: Support
    permanent: Support | None = None
    """Of reports that are remembered the g and h of the permanent ones, which several periods have in common."""

    @property
    def told(self) -> Counts:
        """How many people told of each label: those who were asked for it."""
        return self.asked

    @property
    def notes(self) -> tuple[Phrase, ...]:
        """A sentence about labels that nobody was asked for."""
        missed = int(np.count_nonzero(self.asked == 0))
        if not missed:
            return ()
        return (Statement("labels_nobody_was_asked_for", count=missed, all=len(self.asked)),)

    def unbiased(self) -> Vector:
        """The estimate (yes/asked - h) / (g - h); 0 of a label that nobody was asked for."""
        yes = self.yes / np.maximum(self.asked, 1)
        return np.where(self.asked > 0, (yes - self.support.h) / self.support.gap, 0.0)

    def stderr(self, target: Target = "population") -> Vector:
        """The noise of those asked, and the luck of who they were; infinite where nobody was."""
        s, share, n = self.support, np.clip(self.unbiased(), 0, 1), max(self.n, 2)
        noise = (share * s.g * s.miss + (1 - share) * s.h * (1 - s.h)) / s.gap**2
        left = 1.0 if target == "population" else (n - self.asked) / (n - 1)
        variance = (noise + share * (1 - share) * left) / np.maximum(self.asked, 1)
        return np.where(self.asked > 0, np.sqrt(variance), math.inf)

    def interval(self, alpha: float, target: Target = "population") -> Matrix:
        """Clopper-Pearson: given how many are asked, yes is binomial, or of fixed people a sum of independent coins.

        Such a sum deviates no more than the binomial beyond its mean (Hoeffding 1956), if that is at least 1; a smaller
        mean takes alpha/e (Bentkus 2004).
        """
        s = self.support
        bounds = clopper_pearson(self.yes, self.asked, alpha)
        few = (self.asked * min(s.h, s.miss) < 1) if target == "sample" else np.zeros(len(self.asked), np.bool_)
        bounds[few] = clopper_pearson(self.yes[few], self.asked[few], alpha / math.e)
        return np.asarray((bounds - s.h) / s.gap)


@dataclass(frozen=True, slots=True, eq=False)
class CutEvidence:
    """Support counts of lists that were cut to ``most`` labels, chosen uniformly; shorter ones were filled up.

    ``shorter`` reports support the first label that fills up a list: it is held exactly by lists shorter than ``most``.
    So a share is estimated too low by at most (1 - most/labels) P(list of at least most labels).
    """

    held: SupportEvidence
    shorter: int
    most: int

    @property
    def n(self) -> int:
        """How many people answered."""
        return self.held.n

    @property
    def _spared(self) -> float:
        """Of a longer list's labels the share that cutting leaves at least."""
        return self.most / len(self.held.counts)

    @property
    def notes(self) -> tuple[Phrase, ...]:
        """A sentence about what cutting may have cost."""
        if self._spared == 1:
            return ()
        s, supported = self.held.support, self.shorter / self.n
        lost = (1 - self._spared) * float(np.clip(1 - (supported - s.h) / s.gap, 0, 1))
        return (Statement("lists_are_cut", most=self.most, lost=Figure(f"{100 * lost:.2g}")),)

    def unbiased(self) -> Vector:
        """The estimates of the lists as they were cut, which are unbiased for lists that were not."""
        return self.held.unbiased()

    def stderr(self, target: Target = "population") -> Vector:
        """The standard errors of these, without what cutting cost."""
        return self.held.stderr(target)

    def interval(self, alpha: float, target: Target = "population") -> Matrix:
        """Lower ends as if nothing were cut; upper ends raised by the bound on what cutting cost.

        The upper end spends half of its error on the count and half on how many lists are long.
        """
        bounds = self.held.interval(alpha, target)
        if self._spared == 1:
            return bounds
        bounds[:, 1] = self.held.interval(alpha / 2, target)[:, 1] + self._lost(alpha / 2, target)
        return bounds

    def _lost(self, alpha: float, target: Target) -> float:
        """The most that cutting took off a share, missed with a probability of alpha/2.

        Of fixed people chance may cut more than its share.
        """
        s, count = self.held.support, np.array([self.shorter])
        if target == "sample":
            return float(1 - np.clip(two_binomials(count, self.n, s.g, s.h, alpha)[0, 0], 0, 1))
        shorter = (clopper_pearson(count, self.n, alpha)[0, 0] - s.h) / s.gap
        return float((1 - self._spared) * (1 - np.clip(shorter, 0, 1)))

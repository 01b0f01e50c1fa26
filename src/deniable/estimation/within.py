"""Evidence where reports tell some things without noise: the label's block, or that no sensitive label is held."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from deniable.arrays import Counts, Indices, Matrix, Vector
from deniable.estimation.binomial import clopper_pearson
from deniable.estimation.intervals import holders
from deniable.theory.risk.designs import Hiding
from deniable.theory.risk.support import Support
from deniable.theory.risk.variance import Target

WITHIN = 0.9
"""Of an interval's error, the share spent on the label within what is counted; the rest on how many that are."""
MIXED = 0.88
"""The same where the people counted have unlike chances.

A sum of unlike indicators exceeds a count above its mean + 1 no more often than the binomial of that mean (Hoeffding
1956). A count of 1 where less is expected is the exception, by a factor below 0.9/0.88 for levels of 0.5 and above.
"""


@dataclass(frozen=True, slots=True, eq=False)
class BlockEvidence:
    """How many reports of each label's block support it, by a law of the block's own.

    ``people`` are the reports of each label's block, and ``laws`` the distinct laws with the places of their labels.

    >>> evidence = BlockEvidence(100, np.array([30, 20]), np.array([50, 50]), ((Support(0.75, 0.25, 0.5), [0, 1]),))
    >>> evidence.unbiased().round(9).tolist()  # half of all people are in the block
    [0.35, 0.15]
    """

    n: int
    counts: Counts
    people: Counts
    laws: Sequence[tuple[Support, Indices]]

    def _by_law(self, of: Callable[[Support], float]) -> Vector:
        found = np.empty(len(self.counts))
        for law, places in self.laws:
            found[places] = of(law)
        return found

    def unbiased(self) -> Vector:
        """(f - n_j h) / (n gap), n_j the reports of the block."""
        excess = self.counts - self.people * self._by_law(lambda s: s.h)
        return np.asarray(excess / (self.n * self._by_law(lambda s: s.gap)))

    def stderr(self, target: Target = "population") -> Vector:
        """From the noise of the block's holders and other people; n_j is what it is among the people asked."""
        block = self.people / self.n
        p = np.clip(self.unbiased(), 0, block)
        own, mate = self._by_law(lambda s: s.g * s.miss / s.gap**2), self._by_law(lambda s: _mates(s))
        variance = p * own + (block - p) * mate + (p * (1 - p) if target == "population" else 0)
        return np.asarray(np.sqrt(variance / self.n))

    def interval(self, alpha: float, target: Target = "population") -> Matrix:
        """Sample: two binomials among the block's people. Population: exact bounds of the block and of the label in it.

        Where the block is everybody, or the label is all of its block, one of the two is known.
        """
        bounds = np.empty((len(self.counts), 2))
        for law, places in self.laws:
            counts, people = self.counts[places], self.people[places]
            if target == "sample":
                bounds[places] = holders(counts, people, law.g, law.h, alpha) / self.n
            else:
                bounds[places] = self._of_population(law, counts, people, alpha)
        return bounds

    def _of_population(self, law: Support, counts: Counts, people: Counts, alpha: float) -> Matrix:
        if law.gap == 1:
            return clopper_pearson(people, self.n, alpha)
        if (people == self.n).all():
            return np.asarray((clopper_pearson(counts, people, alpha) - law.h) / law.gap)
        block = clopper_pearson(people, self.n, (1 - WITHIN) * alpha)
        return _product((clopper_pearson(counts, people, WITHIN * alpha) - law.h) / law.gap, block)


@dataclass(frozen=True, slots=True, eq=False)
class HidingEvidence:
    """How many reports support each sensitive label, of those that do not name another label.

    >>> evidence = HidingEvidence(100, np.array([30, 20]), 50, Hiding(2, 1, 3), everyone=False)
    >>> evidence.unbiased().round(9).tolist()
    [0.1, -0.1]
    """

    n: int
    counts: Counts
    inside: int
    """Reports that do not name another label."""
    hiding: Hiding
    everyone: bool
    """Whether all labels are sensitive."""

    @property
    def _parts(self) -> Matrix:
        """Of each label: the shares of reports that support it, that do not, and that name another."""
        supported, named = self.counts / self.n, 1 - self.inside / self.n
        return np.stack([supported, self.inside / self.n - supported, np.full(len(supported), named)], axis=1)

    @property
    def _worth(self) -> Vector:
        return np.array([float(value) for value in self.hiding.worth])

    def unbiased(self) -> Vector:
        """What each kind of report is worth, added up."""
        return np.asarray(self._parts @ self._worth)

    def stderr(self, target: Target = "population") -> Vector:
        """From the mean square of a report's worth, less p^2, or p for the sample."""
        p = np.clip(self.unbiased(), 0, 1)
        variance = self._parts @ self._worth**2 - (p * p if target == "population" else p)
        return np.asarray(np.sqrt(np.maximum(variance, 0) / self.n))

    def interval(self, alpha: float, target: Target = "population") -> Matrix:
        """From how often a report of those inside supports the label, and how many people that are not sensitive are.

        With m and w for the chances of support inside and of being inside, gap p = w (m - rho) - (k/v - rho)(1 - c).
        Among the people asked I inside are known, and gap x = I (m - k/v) + s (k/v - h), s the sensitive people.
        """
        law, share = self.hiding, 1.0 if self.everyone else MIXED
        gap, even, shared = float(law.gap), float(law.even), float(law.shared)
        lean = clopper_pearson(self.counts, np.full(len(self.counts), self.inside), share * alpha)
        if target == "sample":
            sensitive = self._sensitive((1 - WITHIN) * alpha)
            return np.asarray(((lean - even) * self.inside + sensitive * float(law.even - law.h)) / (gap * self.n))
        inside = np.ones(2)
        if not self.everyone:
            inside = clopper_pearson(np.array([self.inside]), self.n, (1 - WITHIN) * alpha)[0]
        return np.asarray((_product(lean - shared, inside) - (even - shared) * float(1 - law.own)) / gap)

    def _sensitive(self, alpha: float) -> Vector:
        """Bounds of how many sensitive people were asked: the others name their label with chance c."""
        if self.everyone:
            return np.full(2, float(self.n))
        others = holders(np.array([self.n - self.inside]), self.n, float(self.hiding.own), 0.0, alpha)[0]
        return np.asarray(self.n - others[::-1])


def _mates(s: Support) -> float:
    """What another person of the block adds to n times the variance."""
    return s.h * (s.miss + s.gap) / s.gap**2


def _product(label: Matrix, whole: Matrix | Vector) -> Matrix:
    """Bounds of the product of two numbers within bounds, the second not negative."""
    least, most = np.moveaxis(np.broadcast_to(whole, label.shape), 1, 0)
    low = label[:, 0] * np.where(label[:, 0] < 0, most, least)
    high = label[:, 1] * np.where(label[:, 1] < 0, least, most)
    return np.stack([low, high], axis=1)

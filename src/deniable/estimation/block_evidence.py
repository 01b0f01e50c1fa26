"""Evidence where reports say some things without noise: the label's block, or that no sensitive label is held."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from deniable.arrays import Counts, Indices, Matrix, Vector
from deniable.estimation.binomial import clopper_pearson
from deniable.estimation.intervals import Worth, holders, mean_worths, products
from deniable.estimation.likelihood import composite_likelihood
from deniable.estimation.simplex import Totals
from deniable.theory.risk.designs import Hiding
from deniable.theory.risk.support import Support
from deniable.theory.risk.variance import Target, VarianceLaw

LABEL_PART = 0.9
"""Of an interval's error, the share spent on the label within what is counted; the rest on how many that are."""
UNLIKE_PART = 0.88
"""The same where the people counted have unlike chances.

A sum of unlike indicators exceeds a count above its mean + 1 no more often than the binomial of that mean (Hoeffding
1956). A count of 1 where less is expected is the exception, by a factor below 0.9/0.88 for levels of 0.5 and above.
"""


@dataclass(frozen=True, eq=False)
class BlockEvidence:
    """How many reports of each label's block support it, by a law of the block's own.

    ``people`` are the reports of each block, ``sizes`` its labels, whose places ``order`` lists block after block.

    >>> from deniable.theory.risk.designs import Block, within_blocks
    >>> laws = [Support(0.75, 0.25, 0.5), Support(1.0, 0.0, 1.0)]
    >>> counts, people = np.array([30, 20, 50]), np.array([50, 50])
    >>> noise = within_blocks([Block(law, size) for law, size in zip(laws, (2, 1))])
    >>> BlockEvidence(100, counts, people, np.arange(3), (2, 1), laws, noise).unbiased().round(9).tolist()
    [0.35, 0.15, 0.5]
    """

    n: int
    counts: Counts
    people: Counts
    order: Indices
    sizes: tuple[int, ...]
    laws: Sequence[Support]
    variances: VarianceLaw
    """Of the labels in the blocks' order."""

    @property
    def totals(self) -> Totals:
        """The blocks' shares, which are known."""
        return Totals(self.order, np.array(self.sizes, np.int64), self.people / self.n)

    @cached_property
    def _block_people(self) -> Counts:
        """How many reports are of each label's block."""
        return self._by_label(self.people)

    def _by_label(self, of_blocks: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """For each label the entry of its block."""
        entries = np.empty(len(self.order), of_blocks.dtype)
        entries[self.order] = np.repeat(of_blocks, self.sizes)
        return entries

    def _by_law(self, number: Callable[[Support], float]) -> Vector:
        """For each label a number of its block's law."""
        return self._by_label(np.array([number(law) for law in self.laws]))

    def unbiased(self) -> Vector:
        """(f - n_j h) / (n gap), n_j the block's reports, shifted evenly: the shares of a block add up to n_j / n."""
        excess = self.counts - self._block_people * self._by_law(lambda s: s.h)
        shares = excess / (self.n * self._by_law(lambda s: s.gap))
        starts = np.cumsum([0, *self.sizes])[:-1]
        surplus = np.add.reduceat(shares[self.order], starts) - self.people / self.n
        return np.asarray(shares - self._by_label(surplus / np.array(self.sizes)))

    def stderr(self, target: Target = "population") -> Vector:
        """The standard errors, with the nearest distribution that keeps the blocks' shares in place of the truth.

        Against the population a block without reports counts as if it had one.
        """
        people = self.people if target == "sample" else np.maximum(self.people, 1)
        p = replace(self.totals, shares=people / self.n).projected(self.unbiased())
        errors = np.empty(len(p))
        errors[self.order] = np.sqrt(self.variances.variances(p[self.order], target) / self.n)
        return errors

    def interval(self, alpha: float, target: Target = "population") -> Matrix:
        """Sample: two binomials among the block's people. Population: the score of what a report is worth on average.

        Where the block is everybody, or the label is all of its block, one of the two is known.
        """
        bounds, blocks = np.empty((len(self.counts), 2)), self._by_label(np.arange(len(self.laws)))
        kinds = {law: kind for kind, law in enumerate(dict.fromkeys(self.laws))}
        kind_of = np.array([kinds[law] for law in self.laws])[blocks]
        for law, kind in kinds.items():
            places = np.flatnonzero(kind_of == kind)
            counts, people = self.counts[places], self._block_people[places]
            if target == "sample":
                bounds[places] = holders(counts, people, law.g, law.h, alpha) / self.n
            else:
                bounds[places] = self._of_population(law, counts, people, alpha)
        return bounds

    def _of_population(self, law: Support, counts: Counts, people: Counts, alpha: float) -> Matrix:
        """Bounds on the shares of labels with one law, where ``people`` reported of each one's block."""
        if law.gap == 1:
            return clopper_pearson(people, self.n, alpha)
        if (people == self.n).all():
            return np.asarray((clopper_pearson(counts, people, alpha) - law.h) / law.gap)
        worth = Worth((1 - law.h) / law.gap, -law.h / law.gap, 0.0)
        means = worth.own * counts / self.n + worth.other * (people - counts) / self.n
        bounds, many = mean_worths(worth, means, people, self.n, alpha)
        bounds[~many] = self._of_few(law, counts[~many], people[~many], alpha)
        return bounds

    def _of_few(self, law: Support, counts: Counts, people: Counts, alpha: float) -> Matrix:
        """The same by exact bounds of the block and of the label in it, whose errors add."""
        block = clopper_pearson(people, self.n, (1 - LABEL_PART) * alpha)
        return products((clopper_pearson(counts, people, LABEL_PART * alpha) - law.h) / law.gap, block)

    def composite(self) -> Vector:
        """The shares by the composite likelihood within each block."""
        shares, members = np.zeros(len(self.counts)), np.split(self.order, np.cumsum(self.sizes)[:-1])
        for places, people, law in zip(members, self.people.tolist(), self.laws, strict=True):
            if people > 0:
                within = np.ones(1) if law.gap == 1 else composite_likelihood(self.counts[places], people, law)
                shares[places] = people / self.n * within
        return shares


@dataclass(frozen=True, slots=True, eq=False)
class HidingEvidence:
    """How many reports support each sensitive label, of those that do not name another label.

    >>> evidence = HidingEvidence(100, np.array([30, 20]), 50, Hiding(2, 1, 3), all_sensitive=False)
    >>> evidence.unbiased().round(9).tolist()
    [0.1, -0.1]
    """

    n: int
    counts: Counts
    inside: int
    """Reports that do not name another label."""
    hiding: Hiding
    all_sensitive: bool
    """Whether all labels are sensitive."""

    @property
    def _parts(self) -> Matrix:
        """Of each label [labels, 3]: the shares of reports that support it, that do not, and that name another."""
        supported, named = self.counts / self.n, 1 - self.inside / self.n
        return np.stack([supported, self.inside / self.n - supported, np.full(len(supported), named)], axis=1)

    @property
    def _worth(self) -> Vector:
        """What a report of each of these three kinds adds to the estimate."""
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
        """From how often a report inside supports the label, and how many are not sensitive; letters as in ``Hiding``.

        With m and w for the chances of support inside and of being inside, gap p = w (m - rho) - (k/v - rho)(1 - c).
        Among the people asked I inside are known, and gap x = I (m - k/v) + s (k/v - h), s the sensitive people.
        """
        law, part = self.hiding, 1.0 if self.all_sensitive else UNLIKE_PART
        gap, even, shared = float(law.gap), float(law.even), float(law.shared)
        supported = clopper_pearson(self.counts, np.full(len(self.counts), self.inside), part * alpha)
        if target == "sample":
            sensitive = self._sensitive((1 - LABEL_PART) * alpha)
            return np.asarray(((supported - even) * self.inside + sensitive * float(law.even - law.h)) / (gap * self.n))
        inside_bounds = np.ones(2)
        if not self.all_sensitive:
            inside_bounds = clopper_pearson(np.array([self.inside]), self.n, (1 - LABEL_PART) * alpha)[0]
        few = (products(supported - shared, inside_bounds) - (even - shared) * float(1 - law.own)) / gap
        if self.all_sensitive:
            return np.asarray(few)
        asked = np.full(len(self.counts), self.inside)
        many, is_many = mean_worths(Worth(*self._worth.tolist()), self.unbiased(), asked, self.n, alpha)
        return np.where(is_many[:, None], many, few)

    def _sensitive(self, alpha: float) -> Vector:
        """Bounds of how many sensitive people were asked: the others name their label with chance c."""
        if self.all_sensitive:
            return np.full(2, float(self.n))
        others = holders(np.array([self.n - self.inside]), self.n, float(self.hiding.own), 0.0, alpha)[0]
        return np.asarray(self.n - others[::-1])

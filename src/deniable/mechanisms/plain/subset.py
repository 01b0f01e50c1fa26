"""Random subsets of fixed size (wang2016's k-subset, ye2017's Q_{k,eps,d}): the least variance there is."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from functools import cached_property
from typing import Literal

import numpy as np

from deniable.arrays import Column, Counts, Indices, Words
from deniable.checks import check_int
from deniable.errors import ParameterError
from deniable.kernels.draw.aggregate import subsets
from deniable.kernels.draw.subsets import settle_subsets
from deniable.mechanisms.mechanism import UNCOUNTED
from deniable.mechanisms.plain.base import Plain
from deniable.mechanisms.plain.unary import ROUNDS, noise
from deniable.mechanisms.shared.stored import PackedReports
from deniable.privacy.entropy import Entropy, feed
from deniable.privacy.odds import WORD, Odds, weighted_odds
from deniable.reports.layout import PackedLayout
from deniable.reports.spec import Spec
from deniable.theory import sizes
from deniable.theory.risk import information
from deniable.values.domain import DomainLike

SPARSE = 8
"""Subsets of less than one label in eight are built from nothing; larger ones start from random words."""


class Subset(Plain, PackedReports):
    """A uniform subset of ``size`` labels that holds the value with weight A per member against B.

    ``size`` None takes the size of least squared error, "information" that of most mutual information.

    >>> Subset(16, 1.0).size, Subset(16, 1.0, size="information").size
    (4, 5)
    """

    title = "a set of labels of one size"
    size: int

    def __init__(self, domain: DomainLike, epsilon: float, size: int | Literal["information"] | None = None) -> None:
        super().__init__(domain, epsilon)
        self._fix(size=self._resolve(size))
        self._certify()

    def _resolve(self, size: object) -> int:
        d = len(self.domain)
        if size is None:
            return sizes.best_l2_size(d, self.epsilon)
        if size == "information":
            return sizes.best_information_size(d, self.epsilon)
        chosen = check_int("size", size, 1)
        if chosen >= d:
            raise ParameterError(f'size must be None, "information" or an int from 1 to {d - 1}, got size={chosen}')
        return chosen

    def parameters(self) -> Spec:
        """Epsilon and the size."""
        return {"epsilon": self.epsilon, "size": self.size}

    @property
    def layout(self) -> PackedLayout:
        """One bit a label, ``size`` of them set."""
        return PackedLayout(len(self.domain), self.size)

    @cached_property
    def odds(self) -> Odds:
        """A for a member, B for any other label."""
        return weighted_odds(self.epsilon, self.size, len(self.domain) - self.size)

    @property
    def _inside(self) -> int:
        return self.size * self.odds.above

    @property
    def _total(self) -> int:
        return self._inside + (len(self.domain) - self.size) * self.odds.below

    @property
    def exact_support(self) -> tuple[Fraction, Fraction]:
        """G = kA/(kA + (d-k)B); h from the others sharing the remaining places."""
        k, others = self.size, len(self.domain) - 1
        g = Fraction(self._inside, self._total)
        return g, (g * (k - 1) + (1 - g) * k) / others

    @property
    def outputs(self) -> int:
        """All subsets of the size."""
        d, k = len(self.domain), self.size
        log_count = math.lgamma(d + 1) - math.lgamma(k + 1) - math.lgamma(d - k + 1)
        return math.comb(d, k) if log_count < math.log(UNCOUNTED) - 1 else UNCOUNTED

    @property
    def _from_noise(self) -> bool:
        return self.size * SPARSE >= len(self.domain)

    @property
    def words_per_report(self) -> float:
        """Random words for the start, then uniform symbols until the size is right, a rank and a coin."""
        k, d = self.size, len(self.domain)
        if not self._from_noise:
            return d * math.log(d / (d - k)) + 2 if k < d else d + 2
        spread = 0.8 * math.sqrt(k * (1 - k / d))
        tries = 0.5 * (d / k + d / (d - k))
        return ROUNDS * -(-d // 64) + spread * tries + 2

    def draw(self, values: Indices, entropy: Entropy) -> Column:
        """Subsets of the other labels, then the exchange that lets the value in."""
        n, d = len(values), len(self.domain)
        words = -(-d // 64)
        rows: Words = np.zeros((n, words), np.uint64)
        if self._from_noise:
            below = self.size * WORD // d
            rows = noise(n, 8 * words, below, entropy).view(np.uint64)
        inside, total, domain = np.uint64(self._inside), np.uint64(self._total), np.uint64(d)
        feed(
            entropy,
            lambda tape, done: settle_subsets(tape, done, values, domain, self.size, inside, total, rows),
            n,
            self.words_per_report,
        )
        return np.ascontiguousarray(rows.view(np.uint8)[:, : self.layout.width])

    def draw_counts(self, people: Counts, generator: np.random.Generator) -> Counts:
        """Some hold the value and uniform others, the rest a uniform subset of all labels."""
        bonus = self.size * (self.odds.above - self.odds.below)
        holders = generator.binomial(people, float(Fraction(bonus, self._total)))
        return subsets(int((people - holders).sum()), holders, self.size, generator)

    @property
    def aggregate_draws(self) -> float:
        """Each label's step is worth some 500, and about five for each number of places left that is likely."""
        likely = 6 * math.sqrt(self.size * (1 - self.size / len(self.domain)))
        return len(self.domain) * (500 + 5 * min(self.size, likely))

    def levels(self, reports: Column) -> list[tuple[Fraction, Fraction]]:
        """G over the subsets that hold the value, 1 - g over the others."""
        g, _ = self.exact_support
        d, k = len(self.domain), self.size
        level = g / math.comb(d - 1, k - 1), (1 - g) / math.comb(d - 1, k)
        return [level] * len(reports)

    def all_reports(self) -> Column:
        """The subsets in lexicographic order."""
        d = len(self.domain)
        bits = np.zeros((self.outputs, d), np.uint8)
        for y, members in enumerate(itertools.combinations(range(d), self.size)):
            bits[y, list(members)] = 1
        return np.packbits(bits, axis=1, bitorder="little")

    def report_index(self, reports: Column) -> Indices:
        """The rank of a subset in lexicographic order."""
        rank = {row.tobytes(): y for y, row in enumerate(self.all_reports())}
        return np.array([rank[row.tobytes()] for row in reports], np.int64)

    def mutual_information(self) -> float:
        """I_k of wang2016."""
        return information.subset(len(self.domain), self.size, self.epsilon)

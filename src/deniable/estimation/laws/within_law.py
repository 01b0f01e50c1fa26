"""Blocks that reports tell without noise, and within each block support counting by a law of its own."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TypeAlias

import numpy as np

from deniable.arrays import Column, Counts, Exact, Indices, Vector
from deniable.estimation.decoders import Likelihood
from deniable.estimation.laws.law import Law
from deniable.estimation.laws.support_law import SupportLaw
from deniable.estimation.totals import Totals
from deniable.estimation.within import BlockEvidence
from deniable.theory.risk.designs import Block, Spare, within_blocks
from deniable.theory.risk.variance import Loss, Target, VarianceLaw

Split: TypeAlias = Callable[[Column], Iterable[tuple[int, Indices, Column]]]
"""Each block that reports are of, the places of its reports, and these as reports of the block's own law."""


@dataclass(frozen=True, eq=False)
class WithinLaw(Law):
    """``order`` lists the places of the blocks' labels, block after block; ``inner`` are the laws of the blocks.

    A tally holds the blocks' own counts one after another, so many ``cells`` each, of which a report adds so many
    ``counts_per_report``. ``spares`` are of the blocks whose reports support unlike numbers of labels.
    """

    labels: int
    order: Indices
    inner: tuple[SupportLaw, ...]
    cells: tuple[int, ...]
    counts_per_report: tuple[int, ...]
    split: Split
    spares: tuple[Spare | None, ...]

    @cached_property
    def rank(self) -> Indices:
        """Each label's number in the blocks' order."""
        return np.argsort(self.order)

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """Labels in each block."""
        return tuple(law.labels for law in self.inner)

    @cached_property
    def _members(self) -> list[slice]:
        """Each block's labels in the blocks' order."""
        return _spans(self.sizes)

    @cached_property
    def _counts(self) -> list[slice]:
        """Each block's counts."""
        return _spans(self.cells)

    @cached_property
    def _laws(self) -> list[SupportLaw]:
        """The distinct laws: blocks of one size share theirs."""
        return list(dict.fromkeys(self.inner))

    @cached_property
    def _blocks(self) -> list[Block]:
        blocks = zip(self.inner, self.spares, strict=True)
        return [Block(law.support, law.labels, spare) for law, spare in blocks]

    @cached_property
    def variances(self) -> VarianceLaw:
        """Of the labels in the blocks' order."""
        return within_blocks(self._blocks)

    @property
    def leverage(self) -> float:
        """Of the block where one fake report lifts a label most."""
        return max(block.leverage for block in dict.fromkeys(self._blocks))

    @property
    def decode_operations(self) -> float:
        """What the blocks take."""
        return sum(law.decode_operations for law in self.inner)

    def people(self, counts: Counts) -> Counts:
        """How many reports of each block there are."""
        starts = np.cumsum([0, *self.cells])[:-1]
        return np.asarray(np.add.reduceat(counts, starts) // np.array(self.counts_per_report))

    def evidence(self, n: int, counts: Counts) -> BlockEvidence:
        """The support counts of each block, beside how many reports are of it."""
        parts = zip(self.inner, self._counts, strict=True)
        supported = np.concatenate([law.count(counts[cells]) for law, cells in parts])
        laws = [law.support for law in self.inner]
        return BlockEvidence(n, supported[self.rank], self.people(counts), self.order, self.sizes, laws, self.variances)

    def totals(self, n: int, counts: Counts) -> Totals:
        """The blocks' shares."""
        return Totals(self.order, np.array(self.sizes, np.int64), self.people(counts) / n)

    def likelihood(self, counts: Counts) -> Likelihood | None:
        """Of histograms; packed bits have none."""
        found = [law.likelihood(counts[cells]) for law, cells in zip(self.inner, self._counts, strict=True)]
        return self._joint(self._members, [each for each in found if each is not None])

    def report_likelihood(self, reports: Column) -> Likelihood | None:
        """Of packed bits, in the blocks that reports are of."""
        members, found = [], []
        for block, _, own in self.split(reports):
            one = self.inner[block].report_likelihood(own)
            if one is not None:
                members.append(self._members[block])
                found.append(one)
        return self._joint(members, found)

    def _joint(self, members: list[slice], found: list[Likelihood]) -> Likelihood | None:
        """All blocks together: a block's own likelihood takes its labels' sum for 1."""
        if not found:
            return None
        ends = np.cumsum([len(each.counts) for each in found])[:-1]

        def forward(p: Vector) -> Vector:
            parts = [p[self.order[labels]] for labels in members]
            return np.concatenate(
                [each.forward(part) - 1 + part.sum() for each, part in zip(found, parts, strict=True)]
            )

        def backward(weights: Vector) -> Vector:
            added = np.zeros(self.labels)
            for labels, each, part in zip(members, found, np.split(weights, ends), strict=True):
                added[self.order[labels]] = each.backward(part)
            return added

        parts = tuple((self.order[labels], each) for labels, each in zip(members, found, strict=True))
        return Likelihood(np.concatenate([each.counts for each in found]), forward, backward, parts=parts)

    def exact_ratio(self) -> Fraction:
        """The largest A/B of a block."""
        return max(law.exact_ratio() for law in self._laws)

    def chances(self, reports: Column) -> Exact:
        """The block's own, and 0 from the labels of other blocks."""
        rows: Exact = np.full((self.labels, len(reports)), Fraction(0), object)
        for block, places, own in self.split(reports):
            rows[np.ix_(self.order[self._members[block]], places)] = self.inner[block].chances(own)
        return rows

    def mutual_information(self) -> float:
        """Between a uniform value and its report, in nats: which block, and what is told within it."""
        told = {law: law.mutual_information() for law in self._laws}
        shares = [size / self.labels for size in self.sizes]
        blocks = zip(shares, self.inner, strict=True)
        return math.fsum(share * (told[law] - math.log(share)) for share, law in blocks)

    def error(self, n: int, loss: Loss, truth: Vector | None, target: Target) -> float:
        """The predicted error (l1, linf: asymptotic); without a truth, the worst case."""
        return self.variances.risk_at(n, loss, None if truth is None else truth[self.order], target)


def _spans(lengths: tuple[int, ...]) -> list[slice]:
    """One after another."""
    ends = np.cumsum(lengths).tolist()
    return [slice(end - length, end) for length, end in zip(lengths, ends, strict=True)]

"""The law of block reports: each names its block without noise, and a law of the block's own tells its labels apart."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TypeAlias

import numpy as np

from deniable.arrays import Column, Counts, Exact, Indices, Vector
from deniable.estimation.block_evidence import BlockEvidence
from deniable.estimation.decoders import Likelihood
from deniable.estimation.evidence import Evidence, SignedEvidence
from deniable.estimation.laws.inner import InnerLaw, Noise
from deniable.estimation.laws.law import Law
from deniable.estimation.laws.sign_law import SignLaw
from deniable.estimation.laws.support_law import SupportLaw
from deniable.estimation.laws.supports import IndexSupports
from deniable.estimation.simplex import Totals
from deniable.theory.risk import context
from deniable.theory.risk.designs import Block, Spare, within_blocks
from deniable.theory.risk.variance import Loss, Target, VarianceLaw

Split: TypeAlias = Callable[[Column], Iterable[tuple[int, Indices, Column]]]
"""Each block that reports are of, the places of its reports, and these as reports of the block's own law."""


@dataclass(frozen=True, eq=False)
class BlockLaw(Law):
    """``order`` lists the places of the blocks' labels, block after block; ``inner`` are the laws of the blocks.

    A tally holds the blocks' own counts one after another, so many ``cells`` each, of which a report adds so many
    ``counts_per_report``.
    """

    labels: int
    order: Indices
    inner: tuple[InnerLaw, ...]
    cells: tuple[int, ...]
    counts_per_report: tuple[int, ...]
    split: Split

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
    def _laws(self) -> list[InnerLaw]:
        """The distinct laws of labels that hide: blocks of one size share theirs, and a label alone has no need."""
        return list(dict.fromkeys(law for law in self.inner if law.labels > 1))

    @cached_property
    def _noise(self) -> Noise:
        signs = [law for law in self.inner if isinstance(law, SignLaw)]
        supports = [law for law in self.inner if isinstance(law, SupportLaw)]
        return self._of_signs(signs) if signs else self._of_supports(supports)

    def _of_signs(self, laws: list[SignLaw]) -> Noise:
        """The noise of signed counting, all blocks at one ratio."""

        def evidence(n: int, counts: Counts) -> SignedEvidence:
            signs = [law.evidence(n, counts[cells]) for law, cells in zip(laws, self._counts, strict=True)]
            plus = np.concatenate([each.plus for each in signs])[self.rank]
            minus = np.concatenate([each.minus for each in signs])[self.rank]
            return SignedEvidence(n, plus, minus, signs[0].gain, signs[0].landing, all_land=len(laws) == 1)

        ratio = laws[0].odds.ratio
        return Noise(evidence, context.block_hadamard(ratio, self.sizes), context.reach(ratio))

    def _of_supports(self, laws: list[SupportLaw]) -> Noise:
        """The noise of support counting: how many reports support each label, beside how many are of its block."""
        distinct = {key: _block(*key) for key in dict.fromkeys(zip(laws, self.cells, strict=True))}
        blocks = [distinct[key] for key in zip(laws, self.cells, strict=True)]
        variances = within_blocks(blocks)

        def evidence(n: int, counts: Counts) -> BlockEvidence:
            parts = zip(laws, self._counts, strict=True)
            supported = np.concatenate([law.count(counts[cells]) for law, cells in parts])
            supports, people = [law.support for law in laws], self.people(counts)
            return BlockEvidence(n, supported[self.rank], people, self.order, self.sizes, supports, variances)

        return Noise(evidence, variances, max(block.leverage for block in distinct.values()))

    @property
    def variances(self) -> VarianceLaw:
        """Of the labels in the blocks' order."""
        return self._noise.variances

    @property
    def leverage(self) -> float:
        return self._noise.leverage

    @property
    def decode_operations(self) -> float:
        return sum(law.decode_operations for law in self.inner)

    def people(self, counts: Counts) -> Counts:
        """How many reports of each block there are."""
        starts = np.cumsum([0, *self.cells])[:-1]
        return np.asarray(np.add.reduceat(counts, starts) // np.array(self.counts_per_report))

    def evidence(self, n: int, counts: Counts) -> Evidence:
        return self._noise.evidence(n, counts)

    def totals(self, n: int, counts: Counts) -> Totals:
        return Totals(self.order, np.array(self.sizes, np.int64), self.people(counts) / n)

    def likelihood(self, counts: Counts) -> Likelihood | None:
        likelihoods = [law.likelihood(counts[cells]) for law, cells in zip(self.inner, self._counts, strict=True)]
        return self._joint(self._members, [each for each in likelihoods if each is not None])

    def report_likelihood(self, reports: Column) -> Likelihood | None:
        """The likelihood of packed bits, block by block of those that the reports name."""
        members, likelihoods = [], []
        for block, _, block_reports in self.split(reports):
            likelihood = self.inner[block].report_likelihood(block_reports)
            if likelihood is not None:
                members.append(self._members[block])
                likelihoods.append(likelihood)
        return self._joint(members, likelihoods)

    def _joint(self, members: list[slice], likelihoods: list[Likelihood]) -> Likelihood | None:
        """The likelihood of all blocks. A block's own is of shares that add up to 1: here their sum takes its place."""
        if not likelihoods:
            return None
        ends = np.cumsum([len(each.counts) for each in likelihoods])[:-1]

        def forward(p: Vector) -> Vector:
            parts = [p[self.order[labels]] for labels in members]
            return np.concatenate(
                [each.forward(part) - 1 + part.sum() for each, part in zip(likelihoods, parts, strict=True)]
            )

        def backward(weights: Vector) -> Vector:
            added = np.zeros(self.labels)
            for labels, each, part in zip(members, likelihoods, np.split(weights, ends), strict=True):
                added[self.order[labels]] = each.backward(part)
            return added

        parts = tuple((self.order[labels], each) for labels, each in zip(members, likelihoods, strict=True))
        if isinstance(self.inner[0], SignLaw):  # of several maxima, as in a block of few people, one for all blocks
            parts = ()
        return Likelihood(np.concatenate([each.counts for each in likelihoods]), forward, backward, parts=parts)

    def exact_ratio(self) -> Fraction:
        """The largest A/B of a block."""
        return max((law.exact_ratio() for law in self._laws), default=Fraction(1))

    def chances(self, reports: Column) -> Exact:
        """The exact probabilities [labels, reports]: by the block's own law, and 0 from the labels of other blocks."""
        rows: Exact = np.full((self.labels, len(reports)), Fraction(0), object)
        for block, places, block_reports in self.split(reports):
            rows[np.ix_(self.order[self._members[block]], places)] = self.inner[block].chances(block_reports)
        return rows

    @property
    def instead(self) -> str:
        return "the plain mechanism over all labels"

    def mutual_information(self) -> float:
        """Between a uniform value and its report, in nats: which block, and what its law tells."""
        within = {law: law.mutual_information() for law in self._laws}
        shares = [size / self.labels for size in self.sizes]
        blocks = zip(shares, self.inner, strict=True)
        return math.fsum(share * (within.get(law, 0.0) - math.log(share)) for share, law in blocks)

    def label_variances(self) -> Vector:
        return self.variances.variances(np.full(self.labels, 1 / self.labels))

    def error(self, n: int, loss: Loss, truth: Vector | None, target: Target) -> float:
        return self.variances.risk_at(n, loss, None if truth is None else truth[self.order], target)


def _block(law: SupportLaw, cells: int) -> Block:
    """What the noise of a block depends on; reports of more cells than labels support unlike numbers of labels."""
    spare = None
    if cells > law.labels and isinstance(law.reports, IndexSupports):
        high, low = law.reports.one_report
        spare = Spare(law.reports.mass, law.reports.collect, float(low), float(high - low))
    return Block(law.support, law.labels, spare)


def _spans(lengths: tuple[int, ...]) -> list[slice]:
    """Slices of these lengths, one after another."""
    ends = np.cumsum(lengths).tolist()
    return [slice(end - length, end) for length, end in zip(lengths, ends, strict=True)]

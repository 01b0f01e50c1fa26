"""Block Hadamard response (acharya2019, 19): the block is told, the label within it hides in a Hadamard row."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from fractions import Fraction
from functools import cached_property

import numpy as np
import numpy.typing as npt

from deniable.arrays import Counts, Indices, Vector
from deniable.checks import check_epsilon, check_int
from deniable.errors import ParameterError
from deniable.estimation.decoders import Messages
from deniable.estimation.evidence import SignedEvidence
from deniable.kernels.decode import hadamard_rows as sign_rows
from deniable.kernels.draw.aggregate import scatter
from deniable.mechanisms.shared.hadamard_halves import HalfRows
from deniable.mechanisms.shared.limits import check_rows
from deniable.privacy.context import Blocks
from deniable.reports.layout import IndexLayout
from deniable.reports.spec import Spec
from deniable.reports.tally import Tally
from deniable.theory.risk import context, information
from deniable.theory.risk.variance import Loss, Target, VarianceLaw
from deniable.values.domain import Domain, DomainLike


class BlockHadamard(HalfRows):
    """Each block has outputs of its own, and a label of it owns the + half of its row there.

    >>> m = BlockHadamard([["Rome", "Milan"], ["Lyon", "Paris", "Nice"]], 1.0)
    >>> m.sizes, m.outputs, m.report_bits
    ((2, 3), 8, 3)
    """

    title = "the label's block, and an output of its half of a Hadamard row"
    epsilon: float
    sizes: tuple[int, ...]
    """Labels in each block."""

    order: tuple[int, ...]
    """The places in the domain of the blocks' labels, block after block."""

    def __init__(self, blocks: Iterable[Iterable[Hashable]], epsilon: float, domain: DomainLike | None = None) -> None:
        promise = Blocks(blocks, check_epsilon(epsilon), domain)
        check_rows(len(promise.domain), self.name)
        order = tuple(np.concatenate(promise.places).tolist())
        sizes = tuple(map(len, promise.blocks))
        self._fix(domain=promise.domain, epsilon=promise.epsilon, sizes=sizes, order=order)

    @classmethod
    def from_parameters(cls, domain: Domain, parameters: Spec) -> BlockHadamard:
        """Read a spec, which holds the sizes of the blocks, and their labels' order if it is not the domain's."""
        check_rows(len(domain), cls.__name__)
        sizes = [check_int("sizes", size, 1) for size in parameters["sizes"]]
        labels = list(domain)
        if "order" in parameters:
            labels = [domain[check_int("order", place, 0)] for place in parameters["order"]]
        if set(parameters) - {"order"} != {"epsilon", "sizes"} or not sum(sizes) == len(labels) == len(domain):
            raise ParameterError("sizes must add up to the number of labels, beside epsilon, got others")
        return cls(_cut(labels, sizes), parameters["epsilon"], domain)

    def parameters(self) -> Spec:
        """Epsilon, how many labels each block has, and where they are unless they follow each other."""
        moved = {} if self.order == tuple(range(len(self.domain))) else {"order": list(self.order)}
        return {"epsilon": self.epsilon, "sizes": list(self.sizes), **moved}

    @cached_property
    def rank(self) -> Indices:
        """Each label's number in the blocks' order."""
        return np.argsort(np.array(self.order))

    def __repr__(self) -> str:
        return f"{self.name}({self.domain!r} in {len(self.sizes)} blocks, epsilon={self.epsilon!r})"

    @cached_property
    def guarantee(self) -> Blocks:
        """Local differential privacy within each block."""
        return Blocks(_cut([self.domain[place] for place in self.order], self.sizes), self.epsilon, self.domain)

    def exact_ratio(self) -> Fraction | float:
        """A/B, within a block of two labels or more."""
        return self.odds.ratio if max(self.sizes) > 1 else Fraction(1)

    @property
    def _gain(self) -> Fraction:
        return Fraction(self.odds.above - self.odds.below, 2 * self.total)

    @cached_property
    def _widths(self) -> list[int]:
        """Outputs of each block."""
        return [sign_rows.size_for(size) for size in self.sizes]

    @cached_property
    def _spans(self) -> list[tuple[slice, slice, int, int]]:
        """Of each block its labels and its outputs, and how many of them there are."""
        labels, outputs = np.cumsum([0, *self.sizes]).tolist(), np.cumsum([0, *self._widths]).tolist()
        shapes = zip(self.sizes, self._widths, labels, outputs, strict=False)
        return [(slice(x, x + size), slice(y, y + width), size, width) for size, width, x, y in shapes]

    @property
    def layout(self) -> IndexLayout:
        """The outputs of the blocks, one after another."""
        return IndexLayout(sum(self._widths))

    @cached_property
    def sources(self) -> npt.NDArray[np.uint64]:
        """What ``draw_rows`` needs of each label."""
        rows = np.empty((len(self.domain), 5), np.uint64)
        for labels, outputs, size, width in self._spans:
            rows[labels] = [outputs.start, width - 1, outputs.start, width - 1, 0]
            rows[labels, 4] = np.arange(1, size + 1)
        return rows[self.rank]

    def draw_counts(self, people: Counts, generator: np.random.Generator) -> Counts:
        """In each block some answer in their half of a row, the rest with a uniform output of the block."""
        told, counts = generator.binomial(people, 2 * float(self._gain)), np.empty(self.outputs, np.int64)
        order = np.array(self.order)
        kept, rest = told[order], (people - told)[order]
        for labels, outputs, _, width in self._spans:
            counts[outputs] = sign_rows.over_halves(kept[labels], width, generator)
            counts[outputs] += scatter(int(rest[labels].sum()), np.ones(width), generator)
        return counts

    @property
    def aggregate_draws(self) -> float:
        """A transform of people a block, where every place is two."""
        return float(sum(width * (2 * math.log2(width) + 1) for width in self._widths))

    @property
    def law(self) -> VarianceLaw:
        """acharya2019's variances."""
        return context.block_hadamard(self.odds.ratio, self.sizes)

    def risk(
        self, n: int, loss: Loss = "l2", truth: Iterable[float] | None = None, target: Target = "population"
    ) -> float:
        """The predicted error of the unbiased decoder (l1, linf: asymptotic); without a truth, the worst case."""
        p = self.check_risk(n, loss, truth, target)
        ranked = self.law.worst_truth(loss, target) if p is None else p[list(self.order)]
        return self.law.risk(n, loss, ranked, target)

    @property
    def decode_operations(self) -> float:
        """One fast transform a block."""
        return float(sum(width * math.log2(width) for width in self._widths))

    def evidence(self, tally: Tally) -> SignedEvidence:
        """For each label the reports in its half of its block's outputs, and in the other half."""
        found = [sign_rows.signs(tally.counts[outputs], size) for _, outputs, size, _ in self._spans]
        plus, minus = (np.concatenate(side)[self.rank] for side in zip(*found, strict=True))
        return SignedEvidence(tally.n, plus, minus, float(self._gain), 1.0, everyone=len(self.sizes) == 1)

    def messages(self, counts: Counts) -> Messages:
        """The histogram; two transforms a block an iteration."""
        bonus, order = float(self.odds.ratio) - 1, np.array(self.order)

        def forward(p: Vector) -> Vector:
            ranked = p[order]
            parts = [(ranked[labels], width) for labels, _, _, width in self._spans]
            return np.concatenate([part.sum() + bonus * sign_rows.mass(part, width) for part, width in parts])

        def backward(weights: Vector) -> Vector:
            parts = [(weights[outputs], size) for _, outputs, size, _ in self._spans]
            found = [part.sum() + bonus * sign_rows.collect(part, size) for part, size in parts]
            return np.asarray(np.concatenate(found)[self.rank])

        return Messages(counts, forward, backward)

    def exact_rows(self) -> npt.NDArray[np.object_]:
        """A or B over half of the block's outputs, 0 outside."""
        rows = np.full((len(self.domain), self.outputs), Fraction(0), object)
        for labels, outputs, size, width in self._spans:
            levels = [Fraction(weight, self.total * (width // 2)) for weight in (self.odds.below, self.odds.above)]
            rows[labels, outputs] = np.array(levels, object)[sign_rows.plus_table(size, width).astype(np.int64)]
        return np.asarray(rows[self.rank])

    def mutual_information(self) -> float:
        """Between a uniform value and its report, in nats: which block, and what is told within it."""
        shares = np.array(self.sizes) / len(self.domain)
        within = [self._told(size, width) for size, width in zip(self.sizes, self._widths, strict=True)]
        return float(shares @ (np.array(within) - np.log(shares)))

    def _told(self, size: int, width: int) -> float:
        """Nats within one block; a block of one has nothing left to tell."""
        if size == 1:
            return 0.0
        members = np.rint(sign_rows.mass(np.ones(size), width))
        low = np.full(width, math.log(self.odds.below / (self.total * (width // 2))))
        return information.two_level(np.zeros(width), members, low, self.epsilon, size)


def _cut(labels: list[Hashable], sizes: Sequence[int]) -> list[list[Hashable]]:
    """One block after another."""
    ends = np.cumsum(sizes).tolist()
    return [labels[end - size : end] for size, end in zip(sizes, ends, strict=True)]

"""High-low subsets: sensitive labels answer with a set of sensitive labels, others often with themselves."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable
from functools import cached_property

import numpy as np

from deniable.arrays import Column, Counts, Indices
from deniable.estimation.laws.joined_law import JoinedLaw
from deniable.estimation.laws.sets_inside import PackedSetsInside
from deniable.kernels.draw.aggregate import subsets
from deniable.mechanisms.context.high_low import Ranking, high_low_family, high_low_repr, high_low_spec, promised
from deniable.mechanisms.context.inner_blocks import Inner, check_blocks
from deniable.mechanisms.drawing import Cost
from deniable.mechanisms.family import Sample
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.plain.subset import Subset
from deniable.mechanisms.shared.alone import Alone
from deniable.mechanisms.shared.coins import coins
from deniable.mechanisms.shared.sets import draw_sets
from deniable.privacy.entropy import Entropy
from deniable.protocol.canonical import Spec
from deniable.protocol.checks import check_int
from deniable.protocol.errors import ParameterError
from deniable.protocol.odds import Odds, weighted_odds
from deniable.protocol.privacy.context import HighLow
from deniable.reports.block_layout import MOST_BLOCKS, BlockLayout
from deniable.reports.packed_layout import PackedLayout
from deniable.theory.risk import designs, information
from deniable.theory.risk.designs import Hiding
from deniable.theory.sizes import best_high_low_size
from deniable.values.domain import Domain, DomainLike


class HighLowSubset(Mechanism):
    """Sensitive labels answer as in Subset among themselves, others with themselves or a uniform set of these labels.

    ``size`` is that of the sets; left out, it is the one of least squared error at the worst truth.

    >>> m = HighLowSubset(["ill", "well", "away"], ["ill"], 1.0)
    >>> m.size, m.report_bits
    (1, 3)
    """

    domain: Domain
    """The labels that people may hold."""
    guarantee: HighLow
    """What is promised to each person."""
    epsilon: float
    """The level of privacy."""
    size: int
    """How many sensitive labels a set holds."""
    odds: Odds
    """A for a member of a set, B for any other sensitive label."""
    _inner: Inner

    def __init__(
        self, domain: DomainLike, sensitive: Iterable[Hashable], epsilon: float, size: int | None = None
    ) -> None:
        promise = promised(domain, sensitive, epsilon, self.name)
        s, d = len(promise.sensitive), len(promise.domain)
        check_blocks(1 + d - s, MOST_BLOCKS)
        chosen = best_high_low_size(s, d, promise.epsilon) if size is None else check_int("size", size, 1)
        if chosen >= max(s, 2):
            raise ParameterError(f"size must be None or an int from 1 to {max(s - 1, 1)}, got size={chosen}")
        inner = Subset(s, promise.epsilon, chosen) if s > 1 else Alone.packed()
        odds = weighted_odds(promise.epsilon, chosen, s - chosen)
        derived = {"odds": odds, "_inner": inner}
        super().__init__(promise.domain, promise, derived, epsilon=promise.epsilon, size=chosen)

    def _spec_parameters(self) -> Spec:
        return {**high_low_spec(self.guarantee), "size": self.size}

    def __repr__(self) -> str:
        return high_low_repr(self, self.guarantee)

    @cached_property
    def _ranking(self) -> Ranking:
        return Ranking.of(self.guarantee)

    @property
    def _hiding(self) -> Hiding:
        return Hiding(self._ranking.sensitive, self.size, self.odds.ratio)

    @cached_property
    def layout(self) -> BlockLayout:
        """The sensitive labels as one block, and each other label as a block of its own."""
        s, others = self._ranking.sensitive, len(self.domain) - self._ranking.sensitive
        return BlockLayout((s, *(1,) * others), (self.size, *(1,) * others))

    @property
    def _sets(self) -> PackedLayout:
        """A set alone."""
        return PackedLayout(self._ranking.sensitive, self.size)

    @cached_property
    def law(self) -> JoinedLaw:
        """How many sets hold each sensitive label, and the own reports of the others."""
        (order, _, s), d, hiding = self._ranking, len(self.domain), self._hiding
        inside = PackedSetsInside(hiding, self._inner.law, s == d, self._split, d - s)
        return JoinedLaw(
            d, order, s, self.odds.ratio, hiding.own, inside,
            variances=designs.high_low(hiding, s, d),
            most_lifted=hiding.leverage(everyone=s == d),
            inside_information=self._inside_information,
        )  # fmt: skip

    def _split(self, reports: Column) -> tuple[Indices, Column]:
        """Blocks number the other labels from 1."""
        names, sets = np.zeros(len(reports), np.int64), self._sets.empty(0)
        for block, places, own in self.layout.split(reports):
            names[places] = block
            sets = sets if block else own
        return names, sets

    def _inside_information(self) -> float:
        """All sets of the size, each likelier from its members."""
        s, k, hiding = self._ranking.sensitive, self.size, self._hiding
        copies = math.lgamma(s + 1) - math.lgamma(k + 1) - math.lgamma(s - k + 1)
        low = math.log(1 - hiding.own) - copies
        return information.two_level(np.array([copies]), np.array([k]), np.array([low]), self.epsilon, len(self.domain))

    @property
    def _weights(self) -> tuple[int, int]:
        """Of how many cases in all another label answers with itself."""
        rest = (self._ranking.sensitive - self.size) * self.odds.below
        return self.size * (self.odds.above - self.odds.below), self.size * self.odds.above + rest

    @property
    def cost(self) -> Cost:
        """A coin and a set."""
        cost = self._inner.cost
        return Cost(1 + cost.words_per_report, 2 * cost.aggregate_draws + len(self.domain))

    def draw(self, values: Indices, entropy: Entropy) -> Column:
        """Sensitive labels a set of their own, others themselves or a uniform set."""
        s, k, ranks = self._ranking.sensitive, self.size, self._ranking.rank[values]
        blocks, sets = np.zeros(len(values), np.int64), self._sets.empty(len(values))
        high, low = np.flatnonzero(ranks < s), np.flatnonzero(ranks >= s)
        sets[high] = self._inner.draw(ranks[high], entropy)
        told = coins(len(low), *self._weights, entropy)
        own, rest = low[told], low[~told]
        blocks[own], sets[own], sets[own, 0] = ranks[own] - s + 1, 0, 1
        sets[rest] = 1 if s == 1 else draw_sets(np.zeros(len(rest), np.int64), s, k, k, s, entropy)
        return self.layout.join(blocks, sets)

    def draw_counts(self, people: Counts, generator: np.random.Generator) -> Counts:
        """Sets of the sensitive people, own reports of the others, and uniform sets of the rest."""
        s, k, held = self._ranking.sensitive, self.size, people[self._ranking.order]
        own = generator.binomial(held[s:], float(self._hiding.own))
        inside, rest = self._inner.draw_counts(held[:s], generator), int((held[s:] - own).sum())
        even = np.array([rest]) if s == 1 else subsets(rest, np.zeros(s, np.int64), k, generator)
        return np.concatenate((inside + even, own))


FAMILY = high_low_family(
    HighLowSubset,
    "a set of sensitive labels, or often the true label if it is not sensitive",
    (
        Sample(40, lambda: HighLowSubset(12, [7, 2, 4, 1, 9], 0.5)),
        Sample(41, lambda: HighLowSubset(["well", "ill", "away"], ["ill"], 2.0)),  # hides in others' lies
    ),
    resolved={"size": lambda parameters, sensitive: parameters["size"]},
    names=("size",),
    most=MOST_BLOCKS,
)

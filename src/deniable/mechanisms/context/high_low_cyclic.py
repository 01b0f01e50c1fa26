"""High-low cyclic response: sensitive labels answer with a residue, others often with themselves, in few bits."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable
from functools import cached_property

import numpy as np

from deniable.arrays import Column, Counts, Indices
from deniable.estimation.laws.joined_law import JoinedLaw
from deniable.estimation.laws.sets_inside import ResiduesInside
from deniable.estimation.laws.supports import IndexSupports
from deniable.kernels.draw.aggregate import scatter
from deniable.mechanisms.context.high_low import Ranking, high_low_family, high_low_repr, high_low_spec, promised
from deniable.mechanisms.context.inner_blocks import Inner
from deniable.mechanisms.drawing import Cost
from deniable.mechanisms.family import Sample
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.plain.cyclic import Cyclic
from deniable.mechanisms.shared.alone import Alone
from deniable.mechanisms.shared.coins import coins
from deniable.privacy.entropy import Entropy, draw_uniform
from deniable.protocol.canonical import Spec
from deniable.protocol.errors import ParameterError
from deniable.protocol.odds import Odds, weighted_odds
from deniable.protocol.privacy.context import HighLow
from deniable.reports.index_layout import IndexLayout
from deniable.theory.risk import designs, information
from deniable.theory.risk.designs import Hiding
from deniable.theory.singer import Design, choose_high_low, designs_by_name, designs_for
from deniable.values.domain import Domain, DomainLike


class HighLowCyclic(Mechanism):
    """Sensitive labels answer as Cyclic among themselves, others with themselves or a uniform residue.

    ``design`` is the difference set; left out, it is the one of least squared error at the worst truth.

    >>> m = HighLowCyclic(["ill", "well", "away"], ["ill"], 1.0)
    >>> m.layout.outputs, m.report_bits
    (3, 2)
    """

    domain: Domain
    """The labels that people may hold."""
    guarantee: HighLow
    """What is promised to each person."""
    epsilon: float
    """The level of privacy."""
    design: Design
    """The difference set: q and t name it (None: a single point)."""
    odds: Odds
    """A for a shift in the difference set, B for any other."""
    _inner: Inner

    def __init__(
        self, domain: DomainLike, sensitive: Iterable[Hashable], epsilon: float, design: Design | None = None
    ) -> None:
        promise = promised(domain, sensitive, epsilon, self.name)
        s, d = len(promise.sensitive), len(promise.domain)
        if design is not None and design not in designs_for(s):
            raise ParameterError(f"design must be one of those known for {s} labels, got {design!r}")
        chosen = design or (choose_high_low(s, d, promise.epsilon) if s > 1 else Design.point(1))
        inner = Cyclic(s, promise.epsilon, design=chosen) if s > 1 else Alone.index()
        odds = weighted_odds(promise.epsilon, chosen.block, chosen.length - chosen.block)
        derived = {"odds": odds, "_inner": inner}
        super().__init__(promise.domain, promise, derived, epsilon=promise.epsilon, design=chosen)

    def _spec_parameters(self) -> Spec:
        return {**high_low_spec(self.guarantee), "q": self.design.q, "t": self.design.t}

    def __repr__(self) -> str:
        return high_low_repr(self, self.guarantee)

    @cached_property
    def _ranking(self) -> Ranking:
        return Ranking.of(self.guarantee)

    @property
    def _hiding(self) -> Hiding:
        return Hiding(self.design.length, self.design.block, self.odds.ratio)

    @cached_property
    def layout(self) -> IndexLayout:
        """The residues, then one integer for each other label."""
        return IndexLayout(self.design.length + len(self.domain) - self._ranking.sensitive)

    @cached_property
    def law(self) -> JoinedLaw:
        """How many residues support each sensitive label, and the own reports of the others."""
        (order, _, s), d, hiding = self._ranking, len(self.domain), self._hiding
        inside = ResiduesInside(hiding, self._inner.law, s == d, self._split, self._residues)
        return JoinedLaw(
            d, order, s, self.odds.ratio, hiding.own, inside,
            variances=designs.high_low(hiding, s, d),
            most_lifted=hiding.leverage(everyone=s == d),
            inside_information=self._inside_information,
        )  # fmt: skip

    @property
    def _residues(self) -> IndexSupports:
        """Which sensitive labels each residue supports."""
        reports = self._inner.law.reports
        assert isinstance(reports, IndexSupports)
        return reports

    def _split(self, reports: Column) -> tuple[Indices, Column]:
        """Integers beyond the residues number the other labels."""
        names = np.maximum(reports.astype(np.int64) - self.design.length + 1, 0)
        return names, reports[names == 0]

    def _inside_information(self) -> float:
        """From how many sensitive labels each residue supports."""
        length = self.design.length
        members = np.rint(self._residues.mass(np.ones(self._ranking.sensitive)))
        low = np.full(length, math.log((1 - self._hiding.own) / length))
        return information.two_level(np.zeros(length), members, low, self.epsilon, len(self.domain))

    @property
    def cost(self) -> Cost:
        """A coin and a residue."""
        cost = self._inner.cost
        return Cost(1 + cost.words_per_report, cost.aggregate_draws + self.design.length + len(self.domain))

    def draw(self, values: Indices, entropy: Entropy) -> Column:
        """Sensitive labels a residue of their own, others themselves or a uniform one."""
        s, length, ranks = self._ranking.sensitive, self.design.length, self._ranking.rank[values]
        column = self.layout.empty(len(values))
        high, low = np.flatnonzero(ranks < s), np.flatnonzero(ranks >= s)
        column[high] = self._inner.draw(ranks[high], entropy)
        bonus = self.design.block * (self.odds.above - self.odds.below)
        told = coins(len(low), bonus, bonus + length * self.odds.below, entropy)
        own, rest = low[told], low[~told]
        column[own] = ranks[own] - s + length
        column[rest] = draw_uniform(len(rest), length, entropy)
        return column

    def draw_counts(self, people: Counts, generator: np.random.Generator) -> Counts:
        """Residues of the sensitive people, own reports of the others, and uniform residues of the rest."""
        s, held = self._ranking.sensitive, people[self._ranking.order]
        own = generator.binomial(held[s:], float(self._hiding.own))
        inside = self._inner.draw_counts(held[:s], generator)
        even = scatter(int((held[s:] - own).sum()), np.ones(self.design.length), generator)
        return np.concatenate((inside + even, own))


def _read_design(parameters: Spec, sensitive: int) -> Design:
    """The design that q and t name."""
    return designs_by_name(sensitive)[parameters["q"], parameters["t"]]


FAMILY = high_low_family(
    HighLowCyclic,
    "a residue near the sensitive label, or often the true label if it is not sensitive",
    (
        Sample(42, lambda: HighLowCyclic(15, [7, 2, 4, 1, 9, 3, 12, 0, 5], 0.5)),
        Sample(43, lambda: HighLowCyclic(["well", "ill", "away"], ["ill"], 2.0)),  # hides in others' lies
    ),
    resolved={"design": _read_design},
    names=("q", "t"),
)

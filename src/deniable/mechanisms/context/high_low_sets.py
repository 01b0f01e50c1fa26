"""High-low mechanisms by sets: sensitive labels answer with a set of sensitive ones, as bits or as a residue."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

import numpy as np

from deniable.arrays import Column, Counts, Indices
from deniable.estimation.laws.high_low_law import HighLowLaw
from deniable.kernels.aggregate import scatter, subsets
from deniable.mechanisms.context.high_low import HighLowParts, Ranking, high_low_family
from deniable.mechanisms.context.inner import Drawn, check_blocks, residues, sets
from deniable.mechanisms.drawing import Cost
from deniable.mechanisms.family import Sample
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.shared.sets import draw_sets
from deniable.privacy.entropy import Entropy, draw_uniform
from deniable.protocol.canonical import Spec
from deniable.protocol.checks import check_int
from deniable.protocol.errors import ParameterError
from deniable.protocol.odds import Odds, weighted_odds
from deniable.protocol.privacy.context import HighLow
from deniable.reports.block_layout import MOST_BLOCKS
from deniable.reports.layout import Layout
from deniable.theory.singer import Design, choose_high_low, designs_by_name, designs_for
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
    _ranking: Ranking
    _parts: HighLowParts[Drawn]

    def __init__(
        self, domain: DomainLike, sensitive: Iterable[Hashable], epsilon: float, size: int | None = None
    ) -> None:
        ranking = Ranking.promised(domain, sensitive, epsilon, self.name)
        promise, s, d = ranking.promise, ranking.sensitive, len(ranking.promise.domain)
        check_blocks(1 + ranking.others)
        chosen = best_high_low_size(s, d, promise.epsilon) if size is None else check_int("size", size, 1)
        if chosen >= max(s, 2):
            raise ParameterError(f"size must be None or an int from 1 to {max(s - 1, 1)}, got size={chosen}")
        odds = weighted_odds(promise.epsilon, chosen, s - chosen)
        parts = HighLowParts(ranking, sets(s, chosen, promise.epsilon), odds, chosen)
        derived = {"odds": odds, "_ranking": ranking, "_parts": parts}
        super().__init__(promise.domain, promise, derived, epsilon=promise.epsilon, size=chosen)

    def _spec_parameters(self) -> Spec:
        return {**self._ranking.spec, "size": self.size}

    def __repr__(self) -> str:
        return self._ranking.shown(self.name)

    @property
    def layout(self) -> Layout:
        """The sensitive labels as one block, and each other label as a block of its own."""
        return self._parts.layout

    @property
    def law(self) -> HighLowLaw:
        """How many sets hold each sensitive label, and the own reports of the others."""
        return self._parts.law

    @property
    def cost(self) -> Cost:
        """A coin and a set."""
        cost = self._parts.inner.cost
        return Cost(1 + cost.words_per_report, 2 * cost.aggregate_draws + len(self.domain))

    def draw(self, values: Indices, entropy: Entropy) -> Column:
        """Sensitive labels a set of their own, others themselves or a uniform set."""
        return self._parts.draw(values, entropy, self._uniform)

    def _uniform(self, people: int, entropy: Entropy) -> Column:
        s, k, nobody = self._ranking.sensitive, self.size, np.zeros(people, np.int64)
        return self._parts.inner.draw(nobody, entropy) if s == 1 else draw_sets(nobody, s, k, k, s, entropy)

    def draw_counts(self, people: Counts, generator: np.random.Generator) -> Counts:
        """Sets of the sensitive people, own reports of the others, and uniform sets of the rest."""
        return self._parts.draw_counts(people, generator, self._uniform_counts)

    def _uniform_counts(self, people: int, generator: np.random.Generator) -> Counts:
        s = self._ranking.sensitive
        return np.array([people]) if s == 1 else subsets(people, np.zeros(s, np.int64), self.size, generator)


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
    _ranking: Ranking
    _parts: HighLowParts[Drawn]

    def __init__(
        self, domain: DomainLike, sensitive: Iterable[Hashable], epsilon: float, design: Design | None = None
    ) -> None:
        ranking = Ranking.promised(domain, sensitive, epsilon, self.name)
        promise, s, d = ranking.promise, ranking.sensitive, len(ranking.promise.domain)
        if design is not None and design not in designs_for(s):
            raise ParameterError(f"design must be one of those known for {s} labels, got {design!r}")
        chosen = design or (choose_high_low(s, d, promise.epsilon) if s > 1 else Design.point(1))
        odds = weighted_odds(promise.epsilon, chosen.block, chosen.length - chosen.block)
        parts = HighLowParts(ranking, residues(s, chosen, promise.epsilon), odds, chosen.block)
        derived = {"odds": odds, "_ranking": ranking, "_parts": parts}
        super().__init__(promise.domain, promise, derived, epsilon=promise.epsilon, design=chosen)

    def _spec_parameters(self) -> Spec:
        return {**self._ranking.spec, "q": self.design.q, "t": self.design.t}

    def __repr__(self) -> str:
        return self._ranking.shown(self.name)

    @property
    def layout(self) -> Layout:
        """The residues, then one integer for each other label."""
        return self._parts.layout

    @property
    def law(self) -> HighLowLaw:
        """How many residues support each sensitive label, and the own reports of the others."""
        return self._parts.law

    @property
    def cost(self) -> Cost:
        """A coin and a residue."""
        cost = self._parts.inner.cost
        return Cost(1 + cost.words_per_report, cost.aggregate_draws + self.design.length + len(self.domain))

    def draw(self, values: Indices, entropy: Entropy) -> Column:
        """Sensitive labels a residue of their own, others themselves or a uniform one."""
        return self._parts.draw(values, entropy, lambda rest, words: draw_uniform(rest, self.design.length, words))

    def draw_counts(self, people: Counts, generator: np.random.Generator) -> Counts:
        """Residues of the sensitive people, own reports of the others, and uniform residues of the rest."""
        even = np.ones(self.design.length)
        return self._parts.draw_counts(people, generator, lambda rest, numbers: scatter(rest, even, numbers))


def _read_design(parameters: Spec, sensitive: int) -> Design:
    """The design that q and t name."""
    return designs_by_name(sensitive)[parameters["q"], parameters["t"]]


SUBSET = high_low_family(
    HighLowSubset,
    "a set of sensitive labels, or often the true label if it is not sensitive",
    (
        Sample(40, lambda: HighLowSubset(12, [7, 2, 4, 1, 9], 0.5)),
        Sample(41, lambda: HighLowSubset(["well", "ill", "away"], ["ill"], 2.0)),  # hides in others' lies
    ),
    resolved={"size": lambda parameters, sensitive: parameters["size"]},
    most=MOST_BLOCKS,
)
CYCLIC = high_low_family(
    HighLowCyclic,
    "a residue near the sensitive label, or often the true label if it is not sensitive",
    (
        Sample(42, lambda: HighLowCyclic(15, [7, 2, 4, 1, 9, 3, 12, 0, 5], 0.5)),
        Sample(43, lambda: HighLowCyclic(["well", "ill", "away"], ["ill"], 2.0)),  # hides in others' lies
    ),
    resolved={"design": _read_design},
)

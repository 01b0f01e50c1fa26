"""High-low mechanisms by sets: sensitive labels answer with a set of sensitive ones, as bits or as a residue."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

import numpy as np

from deniable.arrays import Column, Counts
from deniable.kernels.aggregate import scatter, subsets
from deniable.mechanisms.context.high_low import DrawnParts, HighLowMechanism, Ranking, high_low_family
from deniable.mechanisms.context.inner import residues, sets
from deniable.mechanisms.drawing import Cost
from deniable.mechanisms.family import Sample
from deniable.mechanisms.shared.draws import draw_sets
from deniable.privacy.entropy import Entropy, draw_uniform
from deniable.protocol.canonical import Spec
from deniable.protocol.checks import check_int
from deniable.protocol.designs import Design
from deniable.protocol.errors import ParameterError
from deniable.protocol.mechanisms.context import MOST_BLOCKS, check_blocks
from deniable.protocol.odds import Odds, weighted_odds
from deniable.theory.singer import choose_high_low, designs_by_name, designs_for
from deniable.theory.sizes import best_high_low_size
from deniable.values.domain import DomainLike


class HighLowSubset(HighLowMechanism):
    """Sensitive labels answer as in Subset among themselves, others with themselves or a uniform set of these labels.

    ``size`` is that of the sets; left out, it is the one of least squared error at the worst truth.

    >>> m = HighLowSubset(["ill", "well", "away"], ["ill"], 1.0)
    >>> m.size, m.report_bits
    (1, 3)
    """

    size: int
    """How many sensitive labels a set holds."""
    odds: Odds
    """A for a member of a set, B for any other sensitive label."""

    def __init__(
        self, domain: DomainLike, sensitive: Iterable[Hashable], epsilon: float, size: int | None = None
    ) -> None:
        ranking = Ranking.promised(domain, sensitive, epsilon, self.name)
        level, s = ranking.promise.epsilon, ranking.sensitive
        check_blocks(1 + ranking.others)
        k = best_high_low_size(s, s + ranking.others, level) if size is None else check_int("size", size, 1)
        if k >= max(s, 2):
            raise ParameterError(f"size must be None or an int from 1 to {max(s - 1, 1)}, got size={k}")
        odds = weighted_odds(level, k, s - k)
        super().__init__(Sets(ranking, odds, sets(s, k, level), k), size=k)


class Sets(DrawnParts):
    """Reports that are a set of sensitive labels, or a label that is not sensitive."""

    @property
    def cost(self) -> Cost:
        inner, labels = self.inner.cost, len(self.ranking.promise.domain)
        return Cost(1 + inner.words_per_report, 2 * inner.aggregate_draws + labels)

    def hiding_reports(self, count: int, entropy: Entropy) -> Column:
        s, k, nobody = self.ranking.sensitive, self.size, np.zeros(count, np.int64)
        return self.inner.draw(nobody, entropy) if s == 1 else draw_sets(nobody, s, k, k, s, entropy)

    def hiding_counts(self, count: int, generator: np.random.Generator) -> Counts:
        s = self.ranking.sensitive
        return np.array([count]) if s == 1 else subsets(count, np.zeros(s, np.int64), self.size, generator)


class HighLowCyclic(HighLowMechanism):
    """Sensitive labels answer as Cyclic among themselves, others with themselves or a uniform residue.

    ``design`` is the difference set; left out, it is the one of least squared error at the worst truth.

    >>> m = HighLowCyclic(["ill", "well", "away"], ["ill"], 1.0)
    >>> m.layout.outputs, m.report_bits
    (3, 2)
    """

    design: Design
    """The difference set: q and t name it (None: a single point)."""
    odds: Odds
    """A for a shift in the difference set, B for any other."""

    def __init__(
        self, domain: DomainLike, sensitive: Iterable[Hashable], epsilon: float, design: Design | None = None
    ) -> None:
        ranking = Ranking.promised(domain, sensitive, epsilon, self.name)
        level, s = ranking.promise.epsilon, ranking.sensitive
        if design is not None and design not in designs_for(s):
            raise ParameterError(f"design must be one of those known for {s} labels, got {design!r}")
        chosen = design or (choose_high_low(s, s + ranking.others, level) if s > 1 else Design.point(1))
        odds = weighted_odds(level, chosen.block, chosen.length - chosen.block)
        parts = Residues(ranking, odds, residues(s, chosen, level), chosen.block)
        super().__init__(parts, {"design": chosen})

    def _spec_parameters(self) -> Spec:
        return {**super()._spec_parameters(), "q": self.design.q, "t": self.design.t}


class Residues(DrawnParts):
    """Reports that are a residue, or a label that is not sensitive."""

    @property
    def _length(self) -> int:
        return self.inner.layout.cells

    @property
    def cost(self) -> Cost:
        inner, labels = self.inner.cost, len(self.ranking.promise.domain)
        return Cost(1 + inner.words_per_report, inner.aggregate_draws + self._length + labels)

    def hiding_reports(self, count: int, entropy: Entropy) -> Column:
        return draw_uniform(count, self._length, entropy)

    def hiding_counts(self, count: int, generator: np.random.Generator) -> Counts:
        return scatter(count, np.ones(self._length), generator)


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

"""Two-sided geometric noise on a scale, clamped at both ends: numbers near each other hide among each other."""

from __future__ import annotations

import math
from functools import cached_property
from random import Random
from typing import Any, Self

import numpy as np

from deniable.arrays import Column, Counts, Indices
from deniable.estimation.laws.distance_law import DistanceLaw
from deniable.estimation.numbers.mean import MeanEvidence
from deniable.estimation.numbers.quantity import Quantity
from deniable.kernels._kernels import draw_geometric
from deniable.kernels.aggregate import drifted
from deniable.mechanisms.drawing import Cost, draw_indices
from deniable.mechanisms.family import Family, Maker, Sample
from deniable.mechanisms.mechanism import Mechanism, check_tally
from deniable.mechanisms.shared.chosen import some_level
from deniable.mechanisms.shared.limits import check_rows
from deniable.privacy.entropy import Entropy
from deniable.privacy.exact_channel import ExactChannel
from deniable.privacy.matrix import Rows
from deniable.protocol.canonical import Spec
from deniable.protocol.checks import check_epsilon
from deniable.protocol.errors import CapacityError, ParameterError
from deniable.protocol.mechanisms.context import MOST_ROWS
from deniable.protocol.odds import Odds, weighted_odds
from deniable.protocol.privacy.distance import Distance
from deniable.protocol.privacy.guarantees import Guarantee
from deniable.reports.index_layout import IndexLayout
from deniable.reports.tally import Tally
from deniable.values.domain import Domain, DomainLike

MOST_LISTED = 128
"""The most labels of a channel that is written out: its weights have a few dozen bits for each label."""


class Geometric(Mechanism):
    """A number near the own one: k units away with a probability that falls by e^(-epsilon_per_unit) with each unit.

    Values k units apart are hidden from each other up to e^(k epsilon_per_unit), so that near numbers are protected
    well and far ones are not. For answers in an order that are no numbers there is ``Geometric.of``.

    >>> m = Geometric(18, 120, 0.5)
    >>> m.guarantee.pair_level(0, 2), m.report_bits
    (1.0, 7)
    """

    domain: Domain
    """The numbers, or labels in their order, that people may hold."""
    guarantee: Distance
    """What is promised: the more, the nearer two values are."""
    epsilon_per_unit: float
    """The level of privacy of neighbours."""
    odds: Odds
    """A report is at most A/B times likelier from one value than from the next."""

    def __init__(self, low: int, high: int, epsilon_per_unit: float) -> None:
        self._make(Domain.between(low, high), epsilon_per_unit)

    @classmethod
    def of(cls, labels: DomainLike, epsilon_per_unit: float) -> Self:
        """For labels in their order, whose distance is the number of places between them.

        >>> Geometric.of(["never", "rarely", "often"], 1.0).guarantee.plain
        2.0
        """
        mechanism = cls.__new__(cls)
        mechanism._make(Domain.of(labels), epsilon_per_unit)
        return mechanism

    def _make(self, labels: Domain, epsilon_per_unit: Any) -> None:
        level = check_epsilon(epsilon_per_unit, "epsilon_per_unit")
        check_rows(len(labels), "Geometric")
        odds = weighted_odds(level, 1, 1)
        super().__init__(labels, Distance(labels, level), {"odds": odds}, epsilon_per_unit=level)

    @property
    def layout(self) -> IndexLayout:
        return IndexLayout(len(self.domain))

    @cached_property
    def law(self) -> DistanceLaw:
        """Estimates from the own count and both neighbours'."""
        return DistanceLaw(len(self.domain), self.odds)

    @property
    def cost(self) -> Cost:
        """A word per label; in aggregate two binomial draws per label and bit of a number."""
        labels = len(self.domain)
        return Cost(self._words, 2.0 * labels * (1 + labels.bit_length()))

    @property
    def _words(self) -> float:
        """The random words that a report is expected to need, with those that uniform draws reject."""
        total = self.odds.above + self.odds.below
        rejected = [(1 << 64) % bound / 2**64 for bound in (total, self.odds.above)]
        return 1 / (1 - rejected[0]) + (len(self.domain) - 1) / (1 - rejected[1])

    @cached_property
    def _channel(self) -> ExactChannel:
        """The channel, whose weights are products of powers of A and B; cells at one distance share theirs."""
        d = len(self.domain)
        if d > MOST_LISTED:
            raise CapacityError(f"Geometric must have at most {MOST_LISTED} labels to be written out, got {d}")
        above, below = self.odds.above, self.odds.below
        powers = [below**k * above ** (d - 1 - k) for k in range(d)]
        within, ends = ([scale * power for power in powers] for scale in (above - below, above))
        divisor = math.gcd(*within, *ends)
        away = np.abs(np.arange(d)[:, None] - np.arange(d))
        weights = np.array([each // divisor for each in within], object)[away]
        weights[:, [0, -1]] = np.array([each // divisor for each in ends], object)[away[:, [0, -1]]]
        return ExactChannel(self.domain, Rows(weights, (above + below) * above ** (d - 1) // divisor))

    def mean(self, found: Any) -> Quantity:
        """The unbiased estimate of the mean of people's numbers, from reports or a tally.

        A report counts as its number, one at an end as if it were 1/(e^epsilon_per_unit - 1) beyond it. No unbiased
        estimate under the same guarantee has less variance, whatever people hold.

        >>> m = Geometric(0, 5, 1.0)
        >>> m.mean(m.privatize_many([4] * 10_000, seed=1))
        3.98059 (standard error 0.0127)
        """
        if self.domain.run is None:
            raise ParameterError("a mean must be of whole numbers, got labels that are listed")
        counts = check_tally(self, found if isinstance(found, Tally) else self.tally(found)).counts
        half = (len(self.domain) - 1) / 2
        evidence = MeanEvidence(counts[None, :], self.law.noise.mean_scores / half - 1)
        quantity = Quantity(evidence.value, evidence.stderr, evidence.interval)
        return quantity.scaled(self.domain.run.start + half, half)

    def draw(self, values: Indices, entropy: Entropy) -> Column:
        """A word per label, whatever it shows."""
        above, below = np.uint64(self.odds.above), np.uint64(self.odds.below)
        labels = len(self.domain)
        return draw_indices(draw_geometric, self.layout, values, entropy, self._words, above, below, labels)

    def draw_counts(self, people: Counts, generator: np.random.Generator) -> Counts:
        """The counts of reports: of people who go up from their label, and of those who go down from the next one."""
        ratio = self.law.noise.ratio
        down = generator.binomial(people, ratio / (1 + ratio))
        stepped = np.append(down[1:], 0)
        stepped[0] += down[0]
        up = drifted(people - down, ratio, generator)
        return np.asarray(up + drifted(stepped[::-1], ratio, generator)[::-1])


def _read(domain: Any, parameters: Spec) -> Mechanism:
    return Geometric.of(Domain.from_json(domain), **parameters)


def _keeps(guarantee: Guarantee, domain: Domain) -> Maker | None:
    """A level by distance, and no other: under plain LDP other mechanisms err less."""
    if not isinstance(guarantee, Distance):
        return None
    return lambda: Geometric.of(domain, guarantee.epsilon)


def _random(source: Random) -> Mechanism:
    low = source.randint(-5, 5)
    return Geometric(low, low + source.choice((1, 2, 7, 60)), some_level(source))


FAMILY = Family(
    make=Geometric,
    title="a number near the own one",
    example=Geometric.of,
    keeps=_keeps,
    read=_read,
    samples=(
        Sample(90, lambda: Geometric(0, 5, 1.0)),
        Sample(91, lambda: Geometric(-3, 8, 0.25)),
        Sample(92, lambda: Geometric.of(["never", "rarely", "often"], 2.0)),
    ),
    random=_random,
    largest=lambda: Geometric(1, MOST_ROWS, 0.001),
    measured=lambda labels: Geometric(0, labels - 1, 1 / (labels - 1)),
    sizes=(16, 1024),  # a word for each label
)

"""High-low mechanisms as a composition: a promise, and what sensitive labels report among themselves."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from types import MappingProxyType
from typing import Any, Generic, TypeVar

import numpy as np

from deniable.arrays import Column, Counts, Exact, Indices
from deniable.estimation.laws.high_low_law import HighLowLaw, set_noise, sign_noise, support_noise
from deniable.estimation.laws.inner import Noise
from deniable.estimation.laws.sign_law import SignLaw
from deniable.estimation.laws.supports import IndexSupports
from deniable.mechanisms.composed import Composed, Parts
from deniable.mechanisms.context.inner import Drawn, Inner
from deniable.mechanisms.family import FEWER_SIZES, Family, Maker, Sample
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.shared.chosen import some_level, some_sensitive
from deniable.mechanisms.shared.draws import coins
from deniable.mechanisms.shared.limits import check_rows
from deniable.privacy.entropy import Entropy
from deniable.protocol.canonical import Spec
from deniable.protocol.checks import check_epsilon
from deniable.protocol.mechanisms.context import MOST_ROWS
from deniable.protocol.odds import Odds
from deniable.protocol.privacy.context import HighLow
from deniable.protocol.privacy.guarantees import Guarantee
from deniable.reports.headed_layouts import BlockLayout
from deniable.reports.index_blocks import IndexBlocks
from deniable.reports.index_layout import IndexLayout
from deniable.theory.risk import information
from deniable.theory.risk.designs import Hiding
from deniable.values.domain import Domain, DomainLike

InnerT = TypeVar("InnerT", bound=Inner)


@dataclass(frozen=True, eq=False)
class Ranking:
    """The order of the labels of a promise in reports and counts: the sensitive ones first."""

    promise: HighLow

    @classmethod
    def promised(cls, domain: DomainLike, sensitive: Iterable[Hashable], epsilon: float, name: str) -> Ranking:
        """Of the promise of a mechanism of this name, with the number of labels checked."""
        labels = Domain.of(domain)
        check_rows(len(labels), name)
        return cls(HighLow(labels, sensitive, check_epsilon(epsilon)))

    @cached_property
    def sensitive(self) -> int:
        """How many labels are sensitive."""
        return len(self.promise.places)

    @cached_property
    def others(self) -> int:
        """How many are not."""
        return len(self.promise.domain) - self.sensitive

    @cached_property
    def order(self) -> Indices:
        """The places of all labels in the domain, the sensitive ones first."""
        places = np.asarray(self.promise.places, np.int64)
        return np.concatenate((places, np.setdiff1d(np.arange(len(self.promise.domain)), places)))

    @cached_property
    def rank(self) -> Indices:
        """Each label's number in that order."""
        return np.argsort(self.order)


@dataclass(frozen=True, eq=False)
class HighLowParts(Parts[HighLowLaw]):
    """How the labels of a promise are reported, with certified odds for the sensitive ones."""

    ranking: Ranking
    odds: Odds


class HighLowMechanism(Composed[HighLowLaw]):
    """A mechanism that protects sensitive labels; its spec holds their places in the domain."""

    guarantee: HighLow
    """What is promised to each person."""
    epsilon: float
    """The level of privacy."""
    _parts: HighLowParts

    def __init__(self, parts: HighLowParts, derived: Mapping[str, Any] = MappingProxyType({}), **extra: Any) -> None:
        promise, fields = parts.ranking.promise, {"odds": parts.odds, "_parts": parts, **derived}
        super().__init__(promise.domain, promise, fields, epsilon=promise.epsilon, **extra)

    def _spec_parameters(self) -> Spec:
        parameters = super()._spec_parameters()
        return {"epsilon": self.epsilon, "sensitive": list(self._parts.ranking.promise.places), **parameters}

    def __repr__(self) -> str:
        """With numbers of labels instead of the labels."""
        ranking = self._parts.ranking
        return f"{self.name}({ranking.promise.domain!r}, {ranking.sensitive} sensitive, epsilon={self.epsilon!r})"


@dataclass(frozen=True, eq=False)
class InnerParts(HighLowParts, Generic[InnerT]):
    """Reports by a plain mechanism over the sensitive labels, beside which other labels name themselves or hide.

    The ``inner`` reports are integers or sets, each of which supports ``size`` of the layout's cells with odds A:B. To
    hide, others report any of them alike. Reports are those of blocks: all sensitive labels are one, and each other
    label is a block of its own.
    """

    inner: InnerT
    size: int

    @cached_property
    def hiding(self) -> Hiding:
        """How the sensitive labels hide, and the others among them."""
        return Hiding(self.inner.layout.cells, self.size, self.odds.ratio)

    @property
    def shown(self) -> tuple[int, int]:
        """In how many cases, and of how many, another label names itself: k (A - B) of k A + (v - k) B, v the cells."""
        cases = self.size * (self.odds.above - self.odds.below)
        return cases, cases + self.inner.layout.cells * self.odds.below

    @property
    def sets(self) -> int:
        """How many different reports the sensitive labels have."""
        inside = self.inner.layout
        return inside.outputs if isinstance(inside, IndexLayout) else math.comb(inside.symbols, self.size)

    @cached_property
    def joined(self) -> IndexBlocks | BlockLayout:
        """The sensitive labels as one block, and each other label as a block of its own."""
        inside, alone = self.inner.layout, (1,) * self.ranking.others
        if isinstance(inside, IndexLayout):
            return IndexBlocks((inside.outputs, *alone))
        return BlockLayout((inside.symbols, *alone), (self.size, *alone))

    @cached_property
    def layout(self) -> IndexLayout | BlockLayout:
        """How reports are stored."""
        return self.joined.layout

    @cached_property
    def law(self) -> HighLowLaw:
        """What counts say of the people."""
        return HighLowLaw(
            len(self.ranking.promise.domain), self.ranking.order, self.inner.law, self.inner.layout.cells,
            self.odds.ratio, self.hiding.own, self.joined, self._beside, self._noise, self._inside_information,
        )  # fmt: skip

    @property
    def _noise(self) -> Noise:
        """The noise of the sensitive labels' estimates, by the kind of the inner mechanism's reports."""
        inner, labels = self.inner.law, len(self.ranking.promise.domain)
        if isinstance(inner, SignLaw):
            return sign_noise(inner, labels)
        if isinstance(inner.reports, IndexSupports) and inner.reports.response:
            return support_noise(inner, self.hiding.own, labels, closed=True)
        return set_noise(inner, self.hiding, labels, self.inner.layout.counts_per_report or 1)

    def _beside(self, reports: Column) -> Exact:
        """The probability of each report given its block: those who hide send every inner report alike."""
        chances: Exact = np.full(len(reports), Fraction(1), object)
        chances[self.joined.heads(reports) == 0] = Fraction(1, self.sets)
        return chances

    def _inside_information(self) -> float:
        """The mutual information of inner reports, from how many sensitive labels each supports.

        Reports that support as many are one kind; ``kinds`` are the logarithms of how many there are of each.
        """
        cells, size = self.inner.layout.cells, self.size
        sums = self.inner.law.sums(np.zeros(cells, np.int64))
        if sums is None:
            log_reports = math.lgamma(cells + 1) - math.lgamma(size + 1) - math.lgamma(cells - size + 1)
            kinds, members = np.array([log_reports]), np.array([float(size)])
        else:
            kinds, log_reports = np.zeros(cells), math.log(cells)
            members = np.rint(sums.mass(np.ones(self.ranking.sensitive)))
        low = np.full(len(members), math.log(1 - self.hiding.own) - log_reports)
        return information.two_level(
            kinds, members, low, self.ranking.promise.epsilon, len(self.ranking.promise.domain)
        )


@dataclass(frozen=True, eq=False)
class DrawnParts(InnerParts[Drawn]):
    """``InnerParts`` whose plain mechanism draws its own reports; a subclass says what those who hide send."""

    @abstractmethod
    def hiding_reports(self, count: int, entropy: Entropy) -> Column:
        """Reports of those who hide, which are alike to all sensitive labels."""

    @abstractmethod
    def hiding_counts(self, count: int, generator: np.random.Generator) -> Counts:
        """The counts of such reports."""

    def draw(self, values: Indices, entropy: Entropy) -> Column:
        """Sensitive labels send an inner report of their own; others name themselves or hide."""
        s, ranks = self.ranking.sensitive, self.ranking.rank[values]
        blocks, inside = np.zeros(len(values), np.int64), np.zeros_like(self.inner.layout.empty(len(values)))
        high, low = np.flatnonzero(ranks < s), np.flatnonzero(ranks >= s)
        inside[high] = self.inner.draw(ranks[high], entropy)
        truthful = coins(len(low), *self.shown, entropy)
        named, hidden = low[truthful], low[~truthful]
        blocks[named] = ranks[named] - s + 1
        inside.reshape(len(values), -1)[named, :1] = self.joined.alone
        inside[hidden] = self.hiding_reports(len(hidden), entropy)
        return self.joined.join(blocks, inside)

    def draw_counts(self, people: Counts, generator: np.random.Generator) -> Counts:
        """Inner reports of people with sensitive labels and of those who hide, then the names of the others."""
        s, held = self.ranking.sensitive, people[self.ranking.order]
        named = generator.binomial(held[s:], float(self.hiding.own))
        inside = self.inner.draw_counts(held[:s], generator)
        return np.concatenate((inside + self.hiding_counts(int((held[s:] - named).sum()), generator), named))


def high_low_family(
    make: Callable[..., Any],
    title: str,
    samples: Iterable[Sample],
    resolved: Mapping[str, Callable[[Spec, int], Any]] = MappingProxyType({}),
    most: int = MOST_ROWS,
) -> Family:
    """The row of a family whose constructor takes a domain, its sensitive labels and an epsilon.

    ``resolved`` are further arguments, each with what reads it from the spec, given the number of sensitive labels.
    There can be ``most`` labels, one of them sensitive.
    """

    def example(domain: Domain, epsilon: float) -> Mechanism:
        """An example in which every second label is sensitive."""
        made: Mechanism = make(domain, list(domain)[1::2], epsilon)
        return made

    def keeps(guarantee: Guarantee, domain: Domain) -> Maker | None:
        if not isinstance(guarantee, HighLow):
            return None
        return lambda: make(domain, guarantee.sensitive, guarantee.epsilon)

    def read(domain: Any, parameters: Spec) -> Mechanism:
        """The mechanism of a spec, which holds the indices of the sensitive labels."""
        labels, places = Domain.from_json(domain), parameters["sensitive"]
        arguments = {name: of(parameters, len(places)) for name, of in resolved.items()}
        made: Mechanism = make(labels, [labels[place] for place in places], parameters["epsilon"], **arguments)
        return made

    family: Any = make
    return Family(
        make=family, title=title, example=example, keeps=keeps, read=read, samples=tuple(samples),
        random=lambda source: make(*some_sensitive(source), some_level(source)),
        largest=lambda: make(most, [7], 1.0),
        measured=lambda labels: make(labels, range(0, labels, 4), 1.0),
        sizes=tuple(size for size in FEWER_SIZES if size <= most),
    )  # fmt: skip

"""A coin for each label of a list: each label is protected by itself, whole lists only as far as labels add up."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cached_property

import numpy as np

from deniable.arrays import Column, Counts, Exact, Indices, Packed
from deniable.estimation.evidence import SupportEvidence
from deniable.estimation.laws.lists_law import ListsLaw
from deniable.mechanisms.drawing import Cost
from deniable.mechanisms.family import Sample
from deniable.mechanisms.lists.list_rounds import ItemRounds
from deniable.mechanisms.lists.row import lists_family
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.shared.chosen import some_labels, some_level
from deniable.mechanisms.shared.draws import ROUNDS, noise
from deniable.privacy.entropy import Entropy
from deniable.privacy.exact_channel import ExactChannel
from deniable.privacy.matrix import Rows
from deniable.privacy.repeated import SingleBits
from deniable.protocol.canonical import Spec
from deniable.protocol.checks import check_epsilon
from deniable.protocol.odds import Odds, dyadic_odds, exp_lower
from deniable.protocol.privacy.each_item import EachItem
from deniable.protocol.values import LARGEST
from deniable.protocol.words import WORD
from deniable.reports.packed_layout import PackedLayout
from deniable.values.domain import Domain, DomainLike
from deniable.values.lists import Lists


class ItemResponse(Mechanism):
    """Report for each label whether it is in the list, each answer false with odds B:A.

    Each single label stays within e^epsilon, but a whole list only within e^(s epsilon) of another that differs from
    it in s labels: a report of ten labels at epsilon 1 may be 22,026 times likelier from one list than from another.
    To protect the whole list, take ``AskedItems``.

    ``one_sided``: labels that are held are always reported, others in B of A cases. A report is then at most e^epsilon
    times likelier with a label than without it; but a label that is not reported is surely not held.

    >>> m = ItemResponse(["mail", "maps", "news"], 1.0)
    >>> m.report_bits, m.guarantee.plain
    (3, 3.0)
    """

    domain: Lists
    """The lists of labels that people may hold."""
    guarantee: EachItem
    """What is promised: each label by itself."""
    epsilon: float
    """The level of privacy of each label by itself."""
    one_sided: bool
    """Whether only holding a label is protected."""

    def __init__(self, labels: DomainLike, epsilon: float, one_sided: bool = False) -> None:
        items, level = Domain.of(labels), check_epsilon(epsilon)
        super().__init__(Lists(items), EachItem(items, level, one_sided), epsilon=level, one_sided=one_sided)

    @cached_property
    def odds(self) -> Odds:
        """A:B for one answer, A + B = 2^64; one-sided a label that is not held is reported in B of A = 2^64 cases."""
        return Odds(WORD, -(-WORD // exp_lower(self.epsilon))) if self.one_sided else dyadic_odds(self.epsilon)

    @cached_property
    def layout(self) -> PackedLayout:
        """One bit per label."""
        return PackedLayout(len(self.domain.labels))

    @cached_property
    def law(self) -> ListsLaw:
        """A label is reported with probability A/T by those who hold it, with B/T by others, T = A + B or A."""
        total = self.odds.above + (0 if self.one_sided else self.odds.below)
        d, support = self.layout.symbols, (Fraction(self.odds.above, total), Fraction(self.odds.below, total))
        return ListsLaw(d, support, self.odds.ratio, self._evidence, self._chances, lambda: _information(self))

    @property
    def _rounds(self) -> ItemRounds | None:
        """Each answer may be inverted again; one-sided, that would take back what is certain."""
        if self.one_sided:
            return None
        once, labels = SingleBits(self.odds, 1), self.layout.symbols
        return ItemRounds(once, 2 * labels, self.layout, lists=self.domain, packed=self._bytes)

    @property
    def cost(self) -> Cost:
        """About nine words for 64 bits; two binomial draws per label."""
        return Cost(ROUNDS * self.layout.width / 8, 2.0 * self.layout.symbols)

    def draw(self, values: Indices, entropy: Entropy) -> Column:
        reports = noise(len(values), self.layout.width, self.odds.below, entropy)
        held = self._bytes(values)
        reports = reports | held if self.one_sided else reports ^ held
        reports[:, -1] &= self.layout.last
        return reports

    def draw_counts(self, people: Counts, generator: np.random.Generator) -> Counts:
        return self.draw_lists(self.domain.rows(), people, generator)

    def draw_lists(self, lists: Indices, people: Counts, generator: np.random.Generator) -> Counts:
        """The counts of reports from ``people`` of each of some lists, such as ``domain.indices`` gives them, exactly.

        Answers are independent, so two binomial draws per label are enough.
        """
        holders, support = people @ self.domain.flags(lists), self.law.support
        yes = generator.binomial(holders, support.g) + generator.binomial(people.sum() - holders, support.h)
        return np.asarray(yes, np.int64)

    def _spec_parameters(self) -> Spec:
        return {"epsilon": self.epsilon, **({"one_sided": True} if self.one_sided else {})}

    def _bytes(self, lists: Indices) -> Packed:
        """The lists as packed bits, as wide as reports."""
        packed = np.ascontiguousarray(lists.astype("<i8", copy=False)).view(np.uint8).reshape(len(lists), -1)
        return packed[:, : self.layout.width]

    def _evidence(self, n: int, counts: Counts) -> SupportEvidence:
        return SupportEvidence(n, counts, self.law.support)

    def _chances(self, reports: Column) -> Exact:
        """The exact probabilities of reports from every list there is: products over the labels."""
        d, held, (g, h) = self.layout.symbols, self.domain.holding.astype(np.int64), self.law.exact_support
        said = np.unpackbits(reports, axis=1, count=d, bitorder="little").astype(np.int64)
        held_said = held @ said.T
        held_silent, other_said = held.sum(axis=1)[:, None] - held_said, said.sum(axis=1) - held_said
        counts = (held_said, held_silent, other_said, d - held_said - held_silent - other_said)
        powers = [np.array([p**k for k in range(d + 1)], object) for p in (g, 1 - g, h, 1 - h)]
        return np.asarray(math.prod(power[count] for power, count in zip(powers, counts, strict=True)))


def _information(m: ItemResponse) -> float:
    """Labels are held independently where all lists are equally probable: that of one answer, times their number."""
    g, h = m.law.exact_support
    one = ExactChannel(Domain(2), Rows.read([[1 - h, h], [1 - g, g]]))
    return m.layout.symbols * one.mutual_information()


FAMILY = lists_family(
    ItemResponse,
    "every label's bit of a list, each inverted alike",
    ItemResponse,
    (
        Sample(51, lambda: ItemResponse(["mail", "maps", "news"], 1.0)),
        Sample(52, lambda: ItemResponse(8, 2.0)),  # no pad bits
        Sample(53, lambda: ItemResponse(5, 1.5, one_sided=True)),
        Sample(54, lambda: ItemResponse(70, 3.0)),  # more labels than a word has bits
    ),
    random=lambda source: ItemResponse(some_labels(source), some_level(source), source.random() < 0.5),
    largest=lambda: ItemResponse(LARGEST, 1.0),
)

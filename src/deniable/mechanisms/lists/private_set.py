"""Private sets (PrivSet, Wang et al. 2018): for lists of a few labels out of many, the whole list is protected."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cached_property
from random import Random

import numpy as np

from deniable.arrays import Column, Counts, Exact, Flags, Indices, Packed, Vector
from deniable.estimation.evidence import SupportEvidence
from deniable.estimation.laws.lists_law import ListsLaw
from deniable.estimation.lists_evidence import CutEvidence
from deniable.kernels._kernels import cut_lists
from deniable.kernels.aggregate import scatter, subsets_within
from deniable.mechanisms.drawing import Cost
from deniable.mechanisms.family import Sample
from deniable.mechanisms.lists.row import lists_family
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.shared.chosen import some_level
from deniable.mechanisms.shared.draws import coins, draw_sets, words_per_set
from deniable.privacy.entropy import Entropy, feed
from deniable.protocol.checks import check_epsilon, check_int
from deniable.protocol.errors import CapacityError
from deniable.protocol.odds import Odds, weighted_odds
from deniable.protocol.privacy.guarantees import LDP
from deniable.reports.packed_layout import PackedLayout
from deniable.theory.checklists import best_set_size
from deniable.values.domain import Domain, DomainLike
from deniable.values.lists import Lists

MOST_LABELS = 1 << 16
"""The most labels: a device shuffles all of them."""


class PrivateSet(Mechanism):
    """A uniform set of ``size`` places, A/B times likelier if it meets the list; for lists of mostly up to ``most``.

    Everybody holds exactly ``most`` places: a longer list is cut to a uniform choice of its labels, a shorter one is
    filled up with places that are no labels. Lists may be of any length, and any two are within e^epsilon; what cutting
    costs is part of the intervals. ``size`` None takes the one of least total error.

    >>> m = PrivateSet(40, 1.0, most=3)
    >>> m.size, m.report_bits, len(m.privatize([3, 20]))
    (4, 43, 6)
    """

    domain: Lists
    """The lists of labels that people may hold."""
    epsilon: float
    """The level of privacy of the whole list."""
    most: int
    """How many labels of a list are drawn from."""
    size: int
    """How many places a report holds."""
    odds: Odds
    """A for a set that meets the list, B for any other."""

    def __init__(self, labels: DomainLike, epsilon: float, most: int, size: int | None = None) -> None:
        items, level = Domain.of(labels), check_epsilon(epsilon)
        if len(items) > MOST_LABELS:
            raise CapacityError(f"domain must hold at most {MOST_LABELS} labels for PrivateSet, got {len(items)}")
        held = check_int("most", most, 1, len(items))
        chosen = best_set_size(len(items), held, level) if size is None else check_int("size", size, 1, len(items))
        derived = {"odds": weighted_odds(level, 1, 1)}
        super().__init__(Lists(items), LDP(level), derived, epsilon=level, most=held, size=chosen)

    @property
    def _places(self) -> int:
        """The labels, and after them as many places that fill up short lists."""
        return len(self.domain.labels) + self.most

    @cached_property
    def _kept_weight(self) -> Fraction:
        """A times the probability that a uniform set is sent and not drawn again, which is the same for all lists."""
        missing = Fraction(math.comb(self._places - self.size, self.most), math.comb(self._places, self.most))
        return self.odds.above - (self.odds.above - self.odds.below) * missing

    @cached_property
    def layout(self) -> PackedLayout:
        """One bit per place, ``size`` of them set."""
        return PackedLayout(self._places, self.size)

    @cached_property
    def law(self) -> ListsLaw:
        """A label is in the sets of those who hold it with probability g, in others with h."""
        d, k, share = len(self.domain.labels), self.size, Fraction(self.size, self._places)
        # that a uniform set holds the label, and nothing of a list without it
        apart = share * Fraction(math.comb(self._places - k, self.most), math.comb(self._places - 1, self.most))
        g = share * self.odds.above / self._kept_weight
        h = g - (self.odds.above - self.odds.below) * apart / self._kept_weight
        return ListsLaw(
            d, (g, h), self.odds.ratio, self._evidence, self._chances, lambda: self.channel().mutual_information(),
            overlap=self._overlap,
        )  # fmt: skip

    @property
    def _overlap(self) -> tuple[Fraction, Fraction]:
        """How probably an even set meets a list, and how probably it meets a full list and an empty one."""
        every = math.comb(self._places, self.size)
        one, both = (Fraction(math.comb(self._places - i * self.most, self.size), every) for i in (1, 2))
        return 1 - one, 1 - 2 * one + both

    @property
    def cost(self) -> Cost:
        """Words to shuffle all labels, and for each try those of a set and a coin; in aggregate few draws per place."""
        tries = float(self.odds.above / self._kept_weight)
        each = words_per_set(self._places, self.size) + 1
        return Cost(len(self.domain.labels) + tries * each, 2.0 * self._places * (self.size + 1))

    def draw(self, values: Indices, entropy: Entropy) -> Column:
        """Uniform sets, again until one meets the list or a coin lets it in; how often depends on no list."""
        held = self._held_places(values, entropy)
        reports, waiting = self.layout.empty(len(values)), np.arange(len(values))
        while len(waiting):
            anyone = np.zeros(len(waiting), np.int64)
            sets = draw_sets(anyone, self._places, self.size, self.size, self._places, entropy)
            let_in = coins(len(waiting), self.odds.below, self.odds.above, entropy)
            kept = (sets & held[waiting]).any(axis=1) | let_in
            reports[waiting[kept]] = sets[kept]
            waiting = waiting[~kept]
        return reports

    def draw_counts(self, people: Counts, generator: np.random.Generator) -> Counts:
        return self.draw_lists(self.domain.rows(), people, generator)

    def draw_lists(self, lists: Indices, people: Counts, generator: np.random.Generator) -> Counts:
        """The counts of reports from ``people`` of each of some lists, such as ``domain.indices`` gives them, exactly.

        First how many of a list's places a report holds; given that, which of them and which others is uniform.
        """
        held = self._filled(self.domain.flags(lists))
        lengths = held.sum(axis=1)
        rows = {length: self._met_chances(length) for length in set(lengths.tolist())}
        met = scatter(people, np.array([rows[length] for length in lengths.tolist()]), generator)
        return subsets_within(held, met, generator) + subsets_within(~held, met[:, ::-1].copy(), generator)

    def _held_places(self, lists: Indices, entropy: Entropy) -> Packed:
        """Each person's ``most`` places, as packed bits as wide as reports."""
        labels, places = len(self.domain.labels), np.zeros((len(lists), -(-self._places // 64)), np.uint64)
        rows = lists.view(np.uint64)
        feed(entropy, lambda tape, done: cut_lists(tape, done, rows, labels, self.most, places), len(lists), labels)
        return np.ascontiguousarray(places.view(np.uint8)[:, : self.layout.width])

    def _filled(self, held: Flags) -> Flags:
        """The places of each list: its labels, and of a short list those that fill it up."""
        spare = np.arange(self.most) < self.most - held.sum(axis=1)[:, None]
        return np.concatenate([held, spare], axis=1)

    def _missed(self, length: int, met: int) -> Fraction:
        """How probably a set that holds ``met`` of a list's places misses those that are left when it is cut."""
        return Fraction(math.comb(length - met, self.most), math.comb(length, self.most))

    def _weight(self, length: int, met: int) -> Fraction:
        """The probability of one set, as a multiple of that of a set when all are equally probable."""
        return (self.odds.above - (self.odds.above - self.odds.below) * self._missed(length, met)) / self._kept_weight

    def _met_chances(self, length: int) -> Vector:
        """The probability that a report holds 0, 1, ... ``size`` of a list's places."""
        others, total = self._places - length, math.comb(self._places, self.size)
        ways = [math.comb(length, r) * math.comb(others, self.size - r) for r in range(self.size + 1)]
        shares = [self._weight(length, r) * Fraction(w, total) if w else 0 for r, w in enumerate(ways)]
        return np.array(shares, np.float64)

    def _evidence(self, n: int, counts: Counts) -> CutEvidence:
        d = len(self.domain.labels)
        return CutEvidence(SupportEvidence(n, counts[:d], self.law.support), int(counts[d]), self.most)

    def _chances(self, reports: Column) -> Exact:
        """The exact probabilities of reports from every list there is."""
        held = self._filled(self.domain.holding).astype(np.int64)
        sets = np.unpackbits(reports, axis=1, count=self._places, bitorder="little").astype(np.int64)
        lengths, met, total = held.sum(axis=1), held @ sets.T, math.comb(self._places, self.size)
        chances = np.empty(met.shape, object)
        for length in set(lengths.tolist()):
            each = [self._weight(length, r) / total if r <= length else 0 for r in range(self.size + 1)]
            chances[lengths == length] = np.array(each, object)[met[lengths == length]]
        return chances


def _random(source: Random) -> Mechanism:
    labels = source.choice((2, 5, 16, 40))
    size = source.choice((None, source.randint(1, labels)))
    return PrivateSet(labels, some_level(source), source.randint(1, labels), size)


FAMILY = lists_family(
    PrivateSet,
    "a set of places, likelier if it meets the list",
    lambda domain, epsilon: PrivateSet(domain, epsilon, most=len(domain)),
    (
        Sample(55, lambda: PrivateSet(["mail", "maps", "news"], 1.0, most=2)),
        Sample(56, lambda: PrivateSet(9, 0.5, most=2)),  # sets that start from random words
        Sample(57, lambda: PrivateSet(66, 2.0, most=3, size=2)),  # more places than a word has bits
    ),
    lambda labels, epsilon, most: () if most is None else (PrivateSet(labels, epsilon, most),),
    random=_random,
    largest=lambda: PrivateSet(MOST_LABELS, 1.0, most=1 << 10, size=1 << 8),
)

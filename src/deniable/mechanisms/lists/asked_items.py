"""Asking a few labels of a list, chosen at random: the whole list is protected, however long it is."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from random import Random

import numpy as np

from deniable.arrays import Column, Counts, Exact, Flags, Indices, Words
from deniable.estimation.laws.lists_law import ListsLaw
from deniable.estimation.lists_evidence import AskedEvidence
from deniable.kernels.aggregate import blocks, scatter
from deniable.mechanisms.drawing import Cost
from deniable.mechanisms.family import Sample
from deniable.mechanisms.lists.list_rounds import WindowRounds
from deniable.mechanisms.lists.row import lists_family
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.shared.chosen import some_labels, some_level
from deniable.privacy.entropy import Entropy, draw_uniform, fill_uniform
from deniable.privacy.repeated import WholeReports
from deniable.protocol.checks import check_epsilon, check_int
from deniable.protocol.errors import CapacityError
from deniable.protocol.odds import Odds, weighted_odds
from deniable.protocol.privacy.guarantees import LDP
from deniable.protocol.values import LARGEST
from deniable.reports.index_layout import IndexLayout
from deniable.reports.layout import MOST_CELLS
from deniable.theory.checklists import best_together
from deniable.theory.risk import information
from deniable.values.domain import Domain, DomainLike
from deniable.values.lists import Lists

MOST_TOGETHER = 16
"""The most labels that are asked together: a report has one of 2^16 patterns."""
FEW_OUTPUTS = 1 << 20
"""Where the number of labels is chosen, there are no more outputs than these, or than two per label."""


class AskedItems(Mechanism):
    """Ask ``together`` neighbouring labels, from a random one on; their pattern is reported by randomized response.

    A person's value is a list of labels, of any length, and any two lists are within e^epsilon. Nobody but chance
    chooses which labels are asked. None takes as many as give the least variance where one person in ten holds a label.

    >>> m = AskedItems(["mail", "maps", "news", "chat"], 2.0)
    >>> m.together, m.layout.outputs, m.privatize(["maps", "chat"]) in range(16)
    (2, 16, True)
    """

    domain: Lists
    """The lists of labels that people may hold."""
    epsilon: float
    """The level of privacy of the whole list."""
    together: int
    """How many labels each person is asked."""
    odds: Odds
    """A for the true pattern, B for each other one."""

    def __init__(self, labels: DomainLike, epsilon: float, together: int | None = None) -> None:
        items, level = Domain.of(labels), check_epsilon(epsilon)
        asked = _resolved(together, len(items), level)
        odds = weighted_odds(level, 1, (1 << asked) - 1)
        super().__init__(Lists(items), LDP(level), {"odds": odds}, epsilon=level, together=asked)

    @property
    def _windows(self) -> int:
        """How many windows of labels there are to be asked; one if that is all labels."""
        return _windows(len(self.domain.labels), self.together)

    @property
    def _total(self) -> int:
        return self.odds.above + ((1 << self.together) - 1) * self.odds.below

    @cached_property
    def layout(self) -> IndexLayout:
        """One integer: the first label asked times 2^together, plus a bit for each answer, that of the first lowest."""
        return IndexLayout(self._windows << self.together)

    @cached_property
    def law(self) -> ListsLaw:
        """Of those who are asked for a label, holders say yes with probability g, others with h = 1 - g."""
        d, truthful = len(self.domain.labels), Fraction(self.odds.above - self.odds.below, self._total)
        support = (1 + truthful) / 2, (1 - truthful) / 2
        one_in = self._windows / self.together if self._windows > 1 else 1.0
        return ListsLaw(
            d, support, self.odds.ratio, self._evidence, self._chances, self._information, spread=one_in,
            overlap=(Fraction(1, 1 << self.together), Fraction(0)),
        )  # fmt: skip

    @property
    def cost(self) -> Cost:
        """A word for the window and one for the pattern; in aggregate two binomial draws per output and list."""
        return Cost(2 + self._total / 2**64, 4.0 * self.layout.outputs)

    def draw(self, values: Indices, entropy: Entropy) -> Column:
        """The window, then a number below the total weight: its pattern is made in either case, then selected."""
        first = self._draw_windows(len(values), entropy)
        return self._responses(first, self._answers(values, first), entropy)

    def _draw_windows(self, people: int, entropy: Entropy) -> Indices:
        """The first label that each person is asked."""
        return draw_uniform(people, self._windows, entropy)

    def _responses(self, first: Indices, patterns: Words, entropy: Entropy) -> Column:
        """Reports of these patterns, each in its window."""
        coin = fill_uniform(np.empty(len(patterns), np.uint64), self._total, entropy)
        above, below = np.uint64(self.odds.above), np.uint64(self.odds.below)
        # made for every coin, so that time tells nothing; a step that is not 0 gives each other pattern once
        step = (np.maximum(coin, above) - above) // below + np.uint64(1)
        sent = patterns ^ (step * (coin >= above))
        return ((first.astype(np.uint64) << np.uint64(self.together)) | sent).astype(self.layout.dtype)

    @property
    def _rounds(self) -> WindowRounds:
        """A uniform report is any pattern of the same window."""
        cells = 1 << self.together
        return WindowRounds(
            WholeReports(self.odds, cells, 1, lambda: cells), cells, self._uniform, together=self.together,
            draw_windows=self._draw_windows, patterns=self._answers, responses=self._responses,
        )  # fmt: skip

    def _uniform(self, reports: Column, entropy: Entropy) -> Column:
        patterns = draw_uniform(len(reports), 1 << self.together, entropy).astype(reports.dtype)
        return np.asarray(reports >> self.together << self.together | patterns)

    def draw_counts(self, people: Counts, generator: np.random.Generator) -> Counts:
        return self.draw_lists(self.domain.rows(), people, generator)

    def draw_lists(self, lists: Indices, people: Counts, generator: np.random.Generator) -> Counts:
        """The counts of reports from ``people`` of each of some lists, such as ``domain.indices`` gives them, exactly.

        Some report their pattern, the others any pattern of their window.
        """
        held = np.zeros((self._windows, 1 << self.together), np.int64)
        for block in blocks(len(lists), self._windows):
            asked = scatter(people[block], np.ones(self._windows), generator)
            patterns = self._patterns(self.domain.flags(lists[block]))
            np.add.at(held, (np.arange(self._windows), patterns), asked)
        truthful = generator.binomial(held, float(Fraction(self.odds.above - self.odds.below, self._total)))
        others = scatter((held - truthful).sum(axis=1), np.ones(held.shape[1]), generator)
        return np.asarray((truthful + others).ravel())

    def _answers(self, lists: Indices, first: Indices) -> Words:
        """For each list a bit for each label asked, from the first on."""
        rows, people, pattern = lists.view(np.uint64), np.arange(len(lists)), np.zeros(len(lists), np.uint64)
        for place in range(self.together):
            label = (first + place) % len(self.domain.labels)
            held = rows[people, label >> 6] >> (label & 63).astype(np.uint64) & np.uint64(1)
            pattern |= held << np.uint64(place)
        return pattern

    def _patterns(self, held: Flags) -> Indices:
        """The pattern [lists, windows] of each list in each window."""
        bits = [np.roll(held, -place, axis=1)[:, : self._windows] for place in range(self.together)]
        return np.asarray(sum(bit.astype(np.int64) << place for place, bit in enumerate(bits)))

    def _evidence(self, n: int, counts: Counts) -> AskedEvidence:
        """How many people each label was asked, and how many said yes."""
        by_window = counts.reshape(self._windows, -1)
        asked, yes = (np.zeros(len(self.domain.labels), np.int64) for _ in range(2))
        first, patterns = np.arange(self._windows), np.arange(by_window.shape[1])
        for place in range(self.together):
            label = (first + place) % len(asked)
            asked[label] += by_window.sum(axis=1)
            yes[label] += by_window[:, (patterns >> place & 1) == 1].sum(axis=1)
        return AskedEvidence(n, asked, yes, self.law.support)

    def _chances(self, reports: Column) -> Exact:
        """The exact probabilities of reports from every list there is."""
        window, pattern = np.divmod(reports.astype(np.int64), 1 << self.together)
        is_own = np.equal(self._patterns(self.domain.holding)[:, window], pattern)
        total = self._total * self._windows
        levels = np.array([Fraction(self.odds.below, total), Fraction(self.odds.above, total)], object)
        return np.asarray(levels[is_own.astype(np.int64)])

    def _information(self) -> float:
        """That of randomized response over the patterns of a window, which are all equally probable."""
        return information.response(1 << self.together, self.epsilon)


def _windows(labels: int, together: int) -> int:
    return 1 if together == labels else labels


def _resolved(together: object, labels: int, epsilon: float) -> int:
    """The number of labels asked, chosen for None."""
    if together is None:
        outputs = max(2 * labels, FEW_OUTPUTS)
        most = [b for b in range(1, min(labels, MOST_TOGETHER) + 1) if _windows(labels, b) << b <= outputs]
        return best_together(labels, epsilon, max(most))
    asked = check_int("together", together, 1, min(labels, MOST_TOGETHER))
    if _windows(labels, asked) << asked > MOST_CELLS:
        raise CapacityError(
            f"labels times 2^together must be at most {MOST_CELLS}, got {labels} labels and together={asked}"
        )
    return asked


def _random(source: Random) -> Mechanism:
    labels = some_labels(source)
    return AskedItems(labels, some_level(source), source.choice((None, source.randint(1, min(labels, 6)))))


FAMILY = lists_family(
    AskedItems,
    "the answers about a few labels of a list, sometimes others",
    AskedItems,
    (
        Sample(58, lambda: AskedItems(["mail", "maps", "news"], 1.0, together=1)),
        Sample(59, lambda: AskedItems(5, 2.0, together=2)),
        Sample(60, lambda: AskedItems(3, 3.0, together=3)),  # one window
        Sample(61, lambda: AskedItems(70, 4.0, together=3)),  # more labels than a word has bits, two bytes per report
    ),
    lambda labels, epsilon, most: (AskedItems(labels, epsilon),),
    random=_random,
    largest=lambda: AskedItems(LARGEST, 1.0, together=2),
)

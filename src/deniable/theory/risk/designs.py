"""Variances where only some labels hide among each other: blocks that are told, and sensitive labels among others.

Within a block, and among sensitive labels, a report supports ``size`` of ``points`` symbols, each label with chance g
for its holders and h for whoever else hides there (k-subset, or the residues of a difference set). Two things change
beside plain support counting: people of another block never support a label, so the h that an estimate takes off
belongs to the block's own people, of whom reports tell how many there are; and a label that is not sensitive makes
noise of its own kind.

t = e^eps as realised. The labels are in the order of the blocks, or the sensitive ones first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from deniable.arrays import Vector
from deniable.theory.risk.support import Support, leverage
from deniable.theory.risk.variance import Map, VarianceLaw

CERTAIN = Support(1.0, 0.0, 1.0, 0.0)
"""A block of one label: its report is the truth."""


@dataclass(frozen=True, slots=True, eq=False)
class Spare:
    """A block whose symbols are more than its labels, so that reports support unlike numbers of them.

    ``mass`` adds up over the labels of each report, ``collect`` over the reports of each label; a report has the chance
    ``low`` from each label, and ``excess`` more from those that it supports.

    The estimates of support counting miss the block's share by a noise that can be seen, and it is taken off in even
    parts: a report y adds Z = 1[supports x]/gap + u(y) to label x, u = 1/b - supported labels/(b gap). That is still
    unbiased, and the squared error falls by the square of what was missed, over b.
    """

    mass: Map
    collect: Map
    low: float
    excess: float


class Block(NamedTuple):
    """A block of so many labels, among which supports are counted."""

    support: Support
    labels: int
    spare: Spare | None = None

    @property
    def leverage(self) -> float:
        """The most that one fake report lifts a label, in people."""
        if self.spare is None:
            return leverage(self.support)
        return float(1 / self.support.gap + _corrections(self, self.spare)[0].max())


def within_blocks(blocks: Sequence[Block]) -> VarianceLaw:
    """N Var = h(1-h)/gap^2 p(block) + (1-2h)/gap p_x - p_x^2 in a block all of whose symbols are labels.

    The estimates of a block always add up to its share.

    >>> law = within_blocks([Block(Support(0.75, 0.25, 0.5), 2), Block(CERTAIN, 1)])
    >>> law.variances(np.array([0.3, 0.2, 0.5])).round(9).tolist()
    [0.585, 0.535, 0.25]
    """
    sizes = [block.labels for block in blocks]
    starts, ends = np.cumsum([0, *sizes])[:-1], np.cumsum(sizes)
    noise = np.array([_mate_noise(block.support) for block in blocks])
    slope = np.repeat([(1 - 2 * s.h) / s.gap for s, _, _ in blocks], sizes)
    corrections = {block: _corrections(block, block.spare) for block in dict.fromkeys(blocks) if block.spare}
    bounds = zip(starts, ends, blocks, strict=True)
    spare_blocks = [(slice(x, y), b.spare, *corrections[b]) for x, y, b in bounds if b.spare]

    def moments(amounts: Vector, moment_of: Callable[[Spare, Vector, Vector, Vector], Vector]) -> Vector:
        found = np.repeat(noise * np.add.reduceat(amounts, starts), sizes) + slope * amounts
        for labels, spare, u, gain in spare_blocks:
            found[labels] = moment_of(spare, u, gain, amounts[labels])
        return found

    return VarianceLaw(
        np.zeros(sum(sizes)), lambda p: moments(p, _spread), lambda weights: moments(weights, _collect), closed=True
    )


def _mate_noise(s: Support) -> float:
    """What another person of the block adds to n times a label's variance."""
    return s.h * (s.miss + s.gap) / s.gap**2


def _corrections(block: Block, spare: Spare) -> tuple[Vector, Vector]:
    """Of each report u, and by how much the square of Z is larger where it supports the label."""
    gap = block.support.gap
    u = (1 - np.rint(spare.mass(np.ones(block.labels))) / gap) / block.labels
    return u, 1 / gap**2 + 2 * u / gap


def _spread(spare: Spare, u: Vector, gain: Vector, p: Vector) -> Vector:
    """The second moment of each label's Z, from people of these shares; ``u`` and ``gain`` are ``_corrections``."""
    chances = spare.low * p.sum() + spare.excess * spare.mass(p)
    return np.asarray(spare.collect(chances * gain) + chances @ u**2)


def _collect(spare: Spare, u: Vector, gain: Vector, weights: Vector) -> Vector:
    """What a person of each label adds to the weighted sum of these second moments."""
    squares = spare.mass(weights) * gain + weights.sum() * u**2
    return np.asarray(spare.low * squares.sum() + spare.excess * spare.collect(squares))


@dataclass(frozen=True, slots=True)
class Hiding:
    """How sensitive labels hide among ``points`` symbols, of which a report supports ``size``, and others beside them.

    A sensitive person reports a set that holds their symbol with odds t against each that does not. Another person
    reports an even mixture of the sets, no more often than the promise demands, and else their own label.
    In formulas k is ``size``, v is ``points`` and t is ``odds``.

    >>> few = Hiding(4, 2, Fraction(3))
    >>> few.own, few.g, few.even
    (Fraction(1, 2), Fraction(3, 4), Fraction(1, 2))
    """

    points: int
    size: int
    odds: Fraction

    @property
    def _weight(self) -> Fraction:
        return self.size * self.odds + self.points - self.size

    @property
    def own(self) -> Fraction:
        """How often another person reports their own label: c = k(t-1)/(kt + v-k)."""
        return self.size * (self.odds - 1) / self._weight

    @property
    def g(self) -> Fraction:
        """How often a sensitive person's report supports their label."""
        return self.size * self.odds / self._weight

    @property
    def even(self) -> Fraction:
        """How often an even mixture of the sets supports a label: k/v."""
        return Fraction(self.size, self.points)

    @property
    def shared(self) -> Fraction:
        """Of the sets that hold one symbol, the share that holds another one too: rho = (k-1)/(v-1)."""
        return Fraction(self.size - 1, max(self.points - 1, 1))

    @property
    def gap(self) -> Fraction:
        """The difference g - h = c (1 - rho)."""
        return self.own * (1 - self.shared)

    @property
    def h(self) -> Fraction:
        """How often the report of another sensitive person supports a label."""
        return self.g - self.gap

    @property
    def worth(self) -> tuple[Fraction, Fraction, Fraction]:
        """What a report adds to n times a sensitive label's estimate: a supporting one, another inside one, an own one.

        The one choice that is unbiased for the label's holders, the other sensitive people and everybody else.

        >>> Hiding(4, 2, Fraction(3)).worth
        (Fraction(7, 4), Fraction(-5, 4), Fraction(-1, 4))
        """
        named = -(1 - self.own) * self.even / (self.own * self.size)
        with_label = 1 / self.own + named
        return with_label, with_label - 1 / self.gap, named

    @property
    def squares(self) -> tuple[float, float, float]:
        """The mean square of ``worth``, for a report of the label's holder, of another sensitive person, of others."""
        high, low, named = (value**2 for value in self.worth)
        chances = ((self.g, 0), (self.h, 0), ((1 - self.own) * self.even, self.own))
        own, mate, other = (g * high + (1 - g - own_label) * low + own_label * named for g, own_label in chances)
        return float(own), float(mate), float(other)

    def leverage(self, everyone: bool) -> float:
        """The most that one fake report lifts a label, in people: 1/c, of one that is not sensitive if there is any."""
        return float(self.worth[0] if everyone else 1 / self.own)


def high_low(hiding: Hiding, sensitive: int, labels: int) -> VarianceLaw:
    """Per person, the variance of a sensitive label is other + (mate - other) p(A) + (own - mate) p_i - p_i^2.

    A is the set of sensitive labels, and own, mate and other are ``hiding.squares``. The variance of another label is
    p_x/c - p_x^2, where c is ``hiding.own``.

    >>> law = high_low(Hiding(2, 1, Fraction(3)), 2, 3)
    >>> law.variances(np.array([0.5, 0.25, 0.25])).tolist()
    [1.0, 0.9375, 0.4375]
    """
    (own, mate, other), inverse = hiding.squares, float(1 / hiding.own)
    high = np.arange(labels) < sensitive

    def spread(p: Vector) -> Vector:
        return np.where(high, (mate - other) * p[:sensitive].sum() + (own - mate) * p, inverse * p)

    # spread is symmetric, so it serves as collect too
    return VarianceLaw(np.where(high, other, 0.0), spread, spread, closed=sensitive == hiding.points)


def worst_high_low(hiding: Hiding, sensitive: int, labels: int) -> float:
    """N times the largest squared error against the population, summed over the labels.

    A person adds a to it with a sensitive label and b with another, so the worst truth is even on both sides:
    the largest a q + b (1-q) - q^2/s - (1-q)^2/(d-s) over the share q of the sensitive.

    >>> found, law = Hiding(4, 2, Fraction(3)), high_low(Hiding(4, 2, Fraction(3)), 4, 9)
    >>> bool(np.isclose(worst_high_low(found, 4, 9), law.risk(1, "l2", law.worst_truth("l2"))))
    True
    """
    own, mate, other = hiding.squares
    a, others = own + (sensitive - 1) * mate, labels - sensitive
    if not others:
        return a - 1 / sensitive
    b = sensitive * other + float(1 / hiding.own)
    share = min(max(((a - b) / 2 + 1 / others) / (1 / sensitive + 1 / others), 0.0), 1.0)
    return a * share + b * (1 - share) - share**2 / sensitive - (1 - share) ** 2 / others

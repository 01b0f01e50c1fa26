"""What hides one person's report in a crowd: the blanket, a law of atoms (u, v, mass).

For every report y let mu(y) be the least chance of y from any answer. With chance gamma = sum of mu another person's
report can be thought of as drawn from mu/gamma whatever they answered; such reports hide the one that somebody looks
for. With u = R_x(y)/mu(y) and v = R_x'(y)/mu(y), for two answers x and x' and n people in all, whatever others answer,

    delta(e^eps = t) <= E[(sum of n draws)_+] / n,    a draw is u - t v with chance mu(y), and 0 with chance 1 - gamma.

A law that is larger in convex order has a larger bound, so that what is not known exactly is replaced by a larger one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Self

import numpy as np

from deniable.arrays import Vector
from deniable.theory.crowd.excess import FINE, ULP, Draws

MOST_ATOMS = 1 << 12
"""Reports that are sent together with more atoms than these count by their odds alone."""
MOST_VALUES = 64
"""Up to so many values of u - t v are taken as they are; of more, some are shared between their neighbours."""
GROWTH = 1e-4
"""By how much that may enlarge the second moment."""
SAME = 2.0**-46
"""Values this near each other, relatively, may be one: parts that are multiplied in another order differ less."""


@dataclass(frozen=True, eq=False)
class Blanket:
    """Atoms (u, v) with their masses; what is lacking to 1 is at (0, 0). ``parts`` counts the reports in it."""

    u: Vector
    v: Vector
    mass: Vector
    parts: int = 1
    one_coin: bool = False
    """Whether all that a report tells is how one coin fell, which shows one of two answers."""
    is_alone: bool = False
    """Whether it stands for a law of which an even report may be in an answer's set with a chance above 1/2: then it
    bounds reports that are sent alone, and beside others only all of them together can be replaced."""

    @classmethod
    def two_level(cls, odds: Fraction, w: Fraction, v: Fraction) -> Self:
        """Of reports that are ``odds`` times likelier from some answers than from all others.

        An even report is in the set of one answer with chance ``w``, and in those of two with chance ``v``, of which
        the smallest over all pairs is the worst.
        """
        gamma = 1 / (1 + (odds - 1) * w)
        only_one, neither = gamma * (w - v), gamma * (1 - 2 * w + v)
        large, mass = float(odds), np.array([only_one, only_one, gamma * v, neither], np.float64)
        u, of_other = np.array([large, 1.0, large, 1.0]), np.array([1.0, large, large, 1.0])
        return cls(*merged(u[mass > 0], of_other[mass > 0], mass[mass > 0]))

    @classmethod
    def supports(cls, odds: Fraction, g: Fraction, h: Fraction, labels: int = 0) -> Self:
        """Of reports that support their own of ``labels`` answers (0: any) with chance ``g``, another with ``h``."""
        w = g / (odds - (odds - 1) * g)
        v = max(Fraction(0), (h * (1 + (odds - 1) * w) - w) / (odds - 1))
        made = cls.two_level(odds, w, v)
        return replace(made, one_coin=labels == 2 and 2 * w == 1 and v == 0)

    @classmethod
    def generic(cls, odds: Fraction | float, gamma: Fraction | float | None = None) -> Self:
        """The largest law of any channel with these odds, and of those with this gamma, if it is known."""
        ratio = Fraction(odds)
        least_gamma = 2 / (ratio + 1)
        known_gamma = Fraction(0) if gamma is None else min(Fraction(1), Fraction(gamma))
        best_gamma = max(least_gamma, known_gamma)
        w = (1 / best_gamma - 1) / (ratio - 1) if ratio > 1 else Fraction(0)
        return replace(cls.two_level(ratio, w, max(Fraction(0), 2 * w - 1)), is_alone=known_gamma < least_gamma)

    @property
    def odds(self) -> float:
        """The largest ratio of a report's chances from the two answers, rounded up."""
        return float(np.maximum(self.u / self.v, self.v / self.u).max(initial=1.0)) * (1 + 8 * self.parts * ULP)

    @property
    def spread(self) -> float:
        """The second moment of u - v, by which laws of nearly equal reports compare."""
        return float(self.mass @ (self.u - self.v) ** 2)

    def beside(self, other: Blanket) -> Blanket:
        """The law of two reports that one person sends together, both of which differ."""
        u, v = np.outer(self.u, other.u).ravel(), np.outer(self.v, other.v).ravel()
        return Blanket(*merged(u, v, np.outer(self.mass, other.mass).ravel()), self.parts + other.parts)

    def delta(self, t: float, people: int, terms: int = FINE) -> float:
        """A bound on delta at e^eps = ``t`` in a crowd of so many, the one who is looked for among them."""
        return min(1.0, self.draws(t, people).mean_excess(terms) + self.rounded(t))

    def rounded(self, t: float) -> float:
        """What a law in floats may be off by."""
        return ((16 + 4 * self.parts) * ULP + SAME * (self.parts > 1)) * (1 + t)

    def draws(self, t: float, people: int) -> Draws:
        """What each of so many people adds at e^eps = ``t``."""
        return Draws(*_with_fewer_values(*_summed(self.u - t * self.v, self.mass)), people)


def together(parts: Sequence[Blanket]) -> Blanket:
    """The law of an arm: of all its reports, or of their odds together where there are too many atoms."""
    found = parts[0]
    for part in parts[1:]:
        found = found.beside(part)
        if len(found.u) > MOST_ATOMS:
            return by_odds(each.odds for each in parts)
    return found


def by_odds(parts: Iterable[float]) -> Blanket:
    """The largest law of reports that are sent together, each with these odds."""
    return Blanket.generic(exact_odds(math.fsum(map(math.log, parts)) * (1 + 2.0**-40)))


def by_lot(arms: Sequence[tuple[Fraction, Blanket]]) -> Blanket:
    """The law of arms of which each person draws one, with these chances; the report says which."""
    if len(arms) == 1:
        return arms[0][1]
    columns = [(arm.u, arm.v, float(chance) * arm.mass) for chance, arm in arms]
    u, v, mass = (np.concatenate(each) for each in zip(*columns, strict=True))
    return Blanket(*merged(u, v, mass), 1 + max(arm.parts for _, arm in arms))


def merged(u: Vector, v: Vector, mass: Vector) -> tuple[Vector, Vector, Vector]:
    """Atoms of which equal ones are added up."""
    keys = np.round(np.log(np.stack([u, v])) / SAME)
    _, first, which = np.unique(keys, axis=1, return_index=True, return_inverse=True)
    return u[first], v[first], np.bincount(which.ravel(), mass, len(first)).astype(np.float64)


def _summed(values: Vector, chances: Vector) -> tuple[Vector, Vector]:
    """Equal values, with the sum of their chances."""
    distinct, which = np.unique(values, return_inverse=True)
    return distinct, np.bincount(which, chances, len(distinct)).astype(np.float64)


def _with_fewer_values(values: Vector, chances: Vector) -> tuple[Vector, Vector]:
    """Fewer values: some are shared between their neighbours, so that means stay and the law only grows.

    In each round of those at every other place, the cheapest first, while the second moment grows by little.
    """
    allowance = GROWTH * float(chances @ values**2)
    while len(values) > MOST_VALUES:
        alternate = np.arange(1, len(values) - 1, 2)
        below, above = values[alternate] - values[alternate - 1], values[alternate + 1] - values[alternate]
        costs = chances[alternate] * below * above
        order = np.argsort(costs, kind="stable")
        spent = np.cumsum(costs[order])
        removed = order[: int(np.searchsorted(spent, allowance / 2))]
        if not len(removed):
            break
        allowance -= float(spent[len(removed) - 1])
        share = (below / (below + above))[removed]
        np.add.at(chances := chances.copy(), alternate[removed] + 1, chances[alternate[removed]] * share)
        np.add.at(chances, alternate[removed] - 1, chances[alternate[removed]] * (1 - share))
        values, chances = np.delete(values, alternate[removed]), np.delete(chances, alternate[removed])
    return values, chances


def exact_odds(level: float) -> Fraction:
    """Odds that are at least e^level."""
    return Fraction(math.exp(level) * (1 + 8 * ULP))

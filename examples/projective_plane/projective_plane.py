"""``Plane``: labels are the points of a projective plane, and a report is one of its lines, a set of labels."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np

import deniable as dn

extend = dn.extend
PRIMES = (2, 3, 5, 7, 11)
SIZES = {q * q + q + 1: q for q in PRIMES}
"""By the number of points, which is that of lines too, the prime: a line has q + 1 points."""


def incidence(q: int) -> Any:
    """Which points (columns) lie on each line (rows) of the plane over the q residues: their product is 0."""
    vectors = [v for v in product(range(q), repeat=3) if next((x for x in v if x), 0) == 1]
    return np.array(vectors) @ np.array(vectors).T % q == 0


class Plane(extend.Mechanism):
    """Each line through the person's own label is A/B times as probable as each other line."""

    def __init__(self, domain: Any, epsilon: float) -> None:
        labels, epsilon = dn.Domain.of(domain), extend.check_epsilon(epsilon)
        if len(labels) not in SIZES:
            raise dn.ParameterError(f"domain must have one of {sorted(SIZES)} labels, got {len(labels)}")
        super().__init__(labels, dn.LDP(epsilon), {"lines": incidence(SIZES[len(labels)])}, epsilon=epsilon)

    @cached_property
    def odds(self) -> Any:
        """One A for each line through the label, one B for each other line."""
        through = SIZES[len(self.domain)] + 1
        return extend.weighted_odds(self.epsilon, through, len(self.domain) - through)

    @cached_property
    def layout(self) -> Any:
        """A report is the number of a line."""
        return extend.IndexLayout(len(self.domain))

    @cached_property
    def law(self) -> Any:
        """A line supports its points: q + 1 lines go through each point, and one through any two."""
        d, q, (a, b) = len(self.domain), SIZES[len(self.domain)], self.weights
        g, h = (q + 1) * a, a + q * b
        held = extend.IndexSupports.of_table((a, b), self.lines)
        told = self.channel_information
        return extend.SupportLaw(
            d, (g, h), self.odds.ratio, held, told, closed=True, count=lambda counts: counts @ self.lines
        )

    @property
    def weights(self) -> tuple[Fraction, Fraction]:
        """The probability of a line through the own label, and of another one."""
        q = SIZES[len(self.domain)]
        total = (q + 1) * self.odds.above + q * q * self.odds.below
        return Fraction(self.odds.above, total), Fraction(self.odds.below, total)

    def channel_information(self) -> float:
        """What a report says of a uniform value, in nats."""
        return self.channel().mutual_information()

    @property
    def cost(self) -> Any:
        """A word for each report, and for a whole survey a binomial draw for each label and line."""
        return extend.Cost(1.0, float(len(self.domain) ** 2))

    def draw(self, values: Any, entropy: Any) -> Any:
        """Stop on one of the slots: first those of the lines through the label, then those of the others."""
        above, below, through = self.odds.above, self.odds.below, SIZES[len(self.domain)] + 1
        slots = through * above + (len(self.domain) - through) * below
        stop = extend.draw_uniform(len(values), slots, entropy).astype(np.int64)
        place = np.where(stop < through * above, stop // above, through + (stop - through * above) // below)
        ordered = np.argsort(~self.lines, axis=0, kind="stable")  # of each label: its own lines, then the others
        return ordered[place, values].astype(self.layout.dtype)

    def draw_counts(self, people: Any, generator: np.random.Generator) -> Any:
        """How often each line comes from so many people of each label."""
        rows = np.where(self.lines.T, *map(float, self.weights))
        return sum(generator.multinomial(n, row) for n, row in zip(people.tolist(), rows, strict=True))


family = extend.plain_family(Plane, "a line of a projective plane", sizes=SIZES)

"""Two-sided geometric noise on a scale: the nearer two labels are, the better they are hidden from each other."""

from __future__ import annotations

from fractions import Fraction

from .. import draws
from ..canonical import Spec
from ..checks import check_epsilon
from ..layouts import IndexLayout, Report, number_of
from ..odds import Odds, weighted_odds
from ..privacy.distance import Distance
from ..values import Domain
from ..words import Words
from .context import check_rows
from .mechanism import Mechanism


class Geometric(Mechanism):
    """A label near the value: each step further away is A/B times less likely; all beyond an end is that end."""

    odds: Odds

    def __init__(self, domain: Domain, epsilon_per_unit: float) -> None:
        check_rows(domain)
        level = check_epsilon(epsilon_per_unit, "epsilon_per_unit")
        super().__init__(domain, epsilon_per_unit=level)
        self.d = len(domain)
        self.odds = weighted_odds(level, 1, 1)
        self.guarantee = Distance(domain, level)
        self.layout = IndexLayout(self.d)

    @classmethod
    def of(cls, spec: Spec) -> Geometric:
        return cls(Domain.from_json(spec["domain"]), spec["epsilon_per_unit"])

    def draw(self, value: int, words: Words) -> Report:
        """A coin for the direction, then as many coins as there are steps between the ends."""
        return draws.geometric(words.part(), value, self.d, *self.odds)

    def chance(self, value: int, report: Report) -> Fraction:
        """A power of B/A for each step; a report at an end has the probability of all places beyond it as well."""
        place, (above, below) = number_of(report), self.odds
        weight = above if place in (0, self.d - 1) else above - below
        return Fraction(weight, above + below) * Fraction(below, above) ** abs(place - value)

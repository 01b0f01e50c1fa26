"""A mechanism from outside the package: one file, one row. The tests of it prove that nothing else is needed."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cached_property

import numpy as np

import deniable as dn
from deniable import extend
from deniable.arrays import Column, Counts, Indices
from deniable.values.domain import DomainLike

GRAIN = 1000
"""Slots of each label but the value on the wheel."""


class Wheel(extend.Mechanism):
    """A wheel with GRAIN slots for each label, and more for the value: as many as e^epsilon is proven to allow."""

    domain: dn.Domain
    epsilon: float

    def __init__(self, domain: DomainLike, epsilon: float, tilt: int = 0) -> None:
        labels, level = dn.Domain.of(domain), extend.check_epsilon(epsilon)
        extend.check_int("tilt", tilt, 0, GRAIN // 2)
        fields = {"odds": extend.Odds(int(GRAIN * extend.exp_lower(level)) - tilt, GRAIN)}
        super().__init__(labels, dn.LDP(level), fields, epsilon=level, tilt=tilt)

    odds: extend.Odds
    tilt: int

    @cached_property
    def layout(self) -> extend.IndexLayout:
        """A label."""
        return extend.IndexLayout(len(self.domain))

    @property
    def _slots(self) -> int:
        return self.odds.above + (len(self.domain) - 1) * GRAIN

    @cached_property
    def law(self) -> extend.SupportLaw:
        """A report supports the label that it names."""
        d, level = len(self.domain), (Fraction(self.odds.above, self._slots), Fraction(GRAIN, self._slots))
        named = extend.IndexSupports(
            level, lambda reports: np.equal.outer(reports, np.arange(d)), np.asarray, np.asarray, response=True
        )
        told = dn.RandomizedResponse(d, math.log(self.odds.ratio)).mutual_information
        return extend.SupportLaw(d, level, self.odds.ratio, named, told, closed=True)

    @property
    def cost(self) -> extend.Cost:
        """A turn of the wheel."""
        return extend.Cost(1 + self._slots / 2**64, float(len(self.domain) ** 2))

    def draw(self, values: Indices, entropy: extend.Entropy) -> Column:
        """The value where the wheel stops on its slots, else the label of the slot."""
        slots = extend.draw_uniform(len(values), self._slots, entropy).astype(np.int64)
        other = np.maximum(slots - self.odds.above, 0) // GRAIN
        stepped = other + (other >= values)  # the labels beside the value
        return np.where(slots < self.odds.above, values, stepped).astype(self.layout.dtype)

    def draw_counts(self, people: Counts, generator: np.random.Generator) -> Counts:
        """A multinomial for each label."""
        g, h = map(float, self.law.exact_support)
        rows = np.where(np.eye(len(people), dtype=bool), g, h)
        return np.asarray(sum(generator.multinomial(n, row) for n, row in zip(people.tolist(), rows, strict=True)))


FAMILY = extend.plain_family(
    Wheel,
    "where a wheel stops",
    (extend.Sample(9001, lambda: Wheel(["red", "black", "green"], 1.0)),),
    (extend.Option("tilt", "N", "slots that the value goes without"),),
    library_only=True,
)

"""Guarantees with a prior (jiang2018): how much a report may change what is believed about its value."""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from ..odds import LARGEST
from ..values import Domain
from .guarantees import OneRatio
from .levels import UP, added
from .rows import Ratio, Rows, largest


@dataclass(frozen=True)
class UnderPrior(OneRatio):
    """The base of guarantees with a prior that is known to everybody."""

    domain: Domain
    prior: tuple[float, ...]

    @cached_property
    def weights(self) -> tuple[int, ...]:
        """The prior as integers in exactly the ratios of its floats."""
        exact = [Fraction(p) for p in self.prior]
        common = math.lcm(*(p.denominator for p in exact))
        return tuple(p.numerator * (common // p.denominator) for p in exact)

    @property
    def support(self) -> list[int]:
        """The values with a positive prior."""
        return [place for place, weight in enumerate(self.weights) if weight]

    def share(self, place: int) -> float:
        """The prior of a value, of a sum of exactly 1."""
        return self.weights[place] / sum(self.weights)

    @property
    @abstractmethod
    def between(self) -> tuple[float, ...]:
        """The largest level between two values that the prior allows, as terms of a sum."""

    @property
    def charge(self) -> float:
        """The largest level between two values that the prior allows."""
        return added(*self.between)

    @property
    def plain(self) -> float:
        """That between the rarest value and another, where the prior allows all; no other pair has a higher one."""
        rarest = self.weights.index(min(self.weights))
        found = self.pair_level(rarest, int(rarest == 0))
        return math.inf if found > LARGEST else found

    def same_prior(self, other: UnderPrior) -> bool:
        """Whether both have the same prior over the same labels."""
        return self.domain == other.domain and self.prior == other.prior

    def marginal(self, rows: Rows) -> list[int]:
        """The probability of each report under the prior, times the sum of ``weights`` and the rows' total."""
        allowed = [(self.weights[place], rows.weights[place]) for place in self.support]
        return [sum(weight * row[y] for weight, row in allowed) for y in range(len(rows.weights[0]))]


@dataclass(frozen=True)
class InformationPrivacy(UnderPrior):
    """No report changes the probability of any value by more than e^epsilon."""

    def worst(self, rows: Rows) -> Ratio:
        """Of a report's probability from a value and under the prior, either way round."""
        columns, everybody = list(zip(*(rows.weights[place] for place in self.support), strict=True)), sum(self.weights)
        marginal = self.marginal(rows)
        above = [(everybody * max(column), lam) for column, lam in zip(columns, marginal, strict=True)]
        below = [(lam, everybody * min(column)) for column, lam in zip(columns, marginal, strict=True)]
        return largest(above + below)

    @property
    def between(self) -> tuple[float, ...]:
        """Epsilon twice: up from one value and down to the other."""
        return (self.epsilon, self.epsilon)

    def pair_level(self, value: int, other: int) -> float:
        """2 epsilon between values that the prior allows."""
        return 2 * self.epsilon if self.weights[value] and self.weights[other] else math.inf

    def __str__(self) -> str:
        return f"{self.epsilon:g}-LIP over {len(self.domain)} labels"


@dataclass(frozen=True)
class OneSidedInformationPrivacy(UnderPrior):
    """No report makes anything that was possible less likely by more than e^epsilon."""

    def worst(self, rows: Rows) -> Ratio:
        """Of a report's probability under the prior to that from a value."""
        columns, everybody = zip(*(rows.weights[place] for place in self.support), strict=True), sum(self.weights)
        return largest((lam, everybody * min(column)) for column, lam in zip(columns, self.marginal(rows), strict=True))

    @property
    def between(self) -> tuple[float, ...]:
        """The level between the rarest value and any other."""
        return (raised(self.epsilon, min(self.share(place) for place in self.support)),)

    def pair_level(self, value: int, other: int) -> float:
        """ln(1 + (e^epsilon - 1)/P[value]), between values that the prior allows."""
        if not (self.weights[value] and self.weights[other]):
            return math.inf
        return raised(self.epsilon, self.share(value))

    def __str__(self) -> str:
        return f"{self.epsilon:g}-LIP on one side over {len(self.domain)} labels"


def raised(epsilon: float, share: float) -> float:
    """ln(1 + (e^epsilon - 1)/share), rounded up."""
    try:
        return math.log1p(math.expm1(epsilon) / share) * UP
    except OverflowError:
        return math.inf

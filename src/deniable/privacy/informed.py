"""Guarantees with a prior (jiang2018): how much a report may change what is believed about its value."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from deniable.checks import check_distribution
from deniable.privacy.context import check_inputs
from deniable.privacy.guarantees import OneLevel, exact_rows
from deniable.privacy.matrix import Ratio, Rows, largest
from deniable.protocol.checks import check_epsilon
from deniable.values.domain import Domain, DomainLike

UP = 1 + 2.0**-40
"""A bound on the rounding error of a formula in floats."""


@dataclass(frozen=True)
class UnderPrior(OneLevel):
    """The base of guarantees with one prior that is known to everybody."""

    domain: Domain
    prior: tuple[float, ...]
    epsilon: float

    def __init__(self, domain: DomainLike, prior: Iterable[float], epsilon: float) -> None:
        labels = Domain.of(domain)
        object.__setattr__(self, "domain", labels)
        kept = list(prior) if isinstance(prior, Iterator) else prior
        check_distribution("prior", kept, len(labels))
        object.__setattr__(self, "prior", tuple(float(p) for p in kept))  # unscaled: ``weights`` divides exactly
        object.__setattr__(self, "epsilon", check_epsilon(epsilon))

    @cached_property
    def weights(self) -> list[int]:
        """The prior as integers in exactly the ratios of its floats."""
        exact = [Fraction(p) for p in self.prior]
        common = math.lcm(*(p.denominator for p in exact))
        return [p.numerator * (common // p.denominator) for p in exact]

    @cached_property
    def support(self) -> list[int]:
        """The indices of the values with a positive prior."""
        return [place for place, weight in enumerate(self.weights) if weight]

    @cached_property
    def shares(self) -> list[float]:
        """The prior as floats that add up to 1, from the exact ``weights``."""
        added = sum(self.weights)
        return [weight / added for weight in self.weights]

    @property
    @abstractmethod
    def between(self) -> tuple[float, ...]:
        """The largest level between two values that the prior allows, as terms of an exact sum."""

    def same_prior(self, other: UnderPrior) -> bool:
        """Whether both guarantees have the same prior over the same labels."""
        return self.domain == other.domain and self.prior == other.prior

    def marginal(self, rows: Rows) -> list[int]:
        """The probability of each report under the prior, times the sum of ``weights`` and the rows' total."""
        allowed = rows.weights[self.support].astype(object)
        marginal: list[int] = (np.array([self.weights[place] for place in self.support], object) @ allowed).tolist()
        return marginal

    def mutual_information(self, channel: Any) -> float:
        """The mutual information in nats of a value drawn from the prior and its report; at most epsilon if kept."""
        return mutual_information(self.prior, check_inputs(exact_rows(channel, self.domain), self.domain))


@dataclass(frozen=True, init=False)
class InformationPrivacy(UnderPrior):
    """Localized information privacy: no report changes the probability of any value by more than e^epsilon.

    For every value that the prior allows, lam_y/e^epsilon <= Q[x, y] <= e^epsilon lam_y, where lam_y is the
    probability of the report under the prior: the posterior of a value is within a factor e^epsilon of its prior.
    Nothing is promised about a value of prior 0.

    >>> tilted = InformationPrivacy(["a", "b"], [0.8, 0.2], 1.0)
    >>> tilted.holds([[0.9, 0.1], [0.5, 0.5]])
    False
    """

    def worst(self, rows: Rows) -> Ratio:
        """The largest ratio, either way round, of a report's probability from a value and under the prior."""
        allowed, added = check_inputs(rows, self.domain).weights[self.support], sum(self.weights)
        marginal = self.marginal(rows)
        most, least = allowed.max(axis=0).tolist(), allowed.min(axis=0).tolist()
        above = [(added * high, lam) for high, lam in zip(most, marginal, strict=True)]
        below = [(lam, added * low) for low, lam in zip(least, marginal, strict=True)]
        return largest(above + below)

    @property
    def between(self) -> tuple[float, ...]:
        """Epsilon twice: up from one value and down to the other."""
        return (self.epsilon, self.epsilon)

    def pair_level(self, value: int, other: int) -> float:
        """2 epsilon between values that the prior allows, by two ratios to the marginal; otherwise infinity."""
        return 2 * self.epsilon if self.weights[value] and self.weights[other] else math.inf

    def __str__(self) -> str:
        return f"{self.epsilon:g}-LIP over {len(self.domain)} labels"


@dataclass(frozen=True, init=False)
class OneSidedInformationPrivacy(UnderPrior):
    """Half of information privacy: no report makes anything that was possible less likely by more than e^epsilon.

    For every value that the prior allows, Q[x, y] >= lam_y/e^epsilon. So nothing can be ruled out, and the doubt that
    somebody holds a certain value falls by a factor e^epsilon at most; but a rare value may become far likelier than
    e^epsilon times its prior. jiang2018's closed form is the optimum under this promise, for every prior.

    >>> prior = [0.7, 0.2, 0.1]
    >>> paper = [[0.9, 0.066, 0.034], [0.231, 0.734, 0.035], [0.231, 0.066, 0.703]]
    >>> OneSidedInformationPrivacy(3, prior, 1.2).holds(paper), InformationPrivacy(3, prior, 1.2).holds(paper)
    (True, False)
    """

    def worst(self, rows: Rows) -> Ratio:
        """The largest ratio of a report's probability under the prior to that from a value that the prior allows."""
        allowed, added = check_inputs(rows, self.domain).weights[self.support], sum(self.weights)
        least = allowed.min(axis=0).tolist()
        return largest((lam, added * low) for low, lam in zip(least, self.marginal(rows), strict=True))

    @property
    def between(self) -> tuple[float, ...]:
        """The level between the rarest value and any other, the largest one."""
        return (raised(self.epsilon, self.rarest),)

    @property
    def rarest(self) -> float:
        """The smallest positive probability of the prior."""
        return min(self.shares[place] for place in self.support)

    def pair_level(self, value: int, other: int) -> float:
        """ln(1 + (e^epsilon - 1)/P[value]), between values that the prior allows; jiang2018's channel reaches it.

        As all others send a report with at least lam/e^epsilon, Q[x, y] is at most lam (1 - (1-P_x)/e^epsilon)/P_x.
        """
        if not (self.weights[value] and self.weights[other]):
            return math.inf
        return raised(self.epsilon, self.shares[value])

    def __str__(self) -> str:
        return f"{self.epsilon:g}-LIP on one side over {len(self.domain)} labels"


def raised(epsilon: float, share: float) -> float:
    """ln(1 + (e^epsilon - 1)/share), rounded up.

    >>> round(raised(1.0, 0.5), 6), raised(0.0, 0.5)
    (1.48988, 0.0)
    """
    try:
        return math.log1p(math.expm1(epsilon) / share) * UP
    except OverflowError:
        return math.inf


def mutual_information(prior: Iterable[float], rows: Rows) -> float:
    """sum_x P_x sum_y Q[x, y] ln(Q[x, y]/lam_y), in nats; nonnegative even after rounding.

    >>> round(mutual_information([0.5, 0.5], Rows.read([[1, 0], [0, 1]])), 9)
    0.693147181
    """
    shares = np.array(list(prior))
    chances, p = rows.floats()[shares > 0], shares[shares > 0]
    marginal = p @ chances
    with np.errstate(divide="ignore", invalid="ignore"):
        told = np.where(chances > 0, chances * np.log(chances / marginal), 0)
    return max(0.0, float(p @ told.sum(axis=1)))

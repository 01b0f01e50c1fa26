"""Guarantees that know the prior (jiang2018): what a report may change in what is believed of its value."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from deniable.domain import Domain, DomainLike
from deniable.privacy.context import check_inputs
from deniable.privacy.guarantees import OneLevel, exact_rows
from deniable.privacy.matrix import Ratio, Rows, largest
from deniable.theory.arguments import check_distribution, check_epsilon


@dataclass(frozen=True)
class InformationPrivacy(OneLevel):
    """Localized information privacy: no report changes the probability of any value by more than e^epsilon.

    For every value that the prior allows, lam_y/e^epsilon <= Q[x, y] <= e^epsilon lam_y, where lam_y is the
    probability of the report under the prior: the posterior of a value is within a factor e^epsilon of its prior.
    A value of prior 0 is promised nothing, not even to somebody with another prior.

    >>> tilted = InformationPrivacy(["a", "b"], [0.8, 0.2], 1.0)
    >>> tilted.holds([[0.9, 0.1], [0.5, 0.5]])
    False
    """

    domain: Domain
    prior: tuple[float, ...]
    epsilon: float

    def __init__(self, domain: DomainLike, prior: Iterable[float], epsilon: float) -> None:
        labels = Domain.of(domain)
        object.__setattr__(self, "domain", labels)
        kept = list(prior) if isinstance(prior, Iterator) else prior
        check_distribution("prior", kept, len(labels))
        object.__setattr__(self, "prior", tuple(float(p) for p in kept))  # as it came: ``weights`` divides exactly
        object.__setattr__(self, "epsilon", check_epsilon(epsilon))

    @cached_property
    def weights(self) -> list[int]:
        """The prior as whole numbers, exactly what its floats stand for."""
        exact = [Fraction(p) for p in self.prior]
        common = math.lcm(*(p.denominator for p in exact))
        return [p.numerator * (common // p.denominator) for p in exact]

    @cached_property
    def support(self) -> list[int]:
        """The places of the values that the prior allows."""
        return [place for place, weight in enumerate(self.weights) if weight]

    def worst(self, rows: Rows) -> Ratio:
        """Of each report's probability from a value of the support and under the prior, whichever is larger."""
        allowed, added = check_inputs(rows, self.domain).weights[self.support], sum(self.weights)
        marginal = (np.array([self.weights[place] for place in self.support], object) @ allowed.astype(object)).tolist()
        most, least = allowed.max(axis=0).tolist(), allowed.min(axis=0).tolist()
        above = [(added * high, lam) for high, lam in zip(most, marginal, strict=True)]
        below = [(lam, added * low) for low, lam in zip(least, marginal, strict=True)]
        return largest(above + below)

    def pair_level(self, value: int, other: int) -> float:
        """Two ratios to the prior: 2 epsilon, between values that it allows."""
        return 2 * self.epsilon if self.weights[value] and self.weights[other] else math.inf

    def mutual_information(self, channel: Any) -> float:
        """What a report tells of a value drawn from the prior, in nats; at most epsilon where the promise holds."""
        return mutual_information(self.prior, check_inputs(exact_rows(channel, self.domain), self.domain))

    def __str__(self) -> str:
        return f"{self.epsilon:g}-LIP over {len(self.domain)} labels"


def mutual_information(prior: Iterable[float], rows: Rows) -> float:
    """sum_x P_x sum_y Q[x, y] ln(Q[x, y]/lam_y), in nats: never negative, whatever rounding does.

    >>> round(mutual_information([0.5, 0.5], Rows.read([[1, 0], [0, 1]])), 9)
    0.693147181
    """
    shares = np.array(list(prior))
    chances, p = rows.floats()[shares > 0], shares[shares > 0]
    marginal = p @ chances
    with np.errstate(divide="ignore", invalid="ignore"):
        told = np.where(chances > 0, chances * np.log(chances / marginal), 0)
    return max(0.0, float(p @ told.sum(axis=1)))

"""Guarantees: what a mechanism promises, tested on exact rows of weights."""

from __future__ import annotations

import copy
import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Self

from deniable.checks import check_epsilon
from deniable.errors import ParameterError
from deniable.privacy.exponential import LARGEST, exp_lower, log_upper
from deniable.privacy.matrix import Given, Ratio, Rows
from deniable.values.domain import Domain


def level(ratio: Ratio) -> float:
    """The least epsilon we can prove for a worst ratio: an upper bound of its logarithm."""
    if isinstance(ratio, float):
        return math.inf
    return 0.0 if ratio == 1 else log_upper(ratio)


def within(ratio: Ratio, epsilon: float) -> bool:
    """Whether a ratio is proven to be at most e^epsilon; what cannot be proven is not allowed."""
    if epsilon == math.inf:
        return True
    return isinstance(ratio, Fraction) and ratio <= exp_lower(min(epsilon, LARGEST))


def exact_rows(channel: Any, domain: Domain | None = None) -> Rows:
    """The rows of a channel in the order of ``domain``, or of a plain matrix, which is taken to have that order.

    A channel is judged by the weights that it draws with, a plain matrix by its entries exactly as they are.
    """
    written = getattr(channel, "channel", None)
    if callable(written):  # a mechanism
        channel = written()
    rows = getattr(channel, "rows", None)
    if not isinstance(rows, Rows):
        return Given.read(channel)
    own = channel.domain
    if domain is None or own == domain:
        return rows.check()
    if len(own) != len(domain) or any(label not in own for label in domain):
        raise ParameterError("channel must be about the labels of the guarantee, got one about others")
    return Rows(rows.weights[[own.index(label) for label in domain]], rows.total)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a guarantee says of a channel: the ratio that comes nearest to its level or beyond it, and that level."""

    level: float
    ratio: Ratio
    holds: bool


class Guarantee(ABC):
    """A promise about every pair of values: what their reports may tell of which of the two it was."""

    __slots__ = ()

    @property
    @abstractmethod
    def claimed(self) -> float:
        """The level in one number: of all the pairs that the promise binds, the largest."""

    @abstractmethod
    def judge(self, rows: Rows) -> Verdict:
        """The promise tested on exact rows."""

    @abstractmethod
    def pair_level(self, value: int, other: int) -> float:
        """How many times, in nats, a report may be likelier from ``value`` than from ``other``; infinity: any."""

    @abstractmethod
    def allows(self, ratio: Ratio) -> bool:
        """Whether every pair may have this ratio."""

    def holds(self, channel: Any) -> bool:
        """Whether a channel, or a matrix of probabilities as it is given, keeps the promise, in exact arithmetic."""
        return self.judge(exact_rows(channel, getattr(self, "domain", None))).holds


class OneLevel(Guarantee):
    """A promise with one level, epsilon, for every pair that it binds at all."""

    __slots__ = ()

    epsilon: float

    @property
    def claimed(self) -> float:
        """Epsilon."""
        return self.epsilon

    @abstractmethod
    def worst(self, rows: Rows) -> Ratio:
        """The largest ratio that the promise is about."""

    def at(self, epsilon: Any) -> Self:
        """The same promise at a level that was computed, where 0, infinity and sums are honest answers."""
        if isinstance(epsilon, bool) or not isinstance(epsilon, int | float) or not epsilon >= 0:
            raise ParameterError("epsilon must be a number of at least 0, or infinity, got another")
        changed = copy.copy(self)
        object.__setattr__(changed, "epsilon", epsilon)
        return changed

    def judge(self, rows: Rows) -> Verdict:
        """The largest ratio against e^epsilon."""
        ratio = self.worst(rows)
        return Verdict(self.epsilon, ratio, self.allows(ratio))

    def allows(self, ratio: Ratio) -> bool:
        """Whether the ratio is proven to be at most e^epsilon."""
        return within(ratio, self.epsilon)

    def tightest(self, channel: Any) -> float:
        """The smallest epsilon that a channel, or a matrix of probabilities, is proven to keep."""
        return level(self.worst(exact_rows(channel, getattr(self, "domain", None))))


@dataclass(frozen=True, slots=True, order=True)
class LDP(OneLevel):
    """Local differential privacy: no report is more than e^epsilon times likelier from one value than another.

    >>> LDP(1.0).holds([[0.7, 0.3], [0.3, 0.7]]), LDP(0.8).holds([[0.7, 0.3], [0.3, 0.7]])
    (True, False)
    """

    epsilon: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", check_epsilon(self.epsilon))

    def worst(self, rows: Rows) -> Ratio:
        """Over all pairs."""
        return rows.worst_ratio()

    def pair_level(self, value: int, other: int) -> float:
        """Epsilon."""
        return self.epsilon

    def __str__(self) -> str:
        return f"{self.epsilon:g}-LDP"

"""Guarantees: what a mechanism promises, tested on exact rows of weights; plain LDP."""

from __future__ import annotations

import copy
import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from typing import Any, Self

from deniable.privacy.matrix import Given, Ratio, Rows
from deniable.protocol.checks import check_epsilon
from deniable.protocol.errors import ParameterError
from deniable.protocol.odds import LARGEST, exp_lower, log_upper
from deniable.values.domain import Domain


def level(ratio: Ratio) -> float:
    """The least epsilon that can be proven for a worst ratio: an upper bound on its logarithm."""
    if isinstance(ratio, float):
        return math.inf
    return 0.0 if ratio == 1 else log_upper(ratio)


def within(ratio: Ratio, epsilon: float) -> bool:
    """Whether a ratio is proven to be at most e^epsilon; False if it cannot be proven."""
    if epsilon == math.inf:
        return True
    return isinstance(ratio, Fraction) and ratio <= exp_lower(min(epsilon, LARGEST))


def exact_rows(channel: Any, domain: Domain | None = None) -> Rows:
    """The exact rows of a channel, sorted as in ``domain``, or of a plain matrix, taken to be in that order.

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
    """The result of testing a channel: the ratio nearest to its level or farthest beyond it, and that level."""

    level: float
    ratio: Ratio
    holds: bool


class Guarantee(ABC):
    """A promise about pairs of values: how well a report may tell which of the two it came from."""

    __slots__ = ()

    @property
    @abstractmethod
    def claimed(self) -> float:
        """The level as one number: the largest of all the pairs that the guarantee binds."""

    @abstractmethod
    def judge(self, rows: Rows) -> Verdict:
        """The verdict on exact rows: whether they keep the guarantee, and the ratio that decides it."""

    @abstractmethod
    def pair_level(self, value: int, other: int) -> float:
        """The largest log ratio by which a report may favour ``value`` over ``other``; infinite if it is not bound."""

    @abstractmethod
    def allows(self, ratio: Ratio) -> bool:
        """Whether the guarantee allows this ratio for every pair."""

    def holds(self, channel: Any) -> bool:
        """Whether a channel, or a matrix of probabilities as given, keeps the guarantee, in exact arithmetic."""
        return self.judge(exact_rows(channel, getattr(self, "domain", None))).holds

    def _repr_html_(self) -> str:
        return f"<p><code>{escape(repr(self))}</code></p><p>{escape(str(self))}</p>"


class OneLevel(Guarantee):
    """A guarantee with one level, epsilon, for every pair that it binds."""

    __slots__ = ()

    epsilon: float

    @property
    def claimed(self) -> float:
        """The level epsilon, the same for all pairs that are bound."""
        return self.epsilon

    @abstractmethod
    def worst(self, rows: Rows) -> Ratio:
        """The largest ratio among those that the guarantee bounds."""

    def at(self, epsilon: Any) -> Self:
        """The same guarantee at a computed level, which may also be 0, infinite or a sum beyond the usual range."""
        if isinstance(epsilon, bool) or not isinstance(epsilon, int | float) or not epsilon >= 0:
            raise ParameterError("epsilon must be a number of at least 0, or infinity, got another")
        changed = copy.copy(self)
        object.__setattr__(changed, "epsilon", epsilon)
        return changed

    def judge(self, rows: Rows) -> Verdict:
        """The verdict from the worst ratio, compared with e^epsilon."""
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
        """The largest ratio over all pairs of values and all reports."""
        return rows.worst_ratio()

    def pair_level(self, value: int, other: int) -> float:
        """The level epsilon, the same for all pairs that are bound."""
        return self.epsilon

    def __str__(self) -> str:
        return f"{self.epsilon:g}-LDP"

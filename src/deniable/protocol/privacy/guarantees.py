"""Guarantees: what a mechanism promises about pairs of values, judged on exact rows of weights; plain LDP."""

from __future__ import annotations

import copy
import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, ClassVar, Self

from ..checks import check_epsilon, is_number, shown
from ..errors import FormatError, ParameterError
from ..say import Statement
from ..values import Domain
from .levels import added, in_json, provable
from .rows import Ratio, Rows, level, within

MOST_COMPARED = 512
"""Up to so many labels guarantees of different kinds are compared and added pair by pair."""


def exact_rows(channel: Any, domain: Domain | None = None) -> Rows:
    """The exact rows of a channel, sorted as in ``domain``, or of a plain matrix, taken to be in that order.

    A channel is judged by the weights that it draws with, a plain matrix by its entries exactly as they are.
    """
    get_channel = getattr(channel, "channel", None)
    if callable(get_channel):  # a mechanism
        channel = get_channel()
    rows = getattr(channel, "rows", None)
    if not isinstance(rows, Rows):
        return Rows.given(channel)
    labels = channel.domain
    if domain is None or labels == domain:
        return rows.check()
    if len(labels) != len(domain) or any(label not in labels for label in domain):
        raise ParameterError(f"channel must be about the labels of the guarantee, {domain!r}, got one about {labels!r}")
    return rows.sorted([labels.index(label) for label in domain])


def check_inputs(rows: Rows, domain: Domain) -> Rows:
    """The rows, if there are as many as labels in the domain."""
    if len(rows) != len(domain):
        raise ParameterError(f"matrix must have {len(domain)} rows, one per label, got {len(rows)}")
    return rows


def common_domain(parts: Sequence[Guarantee]) -> Domain:
    """The only domain of guarantees that are added."""
    domains = [order for part in parts if (order := part.order) is not None]
    if any(domain != domains[0] for domain in domains):
        raise ParameterError("guarantees must be of one domain to be added, got several")
    return domains[0]


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of testing a channel: the ratio nearest to its level or farthest beyond it, and that level."""

    level: float
    ratio: Ratio
    holds: bool


class Guarantee(ABC):
    """A promise about pairs of values: how well a report may tell which of the two it came from."""

    adds: ClassVar[bool] = True
    """Whether what several reports promise is a sum; it is not where averages or crowds alone are bounded."""

    alike: ClassVar[bool] = False
    """Whether it protects any two values alike, as plain LDP does."""

    by_distance: ClassVar[bool] = False
    """Whether values are protected the less the farther they are apart."""

    by_label: ClassVar[bool] = False
    """Whether it protects each label of a list by itself."""

    domain: Domain | None
    """The labels that it is about; None if it is for any."""

    @property
    def order(self) -> Domain | None:
        """The values in whose order its rows stand: its labels, or lists of them; None if it is about any."""
        return self.domain

    @property
    @abstractmethod
    def claimed(self) -> float:
        """The level as one number: epsilon, or the largest of a table of levels, which may be infinite."""

    @abstractmethod
    def pair_level(self, value: int, other: int) -> float:
        """The largest log ratio by which a report may favour ``value`` over ``other``; infinite if it is not bound."""

    @property
    @abstractmethod
    def plain(self) -> float:
        """The level of plain LDP that it implies; infinite if it protects only some pairs."""

    @property
    @abstractmethod
    def enough(self) -> float:
        """The largest level of plain LDP that implies it."""

    @property
    @abstractmethod
    def charge(self) -> float:
        """The largest finite level between two values: what a ledger counts where other pairs are not protected."""

    @abstractmethod
    def judge(self, rows: Rows) -> Verdict:
        """The verdict on exact rows: whether they keep the guarantee, and the ratio that decides it."""

    @abstractmethod
    def allows(self, ratio: Ratio) -> bool:
        """Whether the guarantee allows this ratio for every pair."""

    def holds(self, channel: Any) -> bool:
        """Whether a channel, or a matrix of probabilities as given, keeps the guarantee, in exact arithmetic."""
        return self.judge(exact_rows(channel, self.order)).holds

    def at(self, _epsilon: Any) -> Self:
        """The same guarantee at a computed level; as it is where each pair has a level of its own."""
        return self

    # --- beside other guarantees ----------------------------------------------------------------------------------

    def pairs(self, size: int) -> list[list[float]]:
        """The level of every ordered pair of so many values."""
        return [[0.0 if x == z else self.pair_level(x, z) for z in range(size)] for x in range(size)]

    def implied_pairs(self, size: int) -> list[list[float]]:
        """The levels of ``pairs`` that can be proven, lower where smaller ones follow by way of third values."""
        return provable(self.pairs(size))

    def level_among(self, places: Sequence[int], domain: Domain) -> float:
        """The largest level between two of these values of a domain; infinite if it is about others."""
        if self.order is None or self.order != domain:
            return math.inf
        levels = self.implied_pairs(len(domain))
        return max(levels[x][z] for x in places for z in places)

    def is_like(self, _other: Guarantee) -> bool:
        """Whether the two differ in their level alone."""
        return False

    def follows_from(self, stronger: Guarantee) -> bool:
        """Whether every channel that keeps another guarantee is proven to keep this one."""
        if self.is_like(stronger):
            return stronger.claimed <= self.claimed
        if stronger.alike:
            return stronger.claimed <= self.enough
        domain = stronger.order or self.order
        if domain is None or (self.order or domain) != domain:
            return False
        rows = zip(stronger.implied_pairs(len(domain)), self.pairs(len(domain)), strict=True)
        return all(a <= b for have, want in rows for a, b in zip(have, want, strict=True))

    def protects(self, wanted: Guarantee) -> bool:
        """Whether each pair with a finite level under another guarantee has one here; of many values by kind alone."""
        domain = self.order
        if domain is None or len(domain) > MOST_COMPARED:
            return type(self) is type(wanted)
        pairs = ((x, z) for x in range(len(domain)) for z in range(len(domain)) if x != z)
        return all(self.pair_level(*pair) < math.inf or wanted.pair_level(*pair) == math.inf for pair in pairs)

    def summed(self, _parts: Sequence[Guarantee]) -> Guarantee | None:
        """What several guarantees with this among them promise together; None if they are added pair by pair."""
        return None

    def to_dict(self) -> dict[str, Any]:
        """As plain values for JSON and TOML; infinity becomes the word inf. See ``guarantee_json.from_dict``."""
        raise FormatError(f"a guarantee must be one of deniable's to be written, got {type(self).__name__}")

    # --- what is said of it ---------------------------------------------------------------------------------------

    @property
    def called(self) -> Statement | str:
        """What it is called where its technical facts stand."""
        return str(self)

    @property
    def promised(self) -> Statement:
        """What it promises about one report."""
        if self.plain == math.inf:  # it binds some pairs of answers, or averages, alone
            return Statement("claimed", promise=self.called)
        return Statement("any", level=self.plain)

    @property
    def belief(self) -> tuple[str, float]:
        """The key of what is said of beliefs about one answer, and the level that bounds them, if any does."""
        return "belief_answer", self.plain

    @property
    def hides_every(self) -> bool:
        """Whether it hides every answer among others: no report tells for certain what was answered."""
        return self.plain < math.inf

    def left_open(self, of: Statement) -> Iterator[Statement]:
        """What it does not cover; ``of`` names the question."""
        if self.plain == math.inf:
            yield Statement("open_pairs", of=of)

    def _repr_html_(self) -> str:
        return f"<p><code>{escape(repr(self))}</code></p><p>{escape(str(self))}</p>"


class OneLevel(Guarantee):
    """A guarantee with one level, epsilon, for every pair that it binds."""

    epsilon: float

    @property
    def claimed(self) -> float:
        return self.epsilon

    @property
    def charge(self) -> float:
        return self.epsilon

    @property
    def enough(self) -> float:
        return self.epsilon

    @property
    def fields(self) -> dict[str, Any]:
        """The fields of its JSON between its labels and its level."""
        return {}

    def to_dict(self) -> dict[str, Any]:
        labels = {} if self.domain is None else {"domain": self.domain.to_json()}
        return {**labels, **self.fields, "epsilon": in_json(self.epsilon)}

    @abstractmethod
    def worst(self, rows: Rows) -> Ratio:
        """The largest ratio among those that the guarantee bounds."""

    def at(self, epsilon: Any) -> Self:
        """The same guarantee at a computed level, which may also be 0, infinite or a sum beyond the usual range."""
        if not is_number(epsilon) or not epsilon >= 0:
            raise ParameterError(f"epsilon must be a number of at least 0, or infinity, got {shown(epsilon)}")
        changed = copy.copy(self)
        object.__setattr__(changed, "epsilon", epsilon)
        return changed

    def is_like(self, other: Guarantee) -> bool:
        return self.at(0.0) == other.at(0.0)

    def summed(self, parts: Sequence[Guarantee]) -> Guarantee | None:
        """Of guarantees that differ in their level alone, the sum of the levels."""
        return self.at(added(*(part.claimed for part in parts))) if all(map(self.is_like, parts)) else None

    def judge(self, rows: Rows) -> Verdict:
        """The verdict from the worst ratio, compared with e^epsilon."""
        ratio = self.worst(rows)
        return Verdict(self.epsilon, ratio, self.allows(ratio))

    def allows(self, ratio: Ratio) -> bool:
        return within(ratio, self.epsilon)

    def tightest(self, channel: Any) -> float:
        """The smallest epsilon that a channel, or a matrix of probabilities, is proven to keep."""
        return level(self.worst(exact_rows(channel, self.order)))


@dataclass(frozen=True, order=True)
class LDP(OneLevel):
    """Local differential privacy: no report is more than e^epsilon times likelier from one value than another.

    >>> LDP(1.0).holds([[0.7, 0.3], [0.3, 0.7]]), LDP(0.8).holds([[0.7, 0.3], [0.3, 0.7]])
    (True, False)
    """

    domain = None
    alike = True
    epsilon: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", check_epsilon(self.epsilon))

    def worst(self, rows: Rows) -> Ratio:
        return rows.worst_ratio()

    def pair_level(self, value: int, other: int) -> float:
        return self.epsilon

    @property
    def plain(self) -> float:
        return self.epsilon

    def level_among(self, places: Sequence[int], domain: Domain) -> float:
        return self.epsilon

    def follows_from(self, stronger: Guarantee) -> bool:
        """By the level of any two values."""
        return stronger.plain <= self.epsilon

    def protects(self, wanted: Guarantee) -> bool:
        return True

    @property
    def promised(self) -> Statement:
        return Statement("any", level=self.epsilon) if self.epsilon < math.inf else Statement("no_level")

    def __str__(self) -> str:
        return f"{self.epsilon:g}-LDP"

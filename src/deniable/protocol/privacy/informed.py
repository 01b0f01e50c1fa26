"""Guarantees with a prior (jiang2018): how much a report may change what is believed about its value."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

from ..checks import check_epsilon, check_prior
from ..errors import ParameterError
from ..odds import LARGEST
from ..say import Statement
from ..values import Domain
from .guarantees import Guarantee, OneLevel, check_inputs, common_domain, exact_rows
from .levels import UP, added
from .rows import Ratio, Rows, largest


@dataclass(frozen=True)
class UnderPrior(OneLevel):
    """The base of guarantees with one prior that is known to everybody."""

    one_sided: ClassVar[bool] = False
    """Whether it bounds only how much less likely a value may become."""

    domain: Domain
    prior: tuple[float, ...]
    epsilon: float

    def __init__(self, domain: Any, prior: Any, epsilon: float) -> None:
        labels = Domain.of(domain)
        object.__setattr__(self, "domain", labels)
        given = list(prior) if isinstance(prior, Iterator) else prior
        object.__setattr__(self, "prior", check_prior(given, len(labels)))  # unscaled: ``weights`` divides exactly
        object.__setattr__(self, "epsilon", check_epsilon(epsilon))

    @cached_property
    def weights(self) -> tuple[int, ...]:
        """The prior as integers in exactly the ratios of its floats."""
        exact = [Fraction(p) for p in self.prior]
        common = math.lcm(*(p.denominator for p in exact))
        return tuple(p.numerator * (common // p.denominator) for p in exact)

    @cached_property
    def support(self) -> list[int]:
        """The indices of the values with a positive prior."""
        return [place for place, weight in enumerate(self.weights) if weight]

    @cached_property
    def shares(self) -> list[float]:
        """The prior as floats that add up to 1, from the exact ``weights``."""
        everybody = sum(self.weights)
        return [weight / everybody for weight in self.weights]

    @property
    def rarest(self) -> float:
        """The smallest positive probability of the prior."""
        return min(self.shares[place] for place in self.support)

    @property
    def fields(self) -> dict[str, Any]:
        """The prior, and what tells it from LIP; nothing for LIP."""
        return {"prior": list(self.prior)}

    def left_open(self, of: Statement) -> Iterator[Statement]:
        yield Statement("open_prior", of=of)

    @property
    @abstractmethod
    def between(self) -> tuple[float, ...]:
        """The largest level between two values that the prior allows, as terms of an exact sum."""

    @property
    def two_sided(self) -> float:
        """The level of two-sided information privacy that it implies; infinite if none."""
        return math.inf

    @property
    def charge(self) -> float:
        return added(*self.between)

    @property
    def plain(self) -> float:
        """That between the rarest value and another, where the prior allows all; no other pair has a higher one."""
        rarest = self.weights.index(min(self.weights))
        level = self.pair_level(rarest, int(rarest == 0))
        return math.inf if level > LARGEST else level

    def level_from(self, stronger: Guarantee) -> float:
        """The least level of this kind that another guarantee is proven to imply; infinite if none."""
        if isinstance(stronger, UnderPrior) and self.same_prior(stronger):
            return self.implied_by(stronger, added(*stronger.between))
        return self.implied_by(None, stronger.level_among(self.support, self.domain))

    def follows_from(self, stronger: Guarantee) -> bool:
        if self.is_like(stronger):
            return stronger.claimed <= self.epsilon
        return self.level_from(stronger) <= self.epsilon

    def summed(self, parts: Sequence[Guarantee]) -> UnderPrior:
        """Each report but one counts by its level between pairs, those under LDP by their own level.

        Either the earlier reports move the prior and the last is bounded by its pairs, or the other way round. If one
        part is one-sided, so is the sum.
        """
        informed = [part for part in parts if isinstance(part, UnderPrior)]
        if not all(map(self.same_prior, informed)):
            raise ParameterError("guarantees of information privacy must be of one prior to be added, got several")
        common_domain(parts)
        savings = [added(*part.between) - part.epsilon if part.epsilon < math.inf else 0 for part in informed]
        at = savings.index(max(savings))  # by its place: one guarantee may be there several times
        pairs = [level for part in informed[:at] + informed[at + 1 :] for level in part.between]
        plain = [part.plain for part in parts if part not in informed]
        result = next((part for part in informed if part.one_sided), self)
        return result.at(added(informed[at].epsilon, *pairs, *plain))

    def implied_by(self, own: UnderPrior | None, pairs: float) -> float:
        """The least level of this kind that another guarantee implies.

        ``own`` is that one if it has the same prior; ``pairs`` is its level between any two values that the prior
        allows. If all pairs are within L of each other, every value is within L of the marginal, which is their mean.
        """
        return pairs if own is None else min(pairs, own.two_sided)

    def same_prior(self, other: UnderPrior) -> bool:
        """Whether both guarantees have the same prior over the same labels."""
        return self.domain == other.domain and self.prior == other.prior

    def marginal(self, rows: Rows) -> list[int]:
        """The probability of each report under the prior, times the sum of ``weights`` and the rows' total."""
        shares = [self.weights[place] for place in self.support]
        columns = zip(*rows.listed(self.support), strict=True)
        return [sum(share * weight for share, weight in zip(shares, column, strict=True)) for column in columns]

    def mutual_information(self, channel: Any) -> float:
        """The mutual information in nats of a value drawn from the prior and its report; at most epsilon if kept."""
        weights = check_inputs(exact_rows(channel, self.domain), self.domain).listed(self.support)
        shares, total = [self.shares[place] for place in self.support], sum(weights[0])
        columns = [[weight / total for weight in column] for column in zip(*weights, strict=True)]
        means = [math.fsum(p * q for p, q in zip(shares, column, strict=True)) for column in columns]
        terms = (
            p * q * math.log(q / mean)
            for column, mean in zip(columns, means, strict=True)
            for p, q in zip(shares, column, strict=True)
            if q > 0
        )
        return max(0.0, math.fsum(terms))


@dataclass(frozen=True, init=False)
class InformationPrivacy(UnderPrior):
    """Localized information privacy: no report changes the probability of any value by more than e^epsilon.

    For every value that the prior allows, lam_y/e^epsilon <= Q[x, y] <= e^epsilon lam_y, where lam_y is the
    probability of the report under the prior: the posterior of a value is within a factor e^epsilon of its prior.
    Nothing is promised about a value of prior 0.

    >>> tilted = InformationPrivacy(["a", "b"], [0.8, 0.2], 1.0)
    >>> tilted.plain, tilted.between
    (2.0, (1.0, 1.0))
    """

    def worst(self, rows: Rows) -> Ratio:
        """The largest ratio, either way round, of a report's probability from a value and under the prior."""
        columns, everybody = _columns(self, rows), sum(self.weights)
        marginal = self.marginal(rows)
        above = [(everybody * max(column), lam) for column, lam in zip(columns, marginal, strict=True)]
        below = [(lam, everybody * min(column)) for column, lam in zip(columns, marginal, strict=True)]
        return largest(above + below)

    @property
    def between(self) -> tuple[float, ...]:
        """Epsilon twice: up from one value and down to the other."""
        return (self.epsilon, self.epsilon)

    @property
    def two_sided(self) -> float:
        return self.epsilon

    def pair_level(self, value: int, other: int) -> float:
        """2 epsilon between values that the prior allows, by two ratios to the marginal; otherwise infinity."""
        return 2 * self.epsilon if self.weights[value] and self.weights[other] else math.inf

    @property
    def called(self) -> Statement:
        return Statement("lip", level=self.epsilon, count=len(self.domain))

    @property
    def promised(self) -> Statement:
        whole = super().promised
        return whole if self.plain == math.inf else Statement("relative", level=self.epsilon, any=whole)

    def __str__(self) -> str:
        return f"{self.epsilon:g}-LIP over {len(self.domain)} labels"


@dataclass(frozen=True, init=False)
class OneSidedInformationPrivacy(UnderPrior):
    """Half of information privacy: no report makes anything that was possible less likely by more than e^epsilon.

    For every value that the prior allows, Q[x, y] >= lam_y/e^epsilon. So nothing can be ruled out, and the doubt that
    somebody holds a certain value falls by a factor e^epsilon at most; but a rare value may become far likelier than
    e^epsilon times its prior. jiang2018's closed form is the optimum under this promise, for every prior.

    >>> OneSidedInformationPrivacy(3, [0.7, 0.2, 0.1], 1.2).pair_level(2, 0).__round__(3)
    3.186
    """

    one_sided = True

    def worst(self, rows: Rows) -> Ratio:
        """The largest ratio of a report's probability under the prior to that from a value that the prior allows."""
        columns, everybody = _columns(self, rows), sum(self.weights)
        return largest((lam, everybody * min(column)) for column, lam in zip(columns, self.marginal(rows), strict=True))

    @property
    def between(self) -> tuple[float, ...]:
        """The level between the rarest value and any other, the largest one."""
        return (one_sided_level(self.epsilon, self.rarest),)

    @property
    def fields(self) -> dict[str, Any]:
        return {**super().fields, "one_sided": True}

    @property
    def called(self) -> Statement:
        return Statement("lip_held", level=self.epsilon, count=len(self.domain))

    @property
    def hides_every(self) -> bool:
        """Whether the prior allows every value, each of which may then have sent any report."""
        return all(self.weights)

    @property
    def two_sided(self) -> float:
        return max(self.epsilon, self.above(self.rarest))

    def above(self, share: float) -> float:
        """The largest ln(Q[x, y]/lam_y) for a value x of this prior P_x, lam_y being a report's chance; rounded up.

        Q[x', y] >= lam_y/t, t = e^epsilon, for all others x' leaves Q[x, y] <= lam_y (1 - (1-P_x)/t)/P_x.
        """
        return (one_sided_level(self.epsilon, share) - self.epsilon) * UP if math.isfinite(self.epsilon) else math.inf

    def implied_by(self, own: UnderPrior | None, pairs: float) -> float:
        """As of two sides, or by another one-sided one."""
        both = super().implied_by(own, pairs)
        return min(both, own.epsilon) if own is not None and own.one_sided else both

    def pair_level(self, value: int, other: int) -> float:
        """ln(1 + (e^epsilon - 1)/P[value]), between values that the prior allows; jiang2018's channel reaches it.

        As all others send a report with at least lam/e^epsilon, Q[x, y] is at most lam (1 - (1-P_x)/e^epsilon)/P_x.
        """
        if not (self.weights[value] and self.weights[other]):
            return math.inf
        return one_sided_level(self.epsilon, self.shares[value])

    def __str__(self) -> str:
        return f"{self.epsilon:g}-LIP on one side over {len(self.domain)} labels"


def one_sided_level(epsilon: float, share: float) -> float:
    """The level at which one-sided privacy protects a value of this prior from any other, rounded up.

    It is ln(1 + (e^epsilon - 1)/share); see ``OneSidedInformationPrivacy.pair_level``.

    >>> round(one_sided_level(1.0, 0.5), 6), one_sided_level(0.0, 0.5)
    (1.48988, 0.0)
    """
    try:
        return math.log1p(math.expm1(epsilon) / share) * UP
    except OverflowError:
        return math.inf


def _columns(promise: UnderPrior, rows: Rows) -> list[tuple[int, ...]]:
    """The weights of each report from the values that the prior allows."""
    return list(zip(*check_inputs(rows, promise.domain).listed(promise.support), strict=True))

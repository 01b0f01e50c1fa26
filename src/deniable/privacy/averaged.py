"""Guarantees about averages and crowds (jiang2018): mutual information, and what a trusted curator may publish."""

from __future__ import annotations

import decimal
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import Any

from deniable.privacy.beliefs import entropy, learnt, level_for, one_sided_learnt
from deniable.protocol.checks import LARGEST_EPSILON, check_int
from deniable.protocol.errors import CapacityError, ParameterError
from deniable.protocol.privacy.guarantee_json import Reader, marked, of_prior
from deniable.protocol.privacy.guarantees import check_inputs
from deniable.protocol.privacy.informed import InformationPrivacy, UnderPrior
from deniable.protocol.privacy.rows import ListedRows, Ratio, Rows
from deniable.values.domain import DomainLike

DIGITS = 90
ALLOWANCE = Decimal("1e-60")
"""A bound on the total rounding error of a mean of logarithms: a million terms of at most a few thousand."""
MOST_PEOPLE = 1000
"""The largest number of people for whom a curator's matrix is judged, because binomial coefficients grow with it."""


@dataclass(frozen=True, init=False)
class MutualInformationPrivacy(UnderPrior):
    """A report tells at most epsilon nats about its value on average, for values drawn from the prior.

    It bounds a mean and no single report: a rare report may give its sender away. Local differential privacy and
    information privacy imply it (jiang2018, proposition 1), and it implies neither.

    >>> rare = [[0.999, 0.001, 0], [0.999, 0, 0.001]]
    >>> MutualInformationPrivacy(2, [0.5, 0.5], 0.001).holds(rare), InformationPrivacy(2, [0.5, 0.5], 32.0).holds(rare)
    (True, False)
    """

    def worst(self, rows: Rows) -> Ratio:
        """The mutual information I as e^I, rounded up: weighted geometric mean of Q[x, y]/lam_y, lam_y y's chance."""
        listed_rows = check_inputs(rows, self.domain).listed(self.support)
        if all(row == listed_rows[0] for row in listed_rows):
            return Fraction(1)
        with decimal.localcontext(decimal.Context(prec=DIGITS)):
            return Fraction((self._information(listed_rows, rows) + ALLOWANCE).exp() * (1 + ALLOWANCE))

    def _information(self, listed_rows: list[list[int]], rows: Rows) -> Decimal:
        """(sum w W ln W - sum m ln m)/sum m + ln sum w, of integer weights w (prior), W (rows) and m (marginal)."""
        logs: dict[int, Decimal] = {}

        def amount(times: int, number: int) -> Decimal:
            if number not in logs:
                logs[number] = Decimal(number).ln() if number else Decimal(0)
            return Decimal(times) * logs[number]

        prior, marginal = [self.weights[place] for place in self.support], self.marginal(rows)
        of_cells = sum(amount(w * q, q) for w, row in zip(prior, listed_rows, strict=True) for q in row)
        of_reports = sum(amount(m, m) for m in marginal)
        return max((of_cells - of_reports) / Decimal(sum(marginal)) + Decimal(sum(prior)).ln(), Decimal(0))

    adds = False

    @property
    def fields(self) -> dict[str, Any]:
        return {**super().fields, "mutual_information": True}

    @property
    def between(self) -> tuple[float, ...]:
        """Infinity: a bound on a mean does not bound any pair."""
        return (math.inf,)

    @property
    def enough(self) -> float:
        """The level that leaves no more to be learnt."""
        return level_for(self.epsilon, LARGEST_EPSILON)

    def implied_by(self, own: UnderPrior | None, pairs: float) -> float:
        """What is learnt at most on average, which is never more than the entropy of the prior."""
        if isinstance(own, MutualInformationPrivacy):
            return min(own.epsilon, entropy(self))
        return min(learnt(super().implied_by(own, pairs)), one_sided_learnt(own), entropy(self))

    def pair_level(self, value: int, other: int) -> float:
        """Infinity: a bound on a mean does not bound any pair."""
        return math.inf

    def __str__(self) -> str:
        return f"{self.epsilon:g}-MIP over {len(self.domain)} labels"


@dataclass(frozen=True, init=False)
class CentralInformationPrivacy(UnderPrior):
    """Information privacy against what is published of all ``people`` together (jiang2018, definition 4).

    Whatever is published changes the probability of any one person's value by at most a factor e^epsilon, if values are
    drawn independently from the prior. Two kinds of matrix can be judged: that of a curator who sees everybody, with a
    row for each of ``histograms``; or, with one row per label, the channel of each person's own report.

    >>> published = [[0.8, 0.2], [0.5, 0.5], [0.2, 0.8]]
    >>> CentralInformationPrivacy(["no", "yes"], [0.5, 0.5], 0.5, people=2).holds(published)
    True
    """

    adds = False
    people: int

    def __init__(self, domain: DomainLike, prior: Iterable[float], epsilon: float, people: int) -> None:
        super().__init__(domain, prior, epsilon)
        object.__setattr__(self, "people", check_int("people", people, 1))

    @cached_property
    def _of_prior(self) -> InformationPrivacy:
        """LIP under the same prior, at level 1: its ratios do not depend on the level, and ``at`` gives another."""
        return InformationPrivacy(self.domain, self.prior, 1.0)

    @property
    def size(self) -> int:
        """How many histograms are possible: the rows of a curator's matrix."""
        return math.comb(self.people + len(self.domain) - 1, len(self.domain) - 1)

    def histograms(self) -> Iterator[tuple[int, ...]]:
        """The histograms that label a curator's rows: from all people on the first label to all on the last.

        >>> list(CentralInformationPrivacy(2, [0.5, 0.5], 1.0, people=2).histograms())
        [(2, 0), (1, 1), (0, 2)]
        """
        return _histograms(self.people, len(self.domain))

    def worst(self, rows: Rows) -> Ratio:
        """The worst ratio for one person, when everybody else's value is drawn from the prior."""
        if len(rows) == len(self.domain):
            return self._of_prior.worst(rows)
        if len(rows) != self.size:
            raise ParameterError(
                f"matrix must have {self.size} rows, one for each histogram of {self.people} people, "
                f"or {len(self.domain)}, one per label, got {len(rows)}"
            )
        if self.people > MOST_PEOPLE:
            raise CapacityError(f"a curator's matrix must be of at most {MOST_PEOPLE} people, got {self.people}")
        return self._of_prior.worst(self._of_one(rows))

    def _of_one(self, rows: Rows) -> Rows:
        """The channel from one person's value to what is published, averaged over all other people."""
        published, d = rows.listed(), len(self.domain)
        rows_of_one = [[0] * len(published[0]) for _ in range(d)]
        for histogram, row in zip(self.histograms(), published, strict=True):
            for x in (place for place in range(d) if histogram[place]):
                chance = _multinomial([n - (place == x) for place, n in enumerate(histogram)], self.weights)
                rows_of_one[x] = [sum_ + chance * weight for sum_, weight in zip(rows_of_one[x], row, strict=True)]
        return ListedRows.reduced(rows_of_one)

    @property
    def fields(self) -> dict[str, Any]:
        return {**super().fields, "people": self.people}

    @property
    def two_sided(self) -> float:
        return self.epsilon if self.people == 1 else math.inf

    def implied_by(self, own: UnderPrior | None, pairs: float) -> float:
        """As of one person's report (jiang2018, theorem 6), or by the same guarantee."""
        both = super().implied_by(own, pairs)
        same = isinstance(own, CentralInformationPrivacy) and own.people == self.people
        return min(both, own.epsilon) if own is not None and same else both

    @property
    def between(self) -> tuple[float, ...]:
        return self._of_prior.at(self.epsilon).between if self.people == 1 else (math.inf,)

    def pair_level(self, value: int, other: int) -> float:
        """Infinity, as a curator's matrix has no row for a value; for a single person that of information privacy."""
        return self._of_prior.at(self.epsilon).pair_level(value, other) if self.people == 1 else math.inf

    def __str__(self) -> str:
        return f"{self.epsilon:g}-CIP of {self.people} people over {len(self.domain)} labels"


def _histograms(people: int, d: int) -> Iterator[tuple[int, ...]]:
    """Every way in which so many people may hold d labels."""
    if d == 1:
        yield (people,)
        return
    for first in range(people, -1, -1):
        for others in _histograms(people - first, d - 1):
            yield (first, *others)


def _multinomial(histogram: list[int], weights: Sequence[int]) -> int:
    """The probability of a histogram, times (sum of the weights)^people to make it an integer."""
    product, people = 1, sum(histogram)
    for n, weight in zip(histogram, weights, strict=True):
        product *= math.comb(people, n) * weight**n
        people -= n
    return product


READERS: Mapping[str, Reader] = {
    "mutual_information": marked("mutual_information", of_prior(MutualInformationPrivacy)),
    "people": lambda domain, written: CentralInformationPrivacy(
        domain, written["prior"], written["epsilon"], written["people"]
    ),
}
"""How they are read from JSON, by the field that identifies them."""

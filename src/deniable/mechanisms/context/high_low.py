"""What the high-low mechanisms share: sensitive labels hide among all, the others only from the sensitive ones.

Inside reports are noise over the sensitive labels or tell of one; an own report says which other label it was. A
sensitive value only ever makes inside reports, so an own report is no secret: it rules all sensitive labels out.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Hashable, Iterable
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from deniable.arrays import Counts, Indices, Vector
from deniable.checks import check_epsilon
from deniable.errors import ParameterError
from deniable.estimation.decoders import Messages
from deniable.estimation.evidence import Evidence, JoinedEvidence, SupportEvidence
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.shared.limits import check_rows
from deniable.privacy.context import HighLow
from deniable.privacy.odds import Odds
from deniable.reports.spec import Spec
from deniable.reports.tally import Tally
from deniable.theory.risk import context
from deniable.theory.risk.support import Support, leverage
from deniable.theory.risk.variance import Loss, Map, Target, VarianceLaw
from deniable.values.domain import Domain, DomainLike


class InsideMessages(NamedTuple):
    """Counted inside messages; ``mass`` adds up p over what each supports, ``collect`` weights over each label's."""

    counts: Counts
    mass: Map
    collect: Map


class HighLowMechanism(Mechanism):
    """A domain, its sensitive labels and an epsilon. Reports number the labels with the sensitive ones first."""

    domain: Domain
    epsilon: float
    places: tuple[int, ...]
    """Where the sensitive labels are in the domain."""

    def __init__(self, domain: DomainLike, sensitive: Iterable[Hashable], epsilon: float) -> None:
        labels = Domain.of(domain)
        check_rows(len(labels), self.name)
        promise = HighLow(labels, sensitive, check_epsilon(epsilon))
        self._fix(domain=promise.domain, epsilon=promise.epsilon, places=tuple(promise.places.tolist()))
        self.exact_ratio()  # refuses at the door what has no odds in 64 bits

    @classmethod
    def from_parameters(cls, domain: Domain, parameters: Spec) -> HighLowMechanism:
        """Read a spec, which holds the places of the sensitive labels."""
        if set(parameters) != {"epsilon", "sensitive"} or min(parameters["sensitive"], default=0) < 0:
            raise ParameterError("sensitive must be places in the domain, beside epsilon, got others")
        return cls(domain, [domain[place] for place in parameters["sensitive"]], parameters["epsilon"])

    def parameters(self) -> Spec:
        """Epsilon and the places of the sensitive labels."""
        return {"epsilon": self.epsilon, "sensitive": list(self.places)}

    def __repr__(self) -> str:
        return f"{self.name}({self.domain!r}, {len(self.places)} sensitive, epsilon={self.epsilon!r})"

    @cached_property
    def guarantee(self) -> HighLow:
        """High-low local differential privacy."""
        return HighLow(self.domain, [self.domain[place] for place in self.places], self.epsilon)

    @property
    def s(self) -> int:
        """How many labels are sensitive."""
        return len(self.places)

    @cached_property
    def order(self) -> Indices:
        """The places of all labels, the sensitive ones first."""
        rest = np.setdiff1d(np.arange(len(self.domain)), self.places)
        return np.concatenate((np.array(self.places, np.int64), rest))

    @cached_property
    def rank(self) -> Indices:
        """Each label's number in that order."""
        return np.argsort(self.order)

    @property
    @abstractmethod
    def odds(self) -> Odds:
        """The integers A:B that decide the coins."""

    @property
    @abstractmethod
    def law(self) -> VarianceLaw:
        """Of the labels, the sensitive ones first."""

    def exact_ratio(self) -> Fraction | float:
        """A/B, of a sensitive value against any other."""
        return self.odds.ratio

    def risk(
        self, n: int, loss: Loss = "l2", truth: Iterable[float] | None = None, target: Target = "population"
    ) -> float:
        """The predicted error of the unbiased decoder (l1, linf: asymptotic); without a truth, the worst case."""
        p = self.check_risk(n, loss, truth, target)
        return self.law.risk(n, loss, self.law.worst_truth(loss, target) if p is None else p[self.order], target)

    def join(self, high: Evidence, low: Evidence) -> JoinedEvidence:
        """Evidence of the sensitive labels and of the others, in the domain's order."""
        return JoinedEvidence((high, low), (self.order[: self.s], self.order[self.s :]))

    def join_messages(self, inside: InsideMessages, own: Counts) -> Messages:
        """Inside messages are likelier from the sensitive labels that they support, own ones name their label.

        Up to a factor, an inside message has probability 1 + (t - 1) p(the sensitive labels it supports).
        """
        s, bonus, split = self.s, float(self.exact_ratio()) - 1, len(inside.counts)

        def forward(p: Vector) -> Vector:
            ranked = p[self.order]
            return np.concatenate((ranked.sum() + bonus * inside.mass(ranked[:s]), ranked[s:]))

        def backward(weights: Vector) -> Vector:
            everyone, named = weights[:split].sum(), np.zeros(len(self.domain))
            named[:s] = bonus * inside.collect(weights[:split])
            named[s:] = weights[split:]
            return np.asarray(everyone + named)[self.rank]

        return Messages(np.concatenate((inside.counts, own)), forward, backward)

    def told_by_own(self, chance: Fraction | float) -> float:
        """Nats of a uniform value that own reports tell, which the other labels send with this chance."""
        d = len(self.domain)
        return (d - self.s) / d * float(chance) * math.log(d)

    def own_rows(self, inside: npt.NDArray[np.object_], chance: Fraction) -> npt.NDArray[np.object_]:
        """The channel from its inside part, by rank: each other label has one own report more, of this chance."""
        d = len(self.domain)
        own = np.full((d, d - self.s), Fraction(0), object)
        for i in range(self.s, d):
            own[i, i - self.s] = chance
        return np.asarray(np.hstack((inside, own))[self.rank])


class HighLowSupport(HighLowMechanism):
    """Those that count how many reports support each label, by a law for each kind of labels."""

    @property
    @abstractmethod
    def supports_of_kinds(self) -> tuple[Support, Support]:
        """How often a report supports a sensitive label, and another one."""

    @property
    def law(self) -> VarianceLaw:
        """Support counting, of two kinds; estimates add up to 1 where every report names one label."""
        high, low = self.supports_of_kinds
        return context.supports([(high, self.s), (low, len(self.domain) - self.s)], self.marks == 1)

    @property
    def leverage(self) -> float:
        """Of the kind of labels that a fake report lifts more."""
        high, low = self.supports_of_kinds
        return max(leverage(high), leverage(low) if self.s < len(self.domain) else 0.0)

    def evidence(self, tally: Tally) -> JoinedEvidence:
        """How many reports support each label, by rank."""
        (high, low), n, counts = self.supports_of_kinds, tally.n, tally.counts
        return self.join(SupportEvidence(n, counts[: self.s], high), SupportEvidence(n, counts[self.s :], low))

    @property
    def decode_operations(self) -> float:
        """Two operations a label."""
        return 2.0 * len(self.domain)

    @property
    def aggregate_draws(self) -> float:
        """Two a label."""
        return 2.0 * len(self.domain)

"""Mechanisms under plain local differential privacy: a domain, an epsilon, and the odds that certify it."""

from __future__ import annotations

from deniable.checks import check_epsilon
from deniable.mechanisms.mechanism import Mechanism
from deniable.privacy.guarantees import LDP
from deniable.reports.spec import Spec
from deniable.values.domain import Domain, DomainLike


class Plain(Mechanism):
    """What a domain and an epsilon determine."""

    domain: Domain
    epsilon: float

    def __init__(self, domain: DomainLike, epsilon: float) -> None:
        self._fix(domain=Domain.of(domain), epsilon=check_epsilon(epsilon))

    @property
    def guarantee(self) -> LDP:
        """Plain local differential privacy."""
        return LDP(self.epsilon)

    def parameters(self) -> Spec:
        """Epsilon."""
        return {"epsilon": self.epsilon}

"""Which prior-based guarantees follow from others: how far beliefs may move, for each value and on average.

With t = e^eps and L a bound on every |ln(Q[x, y]/lam_y)|:

- if all pairs of values are within L of each other, every value is within L of the marginal, which is their mean;
- the one-sided bound Q[x, y] >= lam_y/t implies Q[x, y] <= lam_y (1 - (1-P_x)/t)/P_x;
- information is the mean of s ln s over lifts s = Q/lam of mean 1, and below its chord over [1/t, u]: for u = t that is
  L tanh(L/2), less than the L of jiang2018's proposition 1; for the one-sided bound jiang2018's own channel reaches it;
- no report tells more than the entropy of the prior;
- reports of different people that each keep information privacy keep it together (jiang2018, theorem 6).
"""

from __future__ import annotations

import math

from deniable.privacy.averaged import CentralInformationPrivacy, MutualInformationPrivacy
from deniable.privacy.guarantees import Guarantee
from deniable.privacy.informed import UP, InformationPrivacy, OneSidedInformationPrivacy, UnderPrior, raised


def implied_level(stronger: Guarantee, weaker: UnderPrior, pairs: float) -> float:
    """The least level of ``weaker`` that ``stronger`` is proven to imply; infinity if it implies none.

    ``pairs`` is the level of ``stronger`` between any two values that the prior allows.
    """
    own = stronger if isinstance(stronger, UnderPrior) and weaker.same_prior(stronger) else None
    both = min(pairs, _two_sided(own))
    match weaker, own:
        case MutualInformationPrivacy(), MutualInformationPrivacy():
            return min(own.epsilon, _entropy(weaker))
        case MutualInformationPrivacy(), _:
            return min(learnt(both), _one_sided_learnt(own), _entropy(weaker))
        case OneSidedInformationPrivacy(), OneSidedInformationPrivacy():
            return min(both, own.epsilon)
        case CentralInformationPrivacy(), CentralInformationPrivacy() if own.people == weaker.people:
            return min(both, own.epsilon)
    return both


def learnt(level: float) -> float:
    """The most nats of mutual information of a channel with all |ln lift| up to ``level``: level tanh(level/2).

    >>> round(learnt(1.0), 6), learnt(0.0), learnt(math.inf)
    (0.462117, 0.0, inf)
    """
    return level * math.tanh(level / 2) * UP


def level_for(information: float, most: float) -> float:
    """The largest level up to ``most`` at which at most ``information`` nats can be learnt: the inverse of ``learnt``.

    >>> round(level_for(0.462118, 32.0), 4), level_for(100.0, 32.0)
    (1.0, 32.0)
    """
    low, high = 0.0, most
    if learnt(high) <= information:
        return high
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if learnt(middle) <= information else (low, middle)
    return low


def _two_sided(own: UnderPrior | None) -> float:
    """The level of two-sided LIP that a guarantee with the same prior implies; infinity if none."""
    if isinstance(own, InformationPrivacy) or (isinstance(own, CentralInformationPrivacy) and own.people == 1):
        return own.epsilon
    if not isinstance(own, OneSidedInformationPrivacy):
        return math.inf
    return max(own.epsilon, _above(own, own.rarest))


def _above(own: OneSidedInformationPrivacy, share: float) -> float:
    """The largest ln(Q[x, y]/lam_y) that a one-sided guarantee allows a value with this prior, rounded up."""
    return (raised(own.epsilon, share) - own.epsilon) * UP if math.isfinite(own.epsilon) else math.inf


def _one_sided_learnt(own: UnderPrior | None) -> float:
    """The most nats under a one-sided guarantee: the mean over values of the chord of s ln s over [1/t, u]."""
    if not isinstance(own, OneSidedInformationPrivacy) or math.isinf(own.epsilon):
        return math.inf
    low, terms = math.exp(-own.epsilon), []
    for share in (own.shares[place] for place in own.support):
        terms.append(share * (1 - (1 - share) * low) * _above(own, share))
        terms.append(-share * (1 - share) * low * own.epsilon)
    return max(math.fsum(terms), 0.0) + math.fsum(map(abs, terms)) * (UP - 1)


def _entropy(promise: UnderPrior) -> float:
    """The entropy of the prior in nats, rounded up."""
    return -math.fsum(share * math.log(share) for share in promise.shares if share) * UP

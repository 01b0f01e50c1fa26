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

from deniable.protocol.privacy.informed import OneSidedInformationPrivacy, UnderPrior
from deniable.protocol.privacy.levels import UP


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


def one_sided_learnt(promise: UnderPrior | None) -> float:
    """The most nats under a one-sided guarantee: mean over values of the chord of s ln s over [e^-epsilon, e^above]."""
    if not isinstance(promise, OneSidedInformationPrivacy) or math.isinf(promise.epsilon):
        return math.inf
    low, terms = math.exp(-promise.epsilon), []
    for share in (promise.shares[place] for place in promise.support):
        terms.append(share * (1 - (1 - share) * low) * promise.above(share))
        terms.append(-share * (1 - share) * low * promise.epsilon)
    return max(math.fsum(terms), 0.0) + math.fsum(map(abs, terms)) * (UP - 1)


def entropy(promise: UnderPrior) -> float:
    """The entropy of the prior in nats, rounded up."""
    return -math.fsum(share * math.log(share) for share in promise.shares if share) * UP

"""What any mechanism can do at best, and limits of the classical ones (public as ``dn.bounds``).

E = e^epsilon, M = E - 1, natural logarithms; risks are for n people drawn from p (iid), at the worst p. A result that
a docstring calls derived is not in the papers, or only as an order of magnitude.

>>> import deniable as dn
>>> round(dn.bounds.information(16, 1.0), 4)
0.1229
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import scipy

from deniable.checks import check_accuracy, check_distribution, check_size, check_users
from deniable.protocol.checks import check_epsilon, check_int, check_positive, shown
from deniable.protocol.errors import ParameterError
from deniable.theory.best_channel.binary import degradation, error_region
from deniable.theory.lower_bounds.assouad import (
    block_minimax,
    block_minimax_l2,
    block_order,
    channel_minimax,
    chi_square_contraction,
    high_low_contraction,
    high_low_minimax,
    high_low_minimax_l2,
    high_low_order,
    minimax_l1,
    minimax_l2,
)
from deniable.theory.lower_bounds.context import (
    block_l1,
    block_l2,
    block_sample_size,
    high_low_l1,
    high_low_l2,
    high_low_sample_size,
)
from deniable.theory.lower_bounds.effective import (
    effective_users,
    most_effective_users,
    rappor_effective_users,
    response_effective_users,
)
from deniable.theory.lower_bounds.limits import (
    convenient_l1,
    convenient_l2,
    large_epsilon_l1,
    large_epsilon_l2,
    order_l1,
    order_l2,
    rappor_limit_l1,
    rappor_limit_l2,
    response_limit_l1,
    response_limit_l2,
    small_epsilon_l1,
    small_epsilon_l2,
)
from deniable.theory.lower_bounds.van_trees import limit_l1, limit_l2, van_trees_l2
from deniable.theory.risk import information as informations
from deniable.theory.risk import support as risks
from deniable.theory.risk.support import Support
from deniable.theory.sizes import best_information_size, best_l2_size, best_share

__all__ = [
    "block_l1",
    "block_l2",
    "block_minimax",
    "block_minimax_l2",
    "block_order",
    "block_sample_size",
    "channel_minimax",
    "chi_square_contraction",
    "convenient_l1",
    "convenient_l2",
    "degradation",
    "effective_users",
    "error_region",
    "high_low_contraction",
    "high_low_l1",
    "high_low_l2",
    "high_low_minimax",
    "high_low_minimax_l2",
    "high_low_order",
    "high_low_sample_size",
    "hybrid_l2",
    "improvement",
    "information",
    "information_limit",
    "large_epsilon_l1",
    "large_epsilon_l2",
    "least_l2",
    "leverage",
    "limit_l1",
    "limit_l2",
    "minimax_l1",
    "minimax_l2",
    "most_effective_users",
    "negative_labels",
    "order_l1",
    "order_l2",
    "people_for_odds_ratio",
    "rappor_effective_users",
    "rappor_information",
    "rappor_limit_l1",
    "rappor_limit_l2",
    "response_beats_rappor",
    "response_effective_users",
    "response_limit_l1",
    "response_limit_l2",
    "sample_size",
    "small_epsilon_l1",
    "small_epsilon_l2",
    "van_trees_l2",
]
__dir__ = __all__.copy


def information(d: int, epsilon: float) -> float:
    """The most that any epsilon-LDP report tells about a uniform value, in nats: that of k*-subset (wang2016).

    >>> round(information(16, 1.0), 8)
    0.12288088
    """
    d, epsilon = check_size(d), check_epsilon(epsilon)
    return informations.subset(d, best_information_size(d, epsilon), epsilon)


def information_limit(epsilon: float) -> float:
    """A bound on ``information`` for any number of labels: ln(M/epsilon) + epsilon/M - 1, at most epsilon^2/8.

    It is the information of sets of the best real-valued size, and computed as that, without cancellation.

    >>> round(information_limit(1.0), 8)
    0.12330156
    """
    epsilon = check_epsilon(epsilon)
    return float(informations.by_share(np.array([best_share(epsilon)]), epsilon)[0])


def rappor_information(d: int, epsilon: float) -> float:
    """The most that k-RAPPOR tells, in nats: (1 - (S^(d-1) + S)/(S+1)^d) I_k*, S = e^(epsilon/2).

    wang2016, the end of eq. 8: reports with none or all of the labels tell nothing, the others at most I_k*. The paper
    prints 1/S where the probability of all labels has S, which weakens the bound but leaves it true.

    >>> rappor_information(2, 1.0) < information(2, 1.0)
    True
    """
    most, s = information(d, epsilon), Support.rappor(check_epsilon(epsilon))
    return (1 - s.g * s.h ** (d - 1) - s.miss * (1 - s.h) ** (d - 1)) * most


def least_l2(d: int, epsilon: float, n: int) -> float:
    """The squared error of k#-subset at the worst truth (ye2017, eq. 7), of any mechanism the least in the limit.

    ``limit_l2`` is n times this, ``minimax_l2`` what is proven for so many people.
    """
    d, epsilon = check_size(d), check_epsilon(epsilon)
    return risks.l2_worst(_best(d, epsilon), check_users(n), d)


def hybrid_l2(d: int, epsilon: float, shares: Mapping[int, float], n: int) -> float:
    """The squared error of subset reports whose size k is random, with the probabilities ``shares``: {k: probability}.

    Against the people's own shares. By wang2016, thm. 3.2, it is never below that of k#-subset, with sets of the one
    best size.

    >>> hybrid_l2(16, 1.0, {3: 0.5, 5: 0.5}, 10_000) > hybrid_l2(16, 1.0, {4: 1.0}, 10_000)
    True
    """
    d, epsilon = check_size(d), check_epsilon(epsilon)
    given = _check_shares(shares)
    sizes = [check_int("shares", k, 0, d) for k in given]
    chances = check_distribution("shares", list(given.values()), len(sizes))
    kinds = [Support.subset(d, k, epsilon) for k in sizes]
    g, h, gap, miss = (chances @ np.array([[s.g, s.h, s.gap, s.miss] for s in kinds])).tolist()
    if not gap > 0:
        raise ParameterError("shares must give a chance to some size from 1 to d - 1, got none")
    return risks.l2_sample(Support(g, h, gap, miss), check_users(n), d)


def sample_size(d: int, epsilon: float, accuracy: float) -> int:
    """People needed for a root mean squared error of ``accuracy`` in a label's share, averaged over the labels.

    For k#-subset at the worst truth. The squared error falls as 1/n, and the division is exact.

    >>> sample_size(16, 1.0, 0.01)
    32447
    """
    d, wanted = check_size(d), Fraction(check_accuracy(accuracy))
    return math.ceil(Fraction(least_l2(d, epsilon, 1)) / (d * wanted**2))


def people_for_odds_ratio(ratio: float, share: float, mechanism: Any, power: float = 0.8, label: int = 1) -> int:
    """People in each of two groups whose odds differ by ``ratio``, so that a test at 5% sees it this often.

    ``share`` of the first group hold a label, the second one unless told, of a mechanism with two; without a mechanism
    they answer openly. An answer counts by its Fisher information (numbers.md 5, regression.md 5).

    >>> import deniable as dn
    >>> coin = dn.RandomizedResponse(["no", "yes"], 1.0)
    >>> people_for_odds_ratio(2, 0.1, coin), people_for_odds_ratio(2, 0.1, None)
    (2442, 283)
    """
    times = check_positive("ratio", ratio)
    if times == 1:
        raise ParameterError("ratio must be another number than 1, got ratio=1")
    for name, value in (("share", share), ("power", power)):
        if not check_positive(name, value) < 1:
            raise ParameterError(f"{name} must be below 1, got {name}={value!r}")
    channel = np.eye(2) if mechanism is None else np.asarray(mechanism.channel().probabilities, np.float64)
    if len(channel) != 2:
        raise ParameterError(f"mechanism must have two labels, got {len(channel)}")
    place = check_int("label", label, 0, 1)
    own, other = channel[[place, 1 - place]][:, channel.any(axis=0)]

    def variance(p: float) -> float:
        return 1 / float(((own - other) ** 2 / (p * own + (1 - p) * other)).sum())

    first, second = share, times * share / (1 - share + times * share)
    z, z_power = -float(scipy.special.ndtri(0.025)), float(scipy.special.ndtri(power))
    at_test, at_power = math.sqrt(2 * variance((first + second) / 2)), math.sqrt(variance(first) + variance(second))
    return math.ceil(((z * at_test + z_power * at_power) / (first - second)) ** 2)


def improvement(d: int, epsilon: float) -> tuple[float, float]:
    """The l2 and asymptotic l1 risks of k#-subset, each divided by that of the better of k-RR and k-RAPPOR.

    For 3.8 < epsilon < ln(d/9) they are at most 0.5 and 0.7 (ye2017, prop. III.5).
    """
    d, epsilon = check_size(d), check_epsilon(epsilon)
    best = _worst(_best(d, epsilon), d)
    rivals = [_worst(s, d) for s in (Support.response(d, epsilon), Support.rappor(epsilon))]
    return best[0] / min(l2 for l2, _ in rivals), best[1] / min(l1 for _, l1 in rivals)


def response_beats_rappor(d: int, epsilon: float) -> bool:
    """Whether k-RR beats k-RAPPOR at every truth: from epsilon = ln(d/2) on (kairouz2016, prop. 5, prints ln d)."""
    return check_epsilon(epsilon) >= math.log(check_size(d) / 2)


def leverage(g: float, h: float) -> float:
    """(1 - h)/(g - h): a share beta of fake reports lifts one label's share by at most beta times this."""
    return risks.leverage(_check_odds(g, h))


def negative_labels(g: float, h: float, n: int, truth: Iterable[float]) -> float:
    """The expected number of labels whose unbiased estimate from n reports is below 0.

    A report supports its own label with probability ``g`` and any other with ``h``, as ``mechanism.support`` says. If
    all sets have one size, the estimates add up to 1; then the probability that other decoders differ from the unbiased
    one is at most this number. ye2017's remark III.2 calls it exponentially small; that takes many people per label.

    >>> round(negative_labels(0.5, 0.25, 1_000, [0.25] * 4), 6), negative_labels(0.5, 0.25, 1_000, [1.0, 0, 0, 0]) > 1
    (2.3e-05, True)
    """
    shares = _check_listed(truth)
    p = check_distribution("truth", shares, len(shares))
    return risks.negative_labels(_check_odds(g, h), check_users(n), p)


def _check_odds(g: float, h: float) -> Support:
    if not {type(g), type(h)} <= {int, float} or not 0 <= h < g <= 1:
        raise ParameterError(f"g and h must be probabilities with h below g, got g={shown(g)} and h={shown(h)}")
    return Support(g, h, g - h)


def _check_shares(shares: Any) -> Mapping[Any, Any]:
    if not isinstance(shares, Mapping) or not shares:
        raise ParameterError(f"shares must be a dictionary of chances by size, got {type(shares).__name__}")
    return shares


def _check_listed(truth: Any) -> list[Any]:
    if not isinstance(truth, Iterable):
        raise ParameterError(f"truth must be probabilities, one per label, got {type(truth).__name__}")
    return list(truth)


def _best(d: int, epsilon: float) -> Support:
    return Support.subset(d, best_l2_size(d, epsilon), epsilon)


def _worst(s: Support, d: int) -> tuple[float, float]:
    """The l2 risk and the limit of the l1 risk for one person at the uniform truth, where they are largest."""
    return risks.l2_worst(s, 1, d), d * risks.l1_asymptotic(s, 1, np.array([1 / d]))

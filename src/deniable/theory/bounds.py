"""What any mechanism can do at best, and what the classical ones do in their limits (public as ``dn.bounds``).

E = e^epsilon, M = E - 1, natural logarithms; risks are for n people drawn from p (iid), at the worst p.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from deniable.errors import ParameterError
from deniable.theory import support as risks
from deniable.theory.arguments import check_accuracy, check_epsilon, check_int, check_size, check_users
from deniable.theory.information import by_share, subset
from deniable.theory.sizes import best_information_size, best_l2_size, best_share
from deniable.theory.support import Support


def information(d: int, epsilon: float) -> float:
    """The most that any epsilon-LDP report says of a uniform value, in nats: that of k*-subset (wang2016).

    >>> round(information(16, 1.0), 8)
    0.12288088
    """
    d, epsilon = check_size(d), check_epsilon(epsilon)
    return subset(d, best_information_size(d, epsilon), epsilon)


def information_limit(epsilon: float) -> float:
    """The same for any number of labels: ln(M/epsilon) + epsilon/M - 1, which is at most epsilon^2/8.

    It is what sets of the best real-valued size would say, and computed as that: no digit cancels.

    >>> round(information_limit(1.0), 8)
    0.12330156
    """
    epsilon = check_epsilon(epsilon)
    return float(by_share(np.array([best_share(epsilon)]), epsilon)[0])


def least_l2(d: int, epsilon: float, n: int) -> float:
    """The least squared error of a known mechanism at the worst truth: that of k#-subset (ye2017, eq. 7)."""
    d, epsilon = check_size(d), check_epsilon(epsilon)
    return risks.l2_worst(_best(d, epsilon), check_users(n), d)


def sample_size(d: int, epsilon: float, accuracy: float) -> int:
    """People needed for a root mean squared error of ``accuracy`` in a label's share, averaged over the labels.

    For k#-subset at the worst truth. The error falls as 1/n, and the division is exact.

    >>> sample_size(16, 1.0, 0.01)
    32447
    """
    d, wanted = check_size(d), Fraction(check_accuracy(accuracy))
    return math.ceil(Fraction(least_l2(d, epsilon, 1)) / (d * wanted**2))


def high_low_sample_size(d: int, sensitive: int, epsilon: float, accuracy: float) -> int:
    """People who suffice for a mean total variation of ``accuracy`` with high-low Hadamard reports, at any truth.

    By Cauchy and Schwarz over the two kinds of labels E[dTV] <= (s r + sqrt((d-s) r)) / (2 sqrt(n)), r = (t+1)/(t-1):
    of acharya2019's order s^2/(accuracy eps)^2 + d/(accuracy^2 eps), against d^2/(accuracy eps)^2 without context.

    >>> high_low_sample_size(100, 30, 1.0, 0.1), block_sample_size([100], 1.0, 0.1)
    (149098, 1170674)
    """
    d, s, wanted = check_size(d), check_int("sensitive", sensitive, 1), check_accuracy(accuracy)
    if s > d:
        raise ParameterError(f"sensitive must be at most the {d} labels, got sensitive={s}")
    r = 1 / math.tanh(check_epsilon(epsilon) / 2)
    return math.ceil(((s * r + math.sqrt((d - s) * r)) / (2 * wanted)) ** 2)


def block_sample_size(sizes: Sequence[int], epsilon: float, accuracy: float) -> int:
    """The same with block Hadamard reports, for blocks of these sizes: E[dTV] <= r sqrt(sum k_j^2 / n) / 2."""
    squares = sum(check_int("sizes", size, 1) ** 2 for size in sizes)
    r = 1 / math.tanh(check_epsilon(epsilon) / 2)
    return math.ceil(r * r * squares / (2 * check_accuracy(accuracy)) ** 2)


def convenient_l2(d: int, epsilon: float, n: int) -> float:
    """ye2017, eq. 10, re-derived: what k-subset of size ceil(d/(E+1)) never exceeds."""
    d, e, excess, n = _check(d, epsilon, n)
    inner = 4 * d - 6 + e + 1 / e + (e + 1) / e * (1 / _spare(d, excess) + 1 / d)
    return e / (n * excess**2) * inner


def convenient_l1(d: int, epsilon: float, n: int) -> float:
    """ye2017, eq. 11, re-derived: the same for the expected absolute error of many people."""
    d, e, excess, n = _check(d, epsilon, n)
    least = 2 * (d - 1) / excess * math.sqrt(2 * e / (math.pi * n))
    return least * (1 + (e + 1) ** 2 / (8 * _spare(d, excess)))


def small_epsilon_l2(d: int, epsilon: float, n: int) -> float:
    """ye2017, eq. 12, for E << d: 4 d E/(n M^2)."""
    d, e, excess, n = _check(d, epsilon, n)
    return 4 * d * e / (n * excess**2)


def small_epsilon_l1(d: int, epsilon: float, n: int) -> float:
    """ye2017, eq. 12, for E << d: (d/M) sqrt(8 E/(pi n))."""
    d, e, excess, n = _check(d, epsilon, n)
    return d / excess * math.sqrt(8 * e / (math.pi * n))


def large_epsilon_l2(d: int, epsilon: float, n: int) -> float:
    """ye2017, eq. 13, for 1 << E << d: 4 d/(n E)."""
    d, e, _, n = _check(d, epsilon, n)
    return 4 * d / (n * e)


def large_epsilon_l1(d: int, epsilon: float, n: int) -> float:
    """ye2017, eq. 13, for 1 << E << d: d sqrt(8/(pi n E))."""
    d, e, _, n = _check(d, epsilon, n)
    return d * math.sqrt(8 / (math.pi * n * e))


def response_limit_l2(d: int, epsilon: float, n: int) -> float:
    """ye2017, prop. III.4: k-RR tends to d^2/(n E^2) for 1 << E << d."""
    d, e, _, n = _check(d, epsilon, n)
    return d**2 / (n * e**2)


def rappor_limit_l2(d: int, epsilon: float, n: int) -> float:
    """ye2017, prop. III.4: k-RAPPOR tends to d/(n sqrt E) for 1 << E << d."""
    d, e, _, n = _check(d, epsilon, n)
    return d / (n * math.sqrt(e))


def response_limit_l1(d: int, epsilon: float, n: int) -> float:
    """ye2017, prop. III.4: (d^1.5/E) sqrt(2/(pi n))."""
    d, e, _, n = _check(d, epsilon, n)
    return d * math.sqrt(d) / e * math.sqrt(2 / (math.pi * n))


def rappor_limit_l1(d: int, epsilon: float, n: int) -> float:
    """ye2017, prop. III.4: d sqrt(2/(pi n sqrt E))."""
    d, e, _, n = _check(d, epsilon, n)
    return d * math.sqrt(2 / (math.pi * n * math.sqrt(e)))


def improvement(d: int, epsilon: float) -> tuple[float, float]:
    """The l2 and asymptotic l1 risks of k#-subset over those of the better of k-RR and k-RAPPOR.

    For 3.8 < epsilon < ln(d/9) they are at most 0.5 and 0.7 (ye2017, prop. III.5).
    """
    d, epsilon = check_size(d), check_epsilon(epsilon)
    best = _worst(_best(d, epsilon), d)
    rivals = [_worst(s, d) for s in (Support.response(d, epsilon), Support.rappor(epsilon))]
    return best[0] / min(l2 for l2, _ in rivals), best[1] / min(l1 for _, l1 in rivals)


def order_l2(d: int, epsilon: float, n: int) -> float:
    """ye2017, thm. IV.1: no mechanism's l2 risk is of lower order than d E/(n M^2), for E << d; the order alone."""
    return small_epsilon_l2(d, epsilon, n) / 4


def order_l1(d: int, epsilon: float, n: int) -> float:
    """ye2017, thm. IV.1: no mechanism's l1 risk is of lower order than (d/M) sqrt(E/n), for E << d; the order alone."""
    d, e, excess, n = _check(d, epsilon, n)
    return d / excess * math.sqrt(e / n)


def response_beats_rappor(d: int, epsilon: float) -> bool:
    """kairouz2016, prop. 5: from epsilon = ln(d/2) on k-RR beats k-RAPPOR at every truth (they print ln d)."""
    return check_epsilon(epsilon) >= math.log(check_size(d) / 2)


def leverage(g: float, h: float) -> float:
    """(1 - h)/(g - h): a share beta of fake reports lifts one label's share by at most beta times this."""
    if not {type(g), type(h)} <= {int, float} or not 0 <= h < g <= 1:
        raise ParameterError("g and h must be probabilities with h below g, got others")
    return risks.leverage(Support(g, h, g - h))


def _check(d: int, epsilon: float, n: int) -> tuple[int, float, float, int]:
    """The arguments, with epsilon as E and M."""
    level = check_epsilon(epsilon)
    return check_size(d), math.exp(level), math.expm1(level), check_users(n)


def _spare(d: int, excess: float) -> float:
    """The term dE - E - 1 of ye2017's bounds, above 0 for every d and epsilon."""
    return d * excess + d - excess - 2


def _best(d: int, epsilon: float) -> Support:
    return Support.subset(d, best_l2_size(d, epsilon), epsilon)


def _worst(s: Support, d: int) -> tuple[float, float]:
    """The risks at the uniform truth for one person, l1 by its limit: they are worst there."""
    return risks.l2_worst(s, 1, d), d * risks.l1_asymptotic(s, 1, np.array([1 / d]))

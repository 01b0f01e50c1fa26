"""What any mechanism can do at best, and what the classical ones do in their limits (public as ``dn.bounds``).

E = e^epsilon, M = E - 1, natural logarithms; risks are for n people drawn from p (iid), at the worst p.
"""

from __future__ import annotations

import math

from deniable.theory import support as risks
from deniable.theory.arguments import check_accuracy, check_epsilon, check_size, check_users
from deniable.theory.information import subset
from deniable.theory.sizes import best_information_size, best_l2_size


def information(d: int, epsilon: float) -> float:
    """The most that any epsilon-LDP report says of a uniform value, in nats: that of k*-subset (wang2016).

    >>> round(information(16, 1.0), 8)
    0.12288088
    """
    d, epsilon = check_size(d), check_epsilon(epsilon)
    return subset(d, best_information_size(d, epsilon), epsilon)


def information_limit(epsilon: float) -> float:
    """The same for any number of labels: ln(M/epsilon) + epsilon/M - 1, which is below epsilon^2/8.

    >>> round(information_limit(1.0), 8)
    0.12330156
    """
    epsilon = check_epsilon(epsilon)
    if epsilon < 1e-2:  # the terms cancel; cumulants of the uniform law on [0, 1] give the series
        return epsilon**2 / 8 - epsilon**4 / 576
    excess = math.expm1(epsilon)
    return math.log(excess / epsilon) + epsilon / excess - 1


def least_l2(d: int, epsilon: float, n: int) -> float:
    """The least squared error of a known mechanism at the worst truth: that of k#-subset (ye2017, eq. 7)."""
    d, epsilon, n = check_size(d), check_epsilon(epsilon), check_users(n)
    k = best_l2_size(d, epsilon)
    excess = math.expm1(epsilon)
    return (d - 1) ** 2 * (k * excess + d) ** 2 / (n * d * k * (d - k) * excess**2)


def sample_size(d: int, epsilon: float, accuracy: float) -> int:
    """People needed for a root mean squared error of ``accuracy`` in a label's share, averaged over the labels.

    >>> sample_size(16, 1.0, 0.01)
    32447
    """
    accuracy = check_accuracy(accuracy)
    return math.ceil(least_l2(d, epsilon, 1) / check_size(d) / accuracy**2)


def convenient_l2(d: int, epsilon: float, n: int) -> float:
    """ye2017, eq. 10, re-derived: what k-subset of size ceil(d/(E+1)) stays below, where dE > E + 1."""
    e, excess = _powers(d, epsilon)
    inner = 4 * d - 6 + e + 1 / e + (e + 1) / (e * (d * e - e - 1)) + (e + 1) / (e * d)
    return e / (check_users(n) * excess**2) * inner


def convenient_l1(d: int, epsilon: float, n: int) -> float:
    """ye2017, eq. 11, re-derived: the same for the expected absolute error."""
    e, excess = _powers(d, epsilon)
    return (
        2
        * (d - 1)
        / excess
        * math.sqrt(2 * e / (math.pi * check_users(n)))
        * (1 + (e + 1) ** 2 / (8 * (d * e - e - 1)))
    )


def small_epsilon_l2(d: int, epsilon: float, n: int) -> float:
    """ye2017, eq. 12, for E << d: 4 d E/(n M^2)."""
    e, excess = _powers(d, epsilon)
    return 4 * d * e / (check_users(n) * excess**2)


def small_epsilon_l1(d: int, epsilon: float, n: int) -> float:
    """ye2017, eq. 12, for E << d: (d/M) sqrt(8 E/(pi n))."""
    e, excess = _powers(d, epsilon)
    return d / excess * math.sqrt(8 * e / (math.pi * check_users(n)))


def large_epsilon_l2(d: int, epsilon: float, n: int) -> float:
    """ye2017, eq. 13, for 1 << E << d: 4 d/(n E)."""
    return 4 * d / (check_users(n) * _powers(d, epsilon)[0])


def large_epsilon_l1(d: int, epsilon: float, n: int) -> float:
    """ye2017, eq. 13, for 1 << E << d: d sqrt(8/(pi n E))."""
    return d * math.sqrt(8 / (math.pi * check_users(n) * _powers(d, epsilon)[0]))


def response_limit_l2(d: int, epsilon: float, n: int) -> float:
    """ye2017, prop. III.4: k-RR tends to d^2/(n E^2) for 1 << E << d."""
    e, _ = _powers(d, epsilon)
    return d * d / (check_users(n) * e * e)


def rappor_limit_l2(d: int, epsilon: float, n: int) -> float:
    """ye2017, prop. III.4: k-RAPPOR tends to d/(n sqrt E) for 1 << E << d."""
    return d / (check_users(n) * math.sqrt(_powers(d, epsilon)[0]))


def response_limit_l1(d: int, epsilon: float, n: int) -> float:
    """ye2017, prop. III.4: (d^1.5/E) sqrt(2/(pi n))."""
    return d * math.sqrt(d) / _powers(d, epsilon)[0] * math.sqrt(2 / (math.pi * check_users(n)))


def rappor_limit_l1(d: int, epsilon: float, n: int) -> float:
    """ye2017, prop. III.4: d sqrt(2/(pi n sqrt E))."""
    return d * math.sqrt(2 / (math.pi * check_users(n) * math.sqrt(_powers(d, epsilon)[0])))


def order_l2(d: int, epsilon: float, n: int) -> float:
    """ye2017, thm. IV.1: no mechanism's l2 risk is of lower order than d E/(n M^2), for E << d; the order alone."""
    return small_epsilon_l2(d, epsilon, n) / 4


def order_l1(d: int, epsilon: float, n: int) -> float:
    """ye2017, thm. IV.1: no mechanism's l1 risk is of lower order than (d/M) sqrt(E/n), for E << d; the order alone."""
    e, excess = _powers(d, epsilon)
    return d / excess * math.sqrt(e / check_users(n))


def response_beats_rappor(d: int, epsilon: float) -> bool:
    """kairouz2016, prop. 5: from epsilon = ln(d/2) on k-RR has less l2 risk than k-RAPPOR (they print ln d)."""
    return check_epsilon(epsilon) >= math.log(check_size(d) / 2)


def leverage(g: float, h: float) -> float:
    """(1 - h)/(g - h): a share beta of fake reports lifts one label's share by at most beta times this."""
    return risks.leverage(risks.Support(g, h, g - h))


def _powers(d: int, epsilon: float) -> tuple[float, float]:
    check_size(d)
    level = check_epsilon(epsilon)
    return math.exp(level), math.expm1(level)

"""Levels, beliefs and crowds from curves, each rounded to the safe side: what is returned was itself certified."""

from __future__ import annotations

import math
from collections.abc import Callable

from deniable.theory.crowd.curves import Curve

CLOSE = 1e-6
"""How near a result comes to the best one that can be certified, relatively."""
ROUGHLY = 1e-4
MOST_STEPS, SECTIONS = 60, 14
STEEP = 25.0
"""About how many times faster than the level delta falls, relatively: the square of five deviations."""
TINY = 1e-300


def least_level(curve: Curve, delta: float) -> float:
    """The least level that is certified with ``delta``: at most what each report promises by itself."""
    if curve.delta_within(0.0, delta):
        return 0.0
    level = _root(curve.delta, delta, rough_level(curve, delta), curve.most, CLOSE)
    return min(level, curve.most)


def rough_level(curve: Curve, delta: float) -> float:
    """About ``least_level``, quicker: to find where to look. It certifies nothing."""
    return _root(curve.rough, delta, math.log1p(5 * curve.guess), curve.most, ROUGHLY)


def _root(bound: Callable[[float], float], delta: float, start: float, most: float, close: float) -> float:
    """A level at which the bound is at most delta, hardly above the least one; ``most`` if none is below it.

    ln delta falls about as -level^2/2, so that steps are taken in the square of the level.
    """
    low, high, level = 0.0, most, min(start, most * (1 - close))
    known: list[tuple[float, float]] = []
    for _ in range(MOST_STEPS):
        off = math.log(max(bound(level), TINY) / delta)
        low, high = (level, high) if off > 0 else (low, level)
        if high - low <= close * high or -close * STEEP < off <= 0:
            break
        known.append((level * level, off))
        level = _next(known, low, high, close)
    return high


def _next(known: list[tuple[float, float]], low: float, high: float, close: float) -> float:
    """The next level to try: where the line through the last two (level^2, ln(bound/delta)) is about 0, or halfway."""
    last, off = known[-1]
    earlier, earlier_off = known[-2] if len(known) > 1 else (0.0, STEEP / 2 + off)
    slope = (off - earlier_off) / (last - earlier) if last != earlier else 0.0
    target = last - (off + close * STEEP / 2) / slope if slope < 0 else -1.0
    level = math.sqrt(max(target, 0.0))
    return level if low < level < high else (low + high) / 2


def belief(curve: Curve, chance: float) -> float:
    """The least x for which the odds of two answers move by more than e^x with at most this chance.

    (eps, delta) does not say that odds stay within e^eps but for delta; the chance that they do not is at most
    delta(e)/(1 - e^(e - x)) for every e < x, and so x may be e - ln(1 - delta(e)/chance) for any e.
    """

    def bound_from(level: float, bound: Callable[[float], float] = curve.rough) -> float:
        share = bound(level) / chance
        return min(curve.most, level - math.log1p(-share)) if share < 1 else curve.most

    low = rough_level(curve, chance)
    if low == curve.most:
        return low
    best = _least(bound_from, low, min(max(3 * low, 8 * curve.guess), curve.most))
    return min(curve.most, bound_from(best, curve.delta) * (1 + 2.0**-50))


def _least(value: Callable[[float], float], low: float, high: float) -> float:
    """Where a function is least, about, by golden sections."""
    ratio = (math.sqrt(5) - 1) / 2
    left, right = high - ratio * (high - low), low + ratio * (high - low)
    at_left, at_right = value(left), value(right)
    for _ in range(SECTIONS):
        if at_left <= at_right:
            high, right, at_right = right, left, at_left
            left = high - ratio * (high - low)
            at_left = value(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + ratio * (high - low)
            at_right = value(right)
    return left if at_left <= at_right else right


def least_people(of: Callable[[int], Curve], level: float, delta: float, most: int) -> int | None:
    """The smallest crowd in which a level is certified with ``delta``; None if not even one of ``most`` is enough.

    Bounds fall as crowds grow. Quick ones tell about where it is, certified ones where exactly.
    """

    def certified(people: int) -> bool:
        return of(people).delta_within(level, delta)

    near = _first(lambda people: level >= of(people).most or of(people).rough(level) <= delta, 0, 1, most)
    step = 1 + near // 1000
    low, high = (near - step, near) if certified(near) else (near, min(near + step, most))
    while low > 0 and certified(low):
        low, high, step = low - 2 * step, low, 2 * step
    while not certified(high):
        if high == most:
            return None
        low, high, step = high, min(high + 2 * step, most), 2 * step
    return _first(certified, max(low, 0), high, most)


def _first(holds: Callable[[int], bool], low: int, high: int, most: int) -> int:
    """The first number above ``low`` for which something holds, from which on it does; ``most`` if it is none below."""
    while high < most and not holds(high):
        low, high = high, min(2 * high, most)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high

"""What lists hold together: the share of people with both of two labels, and how long lists are.

Each estimate is a sum over kinds of reports, so its error and its interval are those of a linear estimator.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.polynomial.polynomial import polymul, polypow

from deniable.arrays import Column, Counts, Matrix, Vector
from deniable.estimation.decoders import Decoded
from deniable.estimation.estimate import Estimate, Origin
from deniable.estimation.evidence import LinearEvidence
from deniable.estimation.simplex import project
from deniable.mechanisms.lists.asked_items import AskedItems
from deniable.mechanisms.lists.item_response import ItemResponse
from deniable.mechanisms.lists.private_set import PrivateSet
from deniable.mechanisms.mechanism import Mechanism, check_tally
from deniable.mechanisms.repeat.remembered import one_round
from deniable.protocol.errors import ParameterError
from deniable.reports.tally import Tally


def both_held(mechanism: Mechanism, found: Any, first: Hashable, second: Hashable) -> Estimate:
    """The estimated share of people whose lists hold both labels.

    ``found`` are reports. For AskedItems they may be a tally, and both labels must be asked together: ``together`` is
    at least 2, and they are no further apart. A PrivateSet needs a size of at least 2, and lists of up to ``most``.

    >>> import deniable as dn
    >>> m = dn.ItemResponse(["tea", "milk", "sugar"], 4.0)
    >>> reports = m.privatize_many([["tea", "milk"]] * 600 + [["tea"]] * 400, seed=1)
    >>> dn.both_held(m, reports, "tea", "milk").frequencies.round(1).tolist()
    [0.6]
    """
    drawn = one_round(mechanism)
    if not isinstance(drawn, AskedItems | ItemResponse | PrivateSet):
        raise ParameterError(f"mechanism must be one of lists, such as AskedItems, got {type(drawn).__name__}")
    places = [drawn.domain.labels.index(label) for label in (first, second)]
    if places[0] == places[1]:
        raise ParameterError("first and second must be two labels, got one twice")
    counts, scores = _pair(drawn, check_tally(mechanism, found) if isinstance(found, Tally) else found, places)
    return _estimate(mechanism, [(first, second)], counts, scores[None, :], adds_up=False)


def list_lengths(mechanism: Mechanism, reports: Any) -> Estimate:
    """The estimated shares of lists of 0, 1, 2 ... labels, from reports of ItemResponse.

    The error multiplies with every label: for more than a dozen labels, ask some people how many they hold instead.

    >>> import deniable as dn
    >>> m = dn.ItemResponse(3, 6.0)
    >>> dn.list_lengths(m, m.privatize_many([[0, 1]] * 500 + [[]] * 500, seed=1)).frequencies.round(1).tolist()
    [0.5, 0.0, 0.5, 0.0]
    """
    drawn = one_round(mechanism)
    if not isinstance(drawn, ItemResponse):
        raise ParameterError(f"mechanism must be an ItemResponse, got {type(drawn).__name__}")
    d, (yes, no) = drawn.layout.symbols, _scores(drawn)
    lengths = _bits(drawn, reports, list(range(d))).sum(axis=1)
    # P(s) = [t^s] of the mean of (1 + (t - 1) yes)^y (1 + (t - 1) no)^(d - y) over reports of y ones
    inverse = np.array([_power([1 - yes, yes], y, [1 - no, no], d - y) for y in range(d + 1)]).T
    return _estimate(mechanism, range(d + 1), np.bincount(lengths, minlength=d + 1), inverse, adds_up=True)


def _pair(m: AskedItems | ItemResponse | PrivateSet, found: Any, places: list[int]) -> tuple[Counts, Vector]:
    """How many reports there are of each kind, and what each adds to the estimate, times their number."""
    if isinstance(m, AskedItems):
        tally = found if isinstance(found, Tally) else m.tally(found)
        return _asked_pair(m, tally.counts, places)
    counts = np.bincount(_bits(m, found, places) @ np.array([1, 2]), minlength=4)
    if isinstance(m, PrivateSet):
        return counts, _set_scores(m)
    yes, no = _scores(m)
    return counts, np.array([no * no, yes * no, yes * no, yes * yes])


def _asked_pair(m: AskedItems, counts: Counts, places: list[int]) -> tuple[Counts, Vector]:
    """Of those who were asked for both: how many did not say yes twice, and how many did.

    Randomized response over 2^b patterns shows a given answer to two labels with h = (1 - c)/4, or g = h + c.
    """
    by_window = counts.reshape(m.layout.outputs >> m.together, -1)
    patterns, d, totals = np.arange(by_window.shape[1]), len(m.domain.labels), np.zeros(2, np.int64)
    for window, row in enumerate(by_window):
        bits = [(place - window) % d for place in places]
        if max(bits) < m.together:
            both = (patterns >> bits[0]) & (patterns >> bits[1]) & 1 == 1
            totals += [row[~both].sum(), row[both].sum()]
    if not totals.sum():
        raise ParameterError("first and second must be labels that somebody was asked together, got nobody")
    c = m.law.support.gap
    return totals, np.array([-(1 - c) / 4, 1 - (1 - c) / 4]) / c


def _set_scores(m: PrivateSet) -> Vector:
    """What a set adds to the share of both labels, by which of them it holds: neither, the first, the second or both.

    The share of both is that of each label less that of "one or the other", which a set with both supports.
    """
    k, places, odds, g = m.size, m.layout.symbols, m.odds, m.law.exact_support[0]
    if k < 2:
        raise ParameterError(f"a PrivateSet must have a size of at least 2 to tell pairs, got size={k}")
    alike = Fraction(k * odds.above, places) / g  # A times how probable it is that a set is kept
    # that a uniform set holds both labels, and nothing of a list without them
    apart = Fraction(math.comb(places - 2 - m.most, k - 2), math.comb(places, k))
    gap = (odds.above - odds.below) * apart / alike
    either, neither = _of_support(g * (k - 1) / (places - 1), gap)
    yes, no = _scores(m)
    return np.array([2 * no - neither, yes + no - neither, yes + no - neither, 2 * yes - either])


def _scores(m: ItemResponse | PrivateSet) -> tuple[float, float]:
    """What a yes and a no add to the estimate of one label."""
    g, h = m.law.exact_support
    return _of_support(g, g - h)


def _of_support(g: Fraction, gap: Fraction) -> tuple[float, float]:
    """What a report adds that supports something, and one that does not: (1 - h)/gap and -h/gap, h being g - gap."""
    return float((1 - g + gap) / gap), float((gap - g) / gap)


def _bits(m: ItemResponse | PrivateSet, reports: Any, places: list[int]) -> Column:
    """Some bits of each report."""
    if isinstance(reports, Tally):
        raise ParameterError("found must be reports, got a tally, which does not say which bits came together")
    checked = m.layout.check(reports)
    if not len(checked):
        raise ParameterError("found must hold at least one report, got none")
    return np.unpackbits(checked, axis=1, count=m.layout.symbols, bitorder="little")[:, places].astype(np.int64)


def _power(first: list[float], n: int, second: list[float], m: int) -> Vector:
    """The coefficients of the polynomial first^n second^m."""
    product = polymul(polypow(first, n), polypow(second, m))
    return np.asarray(product, np.float64)


def _estimate(m: Mechanism, labels: Sequence[Hashable], counts: Counts, inverse: Matrix, adds_up: bool) -> Estimate:
    """The estimate of shares from counts of kinds of reports; ``inverse`` [labels, kinds] is what each kind adds."""
    evidence = LinearEvidence(int(counts.sum()), counts, inverse)
    unbiased = evidence.unbiased()
    shares = project(unbiased) if adds_up else np.clip(unbiased, 0, 1)
    return Estimate(labels, Decoded(shares, unbiased, "projected", evidence), Origin(m.spec_bytes, repr(m), adds_up))

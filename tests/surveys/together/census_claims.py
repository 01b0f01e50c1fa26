"""Every interval that a census's results show, beside the truth that it names.

A claim is an interval, or several that hold at once. It is missed where the truth lies outside; and so it is seen
whether one of the same form would be that is far too short, by which a test shows that it would see such a fault.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any, Final, NamedTuple

import numpy as np
from scipy import stats

import deniable as dn
from deniable.arrays import Counts, Matrix, Vector
from deniable.estimation.estimate import Estimate
from deniable.estimation.finding import Significance
from deniable.estimation.numbers.distribution import Distribution
from deniable.estimation.numbers.number_difference import MEAN, NumberDifference
from deniable.estimation.scales.scale_estimate import ScaleDifference, ScaleEstimate
from deniable.theory.contrasts import rank_ranges

LEVEL: Final = 0.95
ALPHA: Final = 1e-9
"""Some 600 counts are compared with their quantiles."""
SHORT: Final = 0.02
"""A faulty interval is so much of a right one."""
ROUNDING: Final = 1e-9
QUANTILES: Final = (0.25, 0.5, 0.75)
ENDLESS: Final = 1e6


class Claim(NamedTuple):
    """What is claimed by its name, and whether it is false: as it is, and if its interval were far too short."""

    reading: str
    is_missed: bool
    is_missed_if_short: bool


def interval(reading: str, truth: Any, bounds: Any) -> Claim:
    """That the truth lies within bounds, or that all of several do."""
    right = np.clip(np.asarray(bounds, np.float64), -ENDLESS, ENDLESS)
    return Claim(reading, _misses(truth, right), _misses(truth, shortened(right)))


def shortened(bounds: Matrix) -> Matrix:
    """Bounds that are far too near to each other."""
    middle = bounds.mean(axis=-1, keepdims=True)
    return np.asarray(middle + SHORT * (bounds - middle), np.float64)


def _misses(truth: Any, bounds: Matrix) -> bool:
    return bool(((bounds[..., 0] - ROUNDING > truth) | (truth > bounds[..., 1] + ROUNDING)).any())


def _test(reading: str, found: Significance) -> Claim:
    """That a hypothesis need not be rejected which is true."""
    deviate = float(stats.norm.isf(found.p_value / 2))
    return Claim(reading, found.p_value < 1 - LEVEL, bool(2 * stats.norm.sf(deviate / SHORT) < 1 - LEVEL))


def _of_ranks(one: Estimate, truth: Vector) -> Claim:
    """That every label has one of the ranks that it may have; the fault is to count short ones from the smallest."""
    ranks, bounds = np.array([(truth >= each).sum() for each in truth]), one.ranks(LEVEL).bounds
    right, wrong = (rank_ranges(each).astype(np.float64) for each in (bounds, -shortened(bounds)[:, ::-1]))
    return Claim("ranks", _misses(ranks, right), _misses(ranks, wrong))


def answers(question: Any) -> list[Any]:
    """The answers that people may give, the ends first and last."""
    if isinstance(question, dn.Number):
        return [0, 3, 9, 15]
    return [["a"], ["a", "b"], ["c"], []] if isinstance(question, dn.AnyOf) else list(question.labels)


class Pair(NamedTuple):
    """The results of two surveys, and how many of the people gave which answer."""

    question: Any
    one: Any
    two: Any
    first: Counts
    second: Counts

    def shares(self, people: Counts) -> Vector:
        """The true share of each label."""
        given = answers(self.question)
        held = [[label in each if isinstance(each, list) else label == each for each in given] for label in self.labels]
        return np.asarray(np.array(held, np.float64) @ people / people.sum())

    @property
    def labels(self) -> list[Any]:
        return list(self.question.labels)

    def numbers(self, people: Counts) -> Vector:
        """Everybody's number, or place on the scale, in order."""
        given = answers(self.question) if isinstance(self.question, dn.Number) else range(1, len(self.labels) + 1)
        return np.repeat(np.array(given, np.float64), people)


def claims_of(pair: Pair) -> Iterator[Claim]:
    """Everything that is claimed of a question."""
    if isinstance(pair.one, Distribution):
        known = [each.reports.mean is not None or each.reports.ranges is not None for each in (pair.one, pair.two)]
        yield from _of_numbers(pair, pair.one, pair.two) if all(known) else ()
        return
    yield from _of_shares(pair, pair.one, pair.two)
    if isinstance(pair.one, ScaleEstimate):
        yield from _of_means(pair, pair.one, pair.two)


def _of_shares(pair: Pair, one: Estimate, two: Estimate) -> Iterator[Claim]:
    truth, later = pair.shares(pair.first), pair.shares(pair.second)
    yield from _each("share", truth, one.interval(LEVEL))
    yield interval("shares at once", truth, one.interval(LEVEL, simultaneous=True))
    found = one.difference(two)
    yield from _each("difference", later - truth, found.interval(LEVEL))
    yield interval("differences at once", later - truth, found.interval(LEVEL, simultaneous=True))
    if np.array_equal(truth, later):
        yield _test("test of differences", found.test)
    for other in {1, len(truth) - 1}:
        told = one.compare(pair.labels[0], pair.labels[other], LEVEL)
        yield interval("comparison of labels", truth[0] - truth[other], (told.low, told.high))
    if len(np.unique(truth)) == len(truth):
        yield _of_ranks(one, truth)
    if np.isfinite([one.stderr, two.stderr]).all():
        yield from _of_groups(pair, one, two)


def _of_groups(pair: Pair, one: Estimate, two: Estimate) -> Iterator[Claim]:
    """Of both surveys as two groups that are weighed."""
    truth, later = pair.shares(pair.first), pair.shares(pair.second)
    whole, weighed = 0.3 * truth + 0.7 * later, dn.stratified([one, two], [0.3, 0.7])
    yield from _each("weighed groups", whole, weighed.interval(LEVEL))
    told = weighed.compare(pair.labels[0], pair.labels[-1], LEVEL)
    yield interval("comparison in weighed groups", whole[0] - whole[-1], (told.low, told.high))


def _each(reading: str, truth: Vector, bounds: Matrix) -> Iterator[Claim]:
    """Of the answers at both ends each by itself."""
    yield from (
        interval(f"{reading} of the {which}", truth[end], bounds[end]) for which, end in (("first", 0), ("last", -1))
    )


def _of_means(pair: Pair, one: ScaleEstimate, two: ScaleEstimate) -> Iterator[Claim]:
    truth, later = pair.numbers(pair.first).mean(), pair.numbers(pair.second).mean()
    found = one.difference(two)
    assert isinstance(found, ScaleDifference)
    yield interval("mean on the scale", truth, one.mean.interval(LEVEL))
    yield interval("difference of means on the scale", later - truth, found.mean.interval(LEVEL))
    if truth == later:
        yield _test("test of means on the scale", found.mean_test)


def _of_numbers(pair: Pair, one: Distribution, two: Distribution) -> Iterator[Claim]:
    told, later = pair.numbers(pair.first), pair.numbers(pair.second)
    found = one.difference(two)
    assert isinstance(found, NumberDifference)
    yield interval("mean of numbers", told.mean(), one.mean.interval(LEVEL))
    for each in found.quantities:
        if each.name == MEAN:
            yield interval(
                "difference of means of numbers", later.mean() - told.mean(), each.difference.interval(LEVEL)
            )
    if one.reports.squares is not None:
        yield interval("spread", told.std(), one.spread.interval(LEVEL))
    if one.reports.ranges is not None and two.reports.ranges is not None:
        yield from _of_ranges(one, told)
        for share in QUANTILES:
            more = two.quantile(share).minus(one.quantile(share))
            yield interval("difference of quantiles", _quantile(later, share) - _quantile(told, share), more.interval())


def _of_ranges(one: Distribution, told: Vector) -> Iterator[Claim]:
    for place in (0, 7, 14):
        yield interval("share up to a number", (told <= place).mean(), one.cdf(place).interval(LEVEL))
    yield interval("share of a range", ((told >= 3) & (told <= 9)).mean(), one.share(3, 9).interval(LEVEL))
    for share in QUANTILES:
        yield interval("quantile", _quantile(told, share), one.quantile(share).interval(LEVEL))
    band = one.band(LEVEL)
    truth = np.array([(told <= place).mean() for place in band.x.tolist()])
    yield interval("band", truth, np.stack([band.low, band.high], axis=1))
    bins = [((told > low) & (told < high)).mean() for low, high in pairwise(one.edges.tolist())]
    yield from _each("bin", np.array(bins), one.interval(LEVEL))


def _quantile(told: Vector, share: float) -> float:
    return float(told[math.ceil(share * len(told)) - 1])


def counts_of(made: Iterable[Claim]) -> tuple[Counter[str], Counter[str], Counter[str]]:
    """How many claims there are of each reading, how many are false, and how many if intervals are far too short."""
    claims, false, false_if_short = Counter[str](), Counter[str](), Counter[str]()
    for claim in made:
        claims[claim.reading] += 1
        false[claim.reading] += claim.is_missed
        false_if_short[claim.reading] += claim.is_missed_if_short
    return claims, false, false_if_short


def too_often(false: Counter[str], claims: Counter[str]) -> set[str]:
    """The readings that miss more often than chance explains."""
    return {each for each in claims if false[each] > stats.binom.isf(ALPHA, claims[each], 1 - LEVEL)}

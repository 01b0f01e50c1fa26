"""Shares among the N people of a census, of whom some drawn by lot or all told: errors, intervals, and a planted fault.

Where reports are counted by support, the law of a count is added up with SciPy: how many of those who told hold the
label is hypergeometric, and each reports by itself. So coverage is exact, not simulated. All else is simulated with
fixed seeds; chance alone makes all these tests together fail less than once in a million.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from functools import cache
from itertools import product
from typing import NamedTuple

import numpy as np
import pytest
import scipy
from scipy import stats
from tests.lengths import by_length

import deniable as dn
from deniable.arrays import Counts, Matrix, Vector
from deniable.estimation import hypergeometric
from deniable.estimation.census import FEW, SAMPLE_ERROR_NOTE, narrowed_bounds, spread_of_shares
from deniable.estimation.census_evidence import NARROWED, CensusEvidence, evidence_among
from deniable.estimation.difference import Difference
from deniable.estimation.evidence import Evidence, JoinedEvidence, LinearEvidence, SupportEvidence
from deniable.estimation.hypergeometric import MOST_TOLD, holders_among
from deniable.estimation.lists_evidence import AskedEvidence
from deniable.estimation.sources import CombinedEvidence, SingleSource, less_spread
from deniable.mechanisms.mechanism import Mechanism
from deniable.theory.risk.support import Support, variance_population, variance_sample

SIZES, PARTS = (20, 120, 1000), (0.5, 0.9, 1.0)
YES_NO = ["yes", "no"]
COUNTED: dict[str, Mechanism] = {
    "response 1": dn.RandomizedResponse(YES_NO, 1.0),
    "response 4": dn.RandomizedResponse(YES_NO, 4.0),
    "unary 1": dn.OptimizedUnary(6, 1.0),
    "subset 2": dn.Subset(8, 2.0),
}
ALPHA = 1e-8
"""How often chance alone makes one of fewer than a hundred simulated comparisons fail."""
SURVEYS = by_length(100, 1000)
GRID = list(product(COUNTED, SIZES, PARTS))
SOME = by_length([case for k, case in enumerate(GRID) if case[1] < 1000 or k % 4 == 3], GRID)
"""The laws of a thousand people take a second each: `make test` looks at three mechanisms, each with other parts."""


def support_of(m: Mechanism) -> Support:
    evidence = m.law.evidence(10, m.draw_tally(np.eye(m.law.labels, dtype=np.int64)[0] * 10, _generator(0)).counts)
    assert isinstance(evidence, SupportEvidence)
    return evidence.support


def _generator(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


@cache
def laws(size: int, told: int, support: Support) -> Matrix:
    """The chance of every count [some holders, told + 1]."""
    counts, holders = np.arange(told + 1), some_holders(size)
    reports = [
        np.convolve(
            stats.binom.pmf(counts[: x + 1], x, support.g), stats.binom.pmf(counts[: told - x + 1], told - x, support.h)
        )
        for x in counts.tolist()
    ]
    return np.array([stats.hypergeom(size, k, told).pmf(counts) for k in holders.tolist()]) @ np.array(reports)


def some_holders(size: int) -> Counts:
    """All numbers of holders of few people; of many, small ones, those about the middle, and the ends."""
    return (
        np.arange(size + 1)
        if size <= 120
        else np.array([0, 1, 2, 5, 10, 20, 50, 130, 333, 500, 501, 820, 970, 999, 1000])
    )


@pytest.mark.parametrize(("name", "size", "part"), SOME)
def test_counted_intervals_hold_exactly(name: str, size: int, part: float) -> None:
    support, told, holders = support_of(COUNTED[name]), round(part * size), some_holders(size)
    evidence = CensusEvidence(SupportEvidence(told, np.arange(told + 1), support), size)
    law, shares = laws(size, told, support), holders / size
    for level in (0.8, 0.95):
        low, high = evidence.interval(1 - level).T
        held = (low <= shares[:, None] + 1e-12) & (shares[:, None] - 1e-12 <= high)
        assert (law * held).sum(axis=1).min() >= level - 1e-9


@pytest.mark.parametrize(("name", "size", "part"), SOME)
def test_errors_are_those_of_all_that_can_happen(name: str, size: int, part: float) -> None:
    """The exact variance about K/N, and that a correction twice as large is far from it where all told."""
    support, told, holders = support_of(COUNTED[name]), round(part * size), some_holders(size)
    law, shares = laws(size, told, support), holders / size
    found = (np.arange(told + 1) / told - support.h) / support.gap
    exact = (law * (found - shares[:, None]) ** 2).sum(axis=1)
    drawn = np.sqrt(variance_population(support, told, shares))
    stated = less_spread(drawn, shares, size) ** 2
    assert np.all(np.abs(stated / exact - 1) <= 1 / (size - 1) + 1e-9)
    assert np.all(stated >= variance_sample(support, told, shares) * (1 - 1e-12))
    doubled = less_spread(drawn, shares, size / 2) ** 2
    assert part < 1 or np.abs(doubled / exact - 1).max() > 1 / (size - 1) + 1e-9


def test_a_correction_that_is_doubled_is_caught_by_coverage() -> None:
    """Bounds as if there were half as many people miss far more often than stated."""
    size, told, support = 120, 60, support_of(COUNTED["response 4"])
    law = laws(size, told, support)
    wrong = holders_among(np.arange(told + 1), told, 60, support.g, support.h, 0.05) / 60
    shares = some_holders(size)[:, None] / size
    covered = (law * ((wrong[:, 0] <= shares) & (shares <= wrong[:, 1]))).sum(axis=1)
    assert covered.min() < 0.8


def test_of_all_the_exact_bounds_are_those_of_the_people_who_told() -> None:
    plain = SupportEvidence(100, np.arange(101), Support(0.75, 0.25, 0.5))
    evidence = CensusEvidence(plain, 100)
    assert np.array_equal(evidence.interval(0.05).clip(0, 1), plain.interval(0.05, "sample"))
    assert np.allclose(evidence.stderr(), plain.stderr("sample"))
    assert np.array_equal(evidence.interval(0.05, "sample"), plain.interval(0.05, "sample"))


def test_among_ever_more_people_bounds_become_those_without_end() -> None:
    plain = SupportEvidence(100, np.array([0, 30, 50, 100]), Support(0.75, 0.25, 0.5))
    for size in (10**6, 1 << 30):
        assert np.abs(plain.interval(0.05) - CensusEvidence(plain, size).interval(0.05)).max() < 2e-4
    assert evidence_among(plain, 1 << 40) is evidence_among(plain, math.inf) is plain


def test_many_who_told_have_bounds_by_the_score_that_are_hardly_wider(monkeypatch: pytest.MonkeyPatch) -> None:
    counts = np.array([0, 250, 400, 500, 740, 1000])
    exact = holders_among(counts, 1000, 2000, 0.75, 0.25, 0.05)
    monkeypatch.setattr(hypergeometric, "MOST_TOLD", 10)
    scored = holders_among(counts, 1000, 2000, 0.75, 0.25, 0.05)
    inside = (exact[:, 0] > 0) & (exact[:, 1] < 2000)
    assert np.all(scored[:, 0] <= exact[:, 0] + 1)
    assert np.all(scored[:, 1] >= exact[:, 1] - 1)
    assert np.all(np.diff(scored[inside]) <= 1.05 * np.diff(exact[inside]) + 2)
    assert MOST_TOLD >= 1000


def test_a_label_that_few_were_asked_for_has_its_own_bounds() -> None:
    plain = AskedEvidence(50, np.array([50, 20, 0]), np.array([30, 10, 0]), Support(0.75, 0.25, 0.5))
    bounds = CensusEvidence(plain, 50).interval(0.05).clip(0, 1)
    for place, (asked, yes) in enumerate(((50, 30), (20, 10))):
        assert np.array_equal(bounds[place] * 50, holders_among(np.array([yes]), asked, 50, 0.75, 0.25, 0.05)[0])
    assert bounds[2].tolist() == [0, 1]
    assert np.all(CensusEvidence(plain, 50).stderr() >= plain.stderr("sample"))


SIMULATED: dict[str, Mechanism] = {
    "signs in parts": dn.Hadamard(12, 1.0, parts=4),
    "signs in parts, weakly": dn.Hadamard(12, 4.0, parts=4),
    "a channel": dn.Channel(3, [[0.9, 0.07, 0.03], [0.04, 0.92, 0.04], [0.03, 0.07, 0.9]]),
    "blocks": dn.BlockHadamard([[0, 1, 2], [3, 4, 5]], 2.0),
    "a distance": dn.Geometric(0, 5, 2.0),
    "one sensitive label": dn.HighLowResponse(6, [0, 1], 2.0),
}


def missed(
    m: Mechanism, people: Counts, told: int, change: Callable[[Evidence], Evidence], surveys: int = SURVEYS
) -> Vector:
    """How often each label's 95% interval misses its share among all, over surveys of people drawn by lot."""
    size, misses = people.sum(), np.zeros(len(people))
    generator = _generator(int(size) + told)
    for _ in range(surveys):
        asked = generator.multivariate_hypergeometric(people, told)
        tally = m.draw_tally(asked, generator)
        bounds = change(m.law.evidence(told, tally.counts)).interval(0.05)
        misses += (bounds[:, 0] > people / size + 1e-12) | (people / size - 1e-12 > bounds[:, 1])
    return misses


DRAWN = list(product(SIMULATED, (20, 120), PARTS))
"""Every other one under `make test`: each mechanism with either size, and with every part."""


@pytest.mark.soak
@pytest.mark.parametrize(("name", "size", "part"), by_length(DRAWN[::2], DRAWN))
def test_other_intervals_hold_as_often_as_stated(name: str, size: int, part: float) -> None:
    m, told = SIMULATED[name], round(part * size)
    people = np.full(m.law.labels, 1 if size == 20 else 2)
    people[0] += size - people.sum()
    most = stats.binom.isf(ALPHA / m.law.labels, SURVEYS, 0.05)
    assert missed(m, people, told, lambda plain: evidence_among(plain, size)).max() <= most


@pytest.mark.soak
def test_other_intervals_with_too_large_a_correction_are_caught() -> None:
    """Of 60 of 120 people, as if of 30: what is taken off is four times as much."""
    m, people, surveys = SIMULATED["a channel"], np.full(3, 40), 1000
    most = stats.binom.isf(ALPHA / 3, surveys, 0.05)
    assert missed(m, people, 60, lambda plain: CensusEvidence(plain, 120), surveys).max() <= most
    assert missed(m, people, 60, lambda plain: CensusEvidence(plain, 30), surveys).max() > most


@pytest.mark.parametrize("name", SIMULATED)
def test_errors_are_never_below_the_protection(name: str) -> None:
    m = SIMULATED[name]
    d = m.law.labels
    plain = m.law.evidence(40 * d, m.draw_tally(np.full(d, 40), _generator(1)).counts)
    for size in (40 * d, 60 * d):
        found, p = evidence_among(plain, size), np.clip(plain.unbiased(), 0, 1)
        assert np.all(found.stderr() >= plain.stderr("sample") * (1 - 1e-12))
        assert np.allclose(plain.stderr() ** 2 - found.stderr() ** 2, p * (1 - p) / size, atol=1e-12)


def test_what_is_not_exact_says_so() -> None:
    counts, inverse = (
        np.array([40, 30, 30]),
        np.linalg.inv(np.array([[0.8, 0.1, 0.1], [0.15, 0.7, 0.15], [0.2, 0.2, 0.6]])).T,
    )
    plain = LinearEvidence(100, counts, inverse)
    assert CensusEvidence(plain, 120).notes == (NARROWED,)
    assert CensusEvidence(plain, 100).notes == ()
    counted = SupportEvidence(100, counts, Support(0.75, 0.25, 0.5))
    assert CensusEvidence(counted, 120).notes == ()
    joined = evidence_among(JoinedEvidence((counted, plain), (np.arange(3), np.arange(3, 6))), 120)
    assert isinstance(joined, JoinedEvidence)
    assert all(isinstance(group, CensusEvidence) for group in joined.groups)


# --- bounds that are added up and compared ----------------------------------------------------------------------------


class Told(NamedTuple):
    """Every count that there can be, each as a label, to be compared with another."""

    evidence: Evidence
    labels: Sequence[Hashable]
    n: int
    spec_bytes: bytes = b""


def differences(support: Support, told: int, size: int) -> Difference:
    """Of every pair of counts."""
    counts = np.arange(told + 1)
    pairs = np.repeat(counts, told + 1), np.tile(counts, told + 1)
    one, two = (
        Told(CensusEvidence(SupportEvidence(told, each, support), size), range(len(each)), told) for each in pairs
    )
    return Difference(one, two)


@pytest.mark.parametrize(("epsilon", "labels"), [(1.0, 3), (3.0, 3), (2.0, 2), (5.0, 2)])
@pytest.mark.parametrize(("size", "told"), [(5, 5), (5, 3), (20, 20), (40, 40), (40, 25)])
def test_differences_hold_exactly(epsilon: float, labels: int, size: int, told: int) -> None:
    """Everybody at an end, one or two who are not, and parts in between: of both surveys each."""
    support = support_of(dn.RandomizedResponse(labels, epsilon))
    law, low_high = laws(size, told, support), differences(support, told, size).interval(0.95)
    some = sorted({0, 1, 2, size // 2, size - 1, size})
    for first, second in product(some, some):
        chances, truth = np.outer(law[first], law[second]).ravel(), (second - first) / size
        held = (low_high[:, 0] <= truth + 1e-12) & (truth - 1e-12 <= low_high[:, 1])
        assert chances[held].sum() >= 0.95


@pytest.mark.parametrize(("epsilon", "size"), [(2.0, 5), (3.0, 20), (3.0, 40)])
def test_people_who_are_alike_do_not_seem_to_differ(epsilon: float, size: int) -> None:
    """The exact law of the p-value of a share: below 5% at most so often, though the normal law has too little."""
    support = support_of(dn.RandomizedResponse(3, epsilon))
    found, law = differences(support, size, size), laws(size, size, support)
    for holders in range(size + 1):
        chances = np.outer(law[holders], law[holders]).ravel()
        assert chances[found.p_values < 0.05].sum() <= 0.05


def test_bounds_cut_before_they_are_compared_would_miss() -> None:
    """The planted fault: people who all give one answer would seem to have changed in one of eleven comparisons."""
    size, support = 120, support_of(dn.RandomizedResponse(3, 1.0))
    found, law = differences(support, size, size), laws(size, size, support)[size]
    ends = [each.evidence.interval(0.05).clip(0, 1) for each in (found.first, found.second)]
    shares = [each.evidence.unbiased() for each in (found.first, found.second)]
    down = np.hypot(shares[1] - ends[1][:, 0], ends[0][:, 1] - shares[0])
    up = np.hypot(ends[1][:, 1] - shares[1], shares[0] - ends[0][:, 0])
    assert np.outer(law, law).ravel()[(found.values > down) | (-found.values > up)].sum() > 0.09


# --- the rule ---------------------------------------------------------------------------------------------------------


def test_at_an_end_and_beyond_nothing_is_taken_off() -> None:
    found, drawn = np.array([1.1, 0.9, 0.5]), np.array([[0.8, 1.4], [0.7, 1.1], [0.3, 0.7]])
    near = narrowed_bounds(found, drawn, 1.96, spread_of_shares, 100)
    assert np.array_equal(near[0], drawn[0])  # the estimate is beyond an end
    assert near[1, 1] == drawn[1, 1]  # the bound is
    assert 0.7 < near[1, 0] < 0.9
    assert np.allclose(np.abs(near[2] - 0.5), math.sqrt(0.04 - 1.96**2 * 0.21 / 100))
    assert narrowed_bounds(found, drawn, 1.96, spread_of_shares, math.inf) is drawn


def test_the_protection_is_never_taken_off() -> None:
    drawn = np.array([[0.4, 0.6]])
    assert np.allclose(narrowed_bounds(np.array([0.5]), drawn, 1.96, spread_of_shares, 10, 0.03), [[0.4412, 0.5588]])


@pytest.mark.parametrize("told", [FEW - 1, FEW])
def test_of_few_people_what_is_not_exact_stays_that_of_a_sample(told: int) -> None:
    counts, chances = np.array([told - 20, 10, 10]), np.full((3, 3), 0.1) + 0.7 * np.eye(3)
    plain = LinearEvidence(told, counts, np.asarray(np.linalg.inv(chances), np.float64))
    half = scipy.sparse.csr_array(np.eye(3) / 2)
    weighed = CombinedEvidence((SingleSource(plain), SingleSource(plain)), (half, half))
    for each in (plain, weighed):
        found = CensusEvidence(each, 100)
        is_kept = found.n < FEW
        assert np.array_equal(found.interval(0.05), each.interval(0.05)) == is_kept
        assert np.array_equal(found.stderr(), each.stderr()) == is_kept
        assert (SAMPLE_ERROR_NOTE in found.notes) == is_kept


def test_answers_that_cannot_be_honest_are_seen_in_a_census_too() -> None:
    made_up = SupportEvidence(100, np.array([100, 0]), Support(0.6, 0.4, 0.2))
    low, high = CensusEvidence(made_up, 100).interval(1e-5).T
    assert low[0] > 1
    assert high[1] < 0

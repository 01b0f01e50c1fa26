"""Guarantees about means, crowds and one side: boundaries, what follows from what, and jiang2018's theorem 6.

References are enumerations in Fractions and SciPy's entropies, apart from the code under test.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import deniable as dn
from deniable.privacy.beliefs import learnt
from deniable.theory.informed.baselines import paper_level

PRIOR = [0.5, 0.25, 0.25]
STEEP = [0.8125, 0.125, 0.0625]


def mip(prior: list[float], epsilon: float = 1.0) -> dn.MutualInformationPrivacy:
    return dn.MutualInformationPrivacy(len(prior), prior, epsilon)


def lip(prior: list[float], epsilon: float = 1.0) -> dn.InformationPrivacy:
    return dn.InformationPrivacy(len(prior), prior, epsilon)


def one_sided(prior: list[float], epsilon: float = 1.0) -> dn.OneSidedInformationPrivacy:
    return dn.OneSidedInformationPrivacy(len(prior), prior, epsilon)


def central(prior: list[float], people: int, epsilon: float = 1.0) -> dn.CentralInformationPrivacy:
    return dn.CentralInformationPrivacy(len(prior), prior, epsilon, people)


@st.composite
def channels(draw: st.DrawFn, d: int = 3, least: int = 0) -> Any:
    width = draw(st.integers(2, 4))
    each = st.lists(st.integers(least, 6), min_size=width, max_size=width).filter(any)
    rows = [draw(each) for _ in range(d)]
    return np.array([[Fraction(w, sum(row)) for w in row] for row in rows], object)


def paper(prior: list[float], epsilon: float) -> list[list[Fraction]]:
    """Thms 3 and 5: the truth with probability 1 - 1/t, else a draw from the prior; t a little below e^epsilon."""
    t, shares = Fraction(math.exp(epsilon)) * (1 - Fraction(1, 10**14)), [Fraction(p) for p in prior]
    return [[(x == y) * (1 - 1 / t) + shares[y] / t for y in range(len(shares))] for x in range(len(shares))]


# --- mutual information --------------------------------------------------------------------------------------------


@given(channels())
def test_information_is_that_of_entropies(channel: Any) -> None:
    """H(Y) - H(Y | X), by SciPy."""
    for prior in (PRIOR, [0.5, 0.5, 0.0]):
        p, rows = np.array(prior), channel.astype(float)
        by_hand = stats.entropy(p @ rows) - sum(share * stats.entropy(row) for share, row in zip(p, rows, strict=True))
        assert mip(prior).tightest(channel) == pytest.approx(by_hand, abs=1e-12)


def test_both_sides_of_the_mean() -> None:
    """Of two labels told by a coin of 3/4: ln 2 - h(3/4), to the last digits."""
    exact = math.log(2) + 0.75 * math.log(0.75) + 0.25 * math.log(0.25)
    coin = [[Fraction(3, 4), Fraction(1, 4)], [Fraction(1, 4), Fraction(3, 4)]]
    assert mip([0.5, 0.5]).tightest(coin) == pytest.approx(exact, rel=1e-14)
    assert mip([0.5, 0.5]).at(exact * (1 + 1e-13)).holds(coin)
    assert not mip([0.5, 0.5]).at(exact * (1 - 1e-13)).holds(coin)
    assert mip([0.5, 0.5]).tightest([[1, 0], [0, 1]]) == pytest.approx(math.log(2), rel=1e-15)
    assert mip([0.5, 0.5]).tightest([[0.3, 0.7], [0.3, 0.7]]) == 0.0
    assert mip([0.5, 0.5, 0.0]).tightest([[1, 0], [1, 0], [0, 1]]) == 0.0


def test_the_faintest_channels_keep_their_digits() -> None:
    """Lifts 1 +- x of two labels tell x^2/2 nats, to fourth order: where floats would have cancelled."""
    x = Fraction(1, 10**12)
    faint = [[Fraction(1, 2) + x / 2, Fraction(1, 2) - x / 2], [Fraction(1, 2) - x / 2, Fraction(1, 2) + x / 2]]
    assert mip([0.5, 0.5]).tightest(faint) == pytest.approx(float(x) ** 2 / 2, rel=1e-9)


@given(channels(), st.sampled_from([PRIOR, STEEP, [0.5, 0.5, 0.0]]))
def test_proposition_1_and_what_is_more(channel: Any, prior: list[float]) -> None:
    """eps-LIP leaves at most eps nats, in fact eps tanh(eps/2)."""
    level = lip(prior).tightest(channel)
    told = mip(prior).tightest(channel)
    assert told <= level
    if 0 < level < math.inf:
        assert told <= learnt(level)
        assert dn.implies(lip(prior).at(level), mip(prior).at(learnt(level)))


def test_the_bound_of_information_is_reached() -> None:
    """At e^eps = 2 three labels of a third each can have lifts of 2 and 1/2 alone: (2/3 - 1/3) ln 2 nats."""
    channel = [[Fraction(4 if x == y else 1, 6) for y in range(3)] for x in range(3)]
    even = dn.InformationPrivacy(3, [1 / 3] * 3, 1.0)
    assert even.tightest(channel) == pytest.approx(math.log(2), rel=1e-12)
    assert mip([1 / 3] * 3).tightest(channel) == pytest.approx(math.log(2) / 3, rel=1e-12)
    assert learnt(math.log(2)) == pytest.approx(math.log(2) / 3, rel=1e-12)


# --- one side ------------------------------------------------------------------------------------------------------


@given(channels(), st.sampled_from([PRIOR, STEEP, [0.5, 0.5, 0.0]]))
def test_one_side_is_the_lower_one(channel: Any, prior: list[float]) -> None:
    p, allowed = [Fraction(share) for share in prior], [x for x, share in enumerate(prior) if share]
    chances = [sum(p[x] * channel[x, y] for x in allowed) for y in range(channel.shape[1])]
    lowest = min(channel[x, y] / chance for x in allowed for y, chance in enumerate(chances) if chance)
    level = one_sided(prior).tightest(channel)
    assert level <= lip(prior).tightest(channel)
    assert level == (math.inf if lowest == 0 else pytest.approx(-math.log(lowest), abs=1e-12))


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0])
@pytest.mark.parametrize("prior", [PRIOR, STEEP, [0.5, 0.5], [0.9375, 0.0625]])
def test_the_papers_channel_keeps_one_side_and_reaches_what_it_implies(prior: list[float], epsilon: float) -> None:
    """The other side, plain LDP and information: each implied level is reached by this channel, and no lower one."""
    promise, channel = one_sided(prior, epsilon), paper(prior, epsilon)
    assert promise.holds(channel)
    assert not promise.at(epsilon * (1 - 1e-9)).holds(channel)
    reached = paper_level(prior, epsilon)
    assert lip(prior).tightest(channel) == pytest.approx(reached, rel=1e-9)
    for other, level in (
        (lip(prior), reached),
        (dn.LDP(1.0), dn.LDP(1.0).tightest(channel)),
        (mip(prior), mip(prior).tightest(channel)),
    ):
        assert dn.implies(promise, other.at(level * (1 + 1e-9)))
        assert not dn.implies(promise, other.at(level * (1 - 1e-9)))
    assert promise.plain == pytest.approx(math.log1p(math.expm1(epsilon) / min(prior)), rel=1e-9)


@given(channels(least=1), st.sampled_from([PRIOR, STEEP, [0.5, 0.5, 0.0]]))
def test_what_one_side_implies_is_kept(channel: Any, prior: list[float]) -> None:
    promise = one_sided(prior).at(one_sided(prior).tightest(channel))
    allowed = [x for x, share in enumerate(prior) if share]
    if promise.epsilon > 0:
        above = max(promise.pair_level(x, z) for x in allowed for z in allowed if x != z)
        assert dn.LDP(1.0).at(above).holds(channel[allowed])
    assert mip(prior).tightest(channel) <= mip(prior).level_from(promise) + 1e-15


@settings(max_examples=150)
@given(channels(least=1), channels(least=1), st.sampled_from([PRIOR, STEEP]))
def test_two_reports_on_one_side(first: Any, second: Any, prior: list[float]) -> None:
    one, other = (one_sided(prior).at(one_sided(prior).tightest(channel)) for channel in (first, second))
    both = dn.composed([one, other])
    product = np.array([np.outer(a, b).ravel() for a, b in zip(first, second, strict=True)])
    assert isinstance(both, dn.OneSidedInformationPrivacy)
    assert both.at(both.epsilon * (1 + 1e-12)).holds(product)
    mixed = dn.composed([lip(prior).at(lip(prior).tightest(first)), other])
    assert isinstance(mixed, dn.OneSidedInformationPrivacy)
    assert mixed.at(mixed.epsilon * (1 + 1e-12)).holds(product)


# --- the centre ----------------------------------------------------------------------------------------------------


def of_one(matrix: Any, prior: list[float], people: int, rows: list[tuple[int, ...]]) -> list[list[Fraction]]:
    """The channel from the first person's value to what is published, by listing everybody's values."""
    p, found = [Fraction(share) for share in prior], []
    for x in range(len(p)):
        row = [Fraction(0)] * len(matrix[0])
        for others in itertools.product(range(len(p)), repeat=people - 1):
            held = Counter([x, *others])
            published = matrix[rows.index(tuple(held[label] for label in range(len(p))))]
            chance = math.prod((p[z] for z in others), start=Fraction(1))
            row = [so_far + chance * cell for so_far, cell in zip(row, published, strict=True)]
        found.append(row)
    return found


@pytest.mark.parametrize(("prior", "people"), [([0.25, 0.75], 4), (PRIOR, 3), (STEEP, 2), ([0.5, 0.5, 0.0], 2)])
def test_the_centre_is_information_privacy_of_each(prior: list[float], people: int) -> None:
    promise, rng = central(prior, people), np.random.default_rng(people)
    rows = list(promise.histograms())
    assert len(rows) == len(set(rows)) == promise.size == math.comb(people + len(prior) - 1, people)
    weights = rng.integers(1, 9, (len(rows), 3)).tolist()
    matrix = [[Fraction(w, sum(row)) for w in row] for row in weights]
    each = lip(prior).tightest(of_one(matrix, prior, people, rows))
    assert promise.tightest(matrix) == each
    assert promise.at(each).holds(matrix)
    assert not promise.at(each * (1 - 1e-12)).holds(matrix)


@given(channels(d=2), st.integers(1, 4))
def test_theorem_6(channel: Any, people: int) -> None:
    """The histogram of everybody's reports tells of each person at most what their own report does."""
    prior = [0.25, 0.75]
    level = lip(prior).tightest(channel)
    promise = central(prior, people).at(level)
    outputs = range(channel.shape[1])
    patterns = sorted({tuple(sorted(each)) for each in itertools.product(outputs, repeat=people)})
    matrix = []
    for held in promise.histograms():
        values = [x for x, n in enumerate(held) for _ in range(n)]
        row = dict.fromkeys(patterns, Fraction(0))
        for sent in itertools.product(outputs, repeat=people):
            chance = math.prod((channel[x, y] for x, y in zip(values, sent, strict=True)), start=Fraction(1))
            row[tuple(sorted(sent))] += chance
        matrix.append(list(row.values()))
    assert promise.holds(matrix)
    assert promise.holds(channel)
    assert dn.implies(lip(prior).at(level), promise)
    assert dn.implies(promise, lip(prior).at(level)) is (people == 1 or level == math.inf)


def test_what_the_curator_may_publish_is_known() -> None:
    """10 people, p = .3, eps .5: the tails pooled to means of 10 L and 10 U, an error of .46963722 (maths sheet)."""
    n, p, t = 10, 0.3, math.exp(0.5)
    chances, sums = stats.binom.pmf(np.arange(n + 1), n, p), np.arange(n + 1.0)
    low, high = n * max(p / t, 1 - (1 - p) * t), n * min(p * t, 1 - (1 - p) / t)
    pools = [pooled(chances, sums, low), pooled(chances[::-1], -sums[::-1], -high)[::-1]]
    matrix = np.column_stack([*pools, np.diag(1 - pools[0] - pools[1])])
    released = chances @ matrix
    means = (chances * sums) @ matrix / np.where(released > 0, released, 1)
    assert chances @ sums**2 - released @ means**2 == pytest.approx(0.46963722, abs=1e-8)
    promise = dn.CentralInformationPrivacy(["no", "yes"], [1 - p, p], 0.5, people=n)
    assert promise.at(0.5 * (1 + 1e-9)).holds(matrix)
    assert not promise.at(0.5 * (1 - 1e-9)).holds(matrix)


def pooled(chances: Any, sums: Any, mean: float) -> Any:
    """What share of each outcome goes into a pool, from the first on, until its mean is as asked."""
    shares, mass, moment = np.zeros(len(sums)), 0.0, 0.0
    for place, (chance, value) in enumerate(zip(chances, sums, strict=True)):
        if (moment + chance * value) <= mean * (mass + chance):
            shares[place], mass, moment = 1.0, mass + chance, moment + chance * value
        else:
            shares[place] = (mean * mass - moment) / (chance * (value - mean))
            break
    return shares


# --- their place among the others, and what they refuse --------------------------------------------------------------


def test_what_implies_what() -> None:
    all_four = [lip(PRIOR), one_sided(PRIOR), central(PRIOR, 5), mip(PRIOR)]
    for promise in all_four:
        assert dn.implies(dn.LDP(1.0), promise)
        assert dn.implies(lip(PRIOR), promise)
        assert dn.implies(promise, promise.at(1.5))
        assert not dn.implies(promise.at(1.5), promise)
    for promise in all_four[2:]:
        assert not any(dn.implies(promise, other) for other in [dn.LDP(32.0), *all_four] if other is not promise)
    assert not dn.implies(lip(STEEP), mip(PRIOR).at(0.3))
    assert dn.implies(lip(STEEP), mip(PRIOR).at(learnt(2.0)))  # by way of 2-LDP
    assert dn.implies(lip(STEEP), lip(PRIOR, 2.0))
    assert not dn.implies(dn.InformationPrivacy(["a", "b", "c"], PRIOR, 1.0), lip(PRIOR, 3.0))
    assert dn.implies(dn.HighLow(3, [0], 1.0), mip(PRIOR).at(float(stats.entropy(PRIOR)) * (1 + 1e-9)))
    assert not dn.implies(dn.HighLow(3, [0], 1.0), mip(PRIOR).at(float(stats.entropy(PRIOR)) * (1 - 1e-9)))
    assert not dn.implies(central(PRIOR, 5), central(PRIOR, 6))
    even = one_sided([0.5, 0.5])
    assert dn.implies(even, lip([0.5, 0.5]))
    assert dn.implies(even, central([0.5, 0.5], 7))


@pytest.mark.parametrize("promise", [mip(PRIOR, 0.5), central(PRIOR, 4, 0.5)])
def test_means_and_crowds_do_not_add(promise: Any) -> None:
    assert dn.composed([promise]) is promise
    for other in (promise, dn.LDP(1.0), lip(PRIOR)):
        with pytest.raises(dn.ParameterError, match=r"^guarantees must bound every report"):
            dn.composed([promise, other])
    ledger = dn.Ledger(promise)
    ledger.spend(dn.LDP(0.3))
    ledger.spend(lip(PRIOR, 0.1))
    assert ledger.allows(dn.LDP(0.1))
    with pytest.raises(dn.BudgetError):
        ledger.spend(dn.LDP(5.0))


@pytest.mark.parametrize("people", [0, -1, 1.5, True, None, "3"])
def test_what_is_no_crowd(people: Any) -> None:
    with pytest.raises(dn.ParameterError, match=r"^people must"):
        dn.CentralInformationPrivacy(2, [0.5, 0.5], 1.0, people)


def test_a_curators_matrix_has_a_row_for_each_histogram() -> None:
    with pytest.raises(dn.ParameterError, match="must have 5 rows, one for each histogram of 4 people, or 2"):
        central([0.5, 0.5], 4).holds([[1, 0], [0, 1], [1, 0]])
    with pytest.raises(dn.CapacityError, match="at most 1000 people"):
        central([0.5, 0.5], 1001).holds([[1]] * 1002)
    with pytest.raises(dn.ParameterError, match="must have 3 rows"):
        mip(PRIOR).holds([[1, 0], [0, 1]])


def test_a_channel_may_promise_any_of_them() -> None:
    m = dn.InformedResponse(3, PRIOR, 0.5)
    for promise in (mip(PRIOR, learnt(0.5)), one_sided(PRIOR, 0.5), central(PRIOR, 10, 0.5)):
        claimed = dn.Channel(3, m.channel().rows, promise)
        assert dn.audit(claimed).holds
        assert dn.audit(claimed).claimed == promise.epsilon
        assert dn.from_spec(claimed.spec()) == claimed
        assert dn.plan(guarantee=promise, users=1000).rows[0].error > 0
        with pytest.raises(dn.ParameterError, match="InformedResponse knows priors"):
            dn.optimal_channel(promise)
    with pytest.raises(dn.ParameterError, match="must keep the guarantee"):
        dn.Channel(3, m.channel().rows, mip(PRIOR, 0.01))

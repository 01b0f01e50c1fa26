"""What guarantees imply and what reports promise together, against products of channels in exact arithmetic."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import deniable as dn
from deniable.privacy.matrix import Rows
from deniable.protocol.privacy.guarantees import Guarantee, OneLevel
from deniable.protocol.privacy.informed import UnderPrior
from deniable.protocol.privacy.levels import added, closed

INF = math.inf
D = 3
PRIOR = [0.5, 0.25, 0.25]
FAMILIES: dict[str, OneLevel] = {
    "LDP": dn.LDP(1.0),
    "HighLow": dn.HighLow(D, [1], 1.0),
    "Blocks": dn.Blocks([[0, 2], [1]], 1.0, domain=D),
}


@st.composite
def channels(draw: st.DrawFn, least: int = 1) -> Any:
    """A channel of three labels in Fractions."""
    width = draw(st.integers(2, 4))
    each = st.lists(st.integers(least, 7), min_size=width, max_size=width).filter(any)
    weights = [draw(each) for _ in range(D)]
    common = math.lcm(*map(sum, weights))
    return Rows.of([[w * (common // sum(row)) for w in row] for row in weights]).fractions()


def product(first: Any, second: Any) -> Any:
    """Both reports on one value."""
    return np.array([np.outer(a, b).ravel() for a, b in zip(first, second, strict=True)])


def tightest(family: OneLevel, channel: Any) -> OneLevel:
    return family.at(family.tightest(channel))


@pytest.mark.parametrize("name", FAMILIES)
@given(channels(), channels())
def test_two_reports_keep_the_sum(name: str, first: Any, second: Any) -> None:
    one, other = (tightest(FAMILIES[name], channel) for channel in (first, second))
    both = dn.composed([one, other])
    assert type(both) is type(one)
    assert both.claimed == pytest.approx(one.epsilon + other.epsilon, rel=1e-15)
    assert nudged(both).holds(product(first, second))


def nudged(guarantee: Guarantee) -> Guarantee:
    """One unit in the last place more: a sum of levels is a float."""
    assert isinstance(guarantee, OneLevel)
    return guarantee.at(math.nextafter(guarantee.epsilon, INF))


@given(channels(), channels())
def test_two_reports_keep_the_sum_of_every_pair(first: Any, second: Any) -> None:
    base = dn.Pairwise(D, np.ones((D, D)))
    one, other = (dn.Pairwise(D, base.tightest(channel)) for channel in (first, second))
    both = dn.composed([one, other])
    assert isinstance(both, dn.Pairwise)
    assert dn.Pairwise(D, np.nextafter(both.matrix, INF)).holds(product(first, second))
    assert np.allclose(both.matrix, np.add(one.matrix, other.matrix), rtol=1e-15)


@given(channels(), channels())
def test_the_sum_is_reached_by_the_same_channel_twice(first: Any, second: Any) -> None:
    """No composition below the sum: a channel beside itself costs twice its level."""
    least = dn.LDP(1.0).tightest(first)
    assert dn.LDP(1.0).tightest(product(first, first)) == pytest.approx(2 * least, rel=1e-12)
    assert dn.LDP(1.0).tightest(product(first, second)) <= least + dn.LDP(1.0).tightest(second) + 1e-15


def test_different_families_add_pair_by_pair() -> None:
    both = dn.composed([dn.LDP(0.1), dn.HighLow(D, [0], 0.2), dn.Blocks([[0, 2], [1]], 0.3, domain=D)])
    assert isinstance(both, dn.Pairwise)
    assert both.matrix == ((0.0, INF, 0.6), (INF, 0.0, INF), (INF, INF, 0.0))
    assert dn.composed([dn.HighLow(D, [0], 0.5), dn.HighLow(D, [1], 0.5)]).pair_level(0, 2) == INF
    assert str(dn.composed([dn.LDP(0.1)] * 10)) == "1-LDP"


def lip_pair() -> tuple[dn.InformationPrivacy, list[Any], list[Any]]:
    """A first report that makes the third value likely, a second that speaks for the first."""
    t = 2
    prior = [Fraction(1, 8), Fraction(1, 8), Fraction(3, 4)]
    up, down, rest = Fraction(t), Fraction(1, t), Fraction(11, 12)  # their mean under the prior is 1
    assert sum(p * s for p, s in zip(prior, (up, down, rest), strict=True)) == 1
    lam = Fraction(1, 4)
    first = [[s * lam, 1 - s * lam] for s in (up, down, rest)]
    return dn.InformationPrivacy(D, [float(p) for p in prior], 1.0), first, first


def test_information_privacy_does_not_add() -> None:
    """A concrete pair of eps-LIP channels whose product exceeds eps1 + eps2, but not with the smaller once more."""
    promise, first, second = lip_pair()
    one, other = promise.at(promise.tightest(first)), promise.at(promise.tightest(second))
    together = promise.tightest(product(first, second))
    assert together > one.epsilon + other.epsilon + 0.01
    both = dn.composed([one, other])
    assert both.claimed == pytest.approx(one.epsilon + other.epsilon + min(one.epsilon, other.epsilon))
    assert both.holds(product(first, second))


@settings(max_examples=200)
@given(channels(), channels())
def test_information_privacy_adds_with_the_smaller_once_more(first: Any, second: Any) -> None:
    promise = dn.InformationPrivacy(D, PRIOR, 1.0)
    one, other = promise.at(promise.tightest(first)), promise.at(promise.tightest(second))
    assert nudged(dn.composed([one, other])).holds(product(first, second))
    plain = dn.LDP(1.0).at(dn.LDP(1.0).tightest(second))
    assert nudged(dn.composed([one, plain])).holds(product(first, second))
    assert dn.composed([one, plain]).claimed == added(one.epsilon, plain.epsilon)


def test_three_informed_reports() -> None:
    promise = dn.InformationPrivacy(D, PRIOR, 1.0)
    three = dn.composed([promise.at(0.1), promise.at(0.3), promise.at(0.2), dn.LDP(0.5)])
    assert three == promise.at(added(0.3, 0.2, 0.2, 0.1, 0.1, 0.5))


def test_one_guarantee_that_is_there_several_times_counts_each_time() -> None:
    """The very same object, as when the reports of one mechanism are added."""
    promise = dn.InformationPrivacy(D, PRIOR, 1.0)
    assert dn.composed([promise] * 3) == promise.at(5.0) == dn.composed([promise, promise.at(1.0), promise.at(1.0)])
    ledger = dn.Ledger(promise.at(4.0))
    ledger.spend(promise)
    ledger.spend(promise)
    with pytest.raises(dn.BudgetError):
        ledger.spend(promise)


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ([], "at least one"),
        ([dn.HighLow(2, [0], 1.0), dn.HighLow(3, [0], 1.0)], "of one domain"),
        ([dn.HighLow(2, [0], 1.0), dn.Blocks([["a", "b"]], 1.0)], "of one domain"),
        ([dn.InformationPrivacy(2, [0.5, 0.5], 1.0), dn.InformationPrivacy(2, [0.25, 0.75], 1.0)], "of one prior"),
        ([dn.InformationPrivacy(2, [0.5, 0.5], 1.0), dn.HighLow(3, [0], 1.0)], "of one domain"),
    ],
)
def test_what_cannot_be_added(parts: list[Guarantee], said: str) -> None:
    with pytest.raises(dn.ParameterError, match=rf"^guarantees .*{said}"):
        dn.composed(parts)


def test_sums_beyond_proof_promise_nothing() -> None:
    far = dn.composed([dn.Pairwise(2, [[0, 40], [1, 0]]), dn.LDP(32.0)])
    assert isinstance(far, dn.Pairwise)
    assert far.matrix == ((0.0, INF), (33.0, 0.0))
    assert dn.composed([dn.LDP(32.0)] * 3).claimed == 96.0
    assert dn.composed([dn.LDP(32.0)] * 3).holds([[0.9, 0.1], [0.1, 0.9]])
    assert not dn.composed([dn.LDP(32.0)] * 3).holds([[1, 0], [0, 1]])
    assert not dn.implies(dn.InformationPrivacy(2, [0.5, 0.5], 1.0).at(40.0), dn.HighLow(2, [0], 32.0))


levels = st.sampled_from([0.3, 0.5, 1.1, 1.3, 2.0, INF])


@st.composite
def guarantees(draw: st.DrawFn) -> Guarantee:
    """Of every kind over three labels; no level is the sum of two others, which is beyond proof by a rounding."""
    kind, epsilon = draw(st.integers(0, 7)), draw(st.sampled_from([0.3, 0.5, 1.1, 1.3, 2.0]))
    if kind == 0:
        return dn.LDP(epsilon)
    if kind == 1:
        return dn.HighLow(D, draw(st.sampled_from([[0], [1, 2], [0, 1, 2]])), epsilon)
    if kind == 2:
        return dn.Blocks(draw(st.sampled_from([[[0, 1], [2]], [[0, 1, 2]], [[0], [1, 2]]])), epsilon, domain=D)
    if kind == 3:
        return dn.Pairwise(D, [[draw(levels) for _ in range(D)] for _ in range(D)])
    prior = draw(st.sampled_from([PRIOR, [0.5, 0.5, 0.0]]))
    if kind == 7:
        return dn.CentralInformationPrivacy(D, prior, epsilon, people=4)
    family = (dn.InformationPrivacy, dn.OneSidedInformationPrivacy, dn.MutualInformationPrivacy)[kind - 4]
    return family(D, prior, epsilon)


def extreme(promise: Guarantee) -> list[Any]:
    """Channels at the edge of a pairwise promise: one rare report, each label in turn the likeliest to send it."""
    each = range(D)
    paths = np.array(closed([[0.0 if x == z else promise.pair_level(x, z) for z in each] for x in each]))
    columns = [np.exp(-np.minimum(row * (1 - 1e-8), 40)) for row in paths]
    return [np.stack([0.01 * column, 1 - 0.01 * column], axis=1) for column in columns]


@settings(max_examples=600)
@given(guarantees(), guarantees())
def test_implies_by_brute_force(stronger: Guarantee, weaker: Guarantee) -> None:
    """Yes: every extreme channel of the first keeps the second. No: where levels tell all, one does not."""
    kept = [channel for channel in extreme(stronger) if stronger.holds(channel)]
    if dn.implies(stronger, weaker):
        assert all(weaker.holds(channel) for channel in kept)
    elif not isinstance(stronger, UnderPrior) and not isinstance(weaker, UnderPrior):
        assert len(kept) == D
        assert not all(weaker.holds(channel) for channel in kept)


@given(guarantees(), guarantees(), guarantees())
def test_implies_is_an_order(a: Guarantee, b: Guarantee, c: Guarantee) -> None:
    assert dn.implies(a, a)
    if dn.implies(a, b) and dn.implies(b, c) and not isinstance(b, UnderPrior):
        assert dn.implies(a, c)


@given(guarantees(), channels(least=0))
def test_the_local_level_is_kept(guarantee: Guarantee, channel: Any) -> None:
    if guarantee.holds(channel) and guarantee.plain < INF:
        assert dn.LDP(1.0).at(guarantee.plain).holds(channel)


def test_known_implications() -> None:
    prior = dn.InformationPrivacy(D, PRIOR, 1.0)
    assert dn.implies(dn.LDP(1.0), prior)
    assert not dn.implies(dn.LDP(1.0 + 1e-9), prior)
    assert dn.implies(prior, dn.LDP(2.0))
    assert not dn.implies(prior, dn.LDP(2.0 - 1e-9))
    assert not dn.implies(dn.InformationPrivacy(D, [0.5, 0.5, 0.0], 1.0), dn.LDP(32.0))
    assert dn.implies(dn.LDP(1.0), dn.HighLow(D, [0], 1.0))
    assert not dn.implies(dn.HighLow(D, [0], 1.0), dn.LDP(32.0))
    assert dn.implies(dn.HighLow(D, range(D), 1.0), dn.LDP(1.0))
    assert not dn.implies(dn.HighLow(D, [0], 1.0), dn.HighLow(4, [0], 1.0))


def test_levels_follow_by_way_of_others() -> None:
    """A chain of 0.5 each way: three steps apart is 1.5, within rounding above and never below."""
    chain = np.full((4, 4), INF)
    for x in range(3):
        chain[x, x + 1] = chain[x + 1, x] = 0.5
    np.fill_diagonal(chain, 0)
    found = closed(chain.tolist())[0][3]
    assert found == pytest.approx(1.5, rel=1e-9)
    assert found >= 1.5
    assert dn.implies(dn.Pairwise(4, chain), dn.LDP(1.5 + 1e-8))
    assert not dn.implies(dn.Pairwise(4, chain), dn.LDP(1.5 - 1e-8))
    assert dn.Pairwise(4, chain).plain == found


@given(st.lists(st.lists(levels, min_size=4, max_size=4), min_size=4, max_size=4))
def test_closed_levels_are_the_shortest_paths(matrix: list[list[float]]) -> None:
    np.fill_diagonal(array := np.array(matrix), 0)
    for x, z in itertools.permutations(range(4), 2):
        others = [v for v in range(4) if v not in (x, z)]
        ways = [path for r in range(3) for path in itertools.permutations(others, r)]
        lengths = [sum(array[a, b] for a, b in itertools.pairwise((x, *path, z))) for path in ways]
        assert closed(array.tolist())[x][z] == pytest.approx(min(lengths), rel=1e-8)


# --- levels beyond proof -------------------------------------------------------------------------------------------


@st.composite
def far_guarantees(draw: st.DrawFn) -> Guarantee:
    """Guarantees of three labels whose levels lie on either side of the largest that can be proven, and far beyond."""
    levels = st.sampled_from([0.5, 1.0, 32.0, 63.0, 64.0, 65.0, 96.0, 1e6, INF])
    kind = draw(st.sampled_from([*FAMILIES, "Pairwise", "LIP"]))
    if kind in FAMILIES:
        return FAMILIES[kind].at(draw(levels))
    if kind == "LIP":
        return dn.InformationPrivacy(D, PRIOR, 1.0).at(draw(levels))
    kept = levels.filter(lambda level: level <= 64 or level == INF)
    return dn.Pairwise(D, [[draw(kept) for _ in range(D)] for _ in range(D)])


far_weights = st.sampled_from([0, 0, 1, 2, 10**6, 10**27, 10**28, 10**40])


@settings(max_examples=300)
@given(
    far_guarantees(), far_guarantees(), st.lists(st.lists(far_weights, min_size=3, max_size=3), min_size=D, max_size=D)
)
def test_what_is_implied_holds_beyond_proof_too(stronger: Guarantee, weaker: Guarantee, weights: Any) -> None:
    """e^64 = 6.2e27: zeros, and ratios around it."""
    weights = [[*row, 1] for row in weights]
    common = math.lcm(*map(sum, weights))
    channel = Rows.of([[w * (common // sum(row)) for w in row] for row in weights]).fractions()
    if dn.implies(stronger, weaker) and stronger.holds(channel):
        assert weaker.holds(channel)


def test_a_level_beyond_proof_still_asks_for_one() -> None:
    cap = dn.composed([dn.LDP(32.0)] * 3)
    assert cap.claimed == 96
    betrays = [[1, 0, 0], [0.5, 0.5, 0], [0.5, 0, 0.5]]
    secret = dn.HighLow(D, [0], 1.0)
    assert secret.holds(betrays)
    assert not cap.holds(betrays)
    assert not dn.implies(secret, cap)
    with pytest.raises(dn.BudgetError):
        dn.Ledger(cap).spend(secret)
    assert dn.implies(dn.Pairwise(D, np.full((D, D), 64.0)), cap)
    assert dn.implies(secret.at(64.0), secret.at(96.0))
    assert dn.implies(secret, dn.Pairwise(D, [[0, 1, 1], [INF, 0, INF], [INF, INF, 0]]))

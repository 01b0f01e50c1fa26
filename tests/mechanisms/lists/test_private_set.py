"""Private sets: the exact channel, also of lists that are cut, golden numbers, intervals and draws.

Golden numbers are those of docs/mechanisms/private-set.md, found by enumeration apart from this code.
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from tests.mechanisms.lists.checking import check_agreement, check_fair, check_refusals, check_small

import deniable as dn
from deniable.audit.conformance import CHECKS
from deniable.theory import checklists

pytestmark = pytest.mark.soak


def by_definition(m: dn.PrivateSet, held: list[int], drawn: set[int]) -> Fraction:
    """The weight of a set: A if it meets what is left of the list, else B, on average over the ways to cut it."""
    d, dummies = len(m.domain.labels), max(m.most - len(held), 0)
    ways = list(itertools.combinations(held, min(m.most, len(held))))
    met = [bool(drawn & {*way, *range(d, d + dummies)}) for way in ways]
    return sum((Fraction(m.odds.above if hit else m.odds.below) for hit in met), Fraction(0)) / len(ways)


@pytest.mark.parametrize(("d", "most", "size"), [(2, 1, 1), (3, 2, 2), (4, 1, 2), (4, 2, 3), (4, 3, 2), (4, 4, 1)])
def test_every_set_is_as_probable_as_the_odds_say(d: int, most: int, size: int) -> None:
    m = dn.PrivateSet(d, 1.0, most, size)
    sets = [
        set(np.flatnonzero(row).tolist()) for row in np.unpackbits(m.layout.every_report(), axis=1, bitorder="little")
    ]
    for x, row in enumerate(m.channel().exact):
        weights = [by_definition(m, [j for j in range(d) if x >> j & 1], drawn) for drawn in sets]
        assert [w / sum(weights) for w in weights] == row.tolist()
    assert m.guarantee.holds(m.channel())
    assert not dn.LDP(1.0 - 1e-6).holds(m.channel())
    for check in ("exact channel", "enumerated information", "sampled channel", "aggregate means", "spec and back"):
        assert CHECKS[check](m) is None, check


@pytest.mark.parametrize(("d", "epsilon"), [(2, 0.5), (3, 1.0), (5, 2.0)])
def test_the_suite_where_nothing_is_cut(d: int, epsilon: float) -> None:
    check_small(dn.PrivateSet(d, epsilon, most=d))


def test_lists_that_are_not_cut_are_estimated_without_bias() -> None:
    m = dn.PrivateSet(4, 1.0, most=2, size=2)
    reports = m.layout.every_report()
    single = np.array([m.estimate(reports[y : y + 1], "unbiased").unbiased for y in range(len(reports))])
    mean, held = m.channel().probabilities @ single, m.domain.holding
    short = held.sum(axis=1) <= 2
    assert np.allclose(mean[short], held[short])
    lengths = held.sum(axis=1, keepdims=True)
    assert np.allclose(mean[~short], (held * 2 / np.maximum(lengths, 1))[~short]), "cut evenly"


@pytest.mark.parametrize(
    ("d", "most", "k", "g", "h"),
    [(40, 3, 4, 0.174892, 0.0868831), (40, 10, 1, 0.0404610, 0.0148848), (1000, 10, 26, 0.0501250, 0.0254988)],
)
def test_golden_supports(d: int, most: int, k: int, g: float, h: float) -> None:
    m = dn.PrivateSet(d, 1.0, most)
    assert m.size == k
    assert m.law.support.g == pytest.approx(g, rel=1e-5)
    assert m.law.support.h == pytest.approx(h, rel=1e-5)
    assert m.law.support.gap == pytest.approx(checklists.private_set(d, most, k, 1.0).gap, rel=1e-9)


def test_golden_totals() -> None:
    assert checklists.set_error(40, 3, 4, 1.0) == pytest.approx(465.594, abs=5e-4)
    assert dn.PrivateSet(40, 1.0, 3).law.leverage == pytest.approx(10.4, abs=0.05)


@pytest.mark.parametrize(
    ("epsilon", "d", "most", "k", "variance"),
    [
        (0.5, 40, 3, 5, 48.67), (1.0, 8, 3, 1, 8.081), (1.0, 40, 3, 4, 10.94), (1.0, 40, 20, 1, 58.25),
        (1.0, 1000, 10, 26, 41.36), (2.0, 40, 10, 1, 7.081), (4.0, 8, 3, 1, 1.107), (4.0, 200, 10, 1, 0.9509),
    ],
)  # fmt: skip
def test_the_table_of_variances(epsilon: float, d: int, most: int, k: int, variance: float) -> None:
    """At lists of exactly ``most`` labels, all equally common."""
    m = dn.PrivateSet(d, epsilon, most)
    assert m.size == k
    assert m.risk(10, truth=[most / d] * d) * 10 / d == pytest.approx(variance, rel=5e-4)


def test_one_label_is_a_subset() -> None:
    """With lists of one label it is the k-subset mechanism over one place more."""
    m, same = dn.PrivateSet(5, 1.0, most=1, size=2), dn.Subset(6, 1.0, size=2)
    assert m.law.support.g == pytest.approx(same.law.support.g)
    assert m.law.support.h == pytest.approx(same.law.support.h)


@pytest.mark.parametrize("n", [300, 20_000])
def test_intervals_cover(n: int) -> None:
    lists, people = [[], [0], [1, 2], [0, 4], [3]], np.array([0.2, 0.2, 0.3, 0.2, 0.1])
    check_fair(dn.PrivateSet(5, 2.0, most=2), n, n, lists, people)


@pytest.mark.parametrize("n", [300, 20_000])
def test_intervals_cover_where_lists_are_cut(n: int) -> None:
    lists, people = [[], [0], [0, 1, 2, 3], [0, 1, 2, 3, 4]], np.array([0.3, 0.3, 0.3, 0.1])
    check_fair(dn.PrivateSet(5, 2.0, most=2), n, n + 1, lists, people, unbiased=False)


def test_what_cutting_may_cost_is_said() -> None:
    m = dn.PrivateSet(5, 4.0, most=1)
    estimate = m.estimate(m.privatize_many([[0, 1, 2]] * 5000, seed=1))
    assert any("of a list of more than 1 labels 1 are drawn" in note for note in estimate.notes)
    low, high = estimate.interval()[0]
    assert low < 1 / 3 < 1.0 <= high, "the share of the label, all of it, is inside"
    whole = dn.PrivateSet(5, 4.0, most=5)
    assert len(whole.estimate([whole.privatize([0])]).notes) == 1


@pytest.mark.parametrize(("d", "most", "size"), [(5, 2, 2), (64, 3, 4), (66, 5, 3)])
def test_aggregate_draws_agree_with_draws(d: int, most: int, size: int) -> None:
    check_agreement(dn.PrivateSet(d, 1.0, most, size), [[], [0, d - 1], list(range(d))], [30, 40, 30])


def test_how_often_is_tried_depends_on_no_list() -> None:
    """So time tells nothing: the words read for an empty and a full list have the same distribution, at 7 sigma."""
    m = dn.PrivateSet(12, 2.0, most=2, size=1)

    class Counting:
        def __init__(self, seed: int) -> None:
            self.read, self.source = 0, dn.SeededEntropy(seed)

        def words(self, count: int) -> np.ndarray[tuple[int, ...], np.dtype[np.uint64]]:
            self.read += 1
            return self.source.words(count)

        def part(self, index: int) -> Counting:
            return self

    def calls(value: list[int]) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
        found = []
        for seed in range(2000):
            entropy = Counting(seed + 10_000 * len(value))
            m.privatize(value, entropy)
            found.append(entropy.read)
        return np.array(found, np.float64)

    none, all_of_them = calls([]), calls(list(range(12)))
    spread = math.sqrt((none.var() + all_of_them.var()) / 2000)
    assert abs(none.mean() - all_of_them.mean()) < 7 * spread
    assert none.max() > none.min()


def test_bad_input() -> None:
    check_refusals(dn.PrivateSet(["mail", "maps", "é"], 1.0, most=2))
    for most in (0, 4, True, 1.5, None):
        given: Any = most
        with pytest.raises(dn.ParameterError, match=r"^most must"):
            dn.PrivateSet(3, 1.0, given)


@pytest.mark.parametrize("d", [64, 65, 1000])
def test_long_lists(d: int) -> None:
    m = dn.PrivateSet(d, 5.0, most=2)
    found = m.estimate(m.privatize_many([[0, d - 1]] * 1000, seed=3), "unbiased").unbiased
    assert found[[0, d - 1]].min() > 0.5
    assert np.abs(found[1:-1]).max() < 0.5

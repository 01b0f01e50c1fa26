"""What linked reports tell and cost: golden values, enumeration of all transcripts, and simulated days."""

from __future__ import annotations

import functools
import itertools
import math
from collections import Counter
from typing import Any

import numpy as np
import pytest
from scipy import stats
from tests.mechanisms.repeat.kept import PERMANENT, remembered, rounds, transcripts, worst_ratio

import deniable as dn
from deniable.arrays import Column, Counts, Vector
from deniable.estimation.laws.support_law import SupportLaw
from deniable.mechanisms.mechanism import Mechanism
from deniable.mechanisms.repeat.linked import MOST_CELLS
from deniable.mechanisms.repeat.remembered import MOST_ROUNDS
from deniable.privacy.entropy import SeededEntropy
from deniable.protocol.privacy.rows import level
from deniable.theory.risk import linked as theory
from deniable.theory.risk.support import Support

linked = dn.linked
FALSE_ALARM = 1e-9
LEVELS = [  # maths sheet time.md, section 1 at levels 2 and 1: of two and three reports
    (dn.RandomizedResponse(16, 2.0), 2, 1.79980),
    (dn.RandomizedResponse(16, 2.0), 3, 1.97579),
    (dn.OptimizedUnary(16, 2.0), 3, 1.89915),
    (dn.Rappor(16, 2.0), 3, 1.86951),
]
SMALL = {"Subset": 4, "OptimizedUnary": 2, "Rappor": 2, "Cyclic of a plane": 3}


@pytest.mark.parametrize(("permanent", "days", "told"), LEVELS, ids=repr)
def test_golden_levels(permanent: Mechanism, days: int, told: float) -> None:
    assert dn.Remembered(permanent, 1.0).linked_level(days) == pytest.approx(told, abs=6e-6)


@pytest.mark.parametrize("days", [1, 2, 3])
@pytest.mark.parametrize("name", PERMANENT)
def test_linked_odds_are_those_of_all_transcripts(name: str, days: int) -> None:
    m = remembered(name, SMALL.get(name, 3), 2.0, 1.0)
    if m.layout.outputs**days > 600:
        days = 2
    assert m.linked_level(days) == level(worst_ratio(transcripts(m, days)))


@pytest.mark.parametrize("name", PERMANENT)
def test_levels_rise_to_the_permanent_one(name: str) -> None:
    m = remembered(name, 5, 2.0, 0.5)
    found = [m.linked_level(days) for days in (1, 2, 5, 20, 100, MOST_ROUNDS)]
    assert found == sorted(found)
    assert found[0] <= 0.5
    assert found[-1] == dn.audit(m.permanent).epsilon
    assert m.linked_level(100) <= 2.0


def test_levels_of_reports_too_many_to_count() -> None:
    """Sets of a quarter of 2^14 labels: two reports alike are the permanent one."""
    m = dn.Remembered(dn.Subset(1 << 14, 2.0, size=1 << 12), 1.0)
    assert m.linked_level(1) == pytest.approx(1.0)
    assert m.linked_level(2) == m.linked_level(MOST_ROUNDS) == dn.audit(m.permanent).epsilon


def test_many_rounds_of_a_coin_that_hardly_keeps_anything() -> None:
    m = dn.Remembered(dn.Cyclic(1000, 2.0), 1e-5)
    assert 1e-5 < m.linked_level(10) < m.linked_level(MOST_ROUNDS) < 2.0


def pairs(first: Column, second: Column, m: dn.Remembered) -> Counts:
    """How often each pair of reports was sent."""
    many = m.layout.outputs
    return np.bincount(m.layout.report_index(first) * many + m.layout.report_index(second), minlength=many**2)


def chi_square(seen: Counts, expected: Vector) -> float:
    """The p-value; 0 where something was seen that cannot be."""
    likely = expected > 0
    return 0.0 if seen[~likely].any() else float(stats.chisquare(seen[likely], expected[likely]).pvalue)


@pytest.mark.parametrize("name", PERMANENT)
def test_linked_draws_follow_their_law(name: str) -> None:
    """Chi-square of pairs at 1e-9 a family; a device that forgets, and draws a new permanent report, is caught."""
    m = remembered(name, SMALL.get(name, 3), 3.0, 2.0)
    values, entropy = np.zeros(100_000, np.int64), SeededEntropy(4)
    kept = m.permanent.draw(values, entropy)
    first, second = (m._rounds_of.again(kept, m._keep, entropy) for _ in range(2))
    expected = transcripts(m, 2)[0].astype(float) * len(values)
    assert expected[expected > 0].min() > 5
    seen, forgetful = pairs(first, second, m), pairs(first, m.draw(values, entropy), m)
    assert chi_square(seen, expected) > FALSE_ALARM > chi_square(forgetful, expected)


@pytest.mark.parametrize(("before", "after", "told"), [(2, 2, 3.23848), (5, 5, 9.88034)])
def test_golden_changes(before: int, after: int, told: float) -> None:
    """Maths sheet time.md, section 2: k-RR over 16 labels at levels 2 and 1."""
    m = dn.Remembered(dn.RandomizedResponse(16, 2.0), 1.0)
    assert linked.changed_level(m, before, after) == pytest.approx(told, abs=6e-6)


@pytest.mark.parametrize("name", ["RandomizedResponse", "Subset", "Hadamard", "Cyclic of a plane"])
@pytest.mark.parametrize(("before", "after"), [(1, 1), (2, 1), (2, 2)])
def test_changes_by_enumeration(name: str, before: int, after: int) -> None:
    """Equal reports y, then equal ones y': from x with y and then x' with y', against x all along, which lacks y'."""
    m = remembered(name, SMALL.get(name, 3), 2.0, 1.0)
    own, sent, found = m.permanent.channel().exact, rounds(m), []
    for x, z in itertools.permutations(range(len(own)), 2):
        for y, w in itertools.permutations(range(len(sent)), 2):
            first, second = sent[:, y] ** before, sent[:, w] ** after
            found.append((own[x] @ first) * (own[z] @ second) / (own[x] @ (first * second)))
    assert linked.changed_level(m, before, after) == pytest.approx(math.log(max(found)), rel=1e-9)


def test_a_change_shows_at_once_where_reports_are_resent() -> None:
    assert linked.changed_level(dn.Remembered(dn.Cyclic(10, 1.0), 1.0), 1, 1) == math.inf
    with pytest.raises(dn.ParameterError, match="whole reports"):
        linked.changed_level(dn.Remembered(dn.Rappor(10, 1.0), 0.5), 1, 1)
    huge = dn.Remembered(dn.Subset(1 << 14, 2.0, size=1 << 12), 1.0)
    assert linked.changed_level(huge, MOST_ROUNDS, MOST_ROUNDS) > 1e6


def test_what_a_life_costs() -> None:
    m = dn.Remembered(dn.RandomizedResponse(5, 0.1), 0.05)
    assert [linked.lifetime(m, answers).epsilon for answers in (1, 3, 5, 9)] == [0.1, 0.3, 0.5, 0.5]
    assert linked.lifetime(m) == dn.LDP(0.5)
    texts = dn.Remembered(dn.HashedResponse(2.0, 16, 64), 1.0)
    assert linked.lifetime(texts).epsilon == 32.0
    assert linked.lifetime(dn.Remembered(dn.HashedResponse(2.0, 16, 64, domain=3), 1.0)).epsilon == 6.0
    ledger = dn.Ledger(dn.LDP(6.0))
    ledger.spend(linked.lifetime(dn.Remembered(dn.Cyclic(3, 2.0), 1.0)))
    with pytest.raises(dn.BudgetError):
        ledger.spend(dn.LDP(0.5))


def test_two_answers_cost_exactly_twice_the_level() -> None:
    """Both permanent reports, resent for ever: the ratio of the best pair is the square, to the last digit."""
    m = dn.Remembered(dn.RandomizedResponse(4, 1.0), 1.0)
    rows = m.permanent.channel().exact
    both = [np.multiply.outer(rows[x], rows[z]).ravel() for x, z in itertools.permutations(range(4), 2)]
    assert worst_ratio(np.array(both)) == rows.max() ** 2 / rows.min() ** 2
    assert linked.lifetime(m, 2).allows(worst_ratio(np.array(both)))


def test_words_for_those_who_are_asked() -> None:
    """Maths sheet time.md, section 2."""
    told = linked.what_shows(dn.Remembered(dn.Cyclic(100, 2.0), 1.0), 3)
    changes, life = told.split(". ")
    assert changes.endswith("can tell when your answer changed, and when an old one came back")
    assert f"at most {math.ceil(math.exp(6))} times likelier" in life
    assert "other answers that change and come back at the same times" in life


@pytest.mark.parametrize("name", PERMANENT)
def test_a_device_keeps_a_report_for_each_answer(name: str) -> None:
    m = remembered(name, 6, 2.0, 1.0)
    kept = linked.enrol(m, SeededEntropy(1))
    found = [linked.recall(m, kept, label) for label in range(6)]
    assert m.tally(kept).n == len(kept)
    if name != "HashedResponse":
        assert found == [m.layout.single(kept[i : i + 1]) for i in range(6)]
        return
    assert len(kept) == 3
    assert len({int(report) // 3 for report in kept}) == 1
    assert Counter(found) == Counter(dict.fromkeys(set(found), 2)) or len(set(found)) < 3


def test_enrolled_reports_follow_the_channel() -> None:
    """Of hashed texts: each is its own symbol's with the permanent odds, at a false-alarm rate of 1e-9."""
    m = dn.Remembered(dn.HashedResponse(2.0, 4, 8, domain=12), 1.0)
    assert isinstance(m.permanent, dn.HashedResponse)
    seen = [int(linked.recall(m, linked.enrol(m, SeededEntropy(seed)), 7)) for seed in range(20_000)]
    expected = m.permanent.channel().probabilities[7] * len(seen)
    assert stats.chisquare(np.bincount(seen, minlength=32), expected).pvalue > FALSE_ALARM
    with pytest.raises(dn.CapacityError, match="permanent reports"):
        linked.enrol(dn.Remembered(dn.RandomizedResponse(MOST_CELLS + 1, 2.0), 1.0))


BOTH, STAY = [[0.0, 0.15], [0.15, 0.0]], [[0.0, 0.7], [0.7, 0.0]]
NONE = [[0.0, 0.0], [0.0, 0.0]]


def test_golden_differences_of_two_days() -> None:
    """Maths sheet time.md, section 4."""
    m = dn.Remembered(dn.RandomizedResponse(16, 2.0), 1.0)
    change = functools.partial(linked.contrast_variance, m, [-1, 1], [0.2, 0.25])
    assert change(BOTH, STAY, 1) == pytest.approx(13.6004, abs=5e-5)
    assert change(NONE, NONE, 1) == pytest.approx(14.9913, abs=5e-5)
    assert change(BOTH, STAY, 50) == pytest.approx(13.6004 / 50, abs=1e-5)
    drawn = change(BOTH, STAY, 1, "population")
    assert drawn == pytest.approx(13.6004 + 0.15 - 0.05**2, abs=6e-5)  # who moved to or from it: .05 + .1


@pytest.mark.parametrize("name", ["RandomizedResponse", "Subset", "Cyclic of a plane", "Rappor"])
def test_differences_of_two_days_by_simulation(name: str) -> None:
    """The variance of 4,000 surveys of fixed people is within six of its standard errors."""
    m, n, surveys = remembered(name, 4, 2.0, 1.0), 40, 4000
    first = np.repeat([0, 1, 2, 3], 10)
    second = np.where(np.arange(n) % 10 < 7, first, (first + 1) % 4)
    stay, both = (first == second).mean(), ((first == 1) & (second == 1)).mean()
    entropy, kept = SeededEntropy(9), {}
    for day, values in enumerate((first, second)):
        kept[day] = m.permanent.draw(np.tile(values, surveys), entropy)
    stays = np.tile(first == second, surveys)
    kept[1] = np.where(stays[:, None] if kept[0].ndim == 2 else stays, kept[0], kept[1])
    law = m.law
    assert isinstance(law, SupportLaw)
    held = [law.supports(m._rounds_of.again(kept[day], m._keep, entropy))[:, 1] for day in (0, 1)]  # label 1
    moved = (held[1].astype(float) - held[0]).reshape(surveys, n).mean(axis=1) / law.support.gap
    shares = [(first == 1).mean(), (second == 1).mean()]
    same, any_same = ([[0, value], [value, 0]] for value in (both, stay))
    told = linked.contrast_variance(m, [-1, 1], shares, same, any_same, n)
    assert moved.var() == pytest.approx(told, rel=6 * math.sqrt(2 / surveys))


def test_contrasts_that_are_none() -> None:
    m = dn.Remembered(dn.RandomizedResponse(4, 2.0), 1.0)
    bad: list[list[Any]] = [
        [[-1, 1], [0.2], BOTH, STAY, 1],
        [[-1, 1], [0.2, 1.2], BOTH, STAY, 1],
        [[-1, math.nan], [0.2, 0.2], BOTH, STAY, 1],
        [[-1, 1], [0.2, 0.2], [[0, 0.1], [0.2, 0]], STAY, 1],
        [[-1, 1], [0.2, 0.2], BOTH, [[0.7]], 1],
        [[-1, 1], [0.2, 0.2], BOTH, "stay", 1],
        [[-1, 1], [0.2, 0.2], BOTH, STAY, 0],
        [[-1, 1], [0.2, 0.2], BOTH, STAY, 1, "all"],
    ]
    for arguments in bad:
        with pytest.raises(dn.ParameterError):
            linked.contrast_variance(m, *arguments)
    days: list[Any] = [[-1, 1], [0.2, 0.2], BOTH, STAY, 1]
    plain: Any = m.permanent
    for other in (plain, dn.Remembered(dn.HashedResponse(2.0, 4, 4), 1.0), dn.Remembered(dn.Hadamard(8, 3.0, 4), 1.0)):
        with pytest.raises(dn.ParameterError, match=r"^mechanism must"):
            linked.contrast_variance(other, *days)


@pytest.mark.parametrize("by_answered", [False, True])
def test_some_rounds_by_simulation(by_answered: bool) -> None:
    """Two of five rounds: the variance of 4,000 surveys is within six of its standard errors, and 2% if divided."""
    m, n, surveys, rng = dn.RandomizedResponse(3, 1.0), 200, 4000, np.random.default_rng(6)
    values = np.tile(np.repeat([0, 1, 2], [100, 60, 40]), surveys)
    held = m.law.supports(m.privatize_many(values, seed=8))[:, 1] - m.law.support.h
    answers = (rng.random(len(values)) < 2 / 5).reshape(surveys, n)
    added = (held.reshape(surveys, n) / m.law.support.gap * answers).sum(axis=1)
    shares = added / (answers.sum(axis=1) if by_answered else n * 2 / 5)
    told = linked.some_rounds_variance(m, 0.3, 5, 2, n, by_answered=by_answered)
    assert shares.var() == pytest.approx(told, rel=6 * math.sqrt(2 / surveys) + 0.02 * by_answered)


def test_how_many_rounds_are_best() -> None:
    """Maths sheet time.md, section 5: four at level 8 in all and half of the people, divided by those who answered."""
    found = {r: theory.some_rounds(Support.response(2, 8 / r), 1000, r, 0.5, by_answered=True) for r in range(1, 20)}
    assert min(found, key=found.__getitem__) == 4
    weak = {r: theory.some_rounds(Support.response(2, 1 / r), 1000, r, 0.5) for r in range(1, 20)}
    assert min(weak, key=weak.__getitem__) == 1
    for share, asked in ((1.5, 1), (0.5, 0), (0.5, 6)):
        with pytest.raises(dn.ParameterError):
            linked.some_rounds_variance(dn.RandomizedResponse(2, 1.0), share, 5, asked, 10)

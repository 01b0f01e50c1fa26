"""Differences of two periods that the same people answered from permanent reports.

Coverage is tested at a false-alarm rate of 1e-9 with fixed seeds; planted panels say what is known of who stayed.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats
from tests.lengths import by_length

import deniable as dn
from deniable.arrays import Flags
from deniable.mechanisms.repeat.linked import resend
from deniable.privacy.entropy import SeededEntropy
from deniable.protocol.errors import ParameterError
from deniable.theory.risk.linked import day_covariances, least_covariance
from deniable.theory.risk.support import Support

pytestmark = pytest.mark.soak
SURVEYS = by_length(300, 1500)
LEAST = float(stats.binom.ppf(1e-9, SURVEYS, 0.95)) / SURVEYS
PEOPLE, STAY = 1000, 0.6


def panel(generator: np.random.Generator) -> tuple[Flags, Flags]:
    """Who holds the first answer in two periods: most keep theirs, the others draw anew."""
    before = generator.random(PEOPLE) < 0.3
    return before, np.where(generator.random(PEOPLE) < STAY, before, generator.random(PEOPLE) < 0.3)


def estimates(m: dn.Remembered, days: tuple[Flags, Flags], seed: int) -> list[dn.Estimate]:
    """Both periods from the permanent reports that each person keeps for either answer, sent as they are."""
    kept = [m.permanent.draw(np.full(PEOPLE, label), SeededEntropy(10 * seed + label)) for label in (0, 1)]
    return [m.estimate(m.tally(np.where(held, kept[0], kept[1])), "unbiased") for held in days]


def test_the_golden_variances() -> None:
    """Maths sheet time.md, section 4: k-RR d=16 (2,1); what is known of both is never more than the covariance."""
    both, stay = np.full((2, 2), 0.15), np.full((2, 2), 0.7)
    fresh, permanent = Support.response(16, 1.0), Support.response(16, 2.0)
    shares = np.array([0.2, 0.25])
    found = day_covariances(fresh, permanent, shares, both, stay, "population")
    n = np.array([1000.0])
    assert 1000 * least_covariance(permanent, (shares[:1], shares[1:]), (n, n), 0.7)[0] <= found[0, 1]
    known = day_covariances(fresh, permanent, np.array([0.2, 0.2]), both * 0 + 0.2, stay * 0 + 1, "population")
    assert 1000 * least_covariance(permanent, (shares[:1], shares[:1]), (n, n), 1.0)[0] == pytest.approx(known[0, 1])


def test_intervals_of_the_same_people_cover_and_are_shorter() -> None:
    m = dn.Remembered(dn.RandomizedResponse(["yes", "no"], 2.0), 2.0)
    generator, covered, widths = np.random.default_rng(1), 0, []
    for seed in range(SURVEYS):
        days = panel(generator)
        first, second = estimates(m, days, seed)
        found = first.difference(second, stayed=float((days[0] == days[1]).mean()))
        low, high = found.interval()[0]
        covered += bool(low <= 0 <= high)
        others = first.difference(second).interval()[0]
        widths.append((high - low) / (others[1] - others[0]))
    assert covered / SURVEYS >= LEAST
    assert np.mean(widths) < 0.75


@pytest.mark.parametrize(("d", "ever", "each"), [(2, 5.0, 4.9), (8, 5.0, 4.9), (8, 2.0, 1.9)])
def test_intervals_cover_where_everybody_stays_and_little_noise_is_new(d: int, ever: float, each: float) -> None:
    """Estimates of both days then contradict each other by chance, which must not shorten intervals."""
    m = dn.Remembered(dn.RandomizedResponse(d, ever), each)
    generator, covered, n = np.random.default_rng(3), np.zeros(d), 400
    for seed in range(SURVEYS):
        held = generator.integers(d, size=n)
        kept = m.permanent.draw(held, SeededEntropy(seed))
        days = [
            m.estimate(m.tally(resend(m, kept, np.arange(n), SeededEntropy(10_000 + 2 * seed + day))), "unbiased")
            for day in range(2)
        ]
        low, high = days[0].difference(days[1], stayed=1.0).interval().T
        covered += (low <= 0) & (high >= 0)
    assert covered.min() / SURVEYS >= LEAST


@pytest.mark.parametrize(
    ("m", "people"),
    [
        (dn.Remembered(dn.RandomizedResponse(5, 1.5), 1.5), [0, 1, 1, 4] * 100),
        (dn.Remembered(dn.OptimizedUnary(3, 2.5), 2.5), [0, 2, 2] * 200),
        (dn.Remembered(dn.AskedItems(["a", "b", "c"], 1.0, together=1), 1.0), [["a"], ["b", "c"], []] * 90),
    ],
)
def test_reports_that_were_sent_again_differ_by_exactly_nothing(m: dn.Remembered, people: list[Any]) -> None:
    """The more of the people are known to have stayed, the less error is left, and none if all did."""
    kept = m.permanent.draw(m.domain.column(people), SeededEntropy(7))
    first, second = (m.estimate(m.tally(kept), "unbiased") for _ in range(2))
    known = [0.0, 0.5, 0.9, 0.999, 0.999999, 1.0]
    errors = np.array([first.difference(second, stayed=stayed).stderr for stayed in known])
    assert (np.diff(errors, axis=0) < 0).all()
    found = first.difference(second, stayed=1.0)
    assert not found.stderr.any()
    assert not found.interval(0.99).any()
    assert (found.p_values == 1).all()
    assert "No difference can be seen" in found.summary()


def test_of_labels_that_nobody_was_asked_nothing_is_known_whoever_stayed() -> None:
    asked = dn.Remembered(dn.AskedItems(list("abcdef"), 1.0, together=1), 1.0)
    once = asked.estimate(asked.privatize_many([["a"]], seed=1), "unbiased")
    found = once.difference(once, stayed=1.0)
    assert np.count_nonzero(np.isinf(found.stderr)) == 5
    assert (np.diff(found.interval(), axis=1) == 2).sum() == 5


def test_people_who_leave_are_others() -> None:
    """A thousand people, then 200 who stayed: who left was not drawn at random, and no error may become 0."""
    m = dn.Remembered(dn.RandomizedResponse(2, 2.0), 2.0)
    held = np.repeat([0, 1], [490, 510])
    stay = np.concatenate([np.flatnonzero(held == 0)[:10], np.flatnonzero(held == 1)[:190]])
    covered = 0
    for seed in range(SURVEYS):
        kept = m.permanent.draw(held, SeededEntropy(seed))
        first, second = (m.estimate(m.tally(reports), "unbiased") for reports in (kept, kept[stay]))
        found = first.difference(second, stayed=1.0)
        assert found.stderr.min() > 0.01
        low, high = found.interval()[0]
        covered += bool(low <= 0.05 - 0.49 <= high)
    assert covered / SURVEYS >= LEAST


def test_a_stayed_share_that_is_too_large_is_found_out() -> None:
    """Declared power: of people who all changed, said to have stayed, intervals are far too short."""
    m = dn.Remembered(dn.RandomizedResponse(["yes", "no"], 2.0), 2.0)
    generator, covered = np.random.default_rng(2), 0
    for seed in range(200):
        days = (generator.random(PEOPLE) < 0.3, generator.random(PEOPLE) < 0.3)
        first, second = estimates(m, days, seed)
        low, high = first.difference(second, stayed=1.0).interval()[0]
        covered += bool(low <= 0 <= high)
    assert covered / 200 < LEAST


def test_labels_that_are_asked_of_lists() -> None:
    m = dn.Remembered(dn.AskedItems(["a", "b", "c"], 2.0, together=1), 2.0)
    people: list[Any] = [["a"], ["b", "c"]] * 500
    first, second = (m.estimate(m.privatize_many(people, seed=seed), "unbiased") for seed in (1, 2))
    assert (first.difference(second, stayed=0.9).stderr < first.difference(second).stderr).all()
    none = first.difference(second, stayed=0.0)
    assert "of whom 0% stayed" in none.people
    assert none.test.method == "normal test"


def test_what_is_known_must_be_of_remembered_reports_that_support_labels() -> None:
    plain = dn.RandomizedResponse(["yes", "no"], 1.0)
    one = plain.estimate(plain.privatize_many(["yes"] * 50, seed=1))
    with pytest.raises(ParameterError, match="unless both periods are of one survey that remembers"):
        one.difference(one, stayed=0.5)
    hashed = dn.Remembered(dn.HashedResponse(2.0, 2, 16, domain=4), 1.0)
    other = hashed.estimate(hashed.privatize_many([0] * 50, seed=1))
    with pytest.raises(ParameterError, match="reports that support no labels"):
        other.difference(other, stayed=0.5)
    kept = dn.Remembered(plain, 0.5)
    found = kept.estimate(kept.privatize_many(["yes"] * 50, seed=1))
    for stayed in (-0.1, 1.1, "half"):
        wrong: Any = stayed
        with pytest.raises(ParameterError, match="stayed must be"):
            found.difference(found, stayed=wrong)

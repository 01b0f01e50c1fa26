"""Pairs of labels and lengths of lists: unbiased by enumeration, with the variances of the sheet on checklists."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import stats
from tests.lengths import by_length

import deniable as dn
from deniable.mechanisms.lists import together
from deniable.mechanisms.mechanism import Mechanism

SURVEYS = by_length(100, 1000)
LEAST = float(stats.binom.ppf(1e-9, SURVEYS, 0.95)) / SURVEYS
"""A smaller share of intervals holds with a chance of one in a billion, if each holds at 95%."""
PAIRS: list[Mechanism] = [
    dn.ItemResponse(3, 1.0),
    dn.ItemResponse(3, 1.0, one_sided=True),
    dn.PrivateSet(3, 1.0, most=3, size=2),
    dn.PrivateSet(4, 1.0, most=4, size=3),
]


@pytest.mark.parametrize("m", PAIRS, ids=repr)
def test_pairs_are_unbiased(m: Any) -> None:
    reports, held = m.layout.every_report(), m.domain.holding
    single = [dn.both_held(m, reports[y : y + 1], 0, 2).unbiased[0] for y in range(len(reports))]
    assert np.allclose(m.channel().probabilities @ single, held[:, 0] & held[:, 2])


@pytest.mark.parametrize(("d", "b", "pair"), [(5, 2, (1, 2)), (5, 2, (4, 0)), (5, 3, (0, 2)), (3, 3, (0, 2))])
def test_pairs_that_are_asked_together(d: int, b: int, pair: tuple[int, int]) -> None:
    """By the expected tally: the ratio of its counts is the share."""
    m, people = dn.AskedItems(d, 2.0, b), np.arange(2**d) % 7 * 10**9
    counts = np.rint(people @ m.channel().probabilities).astype(np.int64)
    counts[0] += people.sum() - counts.sum()
    held = m.domain.holding
    truth = people @ (held[:, pair[0]] & held[:, pair[1]]) / people.sum()
    found = dn.both_held(m, dn.Tally(int(people.sum()), counts, m.spec_bytes), *pair)
    assert found.unbiased[0] == pytest.approx(truth, abs=1e-7)


def test_golden_variances() -> None:
    """V of a pair: coins at shares .1, .2, both .05: 1.17134; a PrivateSet of m = 3, k = 7, .1, .1, .02: 72.4353."""
    m = dn.ItemResponse(2, 1.0)
    scores = together._pair(m, m.layout.every_report(), [0, 1])[1]
    people = np.array([0.75, 0.05, 0.15, 0.05])
    chances = people @ m.channel().probabilities
    assert chances @ scores**2 - (chances @ scores) ** 2 == pytest.approx(1.17134, abs=1e-5)
    private = dn.PrivateSet(40, 1.0, most=3, size=7)
    assert variance_of_pair(private, 0.1, 0.1, 0.02) == pytest.approx(72.4353, rel=1e-5)


def variance_of_pair(m: dn.PrivateSet, one: float, other: float, both: float) -> float:
    """The variance for one person, from how often a set holds each label and both."""
    s, scores, (yes, no) = m.law.support, together._set_scores(m), together._scores(m)
    i, j = s.h + s.gap * one, s.h + s.gap * other
    neither, either = 2 * no - scores[0], 2 * yes - scores[3]  # what "one or the other" adds, each way
    q = (one + other - both - neither) / (either - neither)
    chances = np.array([1 - i - j + q, i - q, j - q, q])
    return float(chances @ scores**2 - (chances @ scores) ** 2)


def test_asked_pairs_have_the_golden_variance() -> None:
    """Of 780 windows, each a pair, at share .05: 1328.94; here windows are neighbours, so 40 of them."""
    m = dn.AskedItems(40, 1.0, together=2)
    scores = together._asked_pair(m, np.ones(160, np.int64), [3, 4])[1]
    q = -scores[0] / (scores[1] - scores[0]) + 0.05 / (scores[1] - scores[0])
    assert 780 * q * (1 - q) * (scores[1] - scores[0]) ** 2 == pytest.approx(1328.94, rel=1e-5)


def test_lengths_are_unbiased() -> None:
    for m in (dn.ItemResponse(3, 1.0), dn.ItemResponse(4, 0.5, one_sided=True)):
        reports, lengths = m.layout.every_report(), m.domain.holding.sum(axis=1)
        single = [dn.list_lengths(m, reports[y : y + 1]).unbiased for y in range(len(reports))]
        assert np.allclose(m.channel().probabilities @ single, np.eye(m.layout.symbols + 1)[lengths])
    found = dn.list_lengths(m, m.privatize_many([[0]] * 5000, seed=1))
    assert found.frequencies.sum() == pytest.approx(1)
    assert found.notes == ()
    low, high = found.interval(simultaneous=True).T
    assert ((low <= [0, 1, 0, 0, 0]) & (high >= [0, 1, 0, 0, 0])).all()


def test_what_cannot_be_told_is_refused() -> None:
    items, asked = dn.ItemResponse(4, 1.0), dn.AskedItems(4, 1.0, together=2)
    reports = items.privatize_many([[0], [1]], seed=1)
    attempts: list[Callable[[], object]] = [
        lambda: dn.both_held(items, reports, 0, 0),
        lambda: dn.both_held(items, items.tally(reports), 0, 1),
        lambda: dn.both_held(items, reports[:0], 0, 1),
        lambda: dn.both_held(asked, asked.privatize_many([[0]] * 99, seed=1), 0, 2),
        lambda: dn.both_held(dn.PrivateSet(4, 1.0, 2, size=1), [], 0, 1),
        lambda: dn.both_held(dn.Rappor(4, 1.0), [], 0, 1),
        lambda: dn.list_lengths(asked, []),
    ]
    for attempt in attempts:
        with pytest.raises(dn.ParameterError, match="must"):
            attempt()
    with pytest.raises(dn.LabelError):
        dn.both_held(items, reports, 0, "chat")
    with pytest.raises(dn.TallyError):
        dn.both_held(asked, dn.AskedItems(4, 2.0, together=2).tally([3]), 0, 1)


def covered(found: list[dn.Estimate], truth: list[float]) -> tuple[float, float]:
    """The smallest share of intervals that hold, and how wide they are beside normal ones on average."""
    bounds = np.array([each.evidence.interval(0.05) for each in found])
    held = (bounds[..., 0] <= truth) & (truth <= bounds[..., 1])
    reach = 1.959964 * np.array([each.stderr for each in found])
    return float(held.mean(axis=0).min()), float((np.diff(bounds)[..., 0] / (2 * reach)).mean())


@pytest.mark.soak
@pytest.mark.parametrize(
    ("m", "n", "most"),
    [
        (dn.ItemResponse(5, 1.5), 2000, 1.12),
        (dn.ItemResponse(5, 0.5, one_sided=True), 4000, 1.12),
        (dn.PrivateSet(8, 3.0, most=3, size=2), 3000, 1.35),
        (dn.AskedItems(5, 2.0, together=2), 3000, 1.08),
    ],
)
def test_intervals_of_pairs_cover_and_are_not_much_too_wide(m: Any, n: int, most: float) -> None:
    """Of 40% of all people both labels, of the others one or none; Bentkus's bounds were 1.3 to 3 times normal ones."""
    lists: list[Any] = [[1, 2], [1], [0, 3], []]
    rng, found = np.random.default_rng(n), []
    for seed in range(SURVEYS):
        people = rng.multinomial(n, [0.4, 0.2, 0.2, 0.2])
        held = [each for each, count in zip(lists, people, strict=True) for _ in range(count)]
        found.append(dn.both_held(m, m.privatize_many(held, seed=seed), 1, 2))
    held_by, wide = covered(found, [0.4])
    assert held_by >= LEAST
    assert wide < most


@pytest.mark.soak
def test_intervals_of_lengths_cover_and_are_not_much_too_wide() -> None:
    m, rng, found = dn.ItemResponse(4, 3.0), np.random.default_rng(5), []
    for seed in range(SURVEYS):
        lengths = np.repeat(np.arange(5), rng.multinomial(3000, [0.1, 0.4, 0.3, 0.2, 0.0]))
        found.append(dn.list_lengths(m, m.privatize_many([list(range(length)) for length in lengths], seed=seed)))
    held_by, wide = covered(found, [0.1, 0.4, 0.3, 0.2, 0.0])
    assert held_by >= LEAST
    assert wide < 1.15

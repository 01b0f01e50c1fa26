"""Intervals where cohorts do not tell labels apart: they hold for the truths that collide most, and say why.

The labels of one survey miss together. So misses are counted for each label by itself, over surveys, and compared with
a binomial of the stated rate; and the share of the labels that each survey misses is compared with the rate by
Student's t over surveys. The false-alarm rate is 1e-8 in each of some hundred comparisons.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pytest
from scipy import stats
from tests.lengths import by_length

import deniable as dn
from deniable.arrays import Vector
from deniable.estimation.cohort_evidence import CohortEvidence
from deniable.estimation.cohorts import CohortSurvey
from deniable.estimation.evidence import Evidence
from deniable.estimation.mixed_labels import mixed_interval
from deniable.estimation.screening import screened
from deniable.mechanisms.mechanism import evidence_of
from deniable.theory.truths import uniform, zipf

Missed: TypeAlias = npt.NDArray[np.bool_]
FALSE_ALARM, RATE, LABELS, PEOPLE = 1e-8, 0.05, 100, 100_000
SURVEYS = by_length(16, 200)
FAMILIES: list[Any] = [dn.HashedResponse, dn.HashedRappor]


def missed(
    m: Any, p: Vector, n: int, surveys: int, read: Callable[[Any, Any], Evidence] = evidence_of
) -> tuple[Missed, Missed]:
    """For each survey (rows) which labels' 95% intervals miss their shares: in the population, among people."""
    rng, beyond, among = np.random.default_rng(n), [], []
    for _ in range(surveys):
        people = rng.multinomial(n, p)
        evidence = read(m, m.draw_tally(people, rng))
        low, high = evidence.interval(RATE).T
        beyond.append((p < low) | (p > high))
        low, high = evidence.interval(RATE, "sample").T
        among.append((people / n < low) | (people / n > high))
    return np.array(beyond), np.array(among)


def holds(found: Missed) -> bool:
    """Whether as few are missed as is said."""
    surveys, labels = found.shape
    each = found.sum(axis=0).max() <= stats.binom.isf(FALSE_ALARM / labels, surveys, RATE)
    together = found.mean(axis=1)
    test = stats.ttest_1samp(together, RATE, alternative="greater")
    return bool(each and (together.mean() <= RATE or test.pvalue > FALSE_ALARM))


@pytest.mark.parametrize("truth", [uniform, zipf])
@pytest.mark.parametrize("cohorts", [1, 8, 30, 40, 64, 512])
@pytest.mark.parametrize("family", FAMILIES)
def test_intervals_hold_with_any_number_of_cohorts(family: Any, cohorts: int, truth: Any) -> None:
    for found in missed(family(1.0, 4, cohorts, domain=LABELS), truth(LABELS), PEOPLE, SURVEYS):
        assert holds(found)


def test_intervals_that_ignore_who_collides_do_not_hold() -> None:
    """Of candidates that are dealt out as if they were hashed: a third of all uniform shares is missed."""

    def careless(m: Any, tally: Any) -> Evidence:
        survey = m.law.survey(tally.counts)
        return CohortEvidence(survey, screened(survey))

    found = missed(dn.HashedResponse(1.0, 4, 8, domain=LABELS), uniform(LABELS), PEOPLE, 25, careless)
    assert not holds(found[0])
    assert found[0].mean() > 0.25


@pytest.mark.parametrize("people", [20, 300, 50_000])
@pytest.mark.parametrize("family", FAMILIES)
def test_they_hold_where_everybody_collides(family: Any, people: int) -> None:
    """The label that most cohorts confuse with a given one has all the others: the lower bound is at its limit."""
    m = family(4.0, 4, 6, domain=40)
    same = (m._hashes.table[:, :, 0] == m._hashes.table[:1, :, 0]).mean(axis=1)
    p = np.zeros(40)
    p[0], p[1 + int(np.argmax(same[1:]))] = 0.4, 0.6
    for found in missed(m, p, people, 20):
        assert holds(found)


def test_a_lower_bound_knows_of_collisions() -> None:
    """Of the 0.6 that its symbols hold a part may be another label's, which agrees with it in half of the cohorts."""
    table = np.array([[0, 0], [0, 1], [1, 1], [1, 2], [2, 0], [2, 2]], np.uint16)
    counts = np.array([[3000, 2000, 0], [3000, 0, 2000]])
    survey = CohortSurvey.responses(table, counts, 1e6, closed=True)
    low, high = mixed_interval(survey, 0.05, "population")[0]
    assert low == pytest.approx((0.6 - 0.5) / 0.5, abs=0.03)
    assert high == pytest.approx(0.6, abs=0.02)
    assert mixed_interval(survey, 0.05, "sample")[0, 1] <= high


@pytest.mark.parametrize("family", FAMILIES)
def test_the_reason_is_said(family: Any) -> None:
    m, p = family(1.0, 4, 8, domain=LABELS), uniform(LABELS)
    e = m.estimate(m.draw_tally(np.full(LABELS, 500), np.random.default_rng(1)), "unbiased")
    assert "do not tell 100 labels apart" in e.notes[-1]
    assert np.isinf(e.stderr).all()
    assert e.interval(0.95)[:, 0].max() == 0
    assert e.frequencies.sum() == pytest.approx(1)
    assert float(((e.frequencies - p) ** 2).sum()) < 0.02  # what nobody stands out with is everybody's, evenly
    enough = family(1.0, 4, 64, domain=LABELS)
    assert enough.estimate(enough.draw_tally(np.full(LABELS, 500), np.random.default_rng(1))).notes == ()

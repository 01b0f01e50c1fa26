"""Crossed tables and weeks of a census: cells, margins, rows and their differences, changes and weeks taken together.

As in ``test_census_readings``: intervals may miss as often as chance explains if each misses 5 in 100 times. That fails
by chance less than once in ten million times, and it is shown for each reading that intervals far too short are seen.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Final

import numpy as np
import pytest
from scipy import stats
from tests.lengths import by_length
from tests.surveys.together.census_claims import LEVEL, Claim, counts_of, interval, too_often

import deniable as dn
from deniable.arrays import Counts, Matrix
from deniable.estimation.cross import CrossTable
from deniable.estimation.ratios import Ratios

WAY, LATE = dn.OneOf("way", ["car", "bus", "foot"]), dn.OneOf("late", ["yes", "no"])
PAIRS: Final = {"way": [way for way in WAY.labels for _ in LATE.labels], "late": [*LATE.labels] * 3}
SIZES: Final = (5, 45, 120)
SURVEYS: Final = by_length(2, 20)


def tables(size: int) -> Iterator[Counts]:
    """How many give each pair of answers: one for all, all but one, even, and each row at an end."""
    yield np.array([size, 0, 0, 0, 0, 0])
    yield np.array([size - 1, 0, 0, 0, 0, 1])
    yield np.array([size - 5 * (size // 6), *[size // 6] * 5])
    yield np.array([size // 2, 0, 0, size - size // 2, 0, 0])


def of_table(found: CrossTable, truth: Matrix) -> Iterator[Claim]:
    bounds = found.interval(LEVEL)
    yield from (interval("cell", truth[place], bounds[place]) for place in ((0, 0), (1, 1), (2, 1)))
    for axis in (0, 1):
        yield interval("margin", truth.sum(axis=1 - axis)[0], found.margin(axis, LEVEL)[1][0])
    rows, own = found.within_rows(), truth.sum(axis=1)
    within = rows.interval(LEVEL)
    if own[0] > 0 < own[1]:
        shares = truth[:2, 0] / own[:2]
        yield interval("share within a row", shares[1], within[1, 0])
        if rows.are_seen[:2].all():
            bounds = rows.difference("car", "bus").interval(LEVEL)
            yield interval("difference of rows", shares[0] - shares[1], bounds[0])


def of_crossed() -> Iterator[Claim]:
    generator = np.random.default_rng(1)
    for epsilon, size, part in product((1.0, 3.0), SIZES, (0.6, 1.0)):
        survey = dn.Survey.plan("census", [WAY, LATE], epsilon, size, [("way", "late")], population=size)
        for people, _ in product(tables(size), range(SURVEYS)):
            told = generator.multivariate_hypergeometric(people, round(part * size))
            results = survey.estimate(survey.draw_tally(PAIRS, told, generator))
            try:
                found = results.cross("way", "late")
            except dn.ParameterError:  # nobody was asked both
                continue
            yield from of_table(found, people.reshape(3, 2) / size)


@pytest.mark.soak
def test_crossed_tables_hold_as_often_as_they_say() -> None:
    claims, false, short = counts_of(of_crossed())
    assert not too_often(false, claims)
    assert too_often(short, claims) == set(claims)


def misses_of_rows(surveys: int = 45) -> int:
    """How often the difference of two rows misses, of whom all give one answer in the one and another in the other."""
    generator, misses = np.random.default_rng(2), 0
    survey = dn.Survey.plan("census", [WAY, LATE], 3.0, 120, [("way", "late")], population=120)
    for _ in range(surveys):
        tally = survey.draw_tally(PAIRS, np.array([60, 0, 0, 60, 0, 0]), generator)
        found = survey.estimate(tally).cross("way", "late").within_rows().difference("car", "bus")
        misses += interval("difference of rows", 1.0, found.interval(LEVEL)[0]).is_missed
    return misses


@pytest.mark.soak
def test_rows_at_either_end_are_compared_by_bounds_that_are_not_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    """With those that are cut, the fault that there once was, a third misses."""
    most = stats.binom.isf(1e-8, 45, 1 - LEVEL)
    assert misses_of_rows() <= most
    monkeypatch.setattr(Ratios, "_uncut", Ratios.interval)
    assert misses_of_rows() > most


def of_weeks() -> Iterator[Claim]:
    generator, shares = np.random.default_rng(3), np.array([[1, 0, 0], [0, 0, 1], [0.4, 0.4, 0.2]])
    for epsilon, size, part, share in product((1.0, 3.0), (5, 45, 120), (0.6, 1.0), shares):
        survey = dn.Survey.plan("census", [WAY], epsilon, size, population=size, period="week", repeat="fresh")
        people = np.rint(share * size).astype(np.int64)
        for _ in range(SURVEYS):
            asked = [generator.multivariate_hypergeometric(people, round(part * size)) for _ in range(4)]
            weeks = [survey.estimate(survey.draw_tally({"way": WAY.labels}, each, generator)) for each in asked]
            changes = [dn.change(weeks, first=span, last=span) for span in (1, 2)]
            for weeks_each, found in enumerate(changes, 1):
                rows = [(row.low, row.high) for row in found["way"].rows(LEVEL)]
                yield interval(f"change of spans of {weeks_each}", np.zeros(3), rows)
            pooled = changes[-1].both[0]["way"]
            yield interval("weeks together", people[0] / size, pooled.interval(LEVEL)[0])


@pytest.mark.soak
def test_changes_and_weeks_taken_together_hold_as_often_as_they_say() -> None:
    claims, false, short = counts_of(of_weeks())
    assert not too_often(false, claims)
    assert too_often(short, claims) == set(claims)


def test_of_people_of_whom_no_row_is_seen_nothing_is_said() -> None:
    """A handful of people may leave no answer that is clearly more than nobody's."""
    generator = np.random.default_rng(4)
    survey = dn.Survey.plan("census", [WAY, LATE], 0.5, 6, [("way", "late")], population=6)
    tally = survey.draw_tally(PAIRS, np.ones(6, np.int64), generator)
    rows = survey.estimate(tally).cross("way", "late").within_rows()
    assert not rows.are_seen.any()
    assert rows.interval(LEVEL).tolist() == [[[0, 1]] * 2] * 3
    assert np.isnan(rows.shares).all()
    assert rows.clearest() is None

"""Least squares against a dense design, collisions, lost rank, unlisted people, and the published errors."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from tests.estimation.cohort_worlds import (
    Ints,
    Table,
    Vector,
    bits,
    geometric,
    hashed,
    open_survey,
    permuted,
    responses,
)
from tests.lengths import by_length

from deniable.estimation.candidate_fit import joint
from deniable.estimation.cohort_evidence import Method, regress
from deniable.estimation.cohort_forms import projected
from deniable.estimation.cohorts import CohortSurvey, distinct_rows
from deniable.protocol.errors import CapacityError, ParameterError
from deniable.protocol.say import english

E3 = math.exp(3)


def dense(table: Table, counts: Ints, sizes: Ints, g: float, h: float) -> Vector:
    """Stack the design, a row a cell, and solve."""
    size, cohorts, hashes = table.shape
    r = counts.shape[1]
    beta = 1 - (1 - 1 / r) ** hashes
    rows, right = [], []
    for c in range(cohorts):
        for y in range(r if sizes[c] else 0):
            weight = math.sqrt(sizes[c])
            rows.append([weight * ((y in table[s, c]) - beta) for s in range(size)])
            right.append(weight * ((counts[c, y] / sizes[c] - h) / (g - h) - beta))
    return np.asarray(np.linalg.lstsq(np.array(rows), np.array(right), rcond=1e-9)[0])


@pytest.mark.parametrize(("size", "cohorts", "r"), [(1, 1, 2), (5, 3, 4), (20, 10, 8), (30, 8, 4)])
def test_responses_equal_the_dense_solution(size: int, cohorts: int, r: int) -> None:
    """With fewer dimensions than candidates, in the last case, the one of least norm."""
    rng = np.random.default_rng(size)
    table = hashed(rng, size, cohorts, r=r)
    counts = responses(rng, table, np.ones(size), 400, E3, r)
    twin = dense(table[:, :, None], counts, counts.sum(axis=1), E3 / (E3 + r - 1), 1 / (E3 + r - 1))
    survey = CohortSurvey.responses(table, counts, E3)
    assert len(survey.symbols) == size
    np.testing.assert_allclose(regress(survey, "joint").unbiased(), twin, atol=1e-8)


@pytest.mark.parametrize("hashes", [1, 2, 4])
def test_filters_equal_the_dense_solution_and_empty_cohorts_are_left_out(hashes: int) -> None:
    rng = np.random.default_rng(hashes)
    table = hashed(rng, 12, 20, hashes, r=8)
    counts, sizes = bits(rng, table, np.ones(12), 60, 0.1, 8)
    counts[4], sizes[4] = 0, 0
    found = regress(CohortSurvey.bloom(table, counts, sizes, 0.1), "joint")
    np.testing.assert_allclose(found.unbiased(), dense(table, counts, sizes, 0.9, 0.1), atol=1e-8)
    assert found.n == sizes.sum()


def test_a_closed_survey_equals_the_constrained_solution() -> None:
    """Eliminating the last share gives the same."""
    rng = np.random.default_rng(3)
    table = permuted(rng, 16, 12, 4)
    counts = responses(rng, table, geometric(16), 2000, E3, 4)
    survey = CohortSurvey.responses(table, counts, E3, closed=True)
    evidence = regress(survey)
    held = np.stack([survey.centred(row) for row in np.eye(16)]) * np.sqrt(survey.sizes[:, None])
    right = (survey.observed * np.sqrt(survey.sizes[:, None]) - held[-1]).ravel()
    free = np.linalg.lstsq((held[:-1] - held[-1]).reshape(15, -1).T, right, rcond=None)[0]
    np.testing.assert_allclose(evidence.unbiased(), np.append(free, 1 - free.sum()), atol=1e-9)
    assert evidence.unlisted is None
    assert evidence.notes == ()


def test_candidates_that_always_collide_share_their_mass() -> None:
    rng = np.random.default_rng(4)
    table = hashed(rng, 10, 30, r=8)
    table[7] = table[2]
    p = np.full(10, 0.1)
    evidence = regress(open_survey(rng, table, p, 50_000, E3, 8))
    assert evidence.collisions == ((2, 7),)
    assert "2 candidates collide" in english(evidence.notes[-1])
    np.testing.assert_allclose(evidence.unbiased(), 0.1, atol=0.02)
    low, high = evidence.interval(0.05)[[2, 7]].T
    assert (low <= 0).all()
    assert (high > 0.18).all()
    assert evidence.unbiased()[2] == evidence.unbiased()[7]


@pytest.mark.parametrize(("size", "lost"), [(50, True), (20, False)])
def test_lost_rank_is_reported(size: int, lost: bool) -> None:
    rng = np.random.default_rng(5)
    survey = open_survey(rng, hashed(rng, size, 8, r=4), geometric(size), 5000, E3, 4)
    evidence = regress(survey, "joint")
    assert any("cannot be told apart" in english(note) for note in evidence.notes) == lost
    assert (evidence.fit.rank == 24) == lost
    assert evidence.fit.told_apart.all() == (not lost)
    if lost:
        assert evidence.interval(0.1)[~evidence.fit.told_apart].tolist() == [[0, 1]] * 50
        assert evidence.pvalues().min() == 1


def test_two_that_only_their_sum_is_known_of_leave_the_others_alone() -> None:
    """Of the closed alphabet, {a, b} and {c, d} in one cohort, {a, b}, {c}, {d} in the other."""
    table = np.array([[0, 0], [0, 0], [1, 1], [1, 2]], np.uint16)
    table = np.hstack([table, np.zeros((4, 1), np.uint16)])
    counts = responses(np.random.default_rng(1), table, np.array([0.2, 0.2, 0.5, 0.1]), 90_000, 1e3, 3)
    evidence = regress(CohortSurvey.responses(table, counts, 1e3, closed=True))
    np.testing.assert_allclose(evidence.unbiased(), [0.2, 0.2, 0.5, 0.1], atol=0.01)
    assert evidence.collisions == ((0, 1),)


@pytest.mark.parametrize("method", ["joint", "screened"])
def test_unlisted_people_are_counted(method: Method) -> None:
    """30% hold one of 500 other strings; both ways to estimate find p and their share without bias."""
    rng = np.random.default_rng(6)
    p = geometric(20) * 0.7
    errors, shares = [], []
    for _ in range(60):
        evidence = regress(open_survey(rng, hashed(rng, 20, 64, r=16), p, 20_000, E3, 16), method)
        assert evidence.unlisted is not None
        shares.append((evidence.unlisted[0] - 0.3) / evidence.unlisted[1])
        errors.append((evidence.unbiased() - p) / evidence.stderr())
    assert abs(np.mean(shares)) < 4 / math.sqrt(60)
    assert 0.7 < np.std(shares) < 1.3
    assert abs(np.mean(errors)) < 4 / math.sqrt(60 * 20)
    assert 0.9 < np.std(errors) < 1.1


def test_candidates_beside_many_strong_ones_are_not_shrunk() -> None:
    """An eighth of the dimensions goes to those that stand out; the others' shares stay what they are."""
    rng, found = np.random.default_rng(9), []
    p = np.array([0.045] * 20 + [0.0015] * 40)
    for _ in range(60):
        evidence = regress(open_survey(rng, hashed(rng, 60, 24, r=8), p, 500_000, E3, 8), "screened")
        assert 18 <= evidence.fit.rank <= 25
        found.append(evidence.unbiased()[20:].mean())
    assert abs(np.mean(found) - 0.0015) < 4 * np.std(found) / math.sqrt(60)
    assert np.std(found) / math.sqrt(60) < 0.00003


@pytest.mark.soak
@pytest.mark.parametrize(("closed", "published"), [(False, 0.413), (True, 0.401)])
def test_the_published_error_is_reached(closed: bool, published: float) -> None:
    """Kairouz 2016, Fig. 3 re-run: 30,000 people, 256 strings, epsilon = 3, r = 16; the best number of cohorts.

    Many cohorts are the best by a little; 1 to 64, and those between, were tried once and are worse or the same. In
    `make test` only 256 are tried beside 16.
    """
    rng, p, medians = np.random.default_rng(7), geometric(256), {}
    for cohorts in by_length((16, 256), (16, 128, 256, 512, 1024)):
        losses = []
        for _ in range(20):
            table = permuted(rng, 256, cohorts, 16) if closed else hashed(rng, 256, cohorts, r=16)
            survey = CohortSurvey.responses(table, responses(rng, table, p, 30_000, E3, 16), E3, closed)
            losses.append(np.abs(projected(regress(survey)).frequencies - p).sum())
        medians[cohorts] = (float(np.median(losses)), 1.25 * float(np.std(losses)) / math.sqrt(20))
    best, error = min(medians.values())
    assert abs(best - published) < 0.05 * published + 3 * error
    assert medians[16][0] > 1.1 * best


def test_a_large_survey_is_decoded_in_a_moment() -> None:
    """10,000 candidates against 4,032 dimensions: no joint fit, every strong string found, errors as stated."""
    rng = np.random.default_rng(8)
    p = np.zeros(10_000)
    p[rng.permutation(10_000)[:20]] = 0.03
    evidence = regress(open_survey(rng, hashed(rng, 10_000, 64, r=64), p, 100_000, E3, 64))
    z = (evidence.unbiased() - p) / evidence.stderr()
    assert "20 of 10,000 candidates stand out" in english(evidence.notes[0])
    assert abs(z.mean()) < 0.05
    assert 0.97 < z.std() < 1.03
    assert np.abs(z[p > 0]).max() < 4.5
    assert np.abs(projected(evidence).frequencies - p).sum() < 0.6 * np.abs(evidence.unbiased() - p)[p == 0].sum()


def test_no_joint_fit_of_too_many() -> None:
    table = hashed(np.random.default_rng(1), 10_001, 2, 3, r=250)
    survey = CohortSurvey.bloom(table, np.ones((2, 250), np.int64), np.array([2, 2]), 0.1)
    with pytest.raises(CapacityError, match="at most 10000 candidates, got 10001"):
        joint(survey)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"symbols": np.zeros((3, 3), np.uint16)}, "symbols must be"),
        ({"symbols": np.full((3, 2), 9, np.uint16)}, "symbols must be unsigned and below 4"),
        ({"symbols": np.zeros((3, 2), np.int64)}, "symbols must be unsigned"),
        ({"counts": np.zeros((2, 4), np.int64)}, "of some people, got 0 or more of 0"),
        ({"counts": np.full((2, 4), -1)}, "counts must be 0 or more"),
        ({"counts": np.ones((2, 1), np.int64)}, "at least two symbols"),
        ({"ratio": 1.0}, "ratio must be a finite number above 1, got ratio=1.0"),
    ],
)
def test_nonsense_is_refused(change: dict[str, Any], message: str) -> None:
    good: dict[str, Any] = {"symbols": np.zeros((3, 2), np.uint16), "counts": np.ones((2, 4), np.int64), "ratio": 2.0}
    with pytest.raises(ParameterError, match=message):
        CohortSurvey.responses(**(good | change))


def test_nonsense_of_filters_and_methods_is_refused() -> None:
    table, counts = np.zeros((3, 2, 1), np.uint16), np.ones((2, 4), np.int64)
    with pytest.raises(ParameterError, match="flip must be between 0 and 1/2"):
        CohortSurvey.bloom(table, counts, np.array([2, 2]), 0.5)
    with pytest.raises(ParameterError, match="at least as many as any of its counts"):
        CohortSurvey.bloom(table, counts, np.array([2, 0]), 0.1)
    unknown: Any = "best"
    with pytest.raises(ParameterError, match="method must be"):
        regress(CohortSurvey.bloom(table, counts, np.array([2, 2]), 0.1), unknown)


def test_rows_that_begin_alike_are_told_apart() -> None:
    """By any of their symbols, the last one too; only equal rows become one."""
    table = hashed(np.random.default_rng(1), 6, 40, r=4)
    table[1:] = table[0]
    table[2, -1], table[4, 20] = (table[2, -1] + 1) % 4, (table[4, 20] + 1) % 4
    rows, group = distinct_rows(table[:, :, None])
    assert group.tolist() == [0, 0, 1, 0, 2, 0]
    assert np.array_equal(rows[:, :, 0], table[[0, 2, 4]])

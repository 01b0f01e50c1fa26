"""Candidates that stand out, found with few errors, are those that the scores of all candidates tell."""

from __future__ import annotations

import numpy as np
import pytest
from tests.estimation.cohort_worlds import bits, hashed, open_survey, permuted, responses

from deniable.arrays import Indices
from deniable.estimation import standing_out as module
from deniable.estimation.cohort_evidence import fits_jointly, regress
from deniable.estimation.cohorts import CohortSurvey
from deniable.estimation.standing_out import standing_out

RATIO, LEAST = 20.0, 3.0


def told(survey: CohortSurvey, least: float = LEAST) -> list[int]:
    """The same by the scores of all."""
    scores = regress(survey).scores()
    order: Indices = np.argsort(-scores, kind="stable")
    return [place for place in order.tolist() if scores[place] > least]


def world(seed: int, size: int, cohorts: int, n: int, frequent: int) -> CohortSurvey:
    """Reports of 16 symbols; the first candidates have half of all people, nobody has another one."""
    rng = np.random.default_rng(seed)
    table = hashed(rng, size, cohorts, r=16)
    p = np.zeros(size)
    p[:frequent] = np.linspace(2, 1, frequent) / (3 * frequent) if frequent else 0.0
    return open_survey(rng, table, p, n, RATIO, 16)


@pytest.mark.parametrize(
    ("size", "cohorts", "n", "frequent", "joint"),
    [
        (300, 100, 20_000, 4, True),
        (300, 100, 20_000, 60, True),
        (300, 100, 20_000, 0, True),
        (300, 100, 60, 3, True),
        (4, 100, 500, 2, True),
        (3000, 60, 20_000, 4, False),
        (3000, 60, 20_000, 60, False),
        (3000, 60, 20_000, 0, False),
        (3000, 60, 60, 3, False),
    ],
)
def test_the_same_stand_out(size: int, cohorts: int, n: int, frequent: int, joint: bool) -> None:
    """Few and many, nobody, and few people: fitted all at once, and beside those that stand out."""
    for seed in range(3):
        survey = world(seed, size, cohorts, n, frequent)
        assert fits_jointly(survey) == joint
        for least in (0.5, LEAST):
            assert standing_out(survey, least).tolist() == told(survey, least)
        assert frequent == 0 or n < 1000 or len(standing_out(survey, LEAST)) >= 2


def test_candidates_that_no_count_tells_apart() -> None:
    """Equal rows share their mass; where the equations have no single answer, candidates are screened."""
    rng = np.random.default_rng(1)
    table = hashed(rng, 40, 30, r=16)
    table[7] = table[3]
    counts = responses(rng, table, np.r_[np.full(8, 0.1), np.full(32, 0.2 / 32)], 30_000, RATIO, 16)
    shared = CohortSurvey.responses(table, counts, RATIO)
    assert standing_out(shared, LEAST).tolist() == told(shared)
    square = np.array([[0, 0, 1], [0, 1, 1], [1, 0, 2], [1, 1, 2]], np.uint16)  # with signs + - - + they add up to 0
    counts = responses(rng, square, np.array([0.7, 0.1, 0.1, 0.1]), 9000, RATIO, 16)
    singular = CohortSurvey.responses(square, counts, RATIO)
    assert fits_jointly(singular)
    assert not regress(singular, "joint").fit.told_apart.all()
    assert standing_out(singular, LEAST).tolist() == told(singular)


def test_closed_surveys_and_filters() -> None:
    rng = np.random.default_rng(2)
    dealt = permuted(rng, 30, 20, 16)
    closed = CohortSurvey.responses(dealt, responses(rng, dealt, np.arange(30.0), 9000, RATIO, 16), RATIO, closed=True)
    table = hashed(rng, 50, 40, 2, r=16)
    filters = CohortSurvey.bloom(table, *bits(rng, table, np.arange(50.0) ** 3, 9000, 0.1, 16), 0.1)
    for survey in (closed, filters):
        assert len(told(survey)) > 1
        assert standing_out(survey, LEAST).tolist() == told(survey)


def test_a_bound_that_is_too_high_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: candidates are left out whose least error is taken twice."""
    survey = world(0, 300, 100, 20_000, 60)
    monkeypatch.setattr(module, "ROUNDING", -1.0)
    assert standing_out(survey, LEAST).tolist() != told(survey)

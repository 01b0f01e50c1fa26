"""P-values of candidates: valid beside a frequent text that nobody listed, and not blunt."""

from __future__ import annotations

import math

import numpy as np
import pytest
from tests.estimation.cohort_worlds import Rng, hashed, open_survey, responses
from tests.lengths import by_length

from deniable.estimation.chances import chances, occupancy
from deniable.estimation.cohort_evidence import regress
from deniable.estimation.cohorts import CohortSurvey
from deniable.estimation.presence import present

FDR, E4 = 0.1, math.exp(4)
SURVEYS = by_length(25, 250)
pytestmark = pytest.mark.soak


def world(rng: Rng, cohorts: int, r: int, size: int, unlisted: float, hashes: int = 1) -> CohortSurvey:
    """Five of the candidates are held, and one text that is not listed by a share of the people."""
    held = (1 - unlisted) / np.arange(1, 6) / (1 / np.arange(1, 6)).sum()
    p = np.append(held, np.zeros(size - 5))
    return open_survey(rng, hashed(rng, size, cohorts, r=r), p, 100_000, E4, r, strings=1)


@pytest.mark.parametrize(
    ("cohorts", "r", "size", "unlisted"), [(16, 64, 4000, 0.95), (32, 64, 3000, 0.5), (8, 64, 1000, 0.5)]
)
def test_a_frequent_unlisted_text_makes_no_false_findings(cohorts: int, r: int, size: int, unlisted: float) -> None:
    """Normal tails name 0.3 to 0.95 false ones here. Fails by chance below 1e-6: five errors of a mean of at most 1."""
    rng, false = np.random.default_rng(41), []
    for _ in range(SURVEYS):
        found = present(regress(world(rng, cohorts, r, size, unlisted)).pvalues(), FDR)
        false.append((found >= 5).mean() if len(found) else 0.0)
    assert np.mean(false) <= FDR + 5 * np.std(false) / math.sqrt(SURVEYS)


def test_with_many_cohorts_those_that_are_held_are_found() -> None:
    """256 cohorts of 16 symbols, 1,000 candidates: nearly all five in every survey, the text in the way or not."""
    rng = np.random.default_rng(42)
    named = [
        present(regress(world(rng, 256, 16, 1000, unlisted)).pvalues(), FDR)
        for unlisted in (0.0, 0.5)
        for _ in range(by_length(4, 20))
    ]
    assert np.mean([(found < 5).sum() / 5 for found in named]) > 0.9


@pytest.mark.parametrize("hashes", [1, 3])
def test_unheld_candidates_have_valid_pvalues(hashes: int) -> None:
    """Below each level there are at most as many as the level says: 4,000 a survey, five standard errors."""
    rng = np.random.default_rng(43)
    for level in (0.2, 0.01, 0.001):
        shares = []
        for _ in range(20):
            table = hashed(rng, 4001, 12, hashes, r=32)
            p = np.append(np.zeros(4000), 1.0)
            if hashes == 1:
                survey = CohortSurvey.responses(table[:-1], responses(rng, table[:, :, 0], p, 20_000, E4, 32), E4)
            else:
                counts = np.zeros((12, 32), np.int64)
                for cohort, row in enumerate(table[-1]):
                    counts[cohort, row] = 1000
                survey = CohortSurvey.bloom(table[:-1], counts, np.full(12, 1000), 0.1)
            shares.append(np.mean(chances(survey, np.empty(0, np.int64)) <= level))
        assert np.mean(shares) <= level + 5 * math.sqrt(level / (20 * 4000))
        assert np.mean(shares) > level / 50


def test_a_fitted_candidate_is_held_against_what_the_others_leave() -> None:
    """As if it had not been fitted: taken out by the inverse, or left out of the fit."""
    rng = np.random.default_rng(44)
    survey = world(rng, 16, 16, 30, 0.2)
    together = np.array([0, 1, 2, 7, 20])
    found = chances(survey, together)
    for row in together:
        alone = chances(survey, together[together != row])
        if 1e-15 < alone[row] < 0.3:
            assert math.log(found[row]) == pytest.approx(math.log(alone[row]), abs=0.1)
        assert (found[row] < 0.3) == (alone[row] < 0.3)


def test_repeated_hashes_hit_fewer_symbols() -> None:
    assert occupancy(8, 1).tolist() == [0, 1]
    assert occupancy(2, 3).tolist() == pytest.approx([0, 0.25, 0.75, 0])
    draw = np.random.default_rng(45).integers(0, 5, (100_000, 4))
    seen = np.bincount([len(set(row)) for row in draw.tolist()], minlength=5) / 100_000
    assert np.abs(seen - occupancy(5, 4)).max() < 0.01

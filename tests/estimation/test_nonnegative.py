"""The nonnegative fit: the length of its steps, which no matrix tells."""

from __future__ import annotations

import numpy as np
import pytest

from deniable.estimation.cohorts import CohortSurvey
from deniable.estimation.nonnegative import largest_eigenvalue


@pytest.mark.parametrize(
    ("rows", "cohorts", "symbols"), [(300, 60, 8), (200, 100, 8), (50, 20, 4), (3, 2, 2), (1, 20, 4)]
)
def test_steps_are_short_enough_and_hardly_shorter(rows: int, cohorts: int, symbols: int) -> None:
    rng = np.random.default_rng(1)
    table = rng.integers(0, symbols, (rows, cohorts), dtype=np.uint16)
    survey = CohortSurvey.responses(table, rng.integers(5, 50, (cohorts, symbols)), 20.0)
    columns = [survey.centred(each).ravel() for each in np.eye(len(survey.symbols))]
    map_of_shares = np.array(columns) * np.repeat(np.sqrt(survey.sizes), symbols)
    true = np.linalg.eigvalsh(map_of_shares @ map_of_shares.T)[-1]
    assert true <= largest_eigenvalue(survey) <= 1.15 * true

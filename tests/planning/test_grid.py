"""Grid searches: kairouz2016's Fig. 3 at the best points of a grid, and what is refused.

30,000 people, 256 texts, geometric with mean 51.2, everybody known to hold one of them. The grids here are the
neighbourhoods of the best points of the whole one (symbols 2 to 2048, cohorts 1 to 1024, hashes 1 to 16, powers of
two), which takes some ten minutes: see docs/open-alphabets.md.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from tests.lengths import by_length

import deniable as dn
from deniable.planning.grid import grid_search

TRUTH = np.exp(-np.arange(256) / 51.2) / np.exp(-np.arange(256) / 51.2).sum()
RESPONSE, RAPPOR = "HashedResponse", "HashedRappor"
FIGURE_3 = [
    (1.0, RESPONSE, False, [2, 4], [16, 32], 0.942),
    (1.0, RESPONSE, True, [2, 4], [16, 32], 0.931),
    (1.0, RAPPOR, False, [16, 32, 64], [1, 4], 0.923),
    (3.0, RESPONSE, False, [16, 32], [256, 512], 0.413),
    (3.0, RESPONSE, True, [16, 32], [256, 512], 0.401),
    (3.0, RAPPOR, False, [512, 1024], [8, 128], 0.463),
    (5.0, RESPONSE, False, [64, 128], [128, 256], 0.187),
    (5.0, RESPONSE, True, [128, 256], [32, 256], 0.167),
    (5.0, RAPPOR, False, [1024, 2048], [8, 16], 0.285),
    (8.0, RESPONSE, False, [1024], [4, 128], 0.085),
    (8.0, RESPONSE, True, [256], [8, 256], 0.065),
    (8.0, RAPPOR, False, [1024, 2048], [16, 32], 0.157),
]
"""Epsilon, mechanism, closed, symbols, cohorts, and the printed median l1 at the best point.

Every other one is of every level, mechanism and alphabet.
"""


@pytest.mark.soak
@pytest.mark.parametrize(
    ("epsilon", "mechanism", "closed", "symbols", "cohorts", "printed"), by_length(FIGURE_3[::2], FIGURE_3)
)
def test_figure_3_of_kairouz2016(
    epsilon: float, mechanism: str, closed: bool, symbols: list[int], cohorts: list[int], printed: float
) -> None:
    """The median of 11 surveys at the best point, within 5% and three standard errors."""
    best = grid_search(
        epsilon, TRUTH.tolist(), 30_000, 2, symbols, cohorts, [1], [mechanism],
        closed=closed, complete=True, surveys=11,
    )[0]  # fmt: skip
    assert abs(best.l1 - printed) < 0.05 * printed + 3 * best.error
    assert best.error < 0.04 * printed


def test_a_grid_search_ranks_what_it_tried() -> None:
    """One cohort cannot tell 64 candidates apart."""
    truth, done = np.exp(-np.arange(64) / 12.8), 0

    def advance(more: int) -> None:
        nonlocal done
        done += more

    tried = grid_search(
        3.0, (truth / truth.sum()).tolist(), 20_000, 1, [4, 16], [1, 64], [1, 2], surveys=3, progress=advance
    )
    assert [point.l1 for point in tried] == sorted(point.l1 for point in tried)
    assert tried[0].mechanism == dn.HashedResponse(3.0, 16, 64)
    assert len({point.mechanism for point in tried}) == len(tried) == done == 12
    again = grid_search(3.0, (truth / truth.sum()).tolist(), 20_000, 1, [16], [64], mechanisms=[RESPONSE], surveys=3)
    assert again == tried[:1]


def test_one_hash_is_best() -> None:
    tried = grid_search(3.0, TRUTH.tolist(), 30_000, 4, [256], [64], [1, 2, 4], [RAPPOR], complete=True)
    assert [point.mechanism.spec()["hashes"] for point in tried] == [1, 2, 4]
    assert tried[1].l1 > 1.2 * tried[0].l1


def test_to_know_that_everybody_is_listed_is_worth_something() -> None:
    """A fifth of the error, and the medians of nine surveys are within some 5% of theirs."""
    arguments: dict[str, Any] = {"symbols": [4], "cohorts": [16], "mechanisms": [RESPONSE], "surveys": 9}
    room, complete = (grid_search(1.0, TRUTH.tolist(), 30_000, 3, complete=c, **arguments)[0] for c in (False, True))
    assert complete.l1 < 0.95 * room.l1
    assert math.isnan(grid_search(1.0, [0.5, 0.5], 100, 1, **{**arguments, "surveys": 1})[0].error)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"truth": [0.5, 0.2]}, "truth must add up to 1"),
        ({"users": 0}, "users must be an int"),
        ({"surveys": 0}, "surveys must be an int"),
        ({"symbols": []}, "each hold a number to try"),
        ({"hashes": []}, "each hold a number to try"),
        ({"mechanisms": []}, "mechanisms must be among"),
        ({"mechanisms": ["Subset"]}, "mechanisms must be one of"),
        ({"symbols": [1]}, "symbols must be an int of at least 2"),
        ({"seed": -1}, "seed must be between"),
        ({"epsilon": 0}, "epsilon must be"),
    ],
)
def test_bad_grids(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(dn.ParameterError, match=message):
        grid_search(**{"epsilon": 1.0, "truth": [0.5, 0.5], "users": 10, "seed": 1, **changed})

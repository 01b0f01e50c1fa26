"""The search in a channel's running sums finds for every word what counting them would."""

from __future__ import annotations

import numpy as np
import pytest

from deniable.arrays import Words
from deniable.kernels._kernels import draw_table
from deniable.mechanisms.channels.table import Search

WORD = 1 << 64


def _row(weights: list[int], total: int) -> list[int]:
    """Weights whose last is what the total leaves."""
    return [*weights, total - sum(weights)]


TABLES = {
    "one column": [[5]],
    "two columns": [[1, 1]],
    "no weight at the ends": [[0, 7, 0]],
    "all in one cell": [_row([1] * 20, 1 << 40)],
    "all but one in the last cell": [_row([(1 << 40) - 30] + [1] * 28, 1 << 40)],
    "powers": [_row([1 << k for k in range(40)], 1 << 41), _row([1 << 40] + [0] * 38 + [1], 1 << 41)],
    "the largest total": [_row([1 << 62, 0, 1, WORD // 2], WORD - 1), _row([0, 0, 0, WORD - 3], WORD - 1)],
    "a power of two": [_row([1 << 60] * 3, 1 << 62)],
    "uneven": np.random.default_rng(1).multinomial(10**9, np.random.default_rng(2).dirichlet([0.05] * 300), 7).tolist(),
}


def _coins(sums: Words) -> list[int]:
    """Every running sum and its neighbours, the first integer and the last."""
    total = int(sums[0, -1])
    near = {int(each) + step for each in sums.ravel() for step in (-1, 0, 1)} | {0, total - 1}
    return sorted(coin for coin in near if 0 <= coin < total)


@pytest.mark.parametrize("name", TABLES)
def test_every_border_is_found(name: str) -> None:
    sums = np.cumsum(np.array(TABLES[name], np.uint64), axis=1, dtype=np.uint64)
    search, total = Search.of(sums), int(sums[0, -1])
    coins = _coins(sums)
    tape = np.array([((coin + 1) * WORD - 1) // total for coin in coins], np.uint64)  # none of them is rejected
    for value, row in enumerate(sums):
        out, values = np.zeros(len(coins), np.uint16), np.full(len(coins), value)
        assert draw_table(tape, 0, values, *search, out) == (len(coins), len(coins))
        assert out.tolist() == np.searchsorted(row, np.array(coins, np.uint64), side="right").tolist()

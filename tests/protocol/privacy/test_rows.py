"""Rows of plain integers, as devices hold them, are judged like the library's arrays."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest

import deniable as dn
from deniable.privacy.matrix import Rows
from deniable.protocol.errors import ParameterError
from deniable.protocol.privacy.rows import ListedRows

D = 4
GUARANTEES: list[Any] = [
    *(dn.LDP(level) for level in (0.2, 1.0, 2.0)),
    *(dn.HighLow(D, places, level) for places in ([0], [0, 1]) for level in (0.5, 1.0)),
    *(dn.Blocks(blocks, level, D) for blocks in ([[0, 1], [2, 3]], [[3, 0], [1], [2]]) for level in (0.5, 1.0)),
    *(dn.InformationPrivacy(D, prior, 0.5) for prior in ([0.4, 0.3, 0.2, 0.1], [0.7, 0.3, 0.0, 0.0])),
    dn.OneSidedInformationPrivacy(D, [0.4, 0.3, 0.2, 0.1], 0.5),
    dn.MutualInformationPrivacy(D, [0.4, 0.3, 0.2, 0.1], 0.1),
    dn.Pairwise(D, [[0, 1.0, 5.0, 1], [9.0, 0, 2.0, 1], [9.0, math.inf, 0, 1], [math.inf] * 4]),
    dn.Distance(D, 0.5),
    dn.EachItem(2, 0.5),
    dn.EachItem(2, 0.5, one_sided=True),
]


@pytest.mark.parametrize("guarantee", GUARANTEES, ids=str)
def test_lists_and_arrays_are_judged_alike(guarantee: Any) -> None:
    source, kept = random.Random(2), 0
    for _ in range(300):
        weights = [[source.choice((4, 5, 6, 7, 8, 0)) for _ in range(2)] for _ in range(D)]
        rows = [[*row, 40 - sum(row)] for row in weights]
        listed, array = guarantee.judge(ListedRows.reduced(rows)), guarantee.judge(Rows.of(rows))
        assert (listed.holds, listed.ratio) == (array.holds, array.ratio)
        kept += listed.holds
    assert 0 < kept < 300


def test_rows_of_several_totals_are_refused() -> None:
    for wrong in ([[1, 2], [1, 1]], [[1, 2], [1, 1, 1]], [[0, 0], [0, 0]]):
        with pytest.raises(ParameterError, match=r"must be rows of one length"):
            ListedRows(tuple(map(tuple, wrong)))

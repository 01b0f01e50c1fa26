"""Collisions of hashed strings, against every table there is."""

from __future__ import annotations

import itertools
from collections import Counter

import pytest

from deniable.theory.risk.hashed import alike, shared


@pytest.mark.parametrize(("symbols", "hashes"), [(2, 1), (5, 1), (2, 3), (4, 2), (3, 5)])
def test_two_strings_are_alike_and_share_symbols_as_often_as_tables_do(symbols: int, hashes: int) -> None:
    filters = Counter(frozenset(drawn) for drawn in itertools.product(range(symbols), repeat=hashes))
    total = symbols**hashes
    assert alike(symbols, hashes) == pytest.approx(sum((n / total) ** 2 for n in filters.values()), rel=1e-12)
    held = sum(n for drawn, n in filters.items() if 0 in drawn) / total
    assert shared(symbols, hashes) == pytest.approx(held, rel=1e-12)


def test_many_symbols_and_hashes_stay_finite() -> None:
    assert 0 < alike(65536, 64) < 1e-100
    assert alike(2, 64) == pytest.approx(1)

"""Much from little: a spec of a hundred bytes is refused, or served with half a gibibyte at most."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

import deniable as dn
from deniable.kernels.hashing import permuted_table
from deniable.mechanisms.family import Family
from deniable.mechanisms.registry import FAMILIES
from deniable.mechanisms.shared.limits import check_dealt, check_rows
from deniable.privacy.column_runs import MOST_WEIGHTS, check_weights, unpacked
from deniable.protocol.mechanisms.context import MOST_ROWS
from deniable.protocol.mechanisms.hashed import MOST_DEALT
from deniable.protocol.values import LARGEST

LITTLE, MUCH = 1 << 20, 1 << 29
HASHED = {"epsilon": 1.0, "symbols": 4, "key": ""}
PLAIN = {"domain": LARGEST, "epsilon": 1.0}
CONTEXT = {"domain": LARGEST, "epsilon": 1.0, "sensitive": [7]}
REFUSED: list[tuple[str, dict[str, Any]]] = [
    ("HighLowHadamard", CONTEXT),
    ("HighLowResponse", CONTEXT),
    ("HighLowRappor", {**CONTEXT, "domain": MOST_ROWS + 1}),
    ("HighLowSubset", {**CONTEXT, "domain": MOST_ROWS + 1, "size": 1}),
    ("HighLowCyclic", {**CONTEXT, "domain": MOST_ROWS + 1, "q": None, "t": None}),
    ("BlockSubset", {**PLAIN, "sizes": [LARGEST], "weights": [1]}),
    ("BlockCyclic", {**PLAIN, "sizes": [LARGEST], "designs": [[None, None]]}),
    ("BlockHadamard", {**PLAIN, "sizes": [LARGEST]}),
    ("BlockHadamard", {**PLAIN, "sizes": [LARGEST - 1, 1]}),
    ("AskedItems", {**PLAIN, "together": 3}),
    ("AskedItems", {**PLAIN, "domain": 17, "together": 17}),
    ("PrivateSet", {**PLAIN, "domain": (1 << 16) + 1, "most": 3, "size": 2}),
    ("HashedResponse", {**HASHED, "domain": LARGEST, "cohorts": 16}),
    ("HashedResponse", {**HASHED, "domain": LARGEST, "cohorts": 1}),
    ("HashedRappor", {**HASHED, "domain": 1 << 18, "cohorts": 1, "hashes": 64}),
    ("HashedResponse", {**HASHED, "domain": None, "cohorts": (1 << 16) + 1}),
    ("HashedRappor", {**HASHED, "domain": None, "cohorts": 4, "hashes": 65}),
]
WITH_LARGEST = [row for row in FAMILIES.values() if row.largest is not None]


@cache
def largest_spec(family: Family) -> bytes:
    """The spec of its largest member, made once."""
    assert family.largest is not None
    return family.largest().spec_bytes


def peak(work: Callable[[], Any]) -> int:
    """The most bytes that Python and NumPy held while something was done."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(("name", "parameters"), REFUSED, ids=lambda value: value if isinstance(value, str) else "")
def test_too_much_is_refused_before_any_work(name: str, parameters: dict[str, Any]) -> None:
    def read() -> None:
        with pytest.raises(dn.FormatError, match="must"):
            dn.from_spec({"version": 1, "mechanism": name, **parameters})

    assert peak(read) < LITTLE


@pytest.mark.parametrize("family", WITH_LARGEST, ids=lambda family: family.name)
def test_the_largest_members_are_served_with_little(family: Family) -> None:
    """Read from a short spec and drawn from once, which is what a device does."""
    spec = largest_spec(family)
    assert len(spec) < 250
    assert peak(lambda: dn.from_spec(spec.decode()).privatize([7] if family.lists else 7)) < MUCH


@pytest.mark.parametrize("family", WITH_LARGEST, ids=lambda family: family.name)
@pytest.mark.parametrize("domain", [LARGEST + 1, {"low": 1, "high": LARGEST + 1}], ids=["listed", "numbers"])
def test_one_label_too_many_is_refused_before_any_work(family: Family, domain: Any) -> None:
    written = json.loads(largest_spec(family))
    written.get("ever", written)["domain"] = domain

    def read() -> None:
        with pytest.raises(dn.FormatError, match="must"):
            dn.from_spec(written)

    assert peak(read) < LITTLE


def test_every_family_has_a_largest_member_unless_its_spec_grows_with_the_labels() -> None:
    """That of one that is written out holds a number for each label or weight."""
    assert {name for name, row in FAMILIES.items() if row.largest is None and not row.written_out} == set()


def test_both_sides_of_the_limits() -> None:
    check_rows(MOST_ROWS, "BlockHadamard")
    check_dealt(MOST_DEALT // 2, 2, 1)
    check_weights(MOST_WEIGHTS // 8, 8)
    for beyond in (
        lambda: check_rows(MOST_ROWS + 1, "BlockHadamard"),
        lambda: check_dealt(MOST_DEALT // 2 + 1, 1, 2),
        lambda: check_weights(MOST_WEIGHTS // 8 + 1, 8),
        lambda: dn.HashedResponse(1.0, 4, 17, domain=MOST_DEALT // 16),
        lambda: dn.HighLowResponse(LARGEST, [0], 1.0),
    ):
        with pytest.raises(dn.CapacityError, match="must"):
            beyond()


def test_a_short_spec_is_no_large_channel() -> None:
    """A column takes a dozen bytes, however many labels it is about."""
    labels, reports = 1 << 16, 1 << 10

    def read() -> None:
        with pytest.raises(dn.CapacityError, match="weights"):
            unpacked([[1, labels]] * reports, np.arange(labels))

    assert peak(read) < LITTLE


def test_dealing_out_sorts_one_cohort_at_a_time() -> None:
    labels, cohorts = 1 << 14, 64
    kept = 2 * labels * cohorts
    assert peak(lambda: permuted_table(np.uint64(1), labels, cohorts, 16)) < 2 * kept


def test_domains_of_numbers_are_compared_at_once() -> None:
    first, second = (dn.RandomizedResponse(LARGEST, 1.0).domain for _ in range(2))
    assert first == second
    assert first != dn.RandomizedResponse(LARGEST - 1, 1.0).domain
    assert dn.RandomizedResponse(2, 1.0).domain == [0, 1]
    assert dn.RandomizedResponse(2, 1.0).domain != [False, True]

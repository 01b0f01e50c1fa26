"""Runs of whole numbers: looked up without a table, written by their ends."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import deniable as dn

AGES = dn.Domain.between(18, 120)
BELOW = dn.Domain.between(-9, -5)


def test_places() -> None:
    assert (AGES.index(18), AGES.index(np.int64(120)), AGES[2], len(AGES)) == (0, 102, 20, 103)
    assert list(BELOW) == [-9, -8, -7, -6, -5]
    for stranger in (17, 121, 18.0, True, "18", None, 1 << 70):
        assert stranger not in AGES
        with pytest.raises(dn.LabelError):
            AGES.index(stranger)


@pytest.mark.parametrize(
    "column",
    [
        [18, 120, 30],
        np.array([18, 120, 30]),
        np.array([18, 120, 30], np.uint8),
        np.array([18, 120, 30], np.uint64),
        pa.array([18, 120, 30]),
    ],
    ids=lambda column: type(column).__name__,
)
def test_columns(column: Any) -> None:
    assert AGES.indices(column).tolist() == [0, 102, 12]


@pytest.mark.parametrize(
    "column",
    [
        np.array([18, 17]),
        np.array([18, 121]),
        np.array([18, -(1 << 63)]),
        np.array([18, (1 << 63) - 1]),
        np.array([18, (1 << 64) - 1], np.uint64),
        [18, 1 << 64],
        [18, -(1 << 64)],
    ],
    ids=str,
)
@pytest.mark.parametrize("domain", [AGES, dn.Domain.between(1, 18), dn.Domain.between(-3, 18)], ids=lambda d: str(d[0]))
def test_what_lies_beyond_never_wraps_round(domain: dn.Domain, column: Any) -> None:
    found = domain.column(column)
    assert [0 <= place < len(domain) for place in found.tolist()] == [int(value) in domain for value in column]
    assert found[0] == domain.index(18)


def test_below_nothing() -> None:
    assert BELOW.indices(np.array([-9, -5])).tolist() == [0, 4]
    with pytest.raises(dn.LabelError):
        BELOW.indices(np.array([0], np.uint64))


def test_writing() -> None:
    assert AGES.to_json() == {"low": 18, "high": 120}
    assert dn.Domain.from_json({"low": 18, "high": 120}) == AGES
    assert dn.Domain.between(0, 4).to_json() == 5
    assert dn.Subset(AGES, 1.0).spec()["domain"] == AGES.to_json()
    assert dn.from_spec(dn.Subset(AGES, 1.0).spec_bytes) == dn.Subset(AGES, 1.0)


def test_equal_labels_are_equal_however_they_were_given() -> None:
    listed = dn.Domain.of(list(range(18, 121)))
    assert listed == AGES
    assert hash(listed) == hash(AGES)
    assert dn.Domain.between(18, 119) != AGES
    assert dn.Domain.of(103) != AGES
    assert dn.Subset(listed, 1.0).spec_bytes != dn.Subset(AGES, 1.0).spec_bytes


def test_what_is_no_run() -> None:
    half: Any = 0.5
    for low, high in ((3, 3), (4, 3), (0, 1 << 24)):
        with pytest.raises(dn.DomainError):
            dn.Domain.between(low, high)
    with pytest.raises(dn.ParameterError, match="low must be an int"):
        dn.Domain.between(half, 3)


@pytest.mark.parametrize(
    "labels", [[3, 4, 5], [-1, 0, 1], [2**70, 2**70 + 1], [2**62, 2**62 + 1], [5, 4, 3], [0, 2, 4]]
)
def test_labels_that_are_listed_one_after_the_other_are_found_as_a_run_is(labels: list[int]) -> None:
    """With the same refusals: numbers beside the run, numbers beyond 64 bits, yes and no."""
    domain = dn.Domain.of(labels)
    assert domain.indices(labels * 2).tolist() == list(range(len(labels))) * 2
    small = [label for label in labels if abs(label) < 2**63]
    if small:
        assert domain.indices(np.array(small)).tolist() == [labels.index(label) for label in small]
    for wrong in (labels[-1] + 7, labels[0] - 7, 2**63, -(2**80)):
        with pytest.raises(dn.LabelError, match="got 1 of"):
            domain.indices([*labels, wrong])
    for strange in (np.array([True, True]), np.array([2**64 - 1, 2**63], np.uint64), np.array([0.5, np.nan])):
        with pytest.raises(dn.LabelError, match="got 2 of 2"):
            domain.indices(strange)

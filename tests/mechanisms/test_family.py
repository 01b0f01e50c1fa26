"""Families whose members have some numbers of labels only: what is made, planned and left out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import deniable as dn
from deniable import extend
from deniable.mechanisms import registry


class Picky(dn.RandomizedResponse):
    """For 3 or 7 labels."""

    def __init__(self, domain: Any, epsilon: float) -> None:
        if len(dn.Domain.of(domain)) not in (3, 7):
            raise dn.ParameterError("domain must have 3 or 7 labels")
        super().__init__(domain, epsilon)


FAMILY = extend.plain_family(Picky, "one label of three or seven", sizes=(7, 3, 7), library_only=True)


@pytest.fixture
def registered() -> Iterator[extend.Family]:
    """The row, which is forgotten after the test."""
    yield extend.register(FAMILY)
    del registry._families[FAMILY.name]


@pytest.mark.parametrize(("labels", "made"), [(2, 3), (3, 3), (6, 3), (7, 7), (50, 7)])
def test_an_example_has_as_many_labels_as_it_can(labels: int, made: int) -> None:
    assert FAMILY.example(dn.Domain.of(labels), 1.0).domain.size == made


def test_labels_that_fit_stay_as_they_are() -> None:
    assert FAMILY.example(dn.Domain.of(["a", "b", "c"]), 1.0).domain == dn.Domain.of(["a", "b", "c"])
    plain = extend.plain_family(dn.RandomizedResponse, "a label")
    assert plain.example(dn.Domain.of(["a", "b", "c", "d"]), 1.0) == dn.RandomizedResponse(["a", "b", "c", "d"], 1.0)
    assert plain.only_sizes == ()


def test_sizes_are_those_of_benchmarks_and_of_the_largest_member_too() -> None:
    assert FAMILY.only_sizes == FAMILY.sizes == (3, 7)
    assert FAMILY.largest is not None
    assert FAMILY.largest().domain.size == 7


def test_it_conforms_by_its_own_sizes(registered: extend.Family) -> None:
    found = extend.conform(registered)
    assert (found.holds, found.checks) == (True, 27), found


def test_it_is_planned_where_it_fits_and_left_out_in_words_where_not(registered: extend.Family) -> None:
    assert "Picky" in {row.name for row in dn.plan(7, epsilon=1.0, users=1000).rows}
    plan = dn.plan(5, epsilon=1.0, users=1000, mechanisms=["Picky", "Subset"])
    assert [row.name for row in plan.rows] == ["Subset"]
    assert "Picky is not ranked: it is for 3, 7 labels and for no other number." in str(plan)

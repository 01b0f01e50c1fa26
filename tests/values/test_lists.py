"""Lists of labels as values: one bit per label, whatever the order, and what is refused without being shown."""

from __future__ import annotations

import datetime
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import deniable as dn
from deniable.values.domain import Domain
from deniable.values.lists import MOST_LISTED, Lists

USED = Lists(Domain.of(["mail", "maps", "日本", "é", ""]))
SIZES = (2, 63, 64, 65, 128, 1000)


@pytest.mark.parametrize("d", SIZES)
def test_a_list_is_a_bit_for_each_label(d: int) -> None:
    lists = Lists(Domain.of(d))
    column: list[Any] = [[], [0], [d - 1, 0], list(range(d)), (d // 2,)]
    rows = lists.indices(column)
    assert rows.shape == (5, lists.words) == (5, -(-d // 64))
    assert rows.dtype == np.int64
    for value, row in zip(column, rows, strict=True):
        assert np.array_equal(lists.one(value)[0], row)
        assert lists.index(value) == sum(1 << label for label in value)
    assert [np.flatnonzero(held).tolist() for held in lists.flags(rows)] == [sorted(value) for value in column]
    lists.check(rows)


@given(st.lists(st.sets(st.integers(0, 99)), min_size=1))
def test_flags_and_tables_come_back(column: list[set[int]]) -> None:
    lists = Lists(Domain.of(100))
    rows = lists.indices(column)
    assert np.array_equal(lists.indices(lists.flags(rows)), rows)
    assert [set(np.flatnonzero(held).tolist()) for held in lists.flags(rows)] == column


def test_the_order_of_a_list_does_not_matter_and_neither_does_its_kind() -> None:
    for value in (["é", "mail"], ("mail", "é"), {"mail", "é"}, np.array(["é", "mail"]), pa.array(["mail", "é"])):
        assert USED.index(value) == 0b01001
        assert value in USED
    assert USED.indices(pa.array([["é", "mail"], []])).tolist() == [[0b01001], [0]]


def test_labels_of_other_kinds() -> None:
    day = datetime.date(2024, 2, 29)
    lists = Lists(Domain.of([1, 1.5, day, ("a", 2), False]))
    assert lists.index([("a", 2), day, False]) == 0b11100
    assert lists.index([1]) == 1
    assert [1.0] not in lists, "a label of another kind"


@pytest.mark.parametrize(
    "value", [None, 7, "mail", b"mail", {"mail": 1}, ["chat"], ["mail", "mail"], [None], [["mail"]], [float("nan")]]
)
def test_what_is_no_list_of_labels_is_refused_and_not_shown(value: Any) -> None:
    assert value not in USED
    with pytest.raises(dn.LabelError) as alone:
        USED.one(value)
    with pytest.raises(dn.LabelError) as in_a_column:
        USED.indices([["mail"], value])
    assert "chat" not in f"{alone.value} {in_a_column.value}"


def test_a_column_is_refused_with_how_many_and_where() -> None:
    with pytest.raises(dn.LabelError, match=r"got 1 of 2 that hold others than the 5 labels .*position 1"):
        USED.indices([["mail"], ["chat"]])
    with pytest.raises(dn.LabelError, match=r"got 2 of 3 that name a label twice .*position 0"):
        USED.indices([["mail", "mail"], [], ["maps", "é", "maps"]])
    with pytest.raises(dn.LabelError, match=r"got 1 of 2 that are not \(the first at position 0\)"):
        USED.indices([None, []])
    columns: list[Any] = ["mail", 5, None, {"mail"}]
    for column in columns:
        with pytest.raises(dn.LabelError, match="lists must be a column"):
            USED.indices(column)
    with pytest.raises(dn.LabelError, match="empty column"):
        USED.indices([])


@pytest.mark.parametrize("table", [np.ones((2, 4), np.bool_), np.ones((2, 5)), np.ones((0, 5), np.bool_)])
def test_other_tables_are_refused(table: Any) -> None:
    with pytest.raises(dn.LabelError, match="a table of lists must hold booleans, one column for each of 5 labels"):
        USED.indices(table)


def test_bits_beyond_the_last_label_are_refused() -> None:
    for d in (5, 65):
        lists = Lists(Domain.of(d))
        rows = lists.one([0])
        rows[0, -1] |= 1 << (d % 64)
        with pytest.raises(dn.LabelError, match=f"a list of the domain's {d} labels"):
            lists.check(rows)
    with pytest.raises(dn.LabelError):
        Lists(Domain.of(65)).check(np.zeros(3, np.int64))
    full = Lists(Domain.of(64))
    full.check(full.one(list(range(64))))


def test_every_list_is_written_out_in_the_order_of_the_indices() -> None:
    lists = Lists(Domain.of(["a", "b", "c"]))
    assert list(lists.every())[:4] == [(), ("a",), ("b",), ("a", "b")]
    assert [lists.index(value) for value in lists.every()] == list(range(8))
    assert lists.holding.tolist()[6] == [False, True, True]
    assert np.array_equal(lists.indices(list(lists.every())), lists.rows())
    assert (lists.size, list(lists.labels), repr(lists)) == (8, ["a", "b", "c"], "lists of 3 labels")


def test_many_lists_are_not_written_out() -> None:
    assert Lists(Domain.of(MOST_LISTED)).every().size == 1 << MOST_LISTED
    large = Lists(Domain.of(MOST_LISTED + 1))
    for refused in (large.every, large.rows, lambda: large.holding):
        with pytest.raises(dn.CapacityError, match="at most 12 labels to be written out, got 13"):
            refused()


def test_closed_domains_hold_one_label_each_and_texts_none_that_can_be_listed() -> None:
    words = Domain.of(["a", "b"])
    assert words.every() is words.labels is words
    assert words.holding.tolist() == [[True, False], [False, True]]
    assert words.one("b").tolist() == [1]
    texts = dn.HashedResponse(1.0, 4, 4).domain
    assert texts.one("a").tolist() == texts.indices(["a"]).tolist()
    for refused in (texts.every, lambda: texts.labels, lambda: texts.holding):
        with pytest.raises(dn.DomainError, match="must be a closed domain, got any text"):
            refused()

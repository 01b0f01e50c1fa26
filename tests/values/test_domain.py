"""Domains and columns: what is a label, and what is refused without being shown."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Hashable
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import deniable as dn
from deniable.values.domain import Domain

DAY = np.array(["2020-01-01", "2021-01-01"], "M8[ns]")
AB = ["a", "b"]


def nested(depth: int) -> Any:
    label: Any = 1
    for _ in range(depth):
        label = (label,)
    return label


@pytest.mark.parametrize(
    ("domain", "column", "found"),
    [
        (1000, np.array([1, 2], np.int8), [1, 2]),
        (256, np.array([255], np.uint8), [255]),
        (65536, np.array([65535], np.uint16), [65535]),
        (3, range(3), [0, 1, 2]),
        (3, [2, np.int64(1)], [2, 1]),
        (AB, np.array(["b", "a"]), [1, 0]),
        (AB, np.array(["b", "a"], object), [1, 0]),
        (AB, pa.array(["b", "a"]), [1, 0]),
        (AB, pa.array(["b", "a"], pa.large_string()), [1, 0]),
        (AB, pa.chunked_array([["a"], [], ["b", "a"]]), [0, 1, 0]),
        (AB, pa.array(["b", "a"]).dictionary_encode(), [1, 0]),
        (
            [str(i) for i in range(128)],
            pa.DictionaryArray.from_arrays(pa.array([7], pa.int8()), pa.array(list(map(str, range(128))))),
            [7],
        ),
        ([0.5, 1.0], [1.0], [1]),
        ([3, 1], np.array([1, 3], np.uint8), [1, 0]),
        (DAY, DAY, [0, 1]),
        (DAY, list(DAY), [0, 1]),
        ([dt.date(2020, 1, 1), dt.date(2021, 1, 1)], np.array(["2021-01-01"], "M8[D]"), [1]),
        ([("a", 1), ("a", 2)], [("a", 2)], [1]),
    ],
)
def test_columns_of_every_kind(domain: Any, column: Any, found: list[int]) -> None:
    labels = Domain.of(domain)
    assert labels.indices(column).tolist() == found
    assert Domain.from_json(labels.to_json()) == labels
    assert [labels.index(value) for value in labels] == list(range(len(labels)))


@pytest.mark.parametrize(
    ("domain", "column"),
    [
        (1000, np.ma.array([1, 99999, 3], mask=[False, True, False])),
        (5, np.array([2**64 - 1], np.uint64)),
        (5, [2**80]),
        (5, [-1]),
        (3, [True]),
        (3, np.array([True])),
        (3, pa.array([True])),
        (3, [1.0]),
        ([1, 0], [True]),
        ([True, False], [1]),
        ([1, 2], np.array([1.0])),
        (3, [np.timedelta64(1, "s")]),
        (3, np.array([1], "m8[s]")),
        (3, {1, 2}),
        (3, {1: 2}),
        (3, np.array(1)),
        (3, np.array([[1]])),
        (3, (i for i in range(3))),
        (AB, pa.array(["a", None])),
        (AB, pa.array([1577836800123456789], pa.timestamp("ns"))),
        (AB, pa.array([2147483647], pa.date32())),
        (AB, pa.array([["a"]])),
        (AB, pa.table({"x": ["a"]})),
        (AB, pa.chunked_array([], pa.string())),
        (DAY, np.array(["NaT"], "M8[ns]")),
    ],
)
def test_what_is_no_column_of_labels_is_refused(domain: Any, column: Any) -> None:
    with pytest.raises(dn.LabelError, match="must") as caught:
        dn.RandomizedResponse(domain, 1.0).privatize_many(column)
    assert "2147483647" not in str(caught.value)
    assert "1577836800123456789" not in str(caught.value)
    assert caught.value.__cause__ is None


@pytest.mark.parametrize(
    "domain",
    [
        {"a", "b"},
        {"a": 1},
        ["\ud800", "b"],
        [10**5000, 1],
        [nested(5000), 2],
        np.array(3),
        [[1], [2]],
        2**24 + 1,
        [object(), 1],
    ],
)
def test_what_is_no_domain_is_refused(domain: Any) -> None:
    with pytest.raises(dn.DomainError, match="must"):
        Domain.of(domain)


def test_domains_are_equal_to_the_same_labels() -> None:
    assert Domain.of(3) == [0, 1, 2]
    assert Domain.of(AB) == AB == Domain.of(AB)
    assert Domain.of(AB) != ["b", "a"]
    assert Domain.of([1, 0]) != Domain.of([True, False])
    assert Domain.of(AB) != "ab"
    assert len({Domain.of(AB), Domain.of(["a", "b"])}) == 1


def test_numbers_within_tuples_are_told_apart() -> None:
    domain = dn.Domain.of([(1, "a"), (2, "a")])
    assert domain.index((1, "a")) == 0
    assert (True, "a") not in domain
    assert (1.0, "a") not in domain


def test_equal_domains_hash_alike() -> None:
    assert Domain.of(3) == Domain.of([0, 1, 2])
    assert len({Domain.of(3), Domain.of([0, 1, 2]), Domain.of([0, 2, 1]), Domain.of([0.0, 1.0, 2.0])}) == 3


@pytest.mark.parametrize(
    "written", [{"tuple": 5}, {"bytes": "zz"}, {"bytes": 7}, {"date": "x"}, {"datetime": []}, {"set": [1]}]
)
def test_a_label_written_as_none_is(written: object) -> None:
    for nested in (written, {"tuple": [written]}):
        with pytest.raises(dn.FormatError, match=r"^a label "):
            Domain.from_json([nested, "b"])


EDGES = [-(2**63), -(2**62), -1000, -128, 0, 100, 250, 65530, 2**31, 2**62 - 9, 2**63 - 5, 2**64 - 5, 2**70]
near = st.builds(
    lambda base, steps: [base + step for step in steps],
    st.sampled_from(EDGES),
    st.lists(st.integers(0, 12), min_size=2, max_size=9, unique=True),
)
apart = st.lists(st.integers(-(2**70), 2**70), min_size=2, max_size=9, unique=True)


@given(
    labels=near | near | apart,
    others=st.sampled_from([(), ("a", 2.5), (2.0**80, (1, 2))]),
    dtype=st.sampled_from([np.int8, np.uint8, np.int16, np.int32, np.int64, np.uint64]),
    data=st.data(),
)
def test_a_column_of_integers_is_looked_up_as_its_values_one_by_one(
    labels: list[int], others: tuple[Hashable, ...], dtype: type[np.integer[Any]], data: st.DataObject
) -> None:
    """However far the labels lie apart, whatever else is a label, and however wide the column's integers are."""
    domain, span = Domain.of([*labels, *others]), np.iinfo(dtype)
    beside = [value for label in labels for value in (label - 1, label, label + 1, label - 2**64)]
    held = [value for value in beside if span.min <= value <= span.max]
    value = st.sampled_from([*held, int(span.min), int(span.max)]) | st.integers(int(span.min), int(span.max))
    column = data.draw(st.lists(value, min_size=1, max_size=20))
    known = {label: place for place, label in enumerate(labels)}
    assert domain.column(np.array(column, dtype)).tolist() == [known.get(value, -1) for value in column]


@pytest.mark.parametrize(
    ("labels", "column", "found"),
    [
        ([1999, 2003, 2001], np.array([2003, 2000, 1999, 1998, 2004]), [1, -1, 0, -1, -1]),
        ([-1, -2], np.array([2**64 - 1], np.uint64), [-1]),
        ([2**62 - 1, 2**62 - 2], np.array([2**62 - 2], ">i8"), [1]),
        (["a", 7, 9.0, 6], np.array([6, 7, 9], np.uint8), [3, 1, -1]),
    ],
)
def test_labels_that_lie_close_together_have_a_table(labels: list[Any], column: Any, found: list[int]) -> None:
    domain = Domain.of(labels)
    assert domain._table is not None
    assert domain.column(column).tolist() == found


@pytest.mark.parametrize("labels", [[0, 2**40], ["a", "b"], [0.5, 1.5], [2**62, 2**62 + 1]])
def test_other_labels_have_none(labels: list[Any]) -> None:
    assert Domain.of(labels)._table is None


def test_equal_domains_are_not_compared_to_look_up_a_column(monkeypatch: pytest.MonkeyPatch) -> None:
    """To compare a million labels takes a second, for one report as for many."""
    first, other, column = Domain.of([3, 1, 2]), Domain.of([3, 1, 2]), np.array([1, 2])
    first.column(column)
    monkeypatch.setattr(Domain, "__eq__", lambda *_: pytest.fail("labels were compared"))
    assert [other.column(column).tolist() for _ in range(2)] == [[1, 2], [1, 2]]


def test_a_zero_within_a_tuple_has_no_sign_where_it_is_kept() -> None:
    made = dn.RandomizedResponse([(-0.0, "a"), (1.5, "b")], 1.0)
    assert dn.from_spec(made.spec()) == made


YES_NO = Domain.of(["yes", "no"])
DIFFERING = [
    (Domain.of(["1", "2"]), [1, 2], "; 2 of them are int, the labels are str"),
    (Domain.of([1, 2]), ["1", 2], "; it is str, the labels are int"),
    (Domain.of(3), ["1", True, 2], "; 2 of them are bool or str, the labels are int"),
    (YES_NO, ["Yes", "no"], "; but for capitals, or blanks around it, it would be"),
    (YES_NO, ["yes ", " NO", "perhaps"], "; but for capitals, or blanks around them, 2 would be"),
    (YES_NO, [True, "Yes"], "them, 1 would be; 1 of them is bool, the labels are str"),
]


@pytest.mark.parametrize(("labels", "values", "said"), DIFFERING)
@pytest.mark.parametrize("column", [list, np.array, pd.Series, pa.array], ids=["list", "numpy", "pandas", "arrow"])
def test_an_error_says_in_what_values_differ_from_labels(
    labels: Domain, values: list[Any], said: str, column: Callable[[Any], Any]
) -> None:
    """By their type or their writing, in whatever library they come, and never by a value."""
    if column in (np.array, pa.array) and len(set(map(type, values))) > 1:
        return  # such columns hold values of one type
    for refused in (labels.indices, dn.RandomizedResponse(labels, 1.0).privatize_many):
        with pytest.raises(dn.LabelError) as caught:
            refused(column(values))
        assert str(caught.value).endswith(said)


def test_a_single_value_is_told_of_as_well() -> None:
    mechanism, survey = dn.RandomizedResponse(YES_NO, 1.0), dn.OneOf("late", ["yes", "no"])
    for value, said in (
        ("Yes", "but for capitals, or blanks around it, it would be"),
        (1, "it is int, the labels are str"),
    ):
        for refused in (mechanism.privatize, survey.check):
            with pytest.raises(dn.LabelError, match=f"got one that is not; .*{said}$"):
                refused(value)
    with pytest.raises(dn.LabelError, match=r"got one that is not$"):
        mechanism.privatize("perhaps")


def test_a_value_that_cannot_be_read_is_not_quoted() -> None:
    class Odd:
        def as_py(self) -> object:
            raise ValueError("Zaphod")

    with pytest.raises(dn.LabelError, match="it is Odd, the labels are str") as caught:
        YES_NO.indices([Odd()])
    assert "Zaphod" not in str(caught.value)
    assert caught.value.__context__ is None


def test_of_very_many_strangers_the_first_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("deniable.values.domain.LOOKED_AT", 3)
    with pytest.raises(dn.LabelError, match=r"got 9 of 9 .*; of the first 3; 3 of them are int, the labels are str"):
        YES_NO.indices(np.arange(9))

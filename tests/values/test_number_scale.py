"""Places of numbers and dates on a scale: exact, clipped to the bounds, the same one by one and in columns."""

from __future__ import annotations

import datetime
import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deniable.arrays import Vector
from deniable.protocol.errors import LabelError, ParameterError
from deniable.protocol.number_scale import MOST_STEPS, NumberScale, written
from deniable.values.number_scale import places_on

TENTHS = NumberScale.of(-2, 3, "0.1")


def nearest(scale: NumberScale, number: Fraction) -> int:
    """The place by its definition, over all steps."""
    numbers = [scale.low + place * scale.step for place in range(scale.size)]
    return min(range(scale.size), key=lambda place: (abs(numbers[place] - number), -place))


@given(st.floats(-3, 4))
def test_a_number_goes_to_the_nearest_step_and_of_two_to_the_higher(number: float) -> None:
    expected = nearest(TENTHS, Fraction(repr(number)))
    assert TENTHS.index(number) == expected
    assert places_on(TENTHS, [number, 0]).tolist() == [expected, 20]


@pytest.mark.parametrize(
    ("number", "place"),
    [(0.05, 21), (-0.05, 20), (0.15, 22), (Decimal("0.05"), 21), (Fraction(1, 3), 23), (1e300, 50), (-(10**400), 0)],
)
def test_halves_go_up_as_people_write_them(number: Any, place: int) -> None:
    """0.15 is a little less than 15/100 in binary, and 15/100 to people."""
    assert TENTHS.index(number) == place
    assert places_on(TENTHS, [number]).tolist() == [place]


@given(st.lists(st.integers(-10, 127), min_size=1), st.sampled_from([np.int8, np.int64, np.float32, np.float64]))
def test_columns_of_any_type_are_the_same(numbers: list[int], kind: type) -> None:
    scale = NumberScale.of(0, 120, 5)
    assert places_on(scale, np.array(numbers).astype(kind)).tolist() == [
        scale.index(n) for n in np.array(numbers, kind)
    ]


def test_far_bounds_are_exact_too() -> None:
    scale = NumberScale.of(10**14, 10**14 + 1, "0.001")
    assert places_on(scale, [float(10**14) + 0.5, 10**14 + 1]).tolist() == [500, 1000]


def test_dates_are_days() -> None:
    born = NumberScale.of("2024-02-28", "2024-03-31", 2)
    days = [datetime.date(2024, 2, 29), "2024-03-03", datetime.date(1900, 1, 1)]
    assert places_on(born, days).tolist() == [1, 2, 0]
    assert places_on(born, np.array(["2024-03-03T23:00"], "M8[m]")).tolist() == [2]
    assert [born.shown(place) for place in (0, 1, 2)] == ["2024-02-28", "2024-03-01", "2024-03-03"]


@pytest.mark.parametrize("wrong", [math.nan, math.inf, -math.inf, None, "5", True, "x", [1], datetime.date.max, 1j])
def test_what_is_no_number_is_refused_and_not_shown(wrong: Any) -> None:
    assert wrong not in TENTHS
    for refused in (lambda: TENTHS.index(wrong), lambda: places_on(TENTHS, [1, wrong])):
        with pytest.raises(LabelError, match=r"must be a finite number, got") as error:
            refused()
        assert str(wrong) not in str(error.value).partition("got")[2] or str(wrong) in ("1", "5")


@pytest.mark.parametrize("wrong", [5, "2024-2-28", "2024-02-30", datetime.datetime(2024, 2, 28), None])
def test_what_is_no_date_is_refused(wrong: Any) -> None:
    with pytest.raises(LabelError, match="must be a date"):
        NumberScale.of("2024-01-01", "2024-12-31").index(wrong)


@pytest.mark.parametrize(
    ("bounds", "why"),
    [
        ((0, 0), "one or more whole steps"), ((5, 0), "one or more whole steps"),
        ((0, 10, 3), "such as 9, got 10"), ((0, 10, 0), "step must be"), ((0, 10, -1), "step must be"),
        ((0, MOST_STEPS + 1), "take a larger step"), ((0, "2024-01-01"), "two numbers or two dates"),
        (("2024-01-01", "2024-02-01", 0.5), "whole number of days"), ((0, math.inf), "high must be a number"),
        ((0, 10**16), "at most 15 digits"), ((0, 1, 1e-10), "at most 15 digits"), ((None, 1), "low must be a number"),
        ((True, 2), "low must be a number"),
    ],
)  # fmt: skip
def test_bounds_that_are_none_are_refused(bounds: tuple[Any, ...], why: str) -> None:
    with pytest.raises(ParameterError, match=why):
        NumberScale.of(*bounds)


@given(st.decimals(-(10**14), 10**14, places=9))
def test_a_bound_is_written_in_one_way(number: Decimal) -> None:
    text = written(Fraction(number))
    scale = NumberScale.of(text, Fraction(number) + 1)
    assert scale.low == Fraction(number)
    assert scale.to_json()["low"] == text
    assert NumberScale.of(**scale.to_json()) == scale


@pytest.mark.parametrize("dtype", [np.int8, np.uint64, np.int64, np.float32, np.float64])
@pytest.mark.parametrize("step", ["1", "0.5", "2"])
def test_an_array_of_numbers_has_the_places_of_a_list(dtype: type, step: str) -> None:
    scale = NumberScale.of(0, 10, step)
    values: Vector = np.array([0, 1, 2, 3, 5, 7, 10, 11, 100], dtype)
    assert places_on(scale, values).tolist() == places_on(scale, values.tolist()).tolist()


def test_an_array_of_halves_goes_up_exactly() -> None:
    values: Vector = np.arange(0, 10, 0.25)
    assert places_on(NumberScale.of(0, 10), values).tolist() == [min(math.floor(v + 0.5), 10) for v in values.tolist()]


@pytest.mark.parametrize("wrong", [np.array([1.0, np.nan]), np.array([np.inf]), np.array([True]), np.array([1j])])
def test_an_array_that_holds_no_number_somewhere_is_refused(wrong: np.ndarray) -> None:
    with pytest.raises(LabelError, match="every value must be a finite number, got 1 of"):
        places_on(NumberScale.of(0, 10), wrong)

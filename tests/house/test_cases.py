"""Cases that are tried in one test: all of them are, and those that fail are named."""

from __future__ import annotations

import pytest
from tests.cases import each


def test_all_cases_are_tried_and_those_that_fail_are_named() -> None:
    tried = []

    @each(("a", "b"), [(1, 2), (3, 3), (4, 5)], ids=str)
    def test(a: int, b: int) -> None:
        tried.append((a, b))
        assert a == b

    with pytest.raises(BaseExceptionGroup, match="2 of 3 cases failed") as caught:
        test()
    assert tried == [(1, 2), (3, 3), (4, 5)]
    assert [error.__notes__ for error in caught.value.exceptions] == [["case: 1-2"], ["case: 4-5"]]


def test_an_error_that_is_missed_is_a_failure() -> None:
    @each("a", [1, 0])
    def test(a: int) -> None:
        with pytest.raises(ZeroDivisionError):
            1 / a

    with pytest.raises(BaseExceptionGroup, match="1 of 2 cases failed"):
        test()


@pytest.mark.parametrize("b", [1, 2])
@each("a", [1, 2, 3])
def test_what_is_no_case_comes_from_elsewhere(a: int, b: int, tmp_path: object) -> None:
    assert a > 0 < b
    assert tmp_path


def test_no_cases_are_no_test() -> None:
    with pytest.raises(AssertionError, match="proves nothing"):
        each("a", [])

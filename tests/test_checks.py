"""What constructors and formulas accept, and the message for what they do not."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import deniable as dn
from deniable.checks import check_accuracy, check_distribution, check_size, check_users, naming_arguments
from deniable.protocol.checks import LARGEST_INT, check_epsilon, check_int
from deniable.protocol.errors import ParameterError


@pytest.mark.parametrize(
    "epsilon", [1e-6, 32, 1, 0.5, np.float32(0.5), np.float64(2), np.int64(3), Fraction(1, 3)], ids=repr
)
def test_numbers_of_every_kind_are_levels(epsilon: Any) -> None:
    level = check_epsilon(epsilon)
    assert type(level) is float
    assert level == float(epsilon)


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (-1, "epsilon must be a finite number above 0, got epsilon=-1"),
        (0, "epsilon must be a finite number above 0, got epsilon=0"),
        (np.float64(-0.5), "epsilon must be a finite number above 0, got epsilon=-0.5"),
        (math.nan, "epsilon must be a finite number above 0, got epsilon=nan"),
        (math.inf, "epsilon must be a finite number above 0, got epsilon=inf"),
        ("1", "epsilon must be a finite number above 0, got epsilon='1', a text: write it without quotation marks"),
        (True, "epsilon must be a finite number above 0, got epsilon=True"),
        (np.bool_(True), "epsilon must be a finite number above 0, got epsilon=bool"),
        (None, "epsilon must be a finite number above 0, got epsilon=None"),
        (1 + 0j, "epsilon must be a finite number above 0, got epsilon=complex"),
        (np.array([1.0]), "epsilon must be a finite number above 0, got epsilon=ndarray"),
        (np.array(1.0), "epsilon must be a finite number above 0, got epsilon=ndarray"),
        ([1.0], "epsilon must be a finite number above 0, got epsilon=list"),
        (40, "epsilon must be between 1e-06 and 32, got epsilon=40"),
        (32.001, "epsilon must be between 1e-06 and 32, got epsilon=32.001"),
        (9e-7, "epsilon must be between 1e-06 and 32, got epsilon=9e-07"),
        (Fraction(1, 10**7), "epsilon must be between 1e-06 and 32, got epsilon=1/10000000"),
        (10**400, "epsilon must be a finite number above 0, got epsilon=an int of more than 64 bits"),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_what_is_no_level_is_refused(bad: object, message: str) -> None:
    with pytest.raises(ParameterError, match=f"^{re.escape(message)}$"):
        check_epsilon(bad)


def test_accuracies_are_positive_numbers() -> None:
    assert check_accuracy(Fraction(1, 4)) == 0.25
    assert check_accuracy(3) == 3.0
    for bad in (0, -1, math.inf, "0.1", Fraction(1, 10**400)):
        with pytest.raises(ParameterError, match=r"^accuracy must be a finite number above 0, got accuracy="):
            check_accuracy(bad)


def test_counts_are_ints_that_fit() -> None:
    assert check_size(np.int32(2)) == 2
    assert type(check_users(np.uint64(7))) is int
    assert check_users(LARGEST_INT) == LARGEST_INT
    with pytest.raises(ParameterError, match=r"^users must be at most 9223372036854775807, got users="):
        check_users(LARGEST_INT + 1)
    with pytest.raises(ParameterError, match=r"^trials must be an int of at least 5, got trials=4$"):
        check_int("trials", 4, 5)
    for bad in (1, 2.0, True, "2", None, np.array(2)):
        with pytest.raises(ParameterError, match=r"^d must be an int of at least 2, got d="):
            check_size(bad)


@pytest.mark.parametrize(
    "p",
    [
        [0.25, 0.75],
        (Fraction(1, 4), Fraction(3, 4)),
        iter([0.25, 0.75]),
        np.array([0.25, 0.75], np.float32),
        [0.25, 0.75 + 5e-10],
        [Fraction(1, 4), 0.75],
    ],
    ids=lambda p: type(p).__name__,
)
def test_distributions_of_every_kind_become_arrays(p: Any) -> None:
    values = check_distribution("truth", p, 2)
    assert values.dtype == np.float64
    assert values.sum() == 1
    np.testing.assert_allclose(values, [0.25, 0.75], atol=1e-9)


def test_a_distribution_is_a_copy() -> None:
    p = np.array([0.5, 0.5])
    check_distribution("truth", p, 2)[0] = 7
    assert p.tolist() == [0.5, 0.5]


@pytest.mark.parametrize(
    ("p", "message"),
    [
        ([0.5, 0.5, 0.0], "prior must be 2 probabilities, got an array of shape (3,)"),
        ([[0.5, 0.5]], "prior must be 2 probabilities, got an array of shape (1, 2)"),
        (np.array(1.0), "prior must be 2 probabilities, got an array of shape ()"),
        ([[1.0], [0.5, 0.5]], "prior must be 2 probabilities, got list among them"),
        (["0.5", "0.5"], "prior must be 2 probabilities, got str among them"),
        ([0.5, "0.5"], "prior must be 2 probabilities, got str among them"),
        ([0.5, None], "prior must be 2 probabilities, got NoneType among them"),
        ([0.5j, 0.5], "prior must be 2 probabilities, got complex among them"),
        (np.array([True, False]), "prior must be 2 probabilities, got bool among them"),
        (0.5, "prior must be 2 probabilities, got float"),
        ("ab", "prior must be 2 probabilities, got str"),
        ([0.5, math.nan], "prior must be finite and not negative, got an entry that is not"),
        ([math.inf, 0.5], "prior must be finite and not negative, got an entry that is not"),
        ([1.5, -0.5], "prior must be finite and not negative, got an entry that is not"),
        ([0.5, 0.4], "prior must add up to 1, got 0.9"),
        ([0.5, 0.5 + 2e-9], "prior must add up to 1, got 1"),
    ],
    ids=repr,
)
def test_what_is_no_distribution_is_refused(p: Any, message: str) -> None:
    with pytest.raises(ParameterError, match=f"^{re.escape(message)}"):
        check_distribution("prior", p, 2)


def test_an_int_has_a_most() -> None:
    assert check_int("cohorts", 8, 1, 8) == 8
    with pytest.raises(ParameterError, match=re.escape("cohorts must be at most 8, got cohorts=9")):
        check_int("cohorts", 9, 1, 8)


ONE = dn.RandomizedResponse(["yes", "no"], 1.0)
ASKED = [dn.OneOf("late", ["yes", "no"])]


@pytest.mark.parametrize(
    ("tried", "said"),
    [
        (lambda: call(dn.plan, 2, 1.0, people=100), "plan takes no argument 'people'; did you mean users?"),
        (lambda: call(dn.plan, 2, epsilom=1.0), "plan takes no argument 'epsilom'; did you mean epsilon?"),
        (lambda: call(dn.simulate, ONE, [0.5, 0.5], people=9, seed=1), "argument 'people'; did you mean users?"),
        (lambda: call(dn.advise, ASKED, users=9, epsilon=1.0), "argument 'users'; did you mean people?"),
        (lambda: call(dn.Survey.plan, "x", ASKED, 1.0, users=9), "Survey.plan takes no argument 'users'; did you mean"),
        (lambda: call(dn.plan, 2, 1.0, zaphod=9), "unexpected keyword argument 'zaphod'"),
        (lambda: call(dn.simulate, ONE, [0.5, 0.5], 9), "missing 1 required positional argument: 'seed'"),
    ],
)
def test_an_argument_of_another_name_is_told_which_was_meant(tried: Callable[[], Any], said: str) -> None:
    with pytest.raises(TypeError, match=re.escape(said)):
        tried()


def call(function: Callable[..., Any], *args: Any, **given: Any) -> Any:
    """The call, of whose arguments type checkers know nothing."""
    return function(*args, **given)


def test_other_errors_of_types_stay_as_they_are() -> None:
    def half(number: Any) -> Any:
        return number / 2

    with pytest.raises(TypeError, match="unsupported operand"):
        naming_arguments(half)("seven")


def test_names_of_labels_and_questions_are_told_which_were_meant() -> None:
    found = dn.simulate(ONE, [0.5, 0.5], 100, seed=1)
    with pytest.raises(dn.LabelError, match=r"2 that were estimated, got one that is not; did you mean yes\?$"):
        found["yess"]
    with pytest.raises(dn.LabelError, match=r"got one that is not$"):
        found[7]
    with pytest.raises(AttributeError, match=r"has no attribute 'Subsett'; did you mean Subset\?$"):
        vars(dn)["__getattr__"]("Subsett")
    two = [*ASKED, dn.OneOf("way", ["car", "bus"])]
    with pytest.raises(dn.ParameterError, match="got no question 'lat'; did you mean late"):
        dn.Survey.plan("x", two, 2.0, 500, cross=[("lat", "way")])


def test_what_is_no_list_is_called_by_its_name() -> None:
    with pytest.raises(dn.ParameterError, match=r"^questions must be a list of questions, got OneOf$"):
        call(dn.Survey.plan, "x", ASKED[0], 1.0, 100)
    with pytest.raises(dn.DomainError, match=r"^question 'late': labels must be a list .*\[.*, got str$"):
        dn.OneOf("late", "yes,no")

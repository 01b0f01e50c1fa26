"""Checks of arguments that formulas, constructors and commands share: a bad one is refused before any work."""

from __future__ import annotations

import numbers
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from contextlib import suppress
from functools import wraps
from inspect import signature
from typing import Any, ParamSpec, TypeVar

import numpy as np
import numpy.typing as npt

from deniable.arrays import Vector
from deniable.protocol.checks import SLACK, check_int, check_positive, is_number, near, shown, strange_kind
from deniable.protocol.errors import ParameterError

LARGEST_CROWD = 2**40
"""The most people whose reports are drawn in aggregate: few enough that rounding in binomial draws cannot show."""
ALSO = {"people": "users", "users": "people", "eps": "epsilon"}
"""Names that another function gives the same thing."""
P = ParamSpec("P")
T = TypeVar("T")
FINEST = 1e-9
"""The smallest error: no number of people that fits in 64 bits makes a smaller one."""


def check_accuracy(accuracy: Any, name: str = "accuracy") -> float:
    """An error that is wanted, as a float from ``FINEST`` to its inverse."""
    error = check_positive(name, accuracy)
    if not FINEST <= error <= 1 / FINEST:
        raise ParameterError(f"{name} must be between {FINEST:g} and {1 / FINEST:g}, got {name}={shown(accuracy)}")
    return error


def unlike(first: Sequence[Any], second: Sequence[Any]) -> str:
    """Where two lists of labels differ, for a message.

    >>> unlike(["bus", "car"], ["bus", "bike"])
    "'car' and 'bike' at position 1"
    """
    if len(first) != len(second):
        return f"{len(first)} and {len(second)} labels"
    place, pair = next(
        (place, pair) for place, pair in enumerate(zip(first, second, strict=True)) if pair[0] != pair[1]
    )
    return f"{shown(pair[0])} and {shown(pair[1])} at position {place}"


def check_place(what: str, value: Any, values: Sequence[Any]) -> int:
    """The place of a value among those that there are."""
    if value not in values:
        raise ParameterError(f"{what} must be one of {len(values)}, got {shown(value)}{near(value, values)}")
    return list(values).index(value)


def odd_one(values: Any, kind: type) -> str:
    """The type of the first value that is not of a kind, or of what is no list at all, for a message.

    >>> odd_one([1, "two"], int), odd_one([], int), odd_one(3, int)
    ('str', 'an empty list', 'int')
    """
    if not isinstance(values, list | tuple):
        return type(values).__name__
    return next((type(value).__name__ for value in values if not isinstance(value, kind)), "an empty list")


def check_level(level: Any) -> float:
    """The level of an interval: a number between 0 and 1, both excluded."""
    if isinstance(level, bool) or not isinstance(level, numbers.Real) or not 0 < float(level) < 1:
        raise ParameterError(f"level must be a number between 0 and 1, got level={level!r}")
    return float(level)


def check_users(users: Any) -> int:
    """A number of people: an int of at least 1."""
    return check_int("users", users, 1)


def check_people(people: Any, labels: int) -> npt.NDArray[np.int64]:
    """How many people hold each label, whole numbers: in all no more than a binomial draw in floats is exact for."""
    values = as_vector(people)
    if values is None or values.shape != (labels,):
        raise ParameterError(f"people must be {labels} whole numbers, one per label, got {type(people).__name__}")
    if not (values == np.floor(values)).all() or values.min() < 0:
        raise ParameterError("people must be whole numbers of at least 0, got an entry that is not")
    if values.sum() > LARGEST_CROWD:
        raise ParameterError(f"people must be at most {LARGEST_CROWD} to be drawn in aggregate, got {values.sum():.0f}")
    return values.astype(np.int64)


def check_size(d: Any) -> int:
    """A number of labels: an int of at least 2."""
    return check_int("d", d, 2)


def check_block_sizes(sizes: Any) -> list[int]:
    """How many labels each block has, as a list of ints that add up to at least 2."""
    if isinstance(sizes, str | bytes | Mapping | Set) or not isinstance(sizes, Iterable):
        raise ParameterError(f"sizes must be a list of ints, got {type(sizes).__name__}")
    counts = [check_int("sizes", size, 1) for size in sizes]
    if sum(counts) < 2:
        raise ParameterError(f"sizes must add up to at least 2 labels, got {sum(counts)}")
    return counts


def check_distribution(name: str, p: Any, d: int) -> Vector:
    """Probabilities of ``d`` labels: finite, not negative, adding up to 1. A copy, rid of the rounding in their sum."""
    values = _probabilities(name, p, d)
    total = float(values.sum())
    if abs(total - 1) > SLACK:
        raise ParameterError(f"{name} must add up to 1, got {total:.15g}")
    return values / total


def check_shares(name: str, p: Any, d: int) -> Vector:
    """Shares of ``d`` labels of which people may hold several or none: each from 0 to 1. A copy."""
    values = _probabilities(name, p, d)
    if values.max() > 1:
        raise ParameterError(f"{name} must be shares of at most 1, got a larger one")
    return values


def _probabilities(name: str, p: Any, d: int) -> Vector:
    """``d`` finite numbers that are not negative."""
    values = as_vector(p)
    if values is None:
        raise ParameterError(f"{name} must be {d} probabilities, got {strange_kind(p)}")
    if values.shape != (d,):
        raise ParameterError(f"{name} must be {d} probabilities, got an array of shape {values.shape}")
    if not np.isfinite(values).all() or values.min() < 0:
        raise ParameterError(f"{name} must be finite and not negative, got an entry that is not")
    return values


def as_vector(p: Any) -> Vector | None:
    """Numbers as floats, integers of any length too; None for what is not numbers in an order, such as their texts."""
    if isinstance(p, Mapping | Set | np.ma.MaskedArray):
        return None
    try:
        values = np.asarray(p if isinstance(p, np.ndarray) else list(p))
        numeric = values.dtype.kind in "iuf" or (values.dtype.kind == "O" and all(map(is_number, values.flat)))
        return np.array(values, np.float64) if numeric else None
    except (TypeError, ValueError, OverflowError):
        return None


def naming_arguments(function: Callable[P, T]) -> Callable[P, T]:
    """The function, with an error about an argument of an unknown name that says which one was probably meant."""

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return function(*args, **kwargs)
        except TypeError:
            _check_names(function, args, kwargs)
            raise

    return call


def _check_names(function: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
    """Refuse an argument that has nearly the name of one that is lacking, where the arguments do not fit."""
    wanted = signature(function)
    lacking = set(wanted.parameters) - set(kwargs)
    with suppress(TypeError):
        wanted.bind(*args, **kwargs)
        return
    for name in kwargs:
        hint = near(ALSO.get(name, name), lacking) or near(name, lacking)
        if hint and name not in wanted.parameters:
            raise TypeError(f"{function.__qualname__} takes no argument {name!r}{hint}") from None

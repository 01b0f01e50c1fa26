"""Checks of arguments that formulas, constructors and commands share: a bad one is refused before any work."""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterable, Mapping, Set
from fractions import Fraction
from typing import Any, TypeGuard

import numpy as np
import numpy.typing as npt

from deniable.arrays import Vector
from deniable.protocol.errors import ParameterError

SMALLEST_EPSILON, LARGEST_EPSILON = 1e-6, 32.0
LARGEST_INT = 2**63 - 1
LARGEST_CROWD = 2**40
"""The most people whose reports are drawn in aggregate: few enough that rounding in binomial draws cannot show."""
LONGEST = 80
"""The most characters of a text that a message shows."""
FINEST = 1e-9
"""The smallest error: no number of people that fits in 64 bits makes a smaller one."""
SLACK = 1e-9
"""How far from 1 the entries of a distribution may add up."""


def _is_number(value: object) -> bool:
    return is_int(value) or isinstance(value, float | np.floating | Fraction)


def _shown(value: object) -> str:
    """The value as a message shows it: numbers and short texts as they are, anything else by its type."""
    if isinstance(value, str) and len(value) > LONGEST:
        return f"a text of {len(value)} characters"
    if is_int(value) and int(value).bit_length() > 64:
        return "an int of more than 64 bits"
    if _is_number(value):
        return str(value)
    return repr(value) if isinstance(value, str | bool) or value is None else type(value).__name__


def is_int(value: object) -> TypeGuard[int]:
    """Whether a value is a whole number: an int of Python or NumPy, but not a bool or a time span."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool | np.timedelta64)


def check_positive(name: str, value: Any) -> float:
    """``value`` as a float if it is a finite number above 0; otherwise a ParameterError that calls it ``name``."""
    try:
        number = float(value) if _is_number(value) else math.nan
    except OverflowError:
        number = math.inf
    if not 0 < number < math.inf:
        raise ParameterError(f"{name} must be a finite number above 0, got {name}={_shown(value)}")
    return number


def check_epsilon(epsilon: Any, name: str = "epsilon") -> float:
    """A privacy level, as a float, in the range for which odds can be certified in 64 bits."""
    level = check_positive(name, epsilon)
    if not SMALLEST_EPSILON <= level <= LARGEST_EPSILON:
        raise ParameterError(
            f"{name} must be between {SMALLEST_EPSILON:g} and {LARGEST_EPSILON:g}, got {name}={_shown(epsilon)}"
        )
    return level


def check_accuracy(accuracy: Any) -> float:
    """The wanted root mean squared error of a share, as a float from ``FINEST`` to its inverse."""
    error = check_positive("accuracy", accuracy)
    if not FINEST <= error <= 1 / FINEST:
        raise ParameterError(f"accuracy must be between {FINEST:g} and {1 / FINEST:g}, got accuracy={_shown(accuracy)}")
    return error


def check_int(name: str, value: Any, least: int, most: int = LARGEST_INT) -> int:
    """``value`` as an int from ``least`` to ``most``, both included; bools and floats are refused."""
    if not is_int(value) or value < least:
        raise ParameterError(f"{name} must be an int of at least {least}, got {name}={_shown(value)}")
    if value > most:
        raise ParameterError(f"{name} must be at most {most}, got {name}={_shown(value)}")
    return int(value)


def check_choice(name: str, value: Any, choices: Iterable[str]) -> str:
    """``value`` if it is one of the strings ``choices``; the message lists them all."""
    known = tuple(choices)
    if not isinstance(value, str) or value not in known:
        given = f"{name}={_shown(value)}{near(value, known)}"
        raise ParameterError(f"{name} must be one of {', '.join(known)}, got {given}")
    return value


def near(value: Any, known: Iterable[str]) -> str:
    """The end of a message that names what was probably meant, if anything is like it.

    >>> near("Subest", ["Subset", "Cyclic"]), near("x", ["Subset"])
    ('; did you mean Subset?', '')
    """
    from difflib import get_close_matches

    plain = {each.casefold(): each for each in known}
    found = get_close_matches(str(value).casefold(), plain, n=1)
    return f"; did you mean {plain[found[0]]}?" if found else ""


def check_level(level: Any) -> float:
    """The level of an interval: a number between 0 and 1, both excluded."""
    if isinstance(level, bool) or not isinstance(level, numbers.Real) or not 0 < float(level) < 1:
        raise ParameterError(f"level must be a number between 0 and 1, got level={level!r}")
    return float(level)


def check_users(users: Any) -> int:
    """A number of people: an int of at least 1."""
    return check_int("users", users, 1)


def check_people(people: Any, labels: int) -> npt.NDArray[np.int64]:
    """How many people hold each label: as many as a binomial draw in floats is exact for, and no more."""
    values = as_vector(people)
    if values is None or values.shape != (labels,):
        raise ParameterError(f"people must be {labels} whole numbers, one per label, got something else")
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
        raise ParameterError(f"{name} must be {d} probabilities, got {type(p).__name__}")
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
        numeric = values.dtype.kind in "iuf" or (values.dtype.kind == "O" and all(map(_is_number, values.flat)))
        return np.array(values, np.float64) if numeric else None
    except (TypeError, ValueError, OverflowError):
        return None

"""The arguments that formulas share, checked at the door."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from deniable.errors import ParameterError

Vector: TypeAlias = npt.NDArray[np.float64]

SMALLEST_EPSILON, LARGEST_EPSILON = 1e-6, 32.0
SLACK = 1e-9
"""How far from 1 the entries of a distribution may add up."""


def _is_number(value: object) -> bool:
    return isinstance(value, int | float | np.integer | np.floating | Fraction) and not isinstance(value, bool)


def _check_positive(name: str, value: Any) -> float:
    shown = f"{name}={value!r}" if _is_number(value) or isinstance(value, str | bool) else type(value).__name__
    if not _is_number(value) or not 0 < value < math.inf:
        raise ParameterError(f"{name} must be a finite number above 0, got {shown}")
    return float(value)


def check_epsilon(epsilon: Any) -> float:
    """A level for which odds can be certified, as a float."""
    level = _check_positive("epsilon", epsilon)
    if not SMALLEST_EPSILON <= level <= LARGEST_EPSILON:
        raise ParameterError(
            f"epsilon must be between {SMALLEST_EPSILON:g} and {LARGEST_EPSILON:g}, got epsilon={epsilon}"
        )
    return level


def check_accuracy(accuracy: Any) -> float:
    """A root mean squared error, as a float."""
    return _check_positive("accuracy", accuracy)


def check_int(name: str, value: Any, least: int) -> int:
    """An int, and no bool, of at least ``least``."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise ParameterError(f"{name} must be an int of at least {least}, got {name}={value!r}")
    return int(value)


def check_users(users: Any) -> int:
    """A number of people."""
    return check_int("users", users, 1)


def check_size(d: Any) -> int:
    """A number of labels."""
    return check_int("d", d, 2)


def check_distribution(name: str, p: Any, d: int) -> Vector:
    """Probabilities of ``d`` labels: finite, not negative, adding up to 1."""
    try:
        values = np.asarray(p if isinstance(p, np.ndarray) else list(p), np.float64)
    except (TypeError, ValueError):
        raise ParameterError(f"{name} must be {d} probabilities, got {type(p).__name__}") from None
    if values.shape != (d,):
        raise ParameterError(f"{name} must be {d} probabilities, got an array of shape {values.shape}")
    if not np.isfinite(values).all() or values.min() < 0:
        raise ParameterError(f"{name} must be finite and not negative, got an entry that is not")
    if abs(values.sum() - 1) > SLACK:
        raise ParameterError(f"{name} must add up to 1, got {values.sum():.9g}")
    return values

"""Checks of numbers and words in specs and surveys."""

from __future__ import annotations

import math
from typing import Any

from .canonical import is_int
from .errors import ParameterError

SMALLEST_EPSILON, LARGEST_EPSILON = 1e-6, 32.0
LARGEST_INT = (1 << 63) - 1
SLACK = 1e-9
"""How far from 1 the sum of a prior may be."""


def check_int(name: str, value: Any, least: int, most: int = LARGEST_INT) -> int:
    """``value`` if it is an integer from ``least`` to ``most``, both included."""
    if not is_int(value) or not least <= value <= most:
        raise ParameterError(f"{name} must be an int from {least} to {most}, got another value")
    return int(value)


def check_positive(name: str, value: Any) -> float:
    """``value`` as a float if it is a finite number above 0."""
    try:
        number = float(value) if is_int(value) or isinstance(value, float) else math.nan
    except OverflowError:
        number = math.inf
    if not 0 < number < math.inf:
        raise ParameterError(f"{name} must be a finite number above 0, got another value")
    return number


def check_epsilon(value: Any, name: str = "epsilon") -> float:
    """A level for which odds can be certified in 64 bits."""
    level = check_positive(name, value)
    if not SMALLEST_EPSILON <= level <= LARGEST_EPSILON:
        raise ParameterError(
            f"{name} must be between {SMALLEST_EPSILON:g} and {LARGEST_EPSILON:g}, got {name}={level:g}"
        )
    return level


def check_choice(name: str, value: Any, choices: tuple[str, ...]) -> str:
    """``value`` if it is one of the texts ``choices``."""
    if not isinstance(value, str) or value not in choices:
        raise ParameterError(f"{name} must be one of {', '.join(choices)}, got another value")
    return value


def check_prior(value: Any, labels: int) -> tuple[float, ...]:
    """A probability for each label: finite, not negative, adding up to 1 within 1e-9."""
    numbers = value if isinstance(value, list) else []
    shares = tuple(float(p) for p in numbers if is_int(p) or isinstance(p, float))
    if len(shares) != labels or len(shares) < len(numbers) or not all(0 <= p < math.inf for p in shares):
        raise ParameterError(f"prior must be {labels} probabilities, got something else")
    if abs(math.fsum(shares) - 1) > SLACK:
        raise ParameterError("prior must add up to 1, got another sum")
    return shares


def is_unicode(text: str) -> bool:
    """Whether UTF-8 can hold the text: no lone surrogates.

    >>> is_unicode("é"), is_unicode(chr(0xD800))
    (True, False)
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True

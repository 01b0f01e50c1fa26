"""Checks of numbers and words in specs and surveys, and of the arguments that formulas and constructors share."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from numbers import Integral, Real
from typing import Any, TypeGuard

from .errors import ParameterError
from .python_values import is_ordered

SMALLEST_EPSILON, LARGEST_EPSILON = 1e-6, 32.0
LARGEST_INT = (1 << 63) - 1
LONGEST = 80
"""The most characters of a text that a message shows."""
SLACK = 1e-9
"""How far from 1 the sum of a prior may be."""


def is_int(value: object) -> TypeGuard[int]:
    """Whether a value is a whole number: an int of Python or NumPy, but not a bool or a time span.

    >>> is_int(1), is_int(True), is_int(1.0)
    (True, False, False)
    """
    if type(value) is int:
        return True
    if not isinstance(value, Integral) or isinstance(value, bool):
        return False
    kind = getattr(getattr(value, "dtype", None), "kind", "i")
    return kind in ("i", "u")  # NumPy counts time spans, of kind m, among the integers


def is_number(value: object) -> bool:
    """Whether a value is a real number: an int, a float or a Fraction, of Python or NumPy."""
    return is_int(value) or isinstance(value, float | Fraction) or (isinstance(value, Real) and _is_float(value))


def check_int(name: str, value: Any, least: int, most: int = LARGEST_INT) -> int:
    """``value`` as an int from ``least`` to ``most``, both included; bools and floats are refused."""
    if not is_int(value) or value < least:
        raise ParameterError(f"{name} must be an int of at least {least}, got {name}={shown(value)}")
    if value > most:
        raise ParameterError(f"{name} must be at most {most}, got {name}={shown(value)}")
    return int(value)


def check_positive(name: str, value: Any) -> float:
    """``value`` as a float if it is a finite number above 0; otherwise a ParameterError that calls it ``name``."""
    try:
        number = float(value) if is_number(value) else math.nan
    except OverflowError:
        number = math.inf
    if not 0 < number < math.inf:
        how = ", a text: write it without quotation marks" if isinstance(value, str) else ""
        raise ParameterError(f"{name} must be a finite number above 0, got {name}={shown(value)}{how}")
    return number


def check_epsilon(epsilon: Any, name: str = "epsilon") -> float:
    """A privacy level, as a float, in the range for which odds can be certified in 64 bits."""
    level = check_positive(name, epsilon)
    if not SMALLEST_EPSILON <= level <= LARGEST_EPSILON:
        raise ParameterError(
            f"{name} must be between {SMALLEST_EPSILON:g} and {LARGEST_EPSILON:g}, got {name}={shown(epsilon)}"
        )
    return level


def check_choice(name: str, value: Any, choices: Iterable[str]) -> str:
    """``value`` if it is one of the strings ``choices``; the message lists them all."""
    known = tuple(choices)
    if not isinstance(value, str) or value not in known:
        given = f"{name}={shown(value)}{near(value, known)}"
        raise ParameterError(f"{name} must be one of {', '.join(known)}, got {given}")
    return value


def check_bool(name: str, value: Any) -> bool:
    """``value`` if it is True or False; 1 and 0 are refused."""
    if not isinstance(value, bool):
        raise ParameterError(f"{name} must be True or False, got {name}={shown(value)}")
    return value


def near(value: Any, known: Iterable[Any]) -> str:
    """The end of a message that names what was probably meant, if anything is like it.

    >>> near("Subest", ["Subset", "Cyclic"]), near("x", ["Subset"])
    ('; did you mean Subset?', '')
    """
    from difflib import get_close_matches

    plain = {str(each).casefold(): each for each in known}
    matches = get_close_matches(str(value).casefold(), plain, n=1)
    return f"; did you mean {plain[matches[0]]}?" if matches else ""


def check_prior(value: Any, labels: int) -> tuple[float, ...]:
    """A probability for each label as a float: finite, not negative, adding up to 1 within 1e-9."""
    if not is_ordered(value):
        raise ParameterError(f"prior must be {labels} probabilities, got {type(value).__name__}")
    given = list(value)
    if len(given) != labels:
        raise ParameterError(f"prior must be {labels} probabilities, got an array of shape ({len(given)},)")
    shares = _floats(given)
    if shares is None:
        raise ParameterError(f"prior must be {labels} probabilities, got {strange_kind(value)}")
    if not all(0 <= p < math.inf for p in shares):
        raise ParameterError("prior must be finite and not negative, got an entry that is not")
    total = math.fsum(shares)
    if abs(total - 1) > SLACK:
        raise ParameterError(f"prior must add up to 1, got {total:.15g}")
    return shares


def strange_kind(given: Any) -> str:
    """What came in the place of a list of numbers: its kind, or that of its first entry that is no number.

    >>> strange_kind(0.5), strange_kind([0.5, "0.5"])
    ('float', 'str among them')
    """
    kinds = (type(each).__name__ for each in given if not is_number(each)) if is_ordered(given) else iter(())
    kind = next(kinds, None)
    return f"{kind} among them" if kind else type(given).__name__


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


def check_whole(name: str, rows: Iterable[Iterable[Any]]) -> None:
    """Refuse rows that hold anything but whole numbers of at least 0."""
    strange = [number for row in rows for number in row if not is_int(number) or number < 0]
    if strange:
        raise ParameterError(f"{name} must be rows of whole numbers of at least 0, got one with {shown(strange[0])}")


def shown(value: object) -> str:
    """The value as a message shows it: numbers and short texts as they are, anything else by its type."""
    if isinstance(value, str) and len(value) > LONGEST:
        return f"a text of {len(value)} characters"
    if is_int(value) and int(value).bit_length() > 64:
        return "an int of more than 64 bits"
    if is_number(value):
        return str(value)
    return repr(value) if isinstance(value, str | bool) or value is None else type(value).__name__


def _floats(given: list[Any]) -> tuple[float, ...] | None:
    """Values as floats; None if some are no numbers, or too large."""
    try:
        return tuple(float(p) for p in given) if all(map(is_number, given)) else None
    except OverflowError:
        return None


def _is_float(value: Real) -> bool:
    return getattr(getattr(value, "dtype", None), "kind", "") == "f"

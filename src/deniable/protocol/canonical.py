"""JSON that is read strictly and written in one way: the texts of specs and surveys, and their digests."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Set
from typing import Any, TypeAlias

from .checks import is_int
from .errors import FormatError

Spec: TypeAlias = dict[str, Any]
Fields: TypeAlias = Set[tuple[str, ...]]
LABELS: Fields = frozenset(
    {("domain",), ("guarantee", "domain"), ("guarantee", "sensitive"), ("guarantee", "blocks"), ("ever", "domain")}
)
"""The fields of a spec whose lists hold labels, among which 1 and 1.0 are two; ``ever`` holds a spec itself."""
EXACT = 1 << 53
"""Below this every integer is a float of its own."""
MOST_DIGITS = 400
"""Of an integer: the widest one that a spec may hold, of 1,024 bits, has 309."""
WRONG = (TypeError, ValueError, ArithmeticError, LookupError, RecursionError, AttributeError)
"""What reading a document of another shape runs into."""


def canonical(value: Any) -> str:
    """The one way to write a value: sorted keys, no blanks, the shortest floats that read back as they are.

    >>> canonical({"b": 1.0, "a": "é"})
    '{"a":"é","b":1.0}'
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def digest(text: str) -> str:
    """SHA-256 of a text's UTF-8, in hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()


def read_object(given: Any, what: str, lists: Fields, labels: Fields = frozenset()) -> Spec:
    """A JSON object as somebody wrote it, its text or parsed from it; 16.0 becomes 16 where no label stands.

    Labels stand in the ``lists`` of these fields, and alone in the fields ``labels``: there 1 and 1.0 are two.

    >>> read_object('{"domain": 4.0, "epsilon": 1e0}', "a spec", frozenset())
    {'domain': 4, 'epsilon': 1}
    """
    try:
        parsed = strict_json(given) if isinstance(given, str | bytes) else given
        if isinstance(parsed, Mapping):
            return {name: _whole(value, (name,), lists, labels) for name, value in parsed.items()}
    except (ValueError, RecursionError):
        raise FormatError(f"{what} must be JSON without a key twice, NaN or infinity, got a text that is not") from None
    raise FormatError(f"{what} must be a dict or the text of a JSON object, got {type(parsed).__name__}")


def read_text(given: str | bytes, what: str, lists: Fields, labels: Fields = frozenset()) -> Spec:
    """The same of its text alone: what a parser made of it may have lost the difference of 1 and 1.0."""
    if not isinstance(given, str | bytes):
        raise FormatError(f"{what} must be given as its text, got {type(given).__name__}")
    return read_object(given, what, lists, labels)


def equivalent(kept: Spec, given: Spec) -> bool:
    """Whether what was read is what is kept, integers standing for floats where floats are kept.

    >>> equivalent({"epsilon": 1.0}, {"epsilon": 1}), equivalent({"size": 1}, {"size": 1.0})
    (True, False)
    """
    return canonical(_as_floats(given, kept)) == canonical(kept)


def strict_json(text: str | bytes) -> Any:
    """JSON of which nothing is lost: no key twice, nothing that is no finite number."""
    decoded = text.decode() if isinstance(text, bytes) else text
    return json.loads(
        decoded, object_pairs_hook=_distinct, parse_float=_finite, parse_constant=_finite, parse_int=_integer
    )


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    entries = dict(pairs)
    if len(entries) < len(pairs):
        raise ValueError("a key twice")
    return entries


def _finite(written: str) -> float:
    number = float(written)
    if not math.isfinite(number):
        raise ValueError("no finite number")
    return number


def _integer(written: str) -> int:
    if len(written) > MOST_DIGITS:
        raise ValueError("an integer of too many digits")
    return int(written)


def _whole(given: Any, field: tuple[str, ...], lists: Fields, labels: Fields) -> Any:
    """Floats as the integers that they equal, where these are exact; labels stay as they are.

    ``field`` is where the value stands: the names of the fields that lead to it.
    """
    if field in labels or (isinstance(given, list) and field in lists):
        return given
    if isinstance(given, dict):
        return {name: _whole(value, (*field, name), lists, labels) for name, value in given.items()}
    if isinstance(given, list):
        return [_whole(value, field, lists, labels) for value in given]
    whole = isinstance(given, float) and given.is_integer() and abs(given) < EXACT and str(given) != "-0.0"
    return int(given) if whole else given


def _as_floats(given: Any, kept: Any) -> Any:
    """Integers as floats where floats are kept."""
    if isinstance(given, Mapping) and isinstance(kept, Mapping):
        return {name: _as_floats(value, kept.get(name)) for name, value in given.items()}
    if isinstance(given, list) and isinstance(kept, list) and len(given) == len(kept):
        return [_as_floats(a, b) for a, b in zip(given, kept, strict=True)]
    return float(given) if is_int(given) and isinstance(kept, float) else given

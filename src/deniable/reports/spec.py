"""The spec of a mechanism: everything a reader needs to count its reports, as canonical JSON with a digest.

People and other languages may write a spec as JSON in any way; what is stored, and what is hashed, is canonical.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Set
from pathlib import Path
from typing import Any, TypeAlias

from deniable.checks import is_int
from deniable.errors import FormatError

Spec: TypeAlias = dict[str, Any]
VERSION = 1
"""The version of specs. A spec's meaning never changes within a version: it always gives the same channel."""
EXACT = 1 << 53
"""Below this every integer is a float of its own."""
LABELS = frozenset(
    {("domain",), ("guarantee", "domain"), ("guarantee", "sensitive"), ("guarantee", "blocks"), ("ever", "domain")}
)
"""The fields of a spec whose lists hold labels, among which 1 and 1.0 are two; ``ever`` holds a spec itself."""
Fields: TypeAlias = Set[tuple[str, ...]]


def canonical(spec: Spec) -> bytes:
    """The one way to write a spec: sorted keys, no blanks, UTF-8, shortest round-trip floats.

    >>> canonical({"b": 1.0, "a": "é"}).decode()
    '{"a":"é","b":1.0}'
    """
    text = json.dumps(spec, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return text.encode()


def digest(spec: Spec) -> str:
    """SHA-256 of the canonical form, in hexadecimal."""
    return hashlib.sha256(canonical(spec)).hexdigest()


def parse(written: bytes) -> Spec:
    """Read a canonical spec; any other way of writing one is refused."""
    try:
        spec = json.loads(written)
        same = canonical(spec) == written
    except (ValueError, RecursionError) as error:
        raise FormatError("a spec must be canonical JSON, got bytes that are not") from error
    if not same or not isinstance(spec, dict):
        raise FormatError("a spec must be a JSON object in canonical form, got another writing of it")
    return spec


def read_spec(given: Any, what: str = "a spec", lists: Fields = LABELS, labels: Fields = frozenset()) -> Spec:
    """A spec as somebody wrote it, in JSON text or parsed from it; 16.0 becomes 16 where no label stands.

    Labels stand in the ``lists`` of these fields, and alone in the fields ``labels``.

    Whether it describes anything is for whoever makes a mechanism of it to find out.

    >>> read_spec('{"domain": 4.0, "epsilon": 1e0}')
    {'domain': 4, 'epsilon': 1}
    """
    try:
        found = _strict_json(given) if isinstance(given, str | bytes) else given
        if isinstance(found, Mapping):
            return {name: _whole(value, (name,), lists, labels) for name, value in found.items()}
    except (ValueError, RecursionError):
        raise FormatError(f"{what} must be JSON without a key twice, NaN or infinity, got another text") from None
    raise FormatError(f"{what} must be a dict or the text of a JSON object, got {type(found).__name__}")


def read_json(path: Path | str, what: str) -> Any:
    """A file of JSON that people may have written, however it is spaced; ``what`` says what it should be."""
    try:
        return _strict_json(Path(path).read_text(encoding="utf-8-sig"))
    except (ValueError, RecursionError):
        raise FormatError(f"{path} must be {what} in JSON, got another text") from None


def equivalent(kept: Spec, given: Spec) -> bool:
    """Whether a spec that was read is the one that a mechanism keeps, integers standing for floats where it has floats.

    >>> equivalent({"epsilon": 1.0}, {"epsilon": 1}), equivalent({"size": 1}, {"size": 1.0})
    (True, False)
    """
    return canonical(_as_floats(given, kept)) == canonical(kept)


def _strict_json(text: str | bytes) -> Any:
    """JSON of which nothing is lost: no key twice, nothing that is no finite number."""
    decoded = text.decode() if isinstance(text, bytes) else text
    return json.loads(decoded, object_pairs_hook=_distinct, parse_float=_finite, parse_constant=_finite)


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key twice")
    return found


def _finite(written: str) -> float:
    number = float(written)
    if not math.isfinite(number):
        raise ValueError("no finite number")
    return number


def _whole(given: Any, field: tuple[str, ...], lists: Fields, labels: Fields) -> Any:
    """Floats as the integers that they equal, where they can be those of no other; labels stay as they are."""
    if field in labels or (isinstance(given, list) and field in lists):
        return given
    if isinstance(given, dict):
        return {name: _whole(value, (*field, name), lists, labels) for name, value in given.items()}
    if isinstance(given, list):
        return [_whole(value, field, lists, labels) for value in given]
    whole = isinstance(given, float) and given.is_integer() and abs(given) < EXACT and str(given) != "-0.0"
    return int(given) if whole else given


def _as_floats(given: Any, kept: Any) -> Any:
    """Integers as floats where the mechanism keeps floats."""
    if isinstance(given, dict) and isinstance(kept, dict):
        return {name: _as_floats(value, kept.get(name)) for name, value in given.items()}
    if isinstance(given, list) and isinstance(kept, list) and len(given) == len(kept):
        return [_as_floats(a, b) for a, b in zip(given, kept, strict=True)]
    return float(given) if is_int(given) and isinstance(kept, float) else given

"""The spec of a mechanism: everything a reader needs to count its reports, as canonical JSON with a digest.

People and other languages may write a spec as JSON in any way; what is stored, and what is hashed, is canonical.
"""

from __future__ import annotations

import json
from typing import Any

from deniable.protocol import canonical as writing
from deniable.protocol.canonical import LABELS, Spec, read_object
from deniable.protocol.checks import is_number
from deniable.protocol.errors import FormatError

VERSION = 1
"""The version of specs. A spec's meaning never changes within a version: it always gives the same channel."""


def canonical(spec: Spec) -> bytes:
    """The one way to write a spec: sorted keys, no blanks, UTF-8, shortest round-trip floats.

    >>> canonical({"b": 1.0, "a": "é"}).decode()
    '{"a":"é","b":1.0}'
    """
    return writing.canonical(spec).encode()


def digest(spec: Spec) -> str:
    """SHA-256 of the canonical form, in hexadecimal."""
    return writing.digest(writing.canonical(spec))


def parse(written: bytes) -> Spec:
    """Read a canonical spec; any other way of writing one is refused."""
    try:
        spec = json.loads(written)
        same = canonical(spec) == written
    except (ValueError, RecursionError) as error:
        raise FormatError("a spec must be canonical JSON, got bytes that are not") from error
    if not same or not isinstance(spec, dict):
        raise FormatError("a spec must be a JSON object in canonical form, got it written in another way")
    return spec


def differences(one: bytes, other: bytes) -> str:
    """The end of a message: the fields in which canonical specs differ, with what is a number there.

    >>> differences(b'{"domain":3,"epsilon":1}', b'{"domain":["a","b"],"epsilon":2}')
    ': they differ in domain, epsilon (1 and 2)'
    """
    try:
        specs = parse(one), parse(other)
    except FormatError:  # refused elsewhere
        return ""
    pairs = {field: [spec.get(field) for spec in specs] for field in sorted({*specs[0], *specs[1]})}
    differ = {field: pair for field, pair in pairs.items() if pair[0] != pair[1]}
    told = [f"{field} ({a} and {b})" if is_number(a) and is_number(b) else field for field, (a, b) in differ.items()]
    return f": they differ in {', '.join(told)}" if told else ""


def read_spec(given: Any) -> Spec:
    """A spec as somebody wrote it. Whether it describes anything is for whoever makes a mechanism of it to find out."""
    return read_object(given, "a spec", LABELS)

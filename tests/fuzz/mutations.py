"""Changes of valid inputs: of their bytes, of the JSON within them, and of what only fits together with a checksum."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from random import Random
from typing import Any

HASH = 32
NUMBERS = (
    0,
    1,
    2,
    3,
    -1,
    0.5,
    1.0,
    -0.0,
    1e-320,
    1e308,
    31,
    64,
    255,
    5000,
    1 << 16,
    1 << 18,
    1 << 20,
    1 << 24,
    1 << 28,
    1 << 31,
    1 << 32,
    1 << 53,
    1 << 64,
    10**400,
)
TEXTS = ("", "a", "once", "2026-08-01T00:00:00Z", "\ud800", "\x00", "\uffff", "café", "x" * 5000, "inf", "tuple")
ODD: tuple[Any, ...] = (*NUMBERS, *TEXTS, None, True, False, [], {}, [[]], [None, None], {"tuple": ["a", "b"]}, {"": 0})
"""Values that readers have stumbled over somewhere."""
BYTES = (
    b"",
    b"\0",
    b"\xff" * 8,
    b"\x7f" + b"\xff" * 7,
    b"\0" * 16,
    b"[" * 3000,
    b'{"a":' * 900,
    b"9" * 5000,
    b"\xef\xbb\xbf",
)


def changed_bytes(source: Random, data: bytes) -> bytes:
    """Some bytes flipped, cut out, doubled, or replaced by odd ones."""
    start = source.randint(0, len(data))
    end = min(len(data), start + source.choice((0, 1, 2, 4, 8, 16, 200)))
    piece = data[start:end]
    other = source.choice((*BYTES, piece * 2, piece[::-1], bytes(byte ^ 1 << source.randrange(8) for byte in piece)))
    return source.choice((data[:start] + other + data[end:], data[:start], data[:start] + other))


def changed_json(source: Random, data: bytes) -> bytes:
    """A few values of a document changed, and written in one way or another; as bytes where it is no JSON."""
    try:
        document = [json.loads(data)]
    except (ValueError, RecursionError):
        return changed_bytes(source, data)
    for _ in range(source.choice((1, 1, 1, 2, 4))):
        if document:
            _change(source, *source.choice(list(_places(document))))
    return _written(source, document[0]) if document else b""


def _places(holder: Any) -> Iterator[tuple[Any, Any]]:
    """Everything that a document holds: what holds it, and its key or its index there."""
    keys: Any = list(holder) if isinstance(holder, dict) else range(len(holder))
    for key in keys:
        yield holder, key
        if isinstance(holder[key], dict | list):
            yield from _places(holder[key])


def _change(source: Random, holder: Any, key: Any) -> None:
    """One value replaced, nudged, removed, doubled, or joined by a stranger."""
    source.choice((_replaced, _replaced, _nudged, _nudged, _removed, _joined))(source, holder, key, holder[key])


def _replaced(source: Random, holder: Any, key: Any, value: Any) -> None:
    others = [other for other in (holder.values() if isinstance(holder, dict) else holder) if other is not value]
    holder[key] = json.loads(json.dumps(source.choice((*ODD, *others))))


def _nudged(source: Random, holder: Any, key: Any, value: Any) -> None:
    if isinstance(value, bool) or value is None:
        holder[key] = source.choice((True, False, None, 0))
    elif isinstance(value, int | float):
        holder[key] = source.choice((value + 1, value - 1, -value, float(max(-1e300, min(value, 1e300))), value * 2))
    elif isinstance(value, str):
        holder[key] = source.choice((value[1:], value + value, value.upper(), value + " "))
    elif isinstance(value, list):
        holder[key] = source.choice((value[1:], value + value, value[::-1], [value]))


def _removed(_: Random, holder: Any, key: Any, __: Any) -> None:
    del holder[key]


def _joined(source: Random, holder: Any, key: Any, value: Any) -> None:
    if isinstance(holder, dict):
        holder[source.choice((f"{key}_", str(key).upper(), "", "version", "domain"))] = value
    else:
        holder.insert(source.randint(0, len(holder)), value)


def _written(source: Random, document: Any) -> bytes:
    """JSON in the one canonical way, mostly, or in another."""
    if source.random() < 0.7:
        text = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    else:
        text = json.dumps(document, indent=1)
    return text.encode("utf-8", "surrogatepass")


def changed_tally(source: Random, data: bytes) -> bytes:
    """A tally of a mechanism changed: its spec, or any of its bytes; the lengths and the checksum mostly fit."""
    return _changed_within(source, data, 32, 40)


def changed_survey_tally(source: Random, data: bytes) -> bytes:
    """A survey's tally changed: its document, its last tally, or any of its bytes."""
    if source.random() < 0.5:
        return _changed_within(source, data, 16, 24)
    start = data.rfind(b"deniable tally\0")
    inner = changed_tally(source, data[start:-HASH])
    return sealed(data[: start - 8] + len(inner).to_bytes(8, "little") + inner)


def _changed_within(source: Random, data: bytes, place: int, start: int) -> bytes:
    """Changes of a text that starts somewhere, with its length in 8 bytes at a place; or of anything around it."""
    body = data[:-HASH]
    if source.random() < 0.4:
        return sealed(changed_bytes(source, body)) if source.random() < 0.9 else changed_bytes(source, data)
    end = start + int.from_bytes(body[place : place + 8], "little")
    text = changed_json(source, body[start:end])
    return sealed(body[:place] + len(text).to_bytes(8, "little") + body[place + 8 : start] + text + body[end:])


def changed_upload(source: Random, data: bytes) -> bytes:
    """An upload with its survey's number before it: a section's head, its answers, or any of its bytes."""
    head = 17
    if source.random() < 0.4 or len(data) < head + 6:
        return changed_bytes(source, data)
    arm, n = (source.choice((0, 1, 2, 0xFFFF)), source.choice((0, 1, 2, 3, 99, 0xFFFFFFFF)))
    own = source.choice((data[head : head + 6], arm.to_bytes(2, "little") + n.to_bytes(4, "little")))
    rows = bytes(source.choice((byte, source.randrange(256))) for byte in data[head + 6 :])
    return bytes([source.randrange(256)]) * (source.random() < 0.1) + data[:head] + own + rows


def sealed(body: bytes) -> bytes:
    """Bytes followed by the checksum that fits them."""
    return body + hashlib.sha256(body).digest()

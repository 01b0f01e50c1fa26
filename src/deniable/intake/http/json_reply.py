"""JSON for programs, written in pieces: a list of thousands in one go would hold up all others."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from starlette.responses import Response, StreamingResponse

AT_ONCE: Final = 1000
"""Entries of a list that are written in one go."""
WINDOW: Final = 1 << 16
"""The fewest letters that are sent by themselves, but for the last."""


def json_reply(value: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """A value as JSON; each piece is written in a thread."""
    return StreamingResponse(_in_windows(pieces(value)), status, headers, "application/json")


def _in_windows(parts: Iterable[str]) -> Iterator[str]:
    """Texts joined into windows of at least ``WINDOW`` letters, but for the last."""
    pending, size = [], 0
    for part in parts:
        pending.append(part)
        size += len(part)
        if size >= WINDOW:
            yield "".join(pending)
            pending, size = [], 0
    yield "".join(pending)


def pieces(value: Any) -> Iterator[str]:
    """The JSON of a value, of its lists some entries at a time.

    >>> "".join(pieces({"n": 1, "codes": ["a", "b"]}))
    '{"n":1,"codes":["a","b"]}'
    """
    if isinstance(value, dict):
        yield "{"
        for number, (name, each) in enumerate(value.items()):
            yield f"{',' * (number > 0)}{_json(name)}:"
            yield from pieces(each)
        yield "}"
    elif isinstance(value, list) and len(value) > AT_ONCE:
        for start in range(0, len(value), AT_ONCE):
            yield ("," if start else "[") + _json(value[start : start + AT_ONCE])[1:-1]
        yield "]"
    else:
        yield _json(value)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))

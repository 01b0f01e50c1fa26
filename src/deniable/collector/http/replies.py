"""Replies: JSON, problems, and the headers that let a page of another host ask."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from starlette.responses import Response, StreamingResponse
from starlette.types import Send

from deniable.collector.refusals import Refusal
from deniable.collector.taking import Outcome, Receipt

Headers = list[tuple[bytes, bytes]]
OPEN_TO_ALL: Final[Headers] = [
    (b"access-control-allow-origin", b"*"),
    (b"access-control-expose-headers", b"Retry-After"),
]
"""For what devices ask: a page may stand on any host, and nothing here hangs on cookies."""
PREFLIGHT: Final[Headers] = [
    *OPEN_TO_ALL,
    (b"access-control-allow-methods", b"GET, POST"),
    (b"access-control-allow-headers", b"Content-Type, Authorization"),
    (b"access-control-max-age", b"86400"),
]
AT_ONCE: Final = 1000
"""Entries of a list that are written in one go."""
WINDOW: Final = 1 << 16
"""The fewest letters that are sent by themselves, but for the last."""
NEVER: Final = (b"cache-control", b"no-store")
JSON: Final = (b"content-type", b"application/json")


class Reply(Response):
    """A reply whose headers are given as they are sent."""

    def __init__(self, body: bytes, headers: Headers, status: int = 200) -> None:
        super().__init__(body, status)
        self.raw_headers = [*headers, (b"content-length", str(len(body)).encode())]


def json_reply(value: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """A value as JSON, written in pieces, each in a thread: one of a long list would hold up all others."""
    return StreamingResponse(_together(pieces(value)), status, headers, "application/json")


def _together(parts: Iterable[str]) -> Iterator[str]:
    """Texts, short ones in one."""
    held, size = [], 0
    for part in parts:
        held.append(part)
        size += len(part)
        if size >= WINDOW:
            yield "".join(held)
            held, size = [], 0
    yield "".join(held)


def pieces(value: Any) -> Iterator[str]:
    """The JSON of a value, of its lists some entries at a time.

    >>> "".join(pieces({"n": 1, "codes": ["a", "b"]}))
    '{"n":1,"codes":["a","b"]}'
    """
    if isinstance(value, dict):
        yield "{"
        for number, (name, each) in enumerate(value.items()):
            yield f"{',' * (number > 0)}{_written(name)}:"
            yield from pieces(each)
        yield "}"
    elif isinstance(value, list) and len(value) > AT_ONCE:
        for start in range(0, len(value), AT_ONCE):
            yield ("," if start else "[") + _written(value[start : start + AT_ONCE])[1:-1]
        yield "]"
    else:
        yield _written(value)


def _written(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def problem(refusal: Refusal, more: Headers | None = None) -> Reply:
    """A refusal as a reply."""
    return Reply(refusal.body, [*refusal.headers, NEVER, *(more or [])], refusal.status)


async def send_outcome(send: Send, outcome: Outcome) -> None:
    """Tell a device what became of its upload."""
    if isinstance(outcome, Receipt):
        await send_reply(send, 200, b'{"answers": %d}' % outcome.answers, [JSON])
    else:
        await send_reply(send, outcome.status, outcome.body, outcome.headers)


async def send_reply(send: Send, status: int, body: bytes, headers: Headers) -> None:
    """Send a small reply to a device."""
    length = (b"content-length", str(len(body)).encode())
    told = [*headers, *OPEN_TO_ALL, NEVER, length]
    await send({"type": "http.response.start", "status": status, "headers": told})
    await send({"type": "http.response.body", "body": body})

"""Replies: JSON, problems, that a process lives, and the headers that let a page of another host ask."""

from __future__ import annotations

import gzip
from functools import lru_cache
from typing import Final

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import Send

from deniable.intake.refusals import Refusal
from deniable.intake.taking import Outcome, Receipt

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
NEVER: Final = (b"cache-control", b"no-store")
JSON: Final = (b"content-type", b"application/json")
VARIES: Final = (b"vary", b"accept-encoding")
PACKED: Final = (b"content-encoding", b"gzip")
SMALL: Final = 1 << 16
"""Bodies of at most so many bytes are compressed once: the last 64 are kept."""


class Reply(Response):
    """A reply whose headers are given as they are sent."""

    def __init__(self, body: bytes, headers: Headers, status: int = 200) -> None:
        super().__init__(body, status)
        self.raw_headers = [*headers, (b"content-length", str(len(body)).encode())]


def takes_gzip(request: Request) -> bool:
    """Whether a browser takes gzip, by its header."""
    accepted = request.headers.get("accept-encoding", "").lower().replace(" ", "").split(",")
    return bool({"gzip", "gzip;q=1", "gzip;q=1.0"} & set(accepted))


def packed(body: bytes) -> bytes:
    """A body in gzip, for what holds no secret, as its length may be seen; small ones that many ask for are kept."""
    return _packed_once(body) if len(body) <= SMALL else gzip.compress(body, mtime=0)


@lru_cache(maxsize=64)
def _packed_once(body: bytes) -> bytes:
    return gzip.compress(body, mtime=0)


def problem(refusal: Refusal, extra_headers: Headers | None = None) -> Reply:
    """A refusal as a reply."""
    return Reply(refusal.body, [*refusal.headers, NEVER, *(extra_headers or [])], refusal.status)


async def send_outcome(send: Send, outcome: Outcome) -> None:
    """Tell a device what became of its upload."""
    if isinstance(outcome, Receipt):
        await send_reply(send, 200, b'{"answers": %d}' % outcome.answers, [JSON])
    else:
        await send_reply(send, outcome.status, outcome.body, outcome.headers)


async def send_reply(send: Send, status: int, body: bytes, headers: Headers) -> None:
    """Send a small reply to a device."""
    length = (b"content-length", str(len(body)).encode())
    all_headers = [*headers, *OPEN_TO_ALL, NEVER, length]
    await send({"type": "http.response.start", "status": status, "headers": all_headers})
    await send({"type": "http.response.body", "body": body})


async def live(_: Request) -> Response:
    """Say that the process runs."""
    return PlainTextResponse("live\n")

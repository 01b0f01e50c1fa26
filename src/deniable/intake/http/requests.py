"""What comes with a request: an address of a survey, and a body within its limits."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from starlette.requests import Request

from deniable.intake.http.bodies import MOST_FORM, Room
from deniable.intake.refusals import Refusal
from deniable.protocol.errors import FormatError

SURVEY = "/v1/surveys/{digest}"
PERIOD = SURVEY + "/periods/{period}"


async def text_of(request: Request, most: int = MOST_FORM) -> str:
    """The text of a body of so many bytes at most."""
    return await asyncio.to_thread(_decoded, await bytes_of(request, most))


async def bytes_of(request: Request, most: int) -> bytes:
    """A body of so many bytes at most: refused by its head, or as soon as it is longer."""
    too_large = Refusal("too-large", 413, f"the body of this request must have at most {most:,} bytes, got more")
    room: Room = request.app.state.room
    parts = []
    with room.body(most, too_large) as arriving:
        arriving.check(request.headers.get("content-length", "0"))
        async for part in request.stream():
            arriving.grow(len(part))
            parts.append(part)
        return b"".join(parts)


def _decoded(body: bytes) -> str:
    try:
        return body.decode()
    except UnicodeDecodeError:
        raise FormatError("a document must be text in UTF-8, got bytes that are not") from None


async def fields_of(request: Request) -> dict[str, Any]:
    """The fields of a small JSON object."""
    text = await text_of(request)
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError):
        fields = None
    if not isinstance(fields, dict):
        raise FormatError(
            f"the request must be a JSON object, got {'no JSON' if fields is None else type(fields).__name__}"
        )
    return fields

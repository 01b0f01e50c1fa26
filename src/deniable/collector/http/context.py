"""What all routes share: the survey that a request is about, who asks, and the body that came."""

from __future__ import annotations

import asyncio
import json
from typing import Any, NamedTuple

from starlette.requests import Request

from deniable.collector.collector import Collector
from deniable.collector.desk import Desk
from deniable.collector.http.lan import Lan
from deniable.collector.http.survey_cache import SurveyCache
from deniable.collector.http.token_gate import TokenGate
from deniable.collector.upkeep import Keeper
from deniable.intake.http.bodies import MOST_FORM, Room
from deniable.intake.refusals import Refusal, Refused
from deniable.intake.storage.rows import SurveyRow, Token
from deniable.protocol.errors import FormatError

SURVEY = "/v1/surveys/{digest}"
PERIOD = SURVEY + "/periods/{period}"


class Context(NamedTuple):
    """A collector and who guards it."""

    collector: Collector[Any]
    keeper: Keeper
    desk: Desk
    gate: TokenGate
    cache: SurveyCache
    lan: Lan | None = None
    """Where phones in one room are asked, if they are."""

    async def row(self, request: Request) -> SurveyRow:
        """The survey that a request is about."""
        return await self.cache.survey(request.path_params["digest"])

    async def admit(self, request: Request, action: str, row: SurveyRow | None = None) -> Token:
        """The token of a request, which allows the action."""
        return await asyncio.to_thread(self.gate.admit, request, action, row)

    async def allowed(self, request: Request, action: str) -> tuple[SurveyRow, Token]:
        """The survey of a request, and the token that allows the action on it; without one nothing else is told."""
        try:
            row = await self.row(request)
        except Refused:
            await self.admit(request, action)
            raise
        return row, await self.admit(request, action, row)


async def text_of(request: Request, most: int = MOST_FORM) -> str:
    """The text of a body of so many bytes at most."""
    return await asyncio.to_thread(_decoded, await bytes_of(request, most))


async def bytes_of(request: Request, most: int) -> bytes:
    """A body of so many bytes at most: refused by its head, or as soon as it is longer."""
    too_large = Refusal("too-large", 413, f"the body of this request must have at most {most:,} bytes, got more")
    room: Room = request.app.state.room
    parts = []
    with room.hold(most, too_large) as held:
        held.check(request.headers.get("content-length", "0"))
        async for part in request.stream():
            held.grow(len(part))
            parts.append(part)
        return b"".join(parts)


def _decoded(body: bytes) -> str:
    try:
        return body.decode()
    except UnicodeDecodeError:
        raise FormatError("a document must be text in UTF-8, got other bytes") from None


async def fields_of(request: Request) -> dict[str, Any]:
    """The fields of a small JSON object."""
    text = await text_of(request)
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError):
        fields = None
    if not isinstance(fields, dict):
        raise FormatError("the request must be a JSON object, got something else")
    return fields

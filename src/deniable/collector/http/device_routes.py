"""What anybody may ask: a survey's document, its door, and the surveys of a name."""

from __future__ import annotations

import asyncio
import json
import time
from importlib.resources import files
from typing import Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from deniable.collector.http.context import SURVEY, Context
from deniable.collector.http.upload_route import code_of
from deniable.intake.doors import Doors
from deniable.intake.http.limits import Rates, address_of
from deniable.intake.http.replies import (
    JSON,
    NEVER,
    OPEN_TO_ALL,
    PACKED,
    PREFLIGHT,
    VARIES,
    Reply,
    packed,
    takes_gzip,
)
from deniable.intake.refusals import TOO_MANY, UNKNOWN, Refused
from deniable.intake.uploads import MOST_ANSWERS, MOST_BYTES
from deniable.protocol.fields import SURVEY as SURVEY_NAME
from deniable.protocol.fields import TIME
from deniable.protocol.surveys.periods import bounds_of

CODES: Final = 30
"""How many codes an address may ask about in a minute: each look keeps uploads waiting."""
FOR_EVER = (b"cache-control", b"public, max-age=31536000, immutable")


class DeviceRoutes:
    """Answers devices, and people without a token."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._codes = Rates(CODES, time.monotonic)
        self._packed: dict[str, bytes] = {}
        """Documents for a shorter way, by their digests: each is packed once."""

    def all(self) -> list[BaseRoute]:
        """The routes."""
        return [
            Route(SURVEY, self.document, methods=["GET"]),
            Route(SURVEY, preflight, methods=["OPTIONS"]),
            Route(SURVEY + "/door", self.door, methods=["GET"]),
            Route(SURVEY + "/door", preflight, methods=["OPTIONS"]),
            Route(SURVEY + "/invitation", self.invitation, methods=["GET"]),
            Route(SURVEY + "/invitation", preflight, methods=["OPTIONS"]),
            Route("/v1/names/{name}", self.name, methods=["GET"]),
            Route("/v1/openapi.json", description, methods=["GET"]),
        ]

    async def document(self, request: Request) -> Response:
        """The document of a survey, canonical, the same for ever."""
        row = await self._context.row(request)
        headers = [JSON, FOR_EVER, VARIES, *OPEN_TO_ALL]
        if not takes_gzip(request):
            return Reply(row.document, headers)
        if row.digest not in self._packed:
            self._packed[row.digest] = await asyncio.to_thread(packed, row.document)
        return Reply(self._packed[row.digest], [*headers, PACKED])

    async def door(self, request: Request) -> Response:
        """The periods that are open now, refused once the survey is over; and what an upload may hold."""
        row = await self._context.row(request)
        collector = self._context.collector
        names = collector.open_periods(row, self._context.cache.shut(row.digest))
        periods = [_period(collector.doors(row), name) for name in names]
        told = {"periods": periods, "limits": {"bytes": MOST_BYTES, "answers": MOST_ANSWERS}}
        return Reply(json.dumps(told).encode(), [JSON, NEVER, *OPEN_TO_ALL])

    async def invitation(self, request: Request) -> Response:
        """Whether an invitation is good now, so that nobody answers in vain; it is not spent by that."""
        row = await self._context.row(request)
        if not self._codes.allow(address_of(request.scope)):
            raise Refused(TOO_MANY)
        code = code_of(request.headers.get("authorization", ""))
        periods = self._context.collector.open_periods(row, self._context.cache.shut(row.digest))
        look = self._context.desk.invitation
        state = "missing" if code is None else await asyncio.to_thread(look, row, periods, code)
        return Reply(json.dumps({"state": state}).encode(), [JSON, NEVER, *OPEN_TO_ALL])

    async def name(self, request: Request) -> Response:
        """All surveys of a name, the newest first: for people, not for devices."""
        name = request.path_params["name"]
        rows = await asyncio.to_thread(self._context.desk.surveys, name) if SURVEY_NAME.fullmatch(name) else []
        if not rows:
            raise Refused(UNKNOWN)
        told = [{"digest": row.digest, "since": row.day, "closed": row.ended is not None} for row in reversed(rows)]
        return JSONResponse(told)


async def description(_: Request) -> Response:
    """The description of all routes."""
    return Reply((files("deniable.collector.http") / "openapi.json").read_bytes(), [JSON, *OPEN_TO_ALL])


async def preflight(_: Request) -> Response:
    """Tell a browser that pages of any host may ask."""
    return Reply(b"", PREFLIGHT, 204)


def _period(doors: Doors, name: str) -> dict[str, str | None]:
    """A period with its bounds, by the document."""
    first, last = bounds_of(doors.document, name)
    return {
        "period": name,
        "opens": None if first is None else first.strftime(TIME),
        "closes": None if last is None else last.strftime(TIME),
    }

"""What authors ask: to serve a survey, to close it, to delete it, to invite people, to count again."""

from __future__ import annotations

import asyncio
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from deniable.collector.http.context import Context
from deniable.intake.access import allows
from deniable.intake.http.json_reply import json_reply
from deniable.intake.http.requests import PERIOD, SURVEY, fields_of, text_of
from deniable.intake.uploads import MOST_BYTES
from deniable.protocol.checks import check_int, shown
from deniable.protocol.errors import CapacityError, ParameterError
from deniable.surveys.survey import Survey

LOOPBACKS = ("localhost", "127.0.0.1", "::1")
MOST_CODES = 100_000
MOST_VALUES = 1 << 18
"""Values in a document, told by its commas: what is short as text may be large as objects."""


class AuthorRoutes:
    """Answers authors."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def all(self) -> list[BaseRoute]:
        """The routes."""
        return [
            Route("/v1/surveys", self.put, methods=["PUT"]),
            Route(SURVEY + "/close", self.close, methods=["POST"]),
            Route(SURVEY + "/delete", self.delete, methods=["POST"]),
            Route(SURVEY + "/invitations", self.invite, methods=["POST"]),
            Route(PERIOD + "/recount", self.recount, methods=["POST"]),
        ]

    async def put(self, request: Request) -> Response:
        """Serve a survey."""
        token = await self._context.admit(request, "put")
        text = await text_of(request, MOST_BYTES)
        if text.count(",") > MOST_VALUES:
            raise CapacityError(f"a document must have at most {MOST_VALUES:,} values, got more")
        survey = await asyncio.to_thread(Survey.from_json, text)
        if survey.crowd is not None and survey.crowd.collector is not None:
            _check_asked(request, survey.crowd.collector)
        new = await asyncio.to_thread(self._context.desk.put, survey, token.id)
        return JSONResponse({"name": survey.name, "digest": survey.digest}, 201 if new else 200)

    async def close(self, request: Request) -> Response:
        """Close a survey by hand."""
        row, token = await self._context.allowed(request, "close")
        await asyncio.to_thread(self._context.desk.end, row, token.name)
        self._context.cache.forget(row.digest)
        return JSONResponse({"name": row.name, "digest": row.digest})

    async def delete(self, request: Request) -> Response:
        """Delete a survey for good, if its title is given."""
        row, token = await self._context.allowed(request, "delete")
        title = str((await fields_of(request)).get("title", ""))
        await asyncio.to_thread(self._context.desk.delete, row, title, token.name)
        self._context.cache.forget(row.digest)
        return JSONResponse({"name": row.name, "digest": row.digest})

    async def invite(self, request: Request) -> Response:
        """Make invitations, whose codes are shown once."""
        row, token = await self._context.allowed(request, "invite")
        people = check_int("people", (await fields_of(request)).get("people"), 1, MOST_CODES)
        codes = await asyncio.to_thread(self._context.desk.invite, row, people, token.name)
        self._context.cache.forget(row.digest)
        return json_reply({"codes": codes}, 201)

    async def recount(self, request: Request) -> Response:
        """Count again what is kept."""
        row, token = await self._context.allowed(request, "recount")
        if not allows(token, "count", row):
            await asyncio.to_thread(self._context.desk.check_closed, row, request.path_params["period"])
        recount = await asyncio.to_thread(self._context.desk.recount, row, request.path_params["period"])
        return JSONResponse({"answers": recount.n, "kept": recount.kept, "same": recount.same})


def _check_asked(request: Request, collector: str) -> None:
    """Refuse the address of another collector: a mixer would send its parcels there. Its operator may ask from here."""
    requested, stated = (request.url.hostname or "").rstrip("."), (urlsplit(collector).hostname or "").rstrip(".")
    if requested not in (*LOOPBACKS, stated):
        raise ParameterError(
            f"collector must be an address of the collector that serves the survey, {shown(requested)}, got {collector}"
        )

"""What the operator asks: to allow a survey, for codes, to close it, how it stands."""

from __future__ import annotations

import asyncio
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from deniable.intake.http.json_reply import json_reply
from deniable.intake.http.replies import live
from deniable.intake.http.requests import SURVEY, fields_of, text_of
from deniable.intake.storage.rows import SurveyRow
from deniable.intake.uploads import MOST_BYTES
from deniable.mixer.http.context import Context
from deniable.protocol.checks import check_int
from deniable.surveys.survey import Survey

MOST_CODES = 100_000


class OperatorRoutes:
    """Answers whoever runs the mixer, and nobody else."""

    def __init__(self, context: Context) -> None:
        self._desk, self._gate, self._cache = context.desk, context.gate, context.cache

    def all(self) -> list[BaseRoute]:
        """The routes."""
        return [
            Route("/v1/surveys", self.allow, methods=["PUT"]),
            Route(SURVEY + "/invitations", self.invite, methods=["POST"]),
            Route(SURVEY + "/close", self.close, methods=["POST"]),
            Route(SURVEY + "/parcels", self.send_again, methods=["POST"]),
            Route("/v1/clock", self.confirm, methods=["POST"]),
            Route("/v1/status", self.status, methods=["GET"]),
            Route("/live", live, methods=["GET"]),
        ]

    async def allow(self, request: Request) -> Response:
        """Allow a survey: its document is the body, the token for its collector and what is confirmed are headers."""
        await self._admit(request)
        survey = await asyncio.to_thread(Survey.from_json, await text_of(request, MOST_BYTES))
        token, confirmed = request.headers.get("deniable-token", ""), "deniable-confirmed" in request.headers
        tried = await asyncio.to_thread(self._desk.try_token, survey, token)
        new = await asyncio.to_thread(self._desk.allow, survey, token, confirmed)
        status = await asyncio.to_thread(self._desk.status)
        [allowed] = [row for row in status if row["digest"] == survey.digest]
        return json_reply({**allowed, "tried": tried}, 201 if new else 200)

    async def invite(self, request: Request) -> Response:
        """Make codes, which are shown once."""
        row = await self._row(request)
        people = check_int("people", (await fields_of(request)).get("people"), 1, MOST_CODES)
        codes = await asyncio.to_thread(self._desk.codes, row, people)
        self._cache.forget(row.digest)
        return json_reply({"codes": codes, **await asyncio.to_thread(self._desk.invited, row)}, 201)

    async def close(self, request: Request) -> Response:
        """Close a survey by hand."""
        row = await self._row(request)
        await asyncio.to_thread(self._desk.close, row)
        self._cache.forget(row.digest)
        return JSONResponse({"name": row.name, "digest": row.digest})

    async def send_again(self, request: Request) -> Response:
        """Send the parcels of a survey once more."""
        return json_reply({"parcels": await asyncio.to_thread(self._desk.send_again, await self._row(request))})

    async def confirm(self, request: Request) -> Response:
        """The clock is right."""
        await self._admit(request)
        await asyncio.to_thread(self._desk.believe_the_clock)
        return Response(status_code=204)

    async def status(self, request: Request) -> Response:
        """All surveys with their periods."""
        await self._admit(request)
        return json_reply(await asyncio.to_thread(self._desk.status))

    async def _row(self, request: Request) -> SurveyRow:
        await self._admit(request)
        return await self._cache.survey(request.path_params["digest"])

    async def _admit(self, request: Request) -> Any:
        return await asyncio.to_thread(self._gate.admit, request, "manage")

"""What people may ask without a token: the surveys of a name, and the description of all routes."""

from __future__ import annotations

import asyncio
from importlib.resources import files

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from deniable.collector.http.context import Context
from deniable.intake.http.replies import JSON, OPEN_TO_ALL, Reply
from deniable.intake.refusals import UNKNOWN, Refused
from deniable.protocol.fields import SURVEY


class PublicRoutes:
    """Answers people without a token."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def all(self) -> list[BaseRoute]:
        """The routes."""
        return [
            Route("/v1/names/{name}", self.name, methods=["GET"]),
            Route("/v1/openapi.json", description, methods=["GET"]),
        ]

    async def name(self, request: Request) -> Response:
        """All surveys of a name, the newest first: for people, not for devices."""
        name = request.path_params["name"]
        rows = await asyncio.to_thread(self._context.desk.surveys, name) if SURVEY.fullmatch(name) else []
        if not rows:
            raise Refused(UNKNOWN)
        surveys = [{"digest": row.digest, "since": row.day, "closed": row.ended is not None} for row in reversed(rows)]
        return JSONResponse(surveys)


async def description(_: Request) -> Response:
    """The description of all routes."""
    return Reply((files("deniable.collector.http") / "openapi.json").read_bytes(), [JSON, *OPEN_TO_ALL])

"""What admins ask: tokens, status, backups, and that the clock is right after all; and what watches a collector."""

from __future__ import annotations

import asyncio
import re
import time
from contextlib import suppress
from pathlib import Path

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from deniable.collector.http.context import Context
from deniable.intake.access import SCOPES
from deniable.intake.clock import Watch
from deniable.intake.http.limits import address_of
from deniable.intake.http.replies import live
from deniable.intake.http.requests import fields_of
from deniable.intake.http.survey_cache import FRESH
from deniable.intake.refusals import UNKNOWN, Refusal, Refused, busy, full
from deniable.protocol.checks import check_choice, shown
from deniable.protocol.errors import ParameterError, StoreError
from deniable.protocol.fields import SURVEY

WRITTEN = Refusal("conflict", 409, "a backup must have a new name, got one that is there")
BACKUP = re.compile("[A-Za-z0-9][A-Za-z0-9.-]{0,99}")

DEADLINE = 5.0
"""Seconds within which the storage must answer to be called ready."""


class AdminRoutes:
    """Answers admins; ``backups`` is the folder into which they are written."""

    def __init__(self, context: Context, backups: Path | None) -> None:
        self._context, self._backups = context, backups
        context.collector.metrics.backup.set(_last_in(backups))
        self._look: asyncio.Task[Watch] | None = None
        self._looked = -FRESH
        """The last look at the clock, which shows that the storage takes what is written, and when it began."""

    def all(self) -> list[BaseRoute]:
        """The routes."""
        return [
            Route("/v1/tokens/{name}", self.put_token, methods=["PUT"]),
            Route("/v1/tokens/{name}", self.drop_token, methods=["DELETE"]),
            Route("/v1/status", self.status, methods=["GET"]),
            Route("/v1/backups/{name}", self.backup, methods=["PUT"]),
            Route("/v1/check", self.check, methods=["POST"]),
            Route("/v1/clock", self.confirm, methods=["POST"]),
            Route("/live", live, methods=["GET"]),
            Route("/ready", self.ready, methods=["GET"]),
            Route("/metrics", self.metrics, methods=["GET"]),
        ]

    async def put_token(self, request: Request) -> Response:
        """Make a token, or a new secret for one; shown once."""
        token = await self._context.admit(request, "manage")
        fields, name = await fields_of(request), request.path_params["name"]
        surveys = fields.get("surveys", [])
        if not isinstance(surveys, list):
            raise ParameterError(f"surveys must be a list of names, got {type(surveys).__name__}")
        desk, scope = self._context.desk, check_choice("scope", fields.get("scope"), SCOPES)
        secret = await asyncio.to_thread(desk.add_token, name, scope, surveys, token.name)
        return JSONResponse({"name": name, "token": secret}, 201)

    async def drop_token(self, request: Request) -> Response:
        """Delete a token."""
        token, name = await self._context.admit(request, "manage"), request.path_params["name"]
        if not SURVEY.fullmatch(name):
            raise Refused(UNKNOWN)
        if not await asyncio.to_thread(self._context.desk.drop_token, name, token.name):
            raise Refused(UNKNOWN)
        return Response(status_code=204)

    async def status(self, request: Request) -> Response:
        """All surveys with their periods and refusals."""
        await self._context.admit(request, "manage")
        return JSONResponse(await asyncio.to_thread(self._context.desk.status))

    async def backup(self, request: Request) -> Response:
        """Write a backup beside the storage."""
        await self._context.admit(request, "manage")
        name = request.path_params["name"]
        if self._backups is None or not BACKUP.fullmatch(name):
            raise ParameterError(f"a backup's name must be 1 to 100 letters, digits, - and ., got {shown(name)}")
        path = self._backups / name
        if await asyncio.to_thread(path.exists):
            raise Refused(WRITTEN)
        try:
            await asyncio.to_thread(self._context.desk.backup, path)
        except StoreError as error:
            raise Refused(Refusal("busy", 503, str(error))) from None
        return JSONResponse({"path": str(path)}, 201)

    async def check(self, request: Request) -> Response:
        """Read everything that is stored, and say what is damaged."""
        await self._context.admit(request, "manage")
        return JSONResponse(await asyncio.to_thread(self._context.desk.check))

    async def confirm(self, request: Request) -> Response:
        """An operator says that the clock is right."""
        await self._context.admit(request, "manage")
        await asyncio.to_thread(self._context.keeper.look_at_the_clock, True)
        return Response(status_code=204)

    async def ready(self, _: Request) -> Response:
        """The storage takes what is written."""
        if self._context.collector.is_stopping:
            raise Refused(busy(10))
        if self._look is None or (self._look.done() and time.monotonic() >= self._looked + FRESH):
            self._looked = time.monotonic()  # each look is written to the disk, and anybody may ask
            self._look = asyncio.create_task(asyncio.to_thread(self._context.keeper.look_at_the_clock))
        try:
            await asyncio.wait_for(asyncio.shield(self._look), DEADLINE)
        except TimeoutError:
            raise Refused(busy(10)) from None
        disk = self._context.collector.disk
        if disk is not None and disk.is_full:
            raise Refused(full(*disk))
        return PlainTextResponse("ready\n")

    async def metrics(self, request: Request) -> Response:
        """Numbers for Prometheus: for admins, and for this machine."""
        if not _is_near(request):
            await self._context.admit(request, "manage")
        collector = self._context.collector
        collector.metrics.waiting.set(collector.writer.waiting)
        return PlainTextResponse(collector.metrics.text(), media_type="text/plain; version=0.0.4")


def _last_in(backups: Path | None) -> float:
    """When the newest backup in a folder was written; 0 if none is there."""
    found = [0.0]
    with suppress(OSError):
        written = () if backups is None else backups.iterdir()
        found += [path.stat().st_mtime for path in written if BACKUP.fullmatch(path.name)]
    return max(found)


def _is_near(request: Request) -> bool:
    """Whether a request comes from this machine, and not through a proxy on it."""
    forwarded = any(name in request.headers for name in ("forwarded", "via", "x-forwarded-for"))
    return address_of(request.scope) in {"127.0.0.1", "::1"} and not forwarded

"""The application: uploads go straight to their route, pages and programs to a loop of their own."""

from __future__ import annotations

import asyncio
import math
import re
import time
from collections.abc import Callable, Coroutine, Iterator, Sequence
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Match
from starlette.types import Receive, Scope, Send

from deniable.collector.closing import DISCARDING
from deniable.collector.collector import Collector
from deniable.collector.desk import Desk
from deniable.collector.http.admin_routes import AdminRoutes
from deniable.collector.http.author_routes import AuthorRoutes
from deniable.collector.http.context import Context
from deniable.collector.http.device_routes import DeviceRoutes
from deniable.collector.http.lan import Lan
from deniable.collector.http.reader_routes import ReaderRoutes
from deniable.collector.http.survey_cache import DIGEST, SurveyCache
from deniable.collector.http.token_gate import TokenGate
from deniable.collector.http.upload_route import Slot, UploadRoute, settle
from deniable.collector.upkeep import Keeper
from deniable.intake.events import warn
from deniable.intake.http.bodies import ROOM, Room
from deniable.intake.http.limits import Rates, address_of
from deniable.intake.http.replies import OPEN_TO_ALL, Headers, problem
from deniable.intake.http.reply_headers import ROOT, careful
from deniable.intake.http.side_loop import SideLoop
from deniable.intake.refusals import TOO_MANY, UNKNOWN, Refusal, Refused, busy
from deniable.intake.storage.rows import Token
from deniable.intake.storage.store import Store
from deniable.protocol.errors import DenialError, StoreError

FOR_DEVICES = re.compile("/v1/surveys/[^/]+(/door|/invitation)?|/live")
WRONG_TOKENS = 30
"""How many unknown tokens an address may try in a minute."""
ASKED = 3
"""How much more often than it uploads an address may ask for something else: a document, a door."""
NO_METHOD = 405
MOMENT = 0.05
"""Seconds between two looks at whether the loop is held up."""
TICK = 1.0
"""Seconds between two looks at what is due."""
Faces = Callable[[Context], Sequence[BaseRoute]]
"""What browsers see of a collector beside its own routes."""


def no_faces(_: Context) -> Sequence[BaseRoute]:
    """No pages at all."""
    return ()


class App:
    """A collector as an ASGI application."""

    def __init__(
        self,
        store: Callable[[], Store],
        operator: Token,
        rate: int,
        backups: Path | None,
        faces: Faces = no_faces,
        root: str = "",
        lan: Lan | None = None,
    ) -> None:
        self._root, self.lan = root, lan
        self.collector: Collector[Slot] = Collector(store, settle)
        self.keeper = Keeper(self.collector)
        self._cache = cache = SurveyCache(self.collector)
        desk = Desk(self.collector, self.keeper)
        gate = TokenGate(desk, operator, Rates(WRONG_TOKENS, time.monotonic))
        context = Context(self.collector, self.keeper, desk, gate, cache, lan)
        self._uploads = UploadRoute(self.collector, cache, Rates(rate, time.monotonic), Room())
        self._rates = Rates(ASKED * rate, time.monotonic)
        groups = (DeviceRoutes(context), AuthorRoutes(context), ReaderRoutes(context), AdminRoutes(context, backups))
        self.routes = [*(route for group in groups for route in group.all()), *faces(context)]
        """All but that of uploads."""
        self._rest = _routing(self.routes)
        self._there = _routing([] if lan is None else lan.routes(self.routes))
        self.beside = SideLoop()
        """Where all but devices are answered."""
        self.failure: StoreError | OSError | None = None
        """Why it could not start."""
        self._keeping: list[asyncio.Task[None]]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] == "lifespan":
            await self._live(receive, send)
            return
        if "\0" in scope["path"]:  # a character that PostgreSQL's texts cannot have
            await problem(UNKNOWN)(scope, receive, send)
            return
        rest = self._rest
        if self.lan is not None and self.lan.has(scope):
            scope, rest = self.lan.scope(scope), self._there
            if not await self._is_asked_there(scope["path"]):
                await problem(UNKNOWN, _headers(scope))(scope, receive, send)
                return
        found = self._uploads.matches(scope)
        if found is not None:
            await self._uploads(found, scope, receive, send)
        elif self._rates.allow(address_of(scope)):
            own = {**scope, ROOT: self._root}
            answer = rest if FOR_DEVICES.fullmatch(scope["path"]) else self.beside.answering(rest)
            await answer(own, receive, careful(own, send))
        else:
            await problem(TOO_MANY, _headers(scope))(scope, receive, send)

    async def _is_asked_there(self, path: str) -> bool:
        """Whether people in one room may ask for an address: of surveys only those that say so are there."""
        named = DIGEST.search(path)
        try:
            row = None if named is None else await self._cache.survey(named[0])
        except (Refused, StoreError):
            return False
        return row is None or self.collector.form(row).survey.lan

    async def _live(self, receive: Receive, send: Send) -> None:
        """Start with the server, and stop when it has answered its last request."""
        await receive()
        try:
            await asyncio.to_thread(self.collector.start)
            await asyncio.to_thread(self.keeper.begin)
        except (StoreError, OSError) as error:
            self.failure = error
            await send({"type": "lifespan.startup.failed"})
            return
        self.beside.start()
        self._keeping = [asyncio.create_task(each) for each in self._tasks()]
        await send({"type": "lifespan.startup.complete"})
        await receive()
        for each in self._keeping:
            each.cancel()
        await asyncio.to_thread(self.beside.stop)
        await asyncio.to_thread(self.collector.stop)
        await send({"type": "lifespan.shutdown.complete"})

    def _tasks(self) -> Iterator[Coroutine[Any, Any, None]]:
        """What goes on beside all requests."""
        yield self._keep()
        yield _again(self.collector.look_at_the_disk, TICK, "the room on the disk is not known")
        yield _again(self.keeper.check_in_time, DISCARDING, "what is stored could not be read")
        yield self._look_at_the_lag()

    async def _keep(self) -> None:
        """Look after the storage again and again; what fails is tried again."""
        discarded = -math.inf
        while True:
            await asyncio.sleep(TICK)
            try:
                await asyncio.to_thread(self.keeper.keep)
                if time.monotonic() >= discarded + DISCARDING:
                    await asyncio.to_thread(self.keeper.discard)
                    discarded = time.monotonic()
            except Exception as error:
                warn("the storage could not be kept in order", error)

    async def _look_at_the_lag(self) -> None:
        """Know how long uploads are not heard: this loop is late by so much."""
        clock = asyncio.get_running_loop().time
        while True:
            began = clock()
            await asyncio.sleep(MOMENT)
            self.collector.metrics.count_lag(clock() - began - MOMENT)


async def _again(task: Callable[[], object], seconds: float, failed: str) -> None:
    """Do something in a thread of its own, again and again, whatever else takes long; what fails is told of."""
    while True:
        try:
            await asyncio.to_thread(task)
        except Exception as error:
            warn(failed, error)
        await asyncio.sleep(seconds)


def _routing(routes: Sequence[BaseRoute]) -> Starlette:
    """An application that answers with refusals, whatever happens; its bodies share a room beside that of uploads."""
    handlers = {Refused: _refused, DenialError: _wrong, HTTPException: _missing, Exception: _failed}
    found = Starlette(routes=routes, exception_handlers=handlers)
    found.state.room = Room(ROOM // 4)
    found.router.redirect_slashes = False  # it would send people wherever the request's Host says
    return found


def _headers(scope: Scope) -> Headers:
    """A page of another host may read the replies to devices, and no others."""
    return OPEN_TO_ALL if FOR_DEVICES.fullmatch(scope["path"]) else []


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refused)
    return problem(error.refusal, _headers(request.scope))


async def _wrong(request: Request, error: Exception) -> Response:
    """An argument of an author's or an admin's; the message never holds a respondent's value."""
    if isinstance(error, StoreError):
        return problem(busy(60), _headers(request.scope))
    return problem(Refusal("malformed", 422, str(error)))


async def _missing(request: Request, error: Exception) -> Response:
    """An address or a method that is not there."""
    assert isinstance(error, HTTPException)
    refusal = Refusal("unknown", error.status_code, "the address and the method must be known here, got others")
    return problem(refusal, [(b"allow", _methods(request))] if error.status_code == NO_METHOD else [])


def _methods(request: Request) -> bytes:
    """The methods of an address."""
    routes = [route for route in request.app.routes if route.matches(request.scope)[0] is not Match.NONE]
    return ", ".join(sorted({method for route in routes for method in route.methods})).encode()


async def _failed(_: Request, error: Exception) -> Response:
    warn("a request could not be answered", error)
    return problem(busy(60))

"""The application: uploads go straight to their route, pages and programs to a loop of their own."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable, Coroutine, Iterator, Sequence
from pathlib import Path
from typing import Any

from starlette.routing import BaseRoute
from starlette.types import Receive, Scope, Send

from deniable.collector.closing import DISCARDING
from deniable.collector.collector import Collector
from deniable.collector.crowds import CrowdDesk
from deniable.collector.desk import Desk
from deniable.collector.http.admin_routes import AdminRoutes
from deniable.collector.http.author_routes import AuthorRoutes
from deniable.collector.http.context import Context
from deniable.collector.http.lan import Lan
from deniable.collector.http.parcel_routes import ParcelRoutes
from deniable.collector.http.public_routes import PublicRoutes
from deniable.collector.http.reader_routes import ReaderRoutes
from deniable.collector.keys import KEYS, KeyFolder
from deniable.collector.parcels import ParcelDesk
from deniable.collector.upkeep import Keeper
from deniable.intake.events import warn
from deniable.intake.http.application import TICK, Application, repeat
from deniable.intake.http.device_routes import DeviceRoutes
from deniable.intake.http.replies import problem
from deniable.intake.http.routing import open_headers, routing
from deniable.intake.http.survey_cache import DIGEST
from deniable.intake.http.upload_route import Slot, settle
from deniable.intake.refusals import UNKNOWN, Refused
from deniable.intake.storage.rows import Token
from deniable.intake.storage.store import Store
from deniable.protocol.errors import StoreError

LOOK_AT_KEYS = 60.0
"""Seconds between two looks at which keys are of no more use, and which are lost."""
PageRoutes = Callable[[Context], Sequence[BaseRoute]]
"""Gives the routes of a collector's pages, beside its own."""


class App(Application):
    """A collector as an ASGI application."""

    party = "collector"

    def __init__(
        self,
        store: Callable[[], Store],
        operator: Token,
        rate: int,
        backups: Path | None,
        pages: PageRoutes = lambda _: (),
        root: str = "",
        lan: Lan | None = None,
        keys: Path = Path(KEYS),
    ) -> None:
        self.lan = lan
        self.collector: Collector[Slot] = Collector(store, settle)
        super().__init__(self.collector, rate, root)
        self.keeper = Keeper(self.collector)
        folder = KeyFolder(keys)
        self.crowds = CrowdDesk(self.collector, folder)
        desk = Desk(self.collector, self.keeper, self.crowds)
        context = Context(self.collector, self.keeper, desk, self.gate(desk.tokens, operator), self.cache, lan)
        people = [each(context) for each in (PublicRoutes, AuthorRoutes, ReaderRoutes)]
        self._parcels = ParcelDesk(self.collector, folder)
        parcels = ParcelRoutes(context, self._parcels)
        groups = [DeviceRoutes(self.collector, self.cache), *people, parcels, AdminRoutes(context, backups)]
        self.routes = [*(route for group in groups for route in group.all()), *pages(context)]
        """All but that of uploads."""
        self._web_routes = routing(self.routes)
        self._lan_routes = routing([] if lan is None else lan.routes(self.routes))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] == "lifespan":
            await self.live(receive, send)
            return
        if "\0" in scope["path"]:  # a character that PostgreSQL's texts cannot have
            await problem(UNKNOWN)(scope, receive, send)
            return
        routes = self._web_routes
        if self.lan is not None and self.lan.has(scope):
            scope, routes = self.lan.scope(scope), self._lan_routes
            if not await self._is_served_on_lan(scope["path"]):
                await problem(UNKNOWN, open_headers(scope))(scope, receive, send)
                return
        await self.answer(routes, scope, receive, send)

    def listens_also(self, addresses: Sequence[str]) -> None:
        """Phones in one room reach it there."""
        if self.lan is not None:
            [self.lan.url] = addresses

    async def _is_served_on_lan(self, path: str) -> bool:
        """Whether phones in one room may ask for a path: one about a survey only if the survey says so."""
        digest = DIGEST.search(path)
        try:
            row = None if digest is None else await self.cache.survey(digest[0])
        except (Refused, StoreError):
            return False
        return row is None or self.collector.form(row).survey.lan

    def _begin(self) -> None:
        super()._begin()
        self.keeper.begin()

    def _tasks(self) -> Iterator[Coroutine[Any, Any, None]]:
        yield self._keep()
        yield repeat(self.keeper.check_in_time, DISCARDING, "what is stored could not be read")
        yield repeat(self.crowds.look, LOOK_AT_KEYS, "the keys of surveys could not be looked at")
        yield self._open_parcels()
        yield from super()._tasks()

    async def _open_parcels(self) -> None:
        """Open parcels until the server is told to stop, then no more: a large one takes longer than stopping may."""
        try:
            await asyncio.Event().wait()
        finally:
            self._parcels.stop()

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

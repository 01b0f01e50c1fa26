"""The mixer's application: uploads go straight to their route, the operator to a loop beside."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterator, Sequence
from typing import Any

from starlette.routing import BaseRoute
from starlette.types import Receive, Scope, Send

from deniable.intake.http.application import TICK, Application, again
from deniable.intake.http.device_routes import DeviceRoutes
from deniable.intake.http.routing import routing
from deniable.intake.http.upload_route import Slot, settle
from deniable.intake.intake import Intake
from deniable.intake.storage.rows import Token
from deniable.intake.storage.store import Store
from deniable.mixer.desk import Desk
from deniable.mixer.http.context import Context
from deniable.mixer.http.operator_routes import OperatorRoutes
from deniable.mixer.terms import SealedUploads, sealed_uploads
from deniable.mixer.upkeep import Mixer

Faces = Callable[[Context], Sequence[BaseRoute]]
"""What its operator's browser sees of a mixer beside its own routes."""


class App(Application):
    """A mixer as an ASGI application."""

    party = "mixer"

    def __init__(
        self, store: Callable[[], Store], operator: Token, rate: int, faces: Faces | None = None, root: str = ""
    ) -> None:
        intake: Intake[Slot, SealedUploads] = Intake(store, settle, sealed_uploads)
        super().__init__(intake, rate, root)
        self.mixer = Mixer(intake)
        devices = DeviceRoutes(intake, self.cache, lambda row, names: {"enough": self._enough(row.digest, names)})
        context = Context(intake, Desk(intake, self.mixer), self.gate(list, operator), self.cache)
        self.routes = [*devices.all(), *OperatorRoutes(context).all(), *(faces(context) if faces else ())]
        """All but that of uploads."""
        self._rest = routing(self.routes)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] == "lifespan":
            await self.live(receive, send)
        else:
            await self.answer(self._rest, scope, receive, send)

    def _enough(self, digest: str, periods: Sequence[str]) -> dict[str, bool]:
        """Of each period that is open, whether it had enough answers at midnight."""
        return {period: self.mixer.has_enough(digest, period) for period in periods}

    def _begin(self) -> None:
        super()._begin()
        self.mixer.begin()

    def _tasks(self) -> Iterator[Coroutine[Any, Any, None]]:
        yield again(self.mixer.keep, TICK, "the storage could not be kept in order")
        yield again(self.mixer.courier.look, TICK, "no parcel could be sent")
        yield from super()._tasks()

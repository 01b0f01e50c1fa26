"""The mixer's application: uploads go straight to their route, the operator to a loop beside."""

from __future__ import annotations

import time
from collections.abc import Callable, Coroutine, Iterator, Sequence
from typing import Any, Final

from starlette.routing import BaseRoute
from starlette.types import Receive, Scope, Send

from deniable.intake.http.application import TICK, Application, again
from deniable.intake.http.bodies import Room
from deniable.intake.http.device_routes import DeviceRoutes
from deniable.intake.http.limits import Rates, address_of
from deniable.intake.http.replies import problem
from deniable.intake.http.reply_headers import ROOT, careful
from deniable.intake.http.routing import FOR_DEVICES, open_headers, routing
from deniable.intake.http.survey_cache import SurveyCache
from deniable.intake.http.token_gate import TokenGate
from deniable.intake.http.upload_route import Slot, UploadRoute, settle
from deniable.intake.intake import Intake
from deniable.intake.refusals import TOO_MANY
from deniable.intake.storage.rows import Token
from deniable.intake.storage.store import Store
from deniable.mixer.desk import Desk
from deniable.mixer.http.context import Context
from deniable.mixer.http.operator_routes import OperatorRoutes
from deniable.mixer.terms import SealedUploads, sealed_uploads
from deniable.mixer.upkeep import Mixer

WRONG_TOKENS: Final = 30
"""How many unknown tokens an address may try in a minute."""
ASKED: Final = 3
"""How much more often than it uploads an address may ask for something else: a document, a door."""


Faces = Callable[[Context], Sequence[BaseRoute]]
"""What its operator's browser sees of a mixer beside its own routes."""


class App(Application):
    """A mixer as an ASGI application."""

    def __init__(
        self, store: Callable[[], Store], operator: Token, rate: int, faces: Faces | None = None, root: str = ""
    ) -> None:
        intake: Intake[Slot, SealedUploads] = Intake(store, settle, sealed_uploads)
        super().__init__(intake)
        self.mixer = Mixer(intake)
        self._root = root
        cache, gate = SurveyCache(intake), TokenGate(_nobody, operator, Rates(WRONG_TOKENS, time.monotonic))
        self._uploads = UploadRoute(intake, cache, Rates(rate, time.monotonic), Room())
        self._rates = Rates(ASKED * rate, time.monotonic)
        devices = DeviceRoutes(intake, cache, lambda row, names: {"enough": self._enough(row.digest, names)})
        context = Context(intake, Desk(intake, self.mixer), gate, cache)
        self.routes = [*devices.all(), *OperatorRoutes(context).all(), *(faces(context) if faces else ())]
        """All but that of uploads."""
        self._rest = routing(self.routes)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] == "lifespan":
            await self.live(receive, send)
            return
        match = self._uploads.matches(scope)
        if match is not None:
            await self._uploads(match, scope, receive, send)
        elif self._rates.allow(address_of(scope)):
            own = {**scope, ROOT: self._root}
            answer = self._rest if FOR_DEVICES.fullmatch(scope["path"]) else self.beside.answering(self._rest)
            await answer(own, receive, careful(own, send))
        else:
            await problem(TOO_MANY, open_headers(scope))(scope, receive, send)

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


def _nobody() -> Sequence[Token]:
    """Nobody has a token but the operator."""
    return ()

"""An application: what it begins with its server and ends with it, and where each request goes."""

from __future__ import annotations

import asyncio
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine, Iterator, Sequence
from typing import Any, ClassVar, Final

from starlette.types import ASGIApp, Receive, Scope, Send

from deniable.intake.events import warn
from deniable.intake.http.bodies import Room
from deniable.intake.http.limits import Rates, address_of
from deniable.intake.http.replies import problem
from deniable.intake.http.reply_headers import ROOT, careful
from deniable.intake.http.routing import FOR_DEVICES, open_headers
from deniable.intake.http.side_loop import SideLoop
from deniable.intake.http.survey_cache import SurveyCache
from deniable.intake.http.token_gate import TokenGate
from deniable.intake.http.upload_route import UploadRoute
from deniable.intake.intake import Intake
from deniable.intake.refusals import TOO_MANY
from deniable.intake.storage.rows import Token
from deniable.intake.storage.transaction import Transaction
from deniable.protocol.errors import StoreError

MOMENT = 0.05
"""Seconds between two looks at whether the loop is held up."""
TICK = 1.0
"""Seconds between two looks at what is due."""
WRONG_TOKENS: Final = 30
"""How many unknown tokens an address may try in a minute."""
ASKED: Final = 3
"""How much more often than it uploads an address may ask for something else: a document, a door."""


OWNER = "party"
"""The fact that says whose storage it is."""


class Application(ABC):
    """An intake with all that goes on beside requests."""

    party: ClassVar[str]
    """Whose it is: a collector's or a mixer's."""

    def __init__(self, intake: Intake[Any, Any], rate: int, root: str) -> None:
        self.intake, self._root = intake, root
        self.cache = SurveyCache(intake)
        self._uploads = UploadRoute(intake, self.cache, Rates(rate, time.monotonic), Room())
        self._rates = Rates(ASKED * rate, time.monotonic)
        self.beside = SideLoop()
        """Where all but devices are answered."""
        self.failure: StoreError | OSError | None = None
        """Why it could not start."""
        self.others: Sequence[str] = ()
        """Where it is reached beside its own address."""
        self._keeping: list[asyncio.Task[None]]

    @abstractmethod
    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request; of the server's own life that is ``live``."""

    async def answer(self, rest: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request: an upload at once, what else devices ask in this loop, and others beside it."""
        found = self._uploads.matches(scope)
        if found is not None:
            await self._uploads(found, scope, receive, send)
        elif self._rates.allow(address_of(scope)):
            own = {**scope, ROOT: self._root}
            answer = rest if FOR_DEVICES.fullmatch(scope["path"]) else self.beside.answering(rest)
            await answer(own, receive, careful(own, send))
        else:
            await problem(TOO_MANY, open_headers(scope))(scope, receive, send)

    def gate(self, tokens: Callable[[], Sequence[Token]], operator: Token) -> TokenGate:
        """Who lets in those with a token."""
        return TokenGate(tokens, operator, Rates(WRONG_TOKENS, time.monotonic))

    def listens_also(self, addresses: Sequence[str]) -> None:
        """Told of further addresses of the server."""
        self.others = addresses

    async def live(self, receive: Receive, send: Send) -> None:
        """Start with the server, and stop when it has answered its last request."""
        await receive()
        try:
            await asyncio.to_thread(self._begin)
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
        await asyncio.to_thread(self.intake.stop)
        await send({"type": "lifespan.shutdown.complete"})

    def _begin(self) -> None:
        """Open the storage, in a thread of its own; refused if it is another party's."""
        self.intake.start()
        try:
            self.intake.run(self._claim)
        except StoreError:
            self.intake.stop()
            raise

    def _claim(self, t: Transaction) -> None:
        """Write into new storage whose it is: a mixer on a collector's folder would freeze what that counts."""
        owner = t.fact(OWNER)
        if owner is None:
            t.set_fact(OWNER, self.party)
        elif owner != self.party:
            raise StoreError(f"the storage must be a {self.party}'s, got a {owner}'s; name a folder of its own")

    def _tasks(self) -> Iterator[Coroutine[Any, Any, None]]:
        """What goes on beside all requests."""
        yield again(self.intake.look_at_the_disk, TICK, "the room on the disk is not known")
        yield self._look_at_the_lag()

    async def _look_at_the_lag(self) -> None:
        """Know how long uploads are not heard: this loop is late by so much."""
        clock = asyncio.get_running_loop().time
        while True:
            began = clock()
            await asyncio.sleep(MOMENT)
            self.intake.metrics.count_lag(clock() - began - MOMENT)


async def again(task: Callable[[], object], seconds: float, failed: str) -> None:
    """Do something in a thread of its own, again and again, whatever else takes long; what fails is told of."""
    while True:
        try:
            await asyncio.to_thread(task)
        except Exception as error:
            warn(failed, error)
        await asyncio.sleep(seconds)

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
from deniable.intake.http.reply_headers import ROOT, with_safe_headers
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

LAG_PAUSE = 0.05
"""Seconds between two looks at whether the loop is held up."""
TICK = 1.0
"""Seconds between two looks at what is due."""
WRONG_TOKENS: Final = 30
"""How many unknown tokens an address may try in a minute."""
OTHER_REQUESTS: Final = 3
"""How much more often than it uploads an address may ask for something else: a document, a door."""


OWNER = "party"
"""The fact that says whose storage it is."""


def of_another_party(party: str, owner: str) -> StoreError:
    """What is wrong with storage that is not this party's."""
    return StoreError(f"the storage must be a {party}'s, got a {owner}'s; name a folder of its own")


class Application(ABC):
    """An intake with all that goes on beside requests."""

    party: ClassVar[str]
    """Whose it is: a collector's or a mixer's."""

    def __init__(self, intake: Intake[Any, Any], rate: int, root: str) -> None:
        self.intake, self._root = intake, root
        self.cache = SurveyCache(intake)
        self._uploads = UploadRoute(intake, self.cache, Rates(rate, time.monotonic), Room())
        self._rates = Rates(OTHER_REQUESTS * rate, time.monotonic)
        self.beside = SideLoop()
        """Where all but devices are answered."""
        self.failure: StoreError | OSError | None = None
        """Why it could not start."""
        self.others: Sequence[str] = ()
        """Where it is reached beside its own address."""
        self._background: list[asyncio.Task[None]]

    @abstractmethod
    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request; of the server's own life that is ``live``."""

    async def answer(self, routes: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request: an upload at once, what else devices ask in this loop, and others in the side loop."""
        upload = self._uploads.matches(scope)
        if upload is not None:
            await self._uploads(upload, scope, receive, send)
        elif self._rates.allow(address_of(scope)):
            rooted = {**scope, ROOT: self._root}
            answer = routes if FOR_DEVICES.fullmatch(scope["path"]) else self.beside.answering(routes)
            await answer(rooted, receive, with_safe_headers(rooted, send))
        else:
            await problem(TOO_MANY, open_headers(scope))(scope, receive, send)

    def gate(self, tokens: Callable[[], Sequence[Token]], operator: Token) -> TokenGate:
        """What admits requests by their tokens; ``tokens`` reads those that were given out."""
        return TokenGate(tokens, operator, Rates(WRONG_TOKENS, time.monotonic))

    def listens_also(self, addresses: Sequence[str]) -> None:
        """Told of further addresses of the server."""
        self.others = addresses

    async def live(self, receive: Receive, send: Send) -> None:
        """Answer ASGI's lifespan: start with the server, and stop when it has answered its last request."""
        await receive()
        try:
            await asyncio.to_thread(self._begin)
        except (StoreError, OSError) as error:
            self.failure = error
            await send({"type": "lifespan.startup.failed"})
            return
        self.beside.start()
        self._background = [asyncio.create_task(task) for task in self._tasks()]
        await send({"type": "lifespan.startup.complete"})
        await receive()
        for task in self._background:
            task.cancel()
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
            raise of_another_party(self.party, owner)

    def _tasks(self) -> Iterator[Coroutine[Any, Any, None]]:
        """What goes on beside all requests."""
        yield repeat(self.intake.look_at_the_disk, TICK, "the room on the disk is not known")
        yield self._measure_lag()

    async def _measure_lag(self) -> None:
        """Measure by how much this loop wakes late: for so long uploads are not heard."""
        clock = asyncio.get_running_loop().time
        while True:
            began = clock()
            await asyncio.sleep(LAG_PAUSE)
            self.intake.metrics.count_lag(clock() - began - LAG_PAUSE)


async def repeat(task: Callable[[], object], seconds: float, failed: str) -> None:
    """Do something in a thread of its own again and again, with a pause; ``failed`` is the event if it raises."""
    while True:
        try:
            await asyncio.to_thread(task)
        except Exception as error:
            warn(failed, error)
        await asyncio.sleep(seconds)

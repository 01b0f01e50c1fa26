"""What an application begins with its server, and ends with it."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine, Iterator, Sequence
from typing import Any

from starlette.types import Receive, Scope, Send

from deniable.intake.events import warn
from deniable.intake.http.side_loop import SideLoop
from deniable.intake.intake import Intake
from deniable.protocol.errors import StoreError

MOMENT = 0.05
"""Seconds between two looks at whether the loop is held up."""
TICK = 1.0
"""Seconds between two looks at what is due."""


class Application(ABC):
    """An intake with all that goes on beside requests."""

    def __init__(self, intake: Intake[Any, Any]) -> None:
        self.intake = intake
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
        """Open the storage, in a thread of its own."""
        self.intake.start()

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

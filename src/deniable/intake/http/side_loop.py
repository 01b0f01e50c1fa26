"""A loop of its own, in a thread of its own, for pages and programs: whatever one of them costs, uploads go on.

Uploads, doors and documents stay in the server's loop. All threads share the interpreter, which takes short turns.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, TypeVar

from starlette.types import ASGIApp, Message, Receive, Scope, Send

WINDOW: Final = 1 << 16
"""The most bytes of a reply that are handed over at once; more only as they are read."""
WORKERS: Final = 4
"""Threads in which pages read and compute: each that computes takes turns with uploads."""
Result = TypeVar("Result")


class SideLoop:
    """Runs applications beside the server's loop."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop
        self._stopping: asyncio.Event
        self._begun = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._live()), name="pages", daemon=True)

    def start(self) -> None:
        """Begin to answer."""
        self._thread.start()
        self._begun.wait()

    def stop(self) -> None:
        """End what is under way."""
        self._loop.call_soon_threadsafe(self._stopping.set)
        self._thread.join()

    def call(self, task: Callable[[], Result]) -> Result:
        """Do something in this loop, and wait for it."""

        async def called() -> Result:
            return task()

        return asyncio.run_coroutine_threadsafe(called(), self._loop).result()

    def answering(self, app: ASGIApp) -> ASGIApp:
        """An application that answers each request of the server's loop in this one."""

        async def answer(scope: Scope, receive: Receive, send: Send) -> None:
            server_loop = asyncio.get_running_loop()

            async def receive_there() -> Message:
                return await _run_in(server_loop, receive())

            async def send_there(message: Message) -> None:
                for part in windows(message):
                    await _run_in(server_loop, send(part))

            await _run_in(self._loop, app(scope, receive_there, send_there))

        return answer

    async def _live(self) -> None:
        """Answer until told to stop."""
        self._loop, self._stopping = asyncio.get_running_loop(), asyncio.Event()
        self._loop.set_default_executor(ThreadPoolExecutor(WORKERS, "pages"))
        self._begun.set()
        await self._stopping.wait()


async def _run_in(loop: asyncio.AbstractEventLoop, work: Awaitable[Result]) -> Result:
    """Do something in another loop, and wait for it in this one."""

    async def done() -> Result:
        return await work

    coroutine: Coroutine[Any, Any, Result] = done()
    return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(coroutine, loop))


def windows(message: Message) -> Iterator[Message]:
    """A message in parts, if it is a long piece of a body."""
    body = message.get("body", b"")
    for start in range(0, len(body) - WINDOW, WINDOW):
        yield {**message, "body": body[start : start + WINDOW], "more_body": True}
    yield {**message, "body": body[(len(body) - 1) // WINDOW * WINDOW :]} if len(body) > WINDOW else message

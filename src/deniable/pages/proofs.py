"""The certificates that labels show: each survey is proven once, in a process of its own, before anybody asks."""

from __future__ import annotations

import asyncio
import json
import sys
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Iterable
from typing import Any, Final, NamedTuple

from deniable.intake.storage.rows import SurveyRow
from deniable.pages.proving import SECONDS

KEPT: Final = 1000
"""So many certificates are kept; of more, those that were asked for longest ago are forgotten."""
PATIENCE: Final = 2.0
"""Seconds that a page waits for one."""
Certificate = dict[str, Any]


class SurveyProof(NamedTuple):
    """What is known of a survey's proof: its certificate, if there is one, and whether it is worked on."""

    certificate: Certificate | None
    proving: bool = False
    day: str = ""
    """The day on which it was made; empty unless it was."""


class Proofs:
    """Proofs by the digests of surveys: made when a survey is opened, and when the server starts, one after another.

    Whoever reads the label of a survey whose turn has not come yet waits for none of the others.
    """

    def __init__(self, today: Callable[[], str]) -> None:
        self._today = today
        self._tasks: OrderedDict[str, asyncio.Task[SurveyProof]] = OrderedDict()
        self._one_at_a_time = asyncio.Semaphore(1)
        self._queue: asyncio.Queue[tuple[str, bytes]] = asyncio.Queue()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ahead: asyncio.Task[None]

    def start(self, surveys: Callable[[], Iterable[SurveyRow]]) -> None:
        """Begin with the surveys that there are, the newest first; called once the server's loop runs."""
        self._loop = asyncio.get_running_loop()
        self._ahead = asyncio.create_task(self._work_ahead(surveys))

    @property
    def known(self) -> list[str]:
        """The digests of the surveys whose proofs are made, in their order."""
        return [digest for digest, task in self._tasks.items() if task.done()]

    def opened(self, row: SurveyRow) -> None:
        """Prove a survey that is new, when its turn comes; from any thread."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._queue.put_nowait, (row.digest, row.document))

    async def of(self, digest: str, document: bytes) -> SurveyProof:
        """The proof as far as it is known, after a moment of patience."""
        if digest not in self._tasks:
            self._begin(digest, self._prove_for_reader(document))
        self._tasks.move_to_end(digest)
        task = self._tasks[digest]
        await asyncio.wait({task}, timeout=PATIENCE)
        if not task.done() or task.cancelled():
            return SurveyProof(None, True)
        if task.exception() is not None:
            self._tasks.pop(digest, None)  # it could not even be started; the next reader tries again
            return SurveyProof(None, True)
        return task.result()

    def _begin(self, digest: str, work: Coroutine[Any, Any, SurveyProof]) -> asyncio.Task[SurveyProof]:
        """Begin a proof, and forget those that were asked for longest ago."""
        task = self._tasks[digest] = asyncio.create_task(work)
        while len(self._tasks) > KEPT:
            self._tasks.popitem(last=False)[1].cancel()
        return task

    async def _work_ahead(self, surveys: Callable[[], Iterable[SurveyRow]]) -> None:
        """Prove one survey after another, for as long as the server runs."""
        for row in reversed([*await asyncio.to_thread(surveys)][-KEPT:]):
            if row.ended is None:
                self._queue.put_nowait((row.digest, row.document))
        while True:
            digest, document = await self._queue.get()
            if digest not in self._tasks:
                await asyncio.wait({self._begin(digest, self._prove(document))})

    async def _prove_for_reader(self, document: bytes) -> SurveyProof:
        """Prove a survey whose reader waits: one at a time, beside the one that is proven ahead."""
        async with self._one_at_a_time:
            return await self._prove(document)

    async def _prove(self, document: bytes) -> SurveyProof:
        certificate = await certificate_of(document)
        return SurveyProof(certificate, day="" if certificate is None else self._today())


async def certificate_of(document: bytes) -> Certificate | None:
    """Have a process prove a survey, given as its document; None if it does not in time."""
    pipe, quiet = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "deniable.pages.proving", stdin=pipe, stdout=pipe, stderr=quiet
    )
    try:
        output, _ = await asyncio.wait_for(process.communicate(document), 2 * SECONDS)
    except TimeoutError:
        output = b""
    finally:
        if process.returncode is None:
            process.kill()
    if process.returncode != 0:
        return None
    certificate: Certificate = json.loads(output)
    return certificate

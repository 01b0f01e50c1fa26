"""The certificates that labels show: each survey is proven once, in a process of its own, one survey at a time."""

from __future__ import annotations

import asyncio
import json
import sys
from collections import OrderedDict
from typing import Any, Final

from deniable.pages.proving import SECONDS

KEPT: Final = 1000
"""So many certificates are kept; of more, those that were asked for longest ago are forgotten."""
PATIENCE: Final = 2.0
"""Seconds that a page waits for one."""
Certificate = dict[str, Any]


class Proofs:
    """Certificates by the digests of surveys. None stands for one that could not be had in time."""

    def __init__(self) -> None:
        self._tasks: OrderedDict[str, asyncio.Task[Certificate | None]] = OrderedDict()
        self._turn = asyncio.Semaphore(1)

    async def of(self, digest: str, document: bytes) -> tuple[Certificate | None, bool]:
        """The certificate, if there is one by now, and whether it is still worked on."""
        task = self._tasks.get(digest)
        if task is None:
            task = self._tasks[digest] = asyncio.create_task(self._proven(document))
        self._tasks.move_to_end(digest)
        while len(self._tasks) > KEPT:
            self._tasks.popitem(last=False)[1].cancel()
        await asyncio.wait({task}, timeout=PATIENCE)
        if task.done() and not task.cancelled() and task.exception() is not None:
            self._tasks.pop(digest, None)  # it could not even be started; the next reader tries again
            return None, True
        return (task.result(), False) if task.done() and not task.cancelled() else (None, True)

    async def _proven(self, document: bytes) -> Certificate | None:
        async with self._turn:
            return await _prove(document)


async def _prove(document: bytes) -> Certificate | None:
    """Have a process prove it; None if it does not in time."""
    pipe, quiet = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "deniable.pages.proving", stdin=pipe, stdout=pipe, stderr=quiet
    )
    try:
        told, _ = await asyncio.wait_for(process.communicate(document), 2 * SECONDS)
    except TimeoutError:
        told = b""
    finally:
        if process.returncode is None:
            process.kill()
    if process.returncode != 0:
        return None
    certificate: Certificate = json.loads(told)
    return certificate

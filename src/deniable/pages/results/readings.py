"""Results that are being worked out, each once however many people wait for it: to find words takes seconds."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from typing import Final

from deniable.protocol.errors import ParameterError, TallyError
from deniable.surveys.results import Results

PATIENCE: Final = 1.8
"""Seconds after which a page says that its result is being worked out."""
Key = tuple[int, tuple[str, ...]]


class Readings:
    """The estimates of questions, in the making."""

    def __init__(self) -> None:
        self._tasks: dict[Key, asyncio.Task[None]] = {}

    async def are_ready(self, results: Results, names: Sequence[str]) -> bool:
        """Whether these questions are worked out, after a moment at most; if not, that goes on."""
        done, _ = await asyncio.wait({self.begin(results, names)}, timeout=PATIENCE)
        return bool(done)

    def begin(self, results: Results, names: Sequence[str]) -> asyncio.Task[None]:
        """The work on these questions, one after another; what others have begun goes on."""
        # the same for who may see but some; the task keeps the tally, and so its id
        key = (id(results.tally), tuple(names))
        task = self._tasks.get(key)
        if task is None:
            work = self._in_turn(results, names) if len(names) > 1 else asyncio.to_thread(_work_out, results, names)
            task = self._tasks[key] = asyncio.create_task(work)
            task.add_done_callback(lambda _: self._tasks.pop(key, None))
        return task

    async def _in_turn(self, results: Results, names: Sequence[str]) -> None:
        for name in names:
            await self.begin(results, [name])


def _work_out(results: Results, names: Sequence[str]) -> None:
    """The estimates, which the results then keep. Why one is missing, its page says."""
    for name in names:
        with contextlib.suppress(ParameterError, TallyError):
            results[name]

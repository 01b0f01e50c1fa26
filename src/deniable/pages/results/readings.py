"""Results that are being worked out, each once however many people wait for it: to find words takes seconds."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from typing import Final

from deniable.protocol.errors import ParameterError, TallyError
from deniable.surveys.results import Results

PATIENCE: Final = 1.2
"""Seconds after which a page says that its result is being worked out."""
Key = tuple[int, tuple[str, ...]]


class Readings:
    """The estimates of questions, in the making."""

    def __init__(self) -> None:
        self._tasks: dict[Key, asyncio.Task[None]] = {}

    async def are_ready(self, results: Results, names: Sequence[str]) -> bool:
        """Whether these questions are worked out, after a moment at most; if not, that goes on."""
        key = (id(results), tuple(names))  # the task keeps the results, and so their id
        task = self._tasks.get(key)
        if task is None:
            task = self._tasks[key] = asyncio.create_task(asyncio.to_thread(_work_out, results, names))
            task.add_done_callback(lambda _: self._tasks.pop(key, None))
        done, _ = await asyncio.wait({task}, timeout=PATIENCE)
        return bool(done)


def _work_out(results: Results, names: Sequence[str]) -> None:
    """The estimates, which the results then keep. Why one is missing, its page says."""
    for name in names:
        with contextlib.suppress(ParameterError, TallyError):
            results[name]

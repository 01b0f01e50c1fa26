"""Results that are being worked out: each once however many people wait for it, and ahead of its first reader."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Sequence
from typing import Final

from deniable.intake.events import warn
from deniable.intake.storage.rows import SurveyRow
from deniable.pages.results.period_view import PeriodView
from deniable.pages.results.survey_view import survey_view
from deniable.protocol.errors import ParameterError, TallyError
from deniable.surveys.results import Results

PATIENCE: Final = 1.8
"""Seconds after which a page says that its result is being worked out."""
AT_START: Final = 20
"""So many surveys are read when a server starts, the newest."""
REST: Final = 3.0
"""Between two results so many times as long as the last one took: uploads and readers go first."""
LONGEST_REST: Final = 60.0
Look = Callable[[SurveyRow, str | None], PeriodView]
"""A period of a survey as its readers may see it; the one that they see first unless it is named."""
SurveyPeriod = tuple[SurveyRow, str | None]
"""A survey, and one of its periods unless it is the one that readers see first."""
Key = tuple[int, tuple[str, ...]]
"""The id of a tally, and the names of questions."""


class Readings:
    """Works out the estimates of questions, each once, however many pages wait for it."""

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
            work = self._one_by_one(results, names) if len(names) > 1 else asyncio.to_thread(_work_out, results, names)
            task = self._tasks[key] = asyncio.create_task(work)
            task.add_done_callback(lambda _: self._tasks.pop(key, None))
        return task

    async def _one_by_one(self, results: Results, names: Sequence[str]) -> None:
        for name in names:
            await self.begin(results, [name])


def _work_out(results: Results, names: Sequence[str]) -> None:
    """The estimates, which the results then keep. Why one is missing, its page says."""
    for name in names:
        with contextlib.suppress(ParameterError, TallyError):
            results[name]


class ResultsAhead:
    """Works out the results of surveys one after another, before anybody asks for them."""

    def __init__(self, readings: Readings, look: Look) -> None:
        self._readings, self._look = readings, look
        self._queue: dict[SurveyPeriod, None] = {}
        self._has_work: asyncio.Event
        self._loop: asyncio.AbstractEventLoop | None = None
        self._work: asyncio.Task[None]

    def start(self, surveys: Callable[[], list[SurveyRow]]) -> None:
        """Begin with the surveys that there are; called once the server's loop runs."""
        self._loop, self._has_work = asyncio.get_running_loop(), asyncio.Event()
        self._work = asyncio.create_task(self._run(surveys))

    def counted(self, row: SurveyRow, period: str) -> None:
        """Read a period again whose counts are new, when its turn comes; from any thread."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._add, (row, period))

    def _add(self, wanted: SurveyPeriod) -> None:
        self._queue[wanted] = None  # once, however often it is counted meanwhile
        self._has_work.set()

    async def _run(self, surveys: Callable[[], list[SurveyRow]]) -> None:
        """Read the surveys that there are, then whatever is added, for as long as the server runs."""
        try:
            for row in reversed((await asyncio.to_thread(surveys))[-AT_START:]):
                self._add((row, None))
        except Exception as error:
            warn("no result could be read ahead", error)
        while True:
            await self._has_work.wait()
            while self._queue:
                wanted = next(iter(self._queue))
                del self._queue[wanted]
                began = time.monotonic()
                await self._read(*wanted)
                await asyncio.sleep(min(REST * (time.monotonic() - began), LONGEST_REST))
            self._has_work.clear()

    async def _read(self, row: SurveyRow, period: str | None) -> None:
        """Work out all estimates of a period and its page, which both are kept for its readers."""
        try:
            view = await asyncio.to_thread(self._look, row, period)
            if view.results is not None:
                await self._readings.begin(view.results, [each.name for each in view.survey.questions])
                await asyncio.to_thread(survey_view, view)
        except Exception as error:  # its reader is told why
            warn("a result could not be read ahead", error, survey=row.name)

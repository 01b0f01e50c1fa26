"""Results that are worked out as soon as their answers are counted, so that the first reader need not wait."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Final

from deniable.collector.events import warn
from deniable.collector.storage.rows import SurveyRow
from deniable.pages.results.period_view import PeriodView
from deniable.pages.results.readings import Readings
from deniable.pages.results.survey_view import survey_view

AT_START: Final = 20
"""So many surveys are read when a server starts, the newest."""
REST: Final = 3.0
"""Between two results so many times as long as the last one took: uploads and readers go first."""
LONGEST_REST: Final = 60.0
Look = Callable[[SurveyRow, str | None], PeriodView]
"""A period of a survey as its readers may see it; the one that they see first unless it is named."""
Counted = tuple[SurveyRow, str | None]


class ResultsAhead:
    """Works one result out after another."""

    def __init__(self, readings: Readings, look: Look) -> None:
        self._readings, self._look = readings, look
        self._next: dict[Counted, None] = {}
        self._woken: asyncio.Event
        self._loop: asyncio.AbstractEventLoop | None = None
        self._work: asyncio.Task[None]

    def start(self, surveys: Callable[[], list[SurveyRow]]) -> None:
        """Begin with the surveys that there are; called once the server's loop runs."""
        self._loop, self._woken = asyncio.get_running_loop(), asyncio.Event()
        self._work = asyncio.create_task(self._go_on(surveys))

    def counted(self, row: SurveyRow, period: str) -> None:
        """Read a period again whose counts are new, when its turn comes; from any thread."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._add, (row, period))

    def _add(self, wanted: Counted) -> None:
        self._next[wanted] = None  # once, however often it is counted meanwhile
        self._woken.set()

    async def _go_on(self, surveys: Callable[[], list[SurveyRow]]) -> None:
        try:
            for row in reversed((await asyncio.to_thread(surveys))[-AT_START:]):
                self._add((row, None))
        except Exception as error:
            warn("no result could be read ahead", error)
        while True:
            await self._woken.wait()
            while self._next:
                wanted = next(iter(self._next))
                del self._next[wanted]
                began = time.monotonic()
                await self._read(*wanted)
                await asyncio.sleep(min(REST * (time.monotonic() - began), LONGEST_REST))
            self._woken.clear()

    async def _read(self, row: SurveyRow, period: str | None) -> None:
        try:
            found = await asyncio.to_thread(self._look, row, period)
            if found.results is not None:
                await self._readings.begin(found.results, [each.name for each in found.survey.questions])
                await asyncio.to_thread(survey_view, found)
        except Exception as error:  # its reader is told why
            warn("a result could not be read ahead", error, survey=row.name)

"""What each survey found, in a sentence for the list of all, made once for each number of answers."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from deniable.collector.desk import Desk
from deniable.collector.storage.rows import CLOSING, OPEN, Standing, VisibleTally
from deniable.pages.results.period_view import read
from deniable.protocol.errors import ParameterError, TallyError
from deniable.surveys.survey import Survey

KEPT: Final = 2000
"""So many sentences are kept; of more, those that were read longest ago are forgotten."""
AT_ONCE: Final = 100
"""So many sentences at most are begun for one page; its next reader begins further ones."""
PATIENCE: Final = 0.03
"""Seconds that a page waits for sentences that are not made yet; its next reader finds them."""


class HeadlineKey(NamedTuple):
    """What a sentence is about: as long as this is the same, so is the sentence."""

    period: int
    """Its number in the storage."""
    state: str
    answers: int

    @classmethod
    def of(cls, standings: Sequence[Standing]) -> HeadlineKey | None:
        """That of the last period of which readers may see a result."""
        shown = [HeadlineKey(each.number, each.state, each.shown) for each in standings if each.shown]
        return shown[-1] if shown else None


class Headlines:
    """Sentences by what they are about."""

    def __init__(self) -> None:
        self._tasks: OrderedDict[HeadlineKey, asyncio.Task[str]] = OrderedDict()
        self._turn = asyncio.Semaphore(1)

    async def of(self, desk: Desk, wanted: Mapping[HeadlineKey, Survey]) -> Mapping[HeadlineKey, str]:
        """The sentences that are there by now."""
        self._begin(desk, wanted)
        tasks = {key: self._tasks[key] for key in wanted if key in self._tasks}
        for key in tasks:
            self._tasks.move_to_end(key)
        if tasks:
            await asyncio.wait(tasks.values(), timeout=PATIENCE)
        while len(self._tasks) > KEPT:
            self._tasks.popitem(last=False)
        return {key: self._result(key, task) for key, task in tasks.items() if task.done()}

    def _begin(self, desk: Desk, wanted: Mapping[HeadlineKey, Survey]) -> None:
        """Begin to make sentences that are not there, of tallies that are read together."""
        new = [key for key in wanted if key not in self._tasks][:AT_ONCE]
        if new:
            tallies = asyncio.create_task(asyncio.to_thread(desk.tallies, [key.period for key in new]))
            self._tasks |= {key: asyncio.create_task(self._made(key, wanted[key], tallies)) for key in new}

    async def _made(self, key: HeadlineKey, survey: Survey, tallies: asyncio.Task[dict[int, VisibleTally]]) -> str:
        found = (await asyncio.shield(tallies)).get(key.period)
        if found is None:  # withdrawn since the list was made
            return ""
        async with self._turn:  # one at a time, so that the collector keeps answering
            return await asyncio.to_thread(_headline, survey, found.tally, key.state in (OPEN, CLOSING))

    def _result(self, key: HeadlineKey, task: asyncio.Task[str]) -> str:
        """A failure is for this reader; the next one tries again."""
        if task.exception() is not None:
            self._tasks.pop(key, None)
        return task.result()


def _headline(survey: Survey, tally: bytes, is_open: bool) -> str:
    """What the first question says that has a result; of several questions it is named."""
    results = read(tally)
    for question in survey.questions:
        try:
            said = results[question.name].statement(is_open)
        except (ParameterError, TallyError):  # there is none, and its own page says why
            continue
        asked = question.wording or f"{question.name}:"
        return said if len(survey.questions) == 1 else f"{asked} {said}"
    return ""

"""What each survey found, in a sentence for the list of all, made once for each number of answers."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from deniable.collector.collector import Collector
from deniable.collector.desk import Desk, Standing
from deniable.collector.refusals import Refused
from deniable.collector.storage.rows import SurveyRow
from deniable.estimation.estimate import Estimate
from deniable.estimation.numbers.distribution import Distribution
from deniable.estimation.numbers.number_saying import number_sentence
from deniable.estimation.saying import sentence
from deniable.pages.results.found import Found, find
from deniable.protocol.errors import ParameterError, TallyError

KEPT: Final = 2000
"""So many sentences are kept; of more, those that were read longest ago are forgotten."""
PATIENCE: Final = 0.03
"""Seconds that a page waits for sentences that are not made yet; its next reader finds them."""


class Told(NamedTuple):
    """What a sentence is about: as long as this is the same, so is the sentence."""

    digest: str
    period: str
    state: str
    answers: int


class Headlines:
    """Sentences by what they are about."""

    def __init__(self) -> None:
        self._tasks: OrderedDict[Told, asyncio.Task[str]] = OrderedDict()
        self._turn = asyncio.Semaphore(1)

    async def of(
        self, collector: Collector[object], desk: Desk, wanted: Mapping[Told, SurveyRow]
    ) -> Mapping[Told, str]:
        """The sentences that are there by now."""
        tasks = {told: self._task(collector, desk, told, row) for told, row in wanted.items()}
        if tasks:
            await asyncio.wait(tasks.values(), timeout=PATIENCE)
        while len(self._tasks) > KEPT:
            self._tasks.popitem(last=False)
        return {told: self._result(told, task) for told, task in tasks.items() if task.done()}

    def _task(self, collector: Collector[object], desk: Desk, told: Told, row: SurveyRow) -> asyncio.Task[str]:
        if told not in self._tasks:
            self._tasks[told] = asyncio.create_task(self._made(collector, desk, told, row))
        self._tasks.move_to_end(told)
        return self._tasks[told]

    async def _made(self, collector: Collector[object], desk: Desk, told: Told, row: SurveyRow) -> str:
        async with self._turn:  # one at a time, so that the collector keeps answering
            return await asyncio.to_thread(_headline, collector, desk, row, told.period)

    def _result(self, told: Told, task: asyncio.Task[str]) -> str:
        """A failure is for this reader; the next one tries again."""
        if task.exception() is not None:
            self._tasks.pop(told, None)
        return task.result()


def told_of(row: SurveyRow, standings: Sequence[Standing]) -> Told | None:
    """The last period of which readers may see a result."""
    shown = [standing for standing in standings if standing.shown]
    if not shown:
        return None
    last = max(shown, key=lambda standing: standing.period)
    return Told(row.digest, last.period, last.state, last.shown)


def _headline(collector: Collector[object], desk: Desk, row: SurveyRow, period: str) -> str:
    try:
        return headline(find(collector, desk, row, period))
    except Refused:  # withdrawn since the list was made
        return ""


def headline(found: Found) -> str:
    """What the first question says that has a result; of several questions it is named."""
    if found.results is None:
        return ""
    for question in found.survey.questions:
        try:
            said = _said(found.results[question.name], found.is_open)
        except (ParameterError, TallyError):  # there is none, and its own page says why
            continue
        asked = question.wording or f"{question.name}:"
        return said if len(found.survey.questions) == 1 else f"{asked} {said}"
    return ""


def _said(estimate: Estimate, is_open: bool) -> str:
    return number_sentence(estimate, is_open) if isinstance(estimate, Distribution) else sentence(estimate, is_open)

"""What each survey found, in a sentence and an interval for the list of all, made once for each number of answers."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from deniable.collector.desk import Desk
from deniable.intake.storage.rows import CLOSING, OPEN, Standing, VisibleTally
from deniable.pages.results.asked import result_kind_of
from deniable.pages.results.period_view import read
from deniable.pages.results.readings import Readings
from deniable.pages.results.rows import Axis, Span
from deniable.protocol.errors import ParameterError, TallyError
from deniable.protocol.questions.question import Question
from deniable.protocol.say import Phrase, Statement
from deniable.surveys.results import Results
from deniable.surveys.survey import Survey

KEPT: Final = 2000
"""So many sentences are kept; of more, those that were read longest ago are forgotten."""
AT_ONCE: Final = 100
"""So many sentences at most are begun for one page; its next reader begins further ones."""
PATIENCE: Final = 2.0
"""Seconds that a page waits for sentences that are not made yet; then it says so, and its next reader finds them."""
WHOLE: Final = Axis(0.0, 1.0, (("0", 0.0), ("50", 50.0), ("100", 100.0)), 0.0)
"""All pictures of the list are on the axis from 0 to 100 in 100."""


class Finding(NamedTuple):
    """What the first question says that has a result, and the share that the sentence is about, on the whole axis."""

    sentence: Phrase = ""
    bands: tuple[Span, ...] = ()
    """The widest first; none of a number, which is no share."""
    dot: float | None = None


class HeadlineKey(NamedTuple):
    """What a sentence is about: as long as this is the same, so is the sentence."""

    period: int
    """Its number in the storage, which another survey may have once this one is deleted."""
    survey: str
    state: str
    answers: int
    only: frozenset[str] | None = None
    """The names of the questions that its readers may see; None if all."""

    @classmethod
    def of(cls, standings: Sequence[Standing]) -> HeadlineKey | None:
        """The key of the last period of which readers may see a result."""
        shown = [HeadlineKey(each.number, each.survey, each.state, each.shown) for each in standings if each.shown]
        return shown[-1] if shown else None


class Headlines:
    """The findings of all surveys in the list, each worked out once."""

    def __init__(self, readings: Readings) -> None:
        self._readings = readings
        self._tasks: OrderedDict[HeadlineKey, asyncio.Task[Finding]] = OrderedDict()
        self._one_at_a_time = asyncio.Semaphore(1)

    async def of(self, desk: Desk, wanted: Mapping[HeadlineKey, Survey]) -> Mapping[HeadlineKey, Finding]:
        """The findings wanted, without those that are not worked out yet after a moment of waiting."""
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
        """Begin to work out findings that are not there, of tallies read together; those of own words come last."""
        new = [key for key in wanted if key not in self._tasks][:AT_ONCE]
        new.sort(key=lambda key: wanted[key].questions[0].own_words)
        if new:
            tallies = asyncio.create_task(asyncio.to_thread(desk.tallies, [key.period for key in new]))
            self._tasks |= {key: asyncio.create_task(self._work_out(key, wanted[key], tallies)) for key in new}

    async def _work_out(
        self, key: HeadlineKey, survey: Survey, tallies: asyncio.Task[dict[int, VisibleTally]]
    ) -> Finding:
        """The finding of a survey, from a tally that was read together with others."""
        visible = (await asyncio.shield(tallies)).get(key.period)
        if visible is None:  # withdrawn since the list was made
            return Finding()
        async with self._one_at_a_time:  # so that the collector keeps answering
            results = await asyncio.to_thread(read, visible.tally, survey)
            questions = [each for each in survey.questions if key.only is None or each.name in key.only]
            await self._readings.begin(results, [each.name for each in questions[:1]])  # its page may want the same
            return await asyncio.to_thread(_finding, questions, results, key.state in (OPEN, CLOSING))

    def _result(self, key: HeadlineKey, task: asyncio.Task[Finding]) -> Finding:
        """What a task found; its failure is for this reader, and the next one tries again."""
        if task.exception() is not None:
            self._tasks.pop(key, None)
        return task.result()


def _finding(questions: Sequence[Question], results: Results, is_open: bool) -> Finding:
    """What the first question says that has a result; of several questions it is named."""
    for question in questions:
        try:
            result = results[question.name]
            sentence = result.statement(is_open)
        except (ParameterError, TallyError):  # there is none, and its own page says why
            continue
        if len(questions) > 1:
            wording = question.wording or f"{question.name}:"
            sentence = Statement("question_finding", question=wording, finding=sentence)
        return Finding(sentence, *result_kind_of(results.document, question).headline(result))
    return Finding()

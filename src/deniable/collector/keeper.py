"""What a collector does from time to time: look at the clock, fold, close, delete, and count again."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

from deniable.collector.clock import Watch
from deniable.collector.closing import Recount, close, discard, recount
from deniable.collector.collector import Collector
from deniable.collector.events import tell, warn
from deniable.collector.folding import fold
from deniable.collector.storage.rows import CLOSING, OPEN, RELEASED, WITHHELD, Batch, SurveyRow
from deniable.collector.storage.transaction import Transaction

CHUNKS, AGE = 1000, 60.0
"""Chunks are folded when there are so many, or after so many seconds."""
STEPS = 16
"""How often a period is folded at a time, if it has that much: the others wait for it."""


class Keeper:
    """Keeps a collector's storage in order; one thing at a time."""

    def __init__(self, collector: Collector[Any]) -> None:
        self._collector = collector
        self._folded: dict[int, float] = {}
        self._waited: dict[int, float] = {}
        """How long answers of each period have waited to be folded, at most."""
        self._waiting: dict[int, int] = {}
        """How many chunks wait to be folded in each period, as of the last look at all of them."""
        self._alone = threading.Lock()
        self.counted: Callable[[SurveyRow, str], None] = _nobody
        """Told of each period of a survey whose counts are new; nobody unless somebody asks to be."""

    def look_at_the_clock(self, confirm: bool = False) -> Watch:
        """Notice a jump of the clock; an operator may confirm that it is right."""

        def look(t: Transaction) -> Watch:
            now = self._collector.now()
            before = t.watch() or Watch(now)
            watch = before.confirmed(now) if confirm else before.at(now)
            t.set_watch(watch)
            return watch

        before, watch = self._collector.watch, self._collector.run(look)
        self._collector.watch = watch
        self._collector.metrics.doubted.set(watch.is_doubted)
        if watch.is_doubted and not (before and before.is_doubted):
            warn("nothing is closed", "the clock has jumped; deniable collector clock says that it is right")
        elif before and before.is_doubted and not watch.is_doubted:
            tell("the clock is believed again")
        return watch

    def keep(self) -> None:
        """Fold and close whatever is due."""
        self._collector.write_refusals()
        self.look_at_the_clock()
        self._waited.clear()
        self._each((OPEN, CLOSING), self._keep)
        self._collector.metrics.lag.set(max(self._waited.values(), default=0.0))

    def discard(self) -> None:
        """Delete the answers that need not be kept any longer."""
        self._each((RELEASED, WITHHELD), self._discard)

    def recount(self, survey: SurveyRow, batch: Batch) -> Recount:
        """Count what is kept again, while nothing else is folded."""
        run, form = self._collector.run, self._collector.form(survey)
        with self._alone:
            while batch.state == OPEN and fold(run, form, batch):
                pass
            found = recount(run, form, batch)
        self.counted(survey, batch.period)
        return found

    def _periods(self, *states: str) -> list[tuple[SurveyRow, Batch]]:
        """The periods in some states, if this process is the one to keep them."""
        if not self._collector.writer.use(lambda store: store.leads()).result():
            return []
        rows = {row.digest: row for row in self._collector.run(lambda t: t.surveys())}
        batches, self._waiting = self._collector.run(lambda t: (t.batches(states=states), t.waiting(CHUNKS)))
        return [(rows[batch.survey], batch) for batch in batches]

    def _each(self, states: Sequence[str], do: Callable[[SurveyRow, Batch], None]) -> None:
        """Do something with all periods in some states; one that fails is told of, and holds up no other."""
        with self._alone:
            for survey, batch in self._periods(*states):
                try:
                    do(survey, batch)
                except Exception as error:
                    warn("a period could not be kept in order", error, survey=survey.name, period=batch.period)

    def _discard(self, survey: SurveyRow, batch: Batch) -> None:
        collector, now = self._collector, self._collector.now()
        if not collector.doubts(now):
            discard(collector.run, collector.form(survey), survey, batch, now)

    def _keep(self, survey: SurveyRow, batch: Batch) -> None:
        """Fold an open period if it is time, or close it if its door is shut."""
        collector = self._collector
        form, now = collector.form(survey), collector.now()
        shut = now >= collector.doors(survey).shuts(batch.period) and not collector.doubts(now)
        if shut or batch.state == CLOSING:
            close(collector.run, form, survey, batch)
            tell("a period was closed", survey=survey.name, period=batch.period)
            self.counted(survey, batch.period)
            return
        waiting = self._waiting.get(batch.number, 0)
        since = self._folded.setdefault(batch.number, now)
        self._waited[batch.number] = now - since if waiting else 0.0
        if waiting >= CHUNKS or (waiting and not since <= now < since + AGE):
            for _ in range(STEPS):
                if not fold(collector.run, form, batch):
                    break
            self._folded[batch.number] = now
            self.counted(survey, batch.period)


def _nobody(_: SurveyRow, __: str) -> None:
    """Nobody is told."""

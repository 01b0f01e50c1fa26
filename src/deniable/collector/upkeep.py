"""What a collector does from time to time: look at the clock, fold, close, delete, and count again."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

from deniable.collector.checking import CHECKED, WEEK, damage_of, of_surveys, set_aside
from deniable.collector.closing import Recount, close, discard, recount
from deniable.collector.collector import Collector
from deniable.collector.folding import fold
from deniable.intake.events import tell, warn
from deniable.intake.refusals import DAMAGED, Refused
from deniable.intake.storage.checksums import PAGES, DamagedError
from deniable.intake.storage.rows import CLOSING, OPEN, RELEASED, WITHHELD, Batch, Standing, SurveyRow
from deniable.intake.timekeeping import Timekeeper

CHUNKS, AGE = 1000, 60.0
"""Chunks are folded when there are so many, or after so many seconds."""
SEARCHING = 3600.0
"""Seconds after which everything is read again at most, to find what is damaged."""
STEPS = 16
"""How often a period is folded at a time, if it has that much: the others wait for it."""


class Keeper(Timekeeper):
    """Keeps a collector's storage in order; one thing at a time."""

    def __init__(self, collector: Collector[Any]) -> None:
        super().__init__(collector, "collector")
        self._collector = collector
        self._folded: dict[int, float] = {}
        """When each period was last folded, or else first looked at, by its number."""
        self._lags: dict[int, float] = {}
        """How long answers of each period have waited to be folded, at most."""
        self._unfolded: dict[int, int] = {}
        """How many chunks wait to be folded in each period, as of the last look at all of them."""
        self._alone = threading.Lock()
        self._changes, self._next_search = 0, 0.0
        """How often a period was found to be damaged or sound again, and when everything may be searched once more."""
        self.counted: Callable[[SurveyRow, str], None] = _tell_nobody
        """Told of each period of a survey whose counts are new; nobody unless somebody asks to be."""

    def keep(self) -> None:
        """Fold and close whatever is due."""
        self._collector.write_refusals()
        self.look_at_the_clock()
        if self._collector.suspects() and time.monotonic() >= self._next_search:
            before = self._changes
            self.check(with_set_aside=False)
            self._next_search = time.monotonic() + (SEARCHING if self._changes == before else 0.0)
        self._lags.clear()
        self._for_each((OPEN, CLOSING), self._keep)
        self._collector.metrics.lag.set(max(self._lags.values(), default=0.0))

    def check(self, with_set_aside: bool = True) -> list[Standing]:
        """Read everything and set aside what is damaged; gives the damaged periods.

        Periods that were set aside before are read only ``with_set_aside``.
        """
        surveys, batches = self._collector.run(lambda t: (t.surveys(), t.batches()))
        for survey, batch in of_surveys(surveys, batches):
            if with_set_aside or not batch.damaged:
                self.examine(survey, batch.period)
        self._collector.suspects()  # by now it is known what is damaged
        self._collector.run(lambda t: t.set_fact(CHECKED, repr(self._collector.now())))
        return [each for each in self._collector.run(lambda t: t.standings()) if each.damaged]

    def check_in_time(self) -> None:
        """Read everything if a week has passed since, and this process is the one to do so."""
        if not self._collector.writer.use(lambda store: store.leads()).result():
            return
        last, now = self._collector.run(lambda t: t.fact(CHECKED)), self._collector.now()
        if last is None:
            self._collector.run(lambda t: t.set_fact(CHECKED, repr(now)))
        elif now >= float(last) + WEEK:
            standings = self.check()
            tell("everything that is stored was read", damaged=len(standings))

    def examine(self, survey: SurveyRow, period: str, if_sound: str = "") -> None:
        """Read everything of a period; set it aside with its damage, or take it back if none is found.

        With ``if_sound`` it is set aside by that word even then: something was damaged that this reading does not meet.
        """
        collector = self._collector
        with self._alone:
            batches = collector.run(lambda t: t.answered([(survey.digest, period)]))
            for batch in batches.values():
                what = damage_of(collector.run, collector.form, survey, batch, collector.now()) or if_sound
                if what != batch.damaged:
                    collector.run(set_aside(survey, batch, what))
                    self._changes += 1

    def discard(self) -> None:
        """Delete the answers that need not be kept any longer."""
        self._for_each((RELEASED, WITHHELD), self._discard)

    def recount(self, survey: SurveyRow, batch: Batch) -> Recount:
        """Count what is kept again, while nothing else is folded."""
        run, form = self._collector.run, self._collector.form(survey)
        if batch.damaged:
            raise Refused(DAMAGED)
        try:
            with self._alone:
                while batch.state == OPEN and fold(run, form, batch):
                    pass
                counted = recount(run, form, batch)
        except DamagedError:
            self.examine(survey, batch.period)
            raise Refused(DAMAGED) from None
        self.counted(survey, batch.period)
        return counted

    def _periods(self, *states: str) -> list[tuple[SurveyRow, Batch]]:
        """The periods in some states, if this process is the one to keep them."""
        if not self._collector.writer.use(lambda store: store.leads()).result():
            return []
        surveys = self._collector.run(lambda t: t.surveys())
        batches, self._unfolded = self._collector.run(lambda t: (t.batches(), t.waiting(CHUNKS)))
        self._collector.metrics.damaged.set(sum(batch.damaged != "" for batch in batches))
        return of_surveys(surveys, [batch for batch in batches if batch.state in states])

    def _for_each(self, states: Sequence[str], do: Callable[[SurveyRow, Batch], None]) -> None:
        """Do something with all periods in some states; one that fails is told of, and holds up no other."""
        suspected = []
        with self._alone:
            for survey, batch in self._periods(*states):
                try:
                    do(survey, batch)
                except Exception as error:
                    warn("a period could not be kept in order", error, survey=survey.name, period=batch.period)
                    if isinstance(error, DamagedError) and not batch.damaged:
                        suspected.append((survey, batch.period))
        for each in suspected:
            self.examine(*each, if_sound=PAGES)
        if suspected:
            self._collector.suspects()

    def _discard(self, survey: SurveyRow, batch: Batch) -> None:
        collector, now = self._collector, self._collector.now()
        if not collector.doubts(now):
            discard(collector.run, collector.form(survey), survey, batch, now)

    def _keep(self, survey: SurveyRow, batch: Batch) -> None:
        """Fold an open period if it is time, or close it if its door is shut; of a damaged one all stays as it is."""
        if batch.damaged:
            return
        collector = self._collector
        form, now = collector.form(survey), collector.now()
        shut = now >= collector.doors(survey).shuts(batch.period) and not collector.doubts(now)
        if shut or batch.state == CLOSING:
            close(collector.run, form, survey, batch)
            tell("a period was closed", survey=survey.name, period=batch.period)
            self.counted(survey, batch.period)
            return
        waiting = self._unfolded.get(batch.number, 0)
        since = self._folded.setdefault(batch.number, now)
        self._lags[batch.number] = now - since if waiting else 0.0
        if waiting >= CHUNKS or (waiting and not since <= now < since + AGE):
            for _ in range(STEPS):
                if not fold(collector.run, form, batch):
                    break
            self._folded[batch.number] = now
            self.counted(survey, batch.period)


def _tell_nobody(_: SurveyRow, __: str) -> None:
    """The listener where nobody asked to be told."""
